package ui

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
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
	fakeZenity(t, "exit 1\n") // cancelled
	a, d := begin(t, 1280, 800, 1, Options{})
	a.options.OwnDialogs = false
	d.Keys("Ctrl+O")
	d.Sleep(time.Second / 2)
	time.Sleep(300 * time.Millisecond)
	d.Frames(5)
	if a.desk != nil || a.browser.shown || a.problem != nil {
		t.Fatal("a cancelled dialog did something")
	}
	fakeZenity(t, "echo 'no display' >&2; exit 255\n")
	d.Keys("Ctrl+O")
	d.Wait("the window's own browser stands in", 10*time.Second, func() bool { return a.browser.shown })
}
