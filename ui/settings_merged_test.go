package ui

import (
	"slices"
	"testing"
)

// A window that is closed later does not take back what another has changed, and keeps what it has changed itself.
func TestWindowsShareSettings(t *testing.T) {
	dir := t.TempDir()
	older, newer := loadSettings(dir), loadSettings(dir)
	newer.Theme, newer.Zoom, newer.Folder = "dark", 1.125, "/data"
	newer.Recent = []string{"/data/new.fcs"}
	newer.Panels["table"] = true
	if err := newer.save(); err != nil {
		t.Fatal(err)
	}
	older.Recent = []string{"/data/old.fcs"}
	older.Panels["landmarks"] = true
	for range 2 { // once more says the same
		if err := older.save(); err != nil {
			t.Fatal(err)
		}
	}
	got := loadSettings(dir)
	if got.Theme != "dark" || got.Zoom != 1.125 || got.Folder != "/data" || !got.Panels["table"] ||
		!got.Panels["landmarks"] || !slices.Equal(got.Recent, []string{"/data/old.fcs", "/data/new.fcs"}) {
		t.Errorf("%+v", got)
	}
	got.Theme, got.Recent = "light", nil // which is to last, too
	if err := got.save(); err != nil {
		t.Fatal(err)
	}
	if err := older.save(); err != nil { // it has changed nothing since
		t.Fatal(err)
	}
	if last := loadSettings(dir); last.Theme != "light" || len(last.Recent) != 0 || last.Zoom != 1.125 {
		t.Errorf("%+v", last)
	}
}
