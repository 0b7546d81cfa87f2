package main

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Ctrl-C ends every command within a second, with exit code 130, one line and no file left behind, at
// whatever moment it comes.
func TestInterrupt(t *testing.T) {
	cases := map[string][]string{
		"train": {"train", "demo:cytometry:300000", "--som", "30x30", "--epochs", "900", "-o", "out.json"},
		"embed": {"embed", "demo:cytometry:300000", "--som", "30x30", "--epochs", "0.1", "--engine", "reference",
			"-o", "out.npy"},
		"demo":    {"demo", "cytometry", "--points", "4000000", "-o", "out.csv"},
		"convert": {"convert", "demo:cytometry:2000000", "out.csv"},
		"render":  {"render", "demo:tesseract:300000", "--som", "30x30", "--epochs", "900", "-o", "out.png"},
		"bench":   {"bench", "train", "--json", "--points", "2000000"},
	}
	for name, args := range cases {
		for _, after := range []time.Duration{200 * time.Millisecond, 800 * time.Millisecond} {
			t.Run(name+" "+after.String(), func(t *testing.T) {
				for interrupt(t, args, after) != nil { // too early: it had not yet begun to listen
					if after *= 2; after > 10*time.Second {
						t.Fatal("it does not listen to Ctrl-C")
					}
				}
			})
		}
	}
}

var errTooEarly = errors.New("the signal came before the program's first line")

// interrupt runs the program for a while and presses Ctrl-C.
func interrupt(t *testing.T, args []string, after time.Duration) error {
	dir := t.TempDir()
	c := command(t, dir, args...)
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	stopped := time.Now()
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatalf("it came to its end before the signal: %v", err)
	}
	err := c.Wait()
	took := time.Since(stopped)
	if err == nil {
		t.Fatal("it came to its end before the signal: the case is too small")
	}
	if w, isUnix := c.ProcessState.Sys().(syscall.WaitStatus); isUnix && w.Signaled() {
		return errTooEarly
	}
	result{code: c.ProcessState.ExitCode(), stdout: out.String(), stderr: said.String()}.refused(t, exitInterrupted,
		"interrupted")
	if took > time.Minute { // at most a second, on a machine of one's own
		t.Errorf("it hangs: it took %v to stop", took)
	}
	if left := names(t, dir); len(left) > 0 {
		t.Errorf("it left %q", left)
	}
	return nil
}

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
