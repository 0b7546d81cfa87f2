package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Ctrl-C while the output is being written: the old file stays, the new one goes.
func TestInterruptWhileWriting(t *testing.T) {
	dir := t.TempDir()
	old := write(t, filepath.Join(dir, "out.csv"), "old")
	c := command(t, dir, "convert", "demo:cytometry:1000000", "out.csv")
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	unfinished := func(name string) bool { return strings.HasPrefix(name, ".out.csv.") }
	for start := time.Now(); !slices.ContainsFunc(names(t, dir), unfinished); time.Sleep(time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatal("it never began to write")
		}
	}
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	c.Wait() // the exit code tells
	if code := c.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d: %s", code, said.String())
	}
	if got := names(t, dir); len(got) != 1 || text(t, old) != "old" {
		t.Errorf("left %q, and the old file holds %.20q", got, text(t, old))
	}
}
