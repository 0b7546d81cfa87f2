//go:build !nowindow

package main

import (
	"path/filepath"
	"testing"
)

// Wrong sessions for a script to wait for are refused before a window is opened.
func TestWrongSessionsForScripts(t *testing.T) {
	dir := t.TempDir()
	data := write(t, filepath.Join(dir, "d.csv"), "a,b\n1,2\n2,1\n")
	work := write(t, filepath.Join(dir, "work.blossom"), "somebody's")
	blossom(t, dir, "--to", "new.blossom").refused(t, exitUsage, "new.blossom", "name the files")
	blossom(t, dir, data, "--to", "work.blossom").refused(t, exitFailed, "work.blossom", "is there already")
	blossom(t, dir, data, "--to", "gone/new.blossom").refused(t, exitFailed, "gone/new.blossom", "does not exist")
	blossom(t, dir, data, "--to", "").refused(t, exitUsage, "--to")
	if text(t, work) != "somebody's" {
		t.Error("the work of somebody is gone")
	}
}
