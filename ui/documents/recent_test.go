package documents

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/scale"
	"blossom/ui/uitest"
)

// Recent files have their folders beside their names; those that are gone say so, and a click takes them off.
func TestRecentFilesSayWhereTheyAre(t *testing.T) {
	there, gone := filepath.Join(t.TempDir(), "a.csv"), filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(there, []byte("a,b\n1,2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	a, d := enter(t, 800, 500, Options{})
	a.kept.Recent = []string{gone, there}
	r := &a.docs.Recent
	d.Wait("it has looked", time.Minute, func() bool { return r.gone[gone] })
	d.Frames(2)
	d.ClickOn("welcome/recent0")
	d.Frames(2)
	if !slices.Equal(a.kept.Recent, []string{there}) || a.troubled() != nil || a.docs.Opening() != nil {
		t.Fatalf("%q, %v", a.kept.Recent, a.troubled())
	}
	if !d.Has("welcome/recent0") || d.Has("welcome/recent1") || r.gone[there] {
		t.Fatal("another one is shown")
	}
}

// Several files that were opened as one table are one recent entry, which opens them all.
func TestATableOfSeveralFilesIsRecent(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"a.csv", "b.csv", "c.csv"} {
		files = append(files, filepath.Join(dir, name))
		if err := os.WriteFile(files[len(files)-1], []byte("x,y\n1,2\n3,5\n4,4\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a, d := enter(t, 800, 500, Options{}, files...)
	opened(t, a, d)
	if !slices.Equal(a.kept.Recent, files[:1]) || a.kept.name(files[0]) != "a.csv and 2 more" {
		t.Fatalf("%q, called %q", a.kept.Recent, a.kept.name(files[0]))
	}
	before := a.Desk().Doc
	uitest.Do(func() { a.docs.Recent.open(files[0]) })
	d.Wait("it is open again", time.Minute, func() bool { return a.Desk().Doc != before })
	opened(t, a, d)
	if got := a.Desk().Doc.Files(); !slices.Equal(got, files) {
		t.Errorf("it opens %q", got)
	}
	before = a.Desk().Doc
	uitest.Do(func() { a.docs.Open(files[0]) })
	d.Wait("one file is open", time.Minute, func() bool { return a.Desk().Doc != before })
	opened(t, a, d)
	if a.kept.name(files[0]) != "a.csv" || len(a.kept.Others) > 0 {
		t.Errorf("a file by itself is called %q", a.kept.name(files[0]))
	}
}

func TestFoldersInMenus(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	long := "/data/" + strings.Repeat("a folder of a study/", 6)
	for path, want := range map[string]string{
		filepath.Join(home, "x", "a.csv"): "~/x",
		filepath.Join(home, "a.csv"):      "~",
		"/data/a.csv":                     "/data",
		home + "er/a.csv":                 shortFolder(home + "er/a.csv"),
		long + "a.csv":                    "…/a folder of a study",
	} {
		if got := shortFolder(path); got != want || strings.HasPrefix(path, home+"er") && strings.HasPrefix(got, "~") {
			t.Errorf("%s: %q, not %q", path, got, want)
		}
	}
}

// The cross of a recent file takes it off the list, and leaves the file where it is.
func TestARecentFileIsTakenOffTheList(t *testing.T) {
	there, other := filepath.Join(t.TempDir(), "a.csv"), filepath.Join(t.TempDir(), "b.csv")
	for _, path := range []string{there, other} {
		if err := os.WriteFile(path, []byte("a,b\n1,2\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a, d := enter(t, 800, 500, Options{})
	a.kept.Recent = []string{there, other}
	d.Frames(3)
	d.ClickOn("welcome/recent0/drop")
	d.Frames(2)
	_, err := os.Stat(there)
	if !slices.Equal(a.kept.Recent, []string{other}) || a.docs.Opening() != nil || err != nil {
		t.Fatalf("%q, %v", a.kept.Recent, err)
	}
}

// A recent file says when it was opened, which is remembered, and not when it was written.
func TestARecentFileSaysWhenItWasOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,2\n2,3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	a, d := enter(t, 800, 500, Options{})
	uitest.Do(func() { a.docs.Recent.opened(path) })
	now := a.docs.context.Now()
	if at := a.kept.Opened[path]; !at.Equal(now) {
		t.Errorf("opened at %v, not %v", at, now)
	}
	d.Frames(3)
	if kept := a.kept.Copy(); !kept.Opened[path].Equal(now) {
		t.Error("the copy has not when it was opened")
	}
	uitest.Do(func() { a.docs.Recent.forget(path) })
	if len(a.kept.Opened) != 0 {
		t.Errorf("%v is kept of a file that is forgotten", a.kept.Opened)
	}
}

// A folder of parts is a recent file by its own name, and files are saved beside it, not in it.
func TestAFolderOfPartsIsRecentByItsName(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "laid")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{scale.PlanFile, scale.ManifestFile, scale.ShownFile, scale.SampleFile} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var r Remembered
	r.opened(filepath.Join(dir, scale.ShownFile))
	if !slices.Equal(r.Recent, []string{dir}) || r.name(dir) != "laid" || r.Folder != filepath.Dir(dir) {
		t.Errorf("%q, called %q, and files are saved in %q", r.Recent, r.name(r.Recent[0]), r.Folder)
	}
	sample := filepath.Join(dir, scale.SampleFile)
	r.opened(sample)
	if got := r.name(sample); !slices.Equal(r.Recent, []string{sample, dir}) || got != filepath.Join("laid",
		scale.SampleFile) || r.Folder != filepath.Dir(dir) {
		t.Errorf("%q, called %q, and files are saved in %q", r.Recent, got, r.Folder)
	}
	r.opened(filepath.Join(filepath.Dir(dir), "a.csv"))
	if r.Folder != filepath.Dir(dir) {
		t.Errorf("files are saved in %q", r.Folder)
	}
}
