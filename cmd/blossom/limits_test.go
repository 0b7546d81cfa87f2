//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// bash is a shell that runs a script; it says nothing of a locale that the machine has not.
func bash(script string, args ...string) *exec.Cmd {
	c := exec.Command("bash", append([]string{"-c", script}, args...)...)
	c.Env = append(os.Environ(), "LC_ALL=C")
	return c
}

// limited runs the program by a shell that first runs `first`, such as "ulimit -n 5".
func limited(t *testing.T, dir, first, args string) result {
	t.Helper()
	c := bash(first+`; exec "$0" `+args, binary(t))
	c.Dir = dir
	return finish(t, c)
}

// Limits of the shell end in one line, however small, where the runtime would print its stacks.
func TestLimitsOfTheShellEndInOneLine(t *testing.T) {
	dir := t.TempDir()
	for _, files := range []int{5, 6, 7, 10, 20} {
		limited(t, dir, fmt.Sprint("ulimit -n ", files), "info demo:mammoth:1000").
			refused(t, exitFailed, fmt.Sprintf("only %d files", files), "ulimit -n")
	}
	if r := limited(t, dir, "ulimit -S -n 5", "info demo:mammoth:1000"); r.code != 0 {
		t.Errorf("a limit that the program may raise itself: %+v", r)
	}
	for _, kb := range []int{150_000, 500_000, 700_000, 900_000} {
		limited(t, dir, fmt.Sprint("ulimit -v ", kb), "embed demo:tesseract:400000 -o out.npy --epochs 0.01").
			refused(t, exitFailed)
	}
	limited(t, dir, "ulimit -d 60000", "embed demo:tesseract -o out.npy --epochs 0.01").refused(t, exitFailed, "58 MB")
	// one that suffices is not in the way of exit codes, words and standard output
	if r := limited(t, dir, "ulimit -v 30000000", "--version"); r.code != 0 || !strings.HasPrefix(r.stdout, "blossom") {
		t.Errorf("%+v", r)
	}
	limited(t, dir, "ulimit -v 30000000", "embed none.csv -o a.csv").refused(t, exitFailed, "none.csv",
		"does not exist")
	limited(t, dir, "ulimit -v 30000000", "embed").refused(t, exitUsage, "usage")
	c := bash(`ulimit -v 30000000; exec "$0" train demo:tesseract:300000 --som 30x30 --epochs 900 -o a.json`,
		binary(t))
	c.Dir = dir
	time.AfterFunc(1500*time.Millisecond, func() { c.Process.Signal(syscall.SIGTERM) })
	finish(t, c).refused(t, exitInterrupted, "interrupted")
}

// A device that leads to a pipe is written to, not replaced.
func TestDeviceOfStdoutIsWrittenTo(t *testing.T) {
	c := bash(`"$0" convert demo:mammoth:50 /dev/stdout | wc -l`, binary(t))
	if r := finish(t, c); r.stderr != "" || strings.TrimSpace(r.stdout) != "51" {
		t.Errorf("%+v", r)
	}
}

// A lost terminal is as Ctrl-C: nothing half written stays.
func TestHangupLeavesNothingHalfWritten(t *testing.T) {
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP) // under nohup the program would leave it alone, as it should
	defer signal.Stop(heard)
	dir := t.TempDir()
	c := command(t, dir, "convert", "demo:cytometry:1000000", "out.csv")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	part := func(name string) bool { return strings.HasSuffix(name, ".part") }
	for start := time.Now(); !slices.ContainsFunc(names(t, dir), part); time.Sleep(time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatal("it never began to write")
		}
	}
	c.Process.Signal(syscall.SIGHUP)
	if c.Wait(); c.ProcessState.ExitCode() != exitInterrupted || len(names(t, dir)) > 0 {
		t.Errorf("%v; it left %q", c.ProcessState, names(t, dir))
	}
}

// Without a standard output nothing is lost in silence.
func TestClosedStdout(t *testing.T) {
	for _, args := range []string{"info demo:mammoth:1000", "embed demo:mammoth:1000 -o - --epochs 0.1"} {
		limited(t, t.TempDir(), "exec >&-", args).refused(t, exitFailed, "standard output", "closed")
	}
	if r := limited(t, t.TempDir(), "exec >&-", "embed demo:mammoth:1000 -o a.npy --epochs 0.1"); r.code != 0 {
		t.Errorf("a command that writes a file needs no standard output: %+v", r)
	}
}
