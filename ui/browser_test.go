package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/ui/uitest"
)

// files makes a folder with three tables, a folder, a hidden table and something that cannot be opened.
func files(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	now := time.Now()
	for i, f := range []struct {
		name string
		rows int
	}{{"alpha.csv", 40}, {"Beta.csv", 300}, {"gamma.csv", 90}, {".hidden.csv", 3}, {"notes.md", 1}} {
		text := "a,b\n" + strings.Repeat("1,2\n3,5\n0,4\n", f.rows)
		path := filepath.Join(dir, f.name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now, now.Add(-time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "samples", "inner"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (f *folder) names() (out []string) {
	for _, e := range f.listed {
		out = append(out, e.name)
	}
	return out
}

// A folder is shown with folders first, sorted by name, date or size, filtered, and chosen from as lists are.
func TestAFolderIsListed(t *testing.T) {
	dir := files(t)
	f := folder{kinds: []string{".csv"}, several: true}
	if err := f.read(dir); err != nil {
		t.Fatal(err)
	}
	order := func(what string, want ...string) {
		t.Helper()
		if got := f.names(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, not %q", what, got, want)
		}
	}
	order("by name", "samples", "alpha.csv", "Beta.csv", "gamma.csv")
	f.sort(byName)
	order("from the end", "samples", "gamma.csv", "Beta.csv", "alpha.csv")
	f.sort(bySize)
	order("by size", "samples", "Beta.csv", "gamma.csv", "alpha.csv")
	f.sort(byDate)
	order("by date", "samples", "alpha.csv", "Beta.csv", "gamma.csv")
	f.sort(byDate)
	order("oldest first", "samples", "gamma.csv", "Beta.csv", "alpha.csv")
	f.sort(byName)
	f.hidden = true
	f.arrange()
	order("hidden files", "samples", ".hidden.csv", "alpha.csv", "Beta.csv", "gamma.csv")
	f.hidden = false
	f.arrange()

	chosen := func(what string, want ...string) {
		t.Helper()
		var got []string
		for _, p := range f.chosen() {
			got = append(got, filepath.Base(p))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q are chosen, not %q", what, got, want)
		}
	}
	f.choose(1, false, false)
	chosen("a click", "alpha.csv")
	f.choose(3, true, false)
	chosen("Ctrl", "alpha.csv", "gamma.csv")
	f.choose(1, true, false)
	chosen("Ctrl again", "gamma.csv")
	f.choose(2, false, false)
	f.choose(3, false, true)
	chosen("Shift", "Beta.csv", "gamma.csv")
	f.choose(0, false, true)
	chosen("a folder among them is none", "alpha.csv", "Beta.csv")
	f.move(1, false)
	chosen("down", "alpha.csv")
	f.move(1, true)
	chosen("Shift+down", "alpha.csv", "Beta.csv")
	f.move(-100, false)
	chosen("a folder")
	f.search("BE")
	order("found", "Beta.csv")
	chosen("found", "Beta.csv")
	f.search("a.c")
	if f.on() == nil {
		t.Error("nothing is under the cursor, though names have it in their middle")
	}
	f.search("nothing")
	chosen("not found")
	f.several = false
	f.search("")
	f.choose(1, false, false)
	f.choose(2, true, false)
	chosen("one alone", "Beta.csv")
	if err := f.read(filepath.Join(dir, "gone")); err == nil || f.path != dir || len(f.listed) == 0 {
		t.Error("a folder that cannot be read takes the present one away")
	}
}

// Tab completes paths as far as they are certain.
func TestTabCompletesPaths(t *testing.T) {
	dir := files(t)
	sep := string(filepath.Separator)
	for text, want := range map[string]string{
		dir + sep + "sam":              dir + sep + "samples" + sep,
		dir + sep + "samples" + sep:    dir + sep + "samples" + sep + "inner" + sep,
		dir + sep + "bet":              dir + sep + "Beta.csv",
		"alp":                          "alpha.csv",
		dir + sep + "zzz":              dir + sep + "zzz",
		"samples" + sep + "in":         "samples" + sep + "inner" + sep,
		filepath.Join(dir, "no") + sep: filepath.Join(dir, "no") + sep,
		".hid":                         ".hidden.csv",
		"":                             "", // the folder, not its own name
		"~":                            "~" + sep,
		"..":                           ".." + sep,
		"samples" + sep + "..":         "samples" + sep + ".." + sep,
	} {
		if got := complete(text, dir); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}

// The window's own dialog: keyboard and mouse, one file and several, places, a path typed.
func TestFilesAreChosenInTheWindowsDialog(t *testing.T) {
	dir := files(t)
	a, d := begin(t, 1100, 760, 1, Options{})
	uitest.Do(func() {
		a.settings.Folder = dir
		a.settings.Recent = []string{filepath.Join(dir, "samples", "x.csv"), filepath.Join(dir, "samples", "y.csv")}
	})
	b := &a.browser
	d.Keys("Ctrl+O")
	d.Frames(3)
	if !b.shown || b.path != dir {
		t.Fatalf("the dialog is shown: %v, in %s", b.shown, b.path)
	}
	d.Keys("Down")
	d.Keys("Enter") // the folder "samples"
	d.Frames(3)
	if b.path != filepath.Join(dir, "samples") {
		t.Fatalf("Enter on a folder leads to %s", b.path)
	}
	d.Keys("Backspace")
	d.Frames(3)
	if b.path != dir {
		t.Fatalf("Backspace leads to %s", b.path)
	}
	for i, p := range b.places {
		if p.path == filepath.Join(dir, "samples") {
			d.ClickOn("place" + string(rune('0'+i)))
		}
	}
	d.Frames(3)
	if b.path != filepath.Join(dir, "samples") {
		t.Fatalf("the folder of a recent file leads to %s", b.path)
	}
	d.ClickOn("files/up")
	d.Frames(3)
	d.ClickOn("list/head2")
	if b.by != bySize || b.names()[1] != "Beta.csv" {
		t.Errorf("sorted by size: %q", b.names())
	}
	d.ClickOn("list/head0")
	d.Frames(3)
	d.Type("gam")
	d.Frames(2)
	if on := b.on(); on == nil || on.name != "gamma.csv" || len(b.chosen()) != 1 {
		t.Errorf("typing a name finds %+v", on)
	}
	d.Keys("Ctrl+A")
	d.Keys("Backspace")
	d.Frames(2)
	if b.path != dir || len(b.listed) != 4 {
		t.Errorf("without the word %d are listed in %s", len(b.listed), b.path)
	}
	row := func(name string) string {
		return "list/" + string(rune('0'+slices.Index(b.names(), name)))
	}
	d.ClickOn(row("alpha.csv"))
	d.Hold("Ctrl", func() { d.ClickOn(row("gamma.csv")) })
	if n := len(b.chosen()); n != 2 {
		t.Fatalf("%d files are chosen", n)
	}
	if dir := os.Getenv("BLOSSOM_LOOK"); dir != "" {
		if err := uitest.WritePNG(filepath.Join(dir, "open.png"), d.Screenshot()); err != nil {
			t.Error(err)
		}
	}
	d.ClickOn("files/accept")
	opened(t, a, d)
	if n := a.desk.Doc.Data.Points; n != 3*(40+90) {
		t.Errorf("two files of 390 rows open as %d", n)
	}
	if a.settings.Folder != dir {
		t.Errorf("the folder is not remembered: %s", a.settings.Folder)
	}

	d.Keys("Ctrl+O")
	d.Frames(3)
	d.Type(filepath.Join(dir, "bet"))
	d.Keys("Tab")
	d.Frames(2)
	if want := filepath.Join(dir, "Beta.csv"); b.name != want {
		t.Fatalf("Tab makes %q of it", b.name)
	}
	d.Keys("Enter")
	opened(t, a, d)
	if n := a.desk.Doc.Data.Points; n != 900 {
		t.Errorf("the path typed opens %d rows", n)
	}

	d.Keys("Ctrl+O")
	d.Frames(3)
	c := d.Rect(row("gamma.csv")).Center()
	d.DoubleClick(c.X, c.Y)
	opened(t, a, d)
	if n := a.desk.Doc.Data.Points; n != 270 {
		t.Errorf("a double click opens %d rows", n)
	}
}
