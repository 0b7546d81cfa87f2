package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"blossom/ui/uitest"
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

func TestTheSystemsDialogOpensAFile(t *testing.T) {
	path, _ := csvFile(t, t.TempDir())
	fakeZenity(t, "echo "+path+"\n")
	a, d := begin(t, 1280, 800, 1, Options{})
	a.options.OwnDialogs = false
	d.Keys("Ctrl+O")
	opened(t, a, d)
	if a.desk.Doc.Title != "mine.csv" || a.browser.shown {
		t.Fatalf("opened %q, own browser %v", a.desk.Doc.Title, a.browser.shown)
	}
}

func TestTheSystemsDialogCanBeCancelledOrBreak(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	fakeZenity(t, "touch '"+asked+"'; exit 1\n") // cancelled
	a, d := begin(t, 1280, 800, 1, Options{})
	a.options.OwnDialogs = false
	d.Keys("Ctrl+O")
	d.Wait("the system's dialog is asked", 10*time.Second, func() bool { return exists(asked) })
	fakeZenity(t, "echo 'no display' >&2; exit 255\n")
	d.Keys("Ctrl+O")
	d.Wait("the window's own browser stands in", 10*time.Second, func() bool { return a.browser.shown })
	if n := strings.Count(a.log.text(), "file dialog failed"); n != 1 || a.desk != nil || a.troubled() != nil {
		t.Errorf("a cancelled dialog did something: %d have failed, %v", n, a.troubled())
	}
}

// The buttons of the file dialog are in sight in a small window at twice the size, and in a narrow one.
func TestTheButtonsOfTheFileDialogAreInSight(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h int
		by   float32
	}{{"files-900x600-200", 900, 600, 2}, {"files-small", 500, 400, 1}} {
		a, d := begin(t, c.w, c.h, c.by, Options{})
		dir := t.TempDir()
		for i := range 12 {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("donor %d.csv", i+1)), []byte("a,b\n1,2\n"),
				0o600); err != nil {
				t.Fatal(err)
			}
		}
		uitest.Do(func() { a.settings.Folder = dir; a.askOpen() })
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
	a, d := begin(t, 1000, 700, 1, Options{})
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
	uitest.Do(func() { a.askOpen() })
	d.Frames(4)
	d.Type(sub + string(filepath.Separator) + "tw")
	if b := &a.browser; b.path != sub || len(b.listed) != 1 || b.name != sub+string(filepath.Separator)+"tw" {
		t.Errorf("it shows %d entries of %s, and the field %q", len(a.browser.listed), a.browser.path, a.browser.name)
	}
	d.Type("o.csv")
	d.Keys("Enter")
	d.Wait("it is open", 30*time.Second, func() bool { return a.desk != nil && a.opening == nil })
	if !strings.HasPrefix(a.desk.Doc.Title, "two") {
		t.Errorf("opened %q", a.desk.Doc.Title)
	}
}
