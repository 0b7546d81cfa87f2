package dialog

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"blossom/model/base/problem"
	"blossom/model/job/export"
	"blossom/render/pen/figure"
	"blossom/ui/desk"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// fakeZenity puts a program of that name first in PATH, which answers as the real one does.
func fakeZenity(t *testing.T, script string) {
	t.Helper()
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("this system has dialogs of its own")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "zenity"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func TestTheSystemsDialogAnswers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.csv")
	fakeZenity(t, "echo "+path+"\n")
	s, d := begin(t, widget.Light(), 1)
	s.files.Own = false
	var got string
	uitest.Do(func() { s.files.Ask(desk.FileQuestion{Answer: func(path string) { got = path }}) })
	d.Wait("it has answered", 10*time.Second, func() bool { return got != "" })
	if got != path || s.dialogs.Any() {
		t.Fatalf("chosen %q, own browser %v", got, s.dialogs.Any())
	}
}

func TestTheSystemsDialogCanBeCancelledOrBreak(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	fakeZenity(t, "touch '"+asked+"'; exit 1\n") // cancelled
	s, d := begin(t, widget.Light(), 1)
	s.files.Own = false
	ask := func() {
		uitest.Do(func() { s.files.Ask(desk.FileQuestion{Answer: func(string) { t.Error("it has answered") }}) })
	}
	ask()
	d.Wait("the system's dialog is asked", 10*time.Second, func() bool { return exists(asked) })
	fakeZenity(t, "echo 'no display' >&2; exit 255\n")
	ask()
	d.Wait("the window's own browser stands in", 10*time.Second, func() bool { return s.browser() != nil })
	if n := strings.Count(strings.Join(s.said, "\n"), "file dialog failed"); n != 1 {
		t.Errorf("a cancelled dialog did something: %q", s.said)
	}
}

// The buttons of the file dialog are in sight in a small window at twice the size, and in a narrow one.
func TestTheButtonsOfTheFileDialogAreInSight(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h int
		by   float32
	}{{"files-900x600-200", 900, 600, 2}, {"files-small", 500, 400, 1}} {
		s, d := beginSized(t, widget.Light(), c.w, c.h, c.by)
		dir := t.TempDir()
		for i := range 12 {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("donor %d.csv", i+1)), []byte("a,b\n1,2\n"),
				0o600); err != nil {
				t.Fatal(err)
			}
		}
		uitest.Do(func() { s.folder = dir; s.files.Ask(desk.FileQuestion{Title: "Open", Kinds: OpenKinds()}) })
		d.Frames(5)
		if r, in := d.Rect("accept"), d.Rect("files"); r.Y1 > in.Y1-8 || r.X1 > in.X1-8 || in.Y1 > float32(c.h) {
			t.Errorf("%s: the button is at %v", c.name, r)
		}
		if !d.Has("list") && !d.Has("list/0") && !d.Has("0") {
			t.Errorf("%s: no list", c.name)
		}
		d.End()
	}
}

// A whole path that is typed shows its folder before Enter is pressed.
func TestATypedPathShowsItsFolder(t *testing.T) {
	s, d := beginSized(t, widget.Light(), 1000, 700, 1)
	got := ""
	dir := t.TempDir()
	sub := filepath.Join(dir, "donors")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"one.csv", "two.csv", "other.csv"} {
		if err := os.WriteFile(filepath.Join(sub, n), []byte("a,b\n1,2\n3,4\n5,7\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	uitest.Do(func() {
		s.files.Ask(desk.FileQuestion{Kinds: OpenKinds(), Answer: func(path string) { got = path }})
	})
	d.Frames(4)
	d.Type(sub + string(filepath.Separator) + "tw")
	if b := s.browser(); b.path != sub || len(b.listed) != 1 || b.Name != sub+string(filepath.Separator)+"tw" {
		t.Errorf("it shows %d entries of %s, and the field %q", len(b.listed), b.path, b.Name)
	}
	d.Type("o.csv")
	d.Keys("Enter")
	d.Frames(3)
	if got != filepath.Join(sub, "two.csv") {
		t.Errorf("chosen %q", got)
	}
}

// A name with the ending of something that is not written is refused, and gets no second one.
func TestEndingsOfOtherProgramsAreRefused(t *testing.T) {
	q := &desk.FileQuestion{Save: true, Kinds: []string{".png"}}
	for name, refused := range map[string]bool{"fig.pdf": true, "fig.SVG": true, "fig": false, "fig.png": false,
		"donor 1.5": false} {
		err := wrongEnding(q, name)
		if (err != nil) != refused || refused && problem.As(err).Remedy != "use a name that ends in .png" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, ending := range export.Carriers() { // no table is a picture, nor a film
		if wrongEnding(&desk.FileQuestion{Save: true, Kinds: []string{".csv"}}, "table"+ending) == nil {
			t.Errorf("a table is written as %s", ending)
		}
	}
}

// The name that is proposed for a picture is taken from the window's own browser, in each format: also where no other
// question of the program would have its ending.
func TestTheProposedNameOfAPictureIsTaken(t *testing.T) {
	s, d := begin(t, widget.Light(), 1)
	for _, f := range figure.Formats() {
		got, folder := "", t.TempDir()
		uitest.Do(func() {
			s.files.Ask(desk.FileQuestion{Save: true, Folder: folder, Name: "donor" + f.Ending,
				Kinds: []string{f.Ending}, Answer: func(path string) { got = path }})
		})
		d.Frames(4)
		d.Keys("Enter")
		d.Frames(3)
		if want := filepath.Join(folder, "donor"+f.Ending); got != want || s.dialogs.Any() {
			t.Errorf("%s: chosen %q, a dialog is open: %v", f.Title, got, s.dialogs.Any())
		}
	}
}

func TestNamesAreCompleted(t *testing.T) {
	q := &desk.FileQuestion{Save: true, Kinds: []string{".blossom"}}
	for in, want := range map[string]string{"a": "a.blossom", "donor1.5 day2.1": "donor1.5 day2.1.blossom",
		"a.blossom": "a.blossom", "a.BLOSSOM": "a.BLOSSOM", "a.csv": "a.csv"} {
		if got := whole(q, in); got != want {
			t.Errorf("%q becomes %q, not %q", in, got, want)
		}
	}
}

// Folders of recent files that have one name are told apart by what is above them.
func TestPlacesOfOneNameAreToldApart(t *testing.T) {
	top := t.TempDir()
	var recent []string
	for _, dir := range []string{"data/fcs", "formats/fcs", "x/a/b", "y/a/b", "alone"} {
		path := filepath.Join(top, filepath.FromSlash(dir))
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		recent = append(recent, filepath.Join(path, "donor.fcs"))
	}
	var names []string
	for _, p := range places("", recent) {
		if strings.HasPrefix(p.path, top) {
			names = append(names, filepath.ToSlash(p.name))
		}
	}
	if got := strings.Join(names, " "); got != "data/fcs formats/fcs x/a/b y/a/b alone" {
		t.Errorf("they are called %s", got)
	}
}
