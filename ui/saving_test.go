package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// csvFile writes a small table and returns its path and text.
func csvFile(t *testing.T, dir string) (path, text string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("a,b,kind\n")
	for i := range 400 {
		v := fmt.Sprint(i % 17)
		if i%20 == 0 {
			v = "NA"
		}
		fmt.Fprintf(&b, "%s,%d,%s\n", v, (i*7)%31, []string{"x", "y"}[i%2])
	}
	path = filepath.Join(dir, "mine.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path, b.String()
}

// saveAs chooses "Save coordinates…" and types a name.
func saveAs(d *uitest.Driver, name string) {
	d.Keys("Ctrl+E")
	d.Frames(4)
	d.ClickOn("export/coordinates")
	d.Frames(3)
	d.Keys("Ctrl+A")
	d.Type(name)
	d.Keys("Enter")
	d.Frames(3)
}

func TestTheUsersDataIsNeverReplaced(t *testing.T) {
	dir := t.TempDir()
	path, text := csvFile(t, dir)
	a, d := begin(t, 1280, 900, 1, Options{Paths: []string{path}})
	opened(t, a, d)
	if n := a.desk.Table().Invalid; n != 20 {
		t.Fatalf("%d invalid points", n)
	}
	// The legend tells of what can be seen.
	uitest.Do(func() { a.desk.ColourBy("kind") })
	rest(t, a, d)
	if l := a.active().Colours.Legend(a.active().Colouring()); len(l.Entries) != 2 ||
		l.Entries[0].Count+l.Entries[1].Count != 380 {
		t.Fatalf("legend %+v", l)
	}
	for _, name := range []string{path, strings.TrimSuffix(path, ".csv")} {
		saveAs(d, name)
		if a.dialogs.Open("replace") == nil {
			t.Fatalf("%s: was not asked", name)
		}
		d.ClickOn("Replace it")
		rest(t, a, d)
		if a.troubled() == nil {
			t.Fatalf("%s: no word of what was wrong", name)
		}
		uitest.Do(func() { a.dialogs.Close("problem") })
		d.Frames(2)
		if now, err := os.ReadFile(path); err != nil || string(now) != text {
			t.Fatalf("%s: the data file was changed (%v)", name, err)
		}
	}
	// Nor by a session of that name.
	d.Keys("Ctrl+Shift+S")
	d.Frames(3)
	d.Keys("Ctrl+A")
	d.Type(path)
	d.Keys("Enter")
	d.Frames(3)
	d.ClickOn("Replace it")
	d.Frames(3)
	if now, err := os.ReadFile(path); err != nil || string(now) != text || a.troubled() == nil || a.desk.Session != "" {
		t.Fatalf("a session replaced the data file, or is saved there from now on (%v)", err)
	}
}

func TestAnExistingFileIsReplacedOnlyWhenAsked(t *testing.T) {
	dir := t.TempDir()
	a, d := begin(t, 1280, 900, 1, Options{Paths: []string{"demo:s-sheet:500"}})
	opened(t, a, d)
	out := filepath.Join(dir, "out.csv")
	if err := os.WriteFile(out, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	read := func() string {
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	saveAs(d, filepath.Join(dir, "out"))
	d.ClickOn("Cancel")
	rest(t, a, d)
	if read() != "precious" {
		t.Fatal("replaced in spite of Cancel")
	}
	saveAs(d, filepath.Join(dir, "out"))
	d.ClickOn("Replace it")
	d.Wait("the file is written", 10*time.Second, func() bool {
		return len(a.compute.jobs.List()) == 0 &&
			!a.output.Waiting()
	})
	if !strings.HasPrefix(read(), "embedsom1,embedsom2\n") {
		t.Fatal("not replaced")
	}
	// A second export leaves the first one's session alone.
	saveAs(d, filepath.Join(dir, "out"))
	d.ClickOn("Replace it")
	rest(t, a, d)
	if !exists(filepath.Join(dir, "out.blossom")) || !exists(filepath.Join(dir, "out-2.blossom")) {
		t.Fatal("the sessions beside the exports are not both there")
	}
}

func TestAHeldArrowIsOneEntry(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:s-sheet:500"}})
	opened(t, a, d)
	uitest.Do(func() { a.desk.Stage.Hand().Landmarks.Selected = []int{3} })
	before := a.desk.Doc.History().Done()
	x, y := stand.MarkAt(a.desk, 3)
	for range 5 {
		d.Keys("Right")
	}
	if n := a.desk.Doc.History().Done() - before; n != 1 {
		t.Fatalf("%d entries for a run of nudges", n)
	}
	if nx, ny := stand.MarkAt(a.desk, 3); nx-x < 9 || ny != y {
		t.Fatalf("nudged by %g, %g", nx-x, ny-y)
	}
	d.Keys("Ctrl+Z")
	if nx, _ := stand.MarkAt(a.desk, 3); nx != x {
		t.Fatal("undo does not take all nudges back")
	}
}
