package dialog

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/ui/desk"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// tables makes a folder with three tables, a folder, a hidden table and something that cannot be opened.
func tables(t *testing.T) string {
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
	dir := tables(t)
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
	dir := tables(t)
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
	dir := tables(t)
	s, d := beginSized(t, widget.Light(), 1100, 760, 1)
	var got []string
	var b *Browser
	ask := func() {
		got = nil
		uitest.Do(func() {
			s.files.Ask(desk.FileQuestion{Title: "Open", Kinds: DataKinds(),
				Answer: func(path string) { got = []string{path} }, Several: func(paths []string) { got = paths }})
			b = s.browser()
		})
		d.Frames(3)
	}
	s.folder = dir
	s.recent = []string{filepath.Join(dir, "samples", "x.csv"), filepath.Join(dir, "samples", "y.csv")}
	ask()
	if b == nil || b.path != dir {
		t.Fatalf("the dialog shows %+v", b)
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
	answered := func(what string, names ...string) {
		t.Helper()
		d.Frames(3)
		for i, name := range names {
			names[i] = filepath.Join(dir, name)
		}
		if !slices.Equal(got, names) || s.dialogs.Any() || s.folder != dir {
			t.Errorf("%s: %q of %s, open: %v", what, got, s.folder, s.dialogs.Any())
		}
	}
	d.ClickOn("files/accept")
	answered("two files", "alpha.csv", "gamma.csv")

	ask()
	if b.by != byName || b.down {
		t.Error("how files were listed is not remembered")
	}
	d.Type(filepath.Join(dir, "bet"))
	d.Keys("Tab")
	d.Frames(2)
	if want := filepath.Join(dir, "Beta.csv"); b.Name != want {
		t.Fatalf("Tab makes %q of it", b.Name)
	}
	d.Keys("Enter")
	answered("a path typed", "Beta.csv")

	ask()
	c := d.Rect(row("gamma.csv")).Center()
	d.DoubleClick(c.X, c.Y)
	answered("a double click", "gamma.csv")
}

// An empty folder has nothing that scrolls.
func TestEmptyFolderDoesNotScroll(t *testing.T) {
	s, d := begin(t, widget.Light(), 1)
	dir := t.TempDir()
	uitest.Do(func() {
		files := &Files{Stack: s.dialogs, Own: true, Folder: &dir, Recent: func() []string { return nil }}
		files.Ask(desk.FileQuestion{Title: "Open", Kinds: []string{".csv"}})
	})
	d.Frames(5)
	head := d.Rect("files/list/head0")
	d.Wheel(head.Center().X, head.Center().Y+60, -5)
	d.Frames(3)
	d.Shoot("files-empty")
	if now := d.Rect("files/list/head0"); now != head {
		t.Errorf("the wheel moves the titles from %v to %v", head, now)
	}
}
