package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A job that would take its own place, or share standard input with its data, is refused before it begins.
func TestAJobLeavesItselfAndStandardInputAlone(t *testing.T) {
	dir := jobData(t)
	printed := ok(t, dir, "embed", "a.csv", "--kmeans", "9", "--epochs", "1", "-o", "out.csv", "--print-job").stdout
	self := strings.Replace(printed, `"out.csv"`, `"self.csv"`, 1)
	write(t, filepath.Join(dir, "self.csv"), self)
	blossom(t, dir, "job", "./self.csv").refused(t, exitFailed, "self.csv", "is the input")
	if text(t, filepath.Join(dir, "self.csv")) != self {
		t.Error("the job is not what it was")
	}
	both := command(t, dir, "job", "-")
	both.Stdin = strings.NewReader(strings.Replace(printed, `"a.csv"`, `"-"`, 1))
	finish(t, both).refused(t, exitUsage, "standard input", "cannot both")
}

// What was recognised of a text is in the job: a table whose first row comes to look otherwise is read as it was.
func TestAJobSaysHowItsDataWasRead(t *testing.T) {
	dir := jobData(t)
	for line, words := range map[string]string{
		"embed odd.txt --kmeans 4 -o out.csv":           `"reading":{"separator":";","header":"yes"}`,
		"embed a.csv --kmeans 4 --header no -o out.csv": `"reading":{"separator":",","header":"no"}`,
		"embed places.npy --kmeans 4 -o out.csv":        `"reading":{}`,
	} {
		got := ok(t, dir, append(strings.Fields(line), "--print-job")...).stdout
		if !strings.Contains(got, words) {
			t.Errorf("%s: no %s in %.200s", line, words, got)
		}
	}
}

// Ctrl-C ends a command that waits for a standard input that says nothing, and nothing is left of what was put aside.
func TestInterruptWhileStandardInputIsSilent(t *testing.T) {
	dir := t.TempDir()
	c := command(t, dir, "convert", "-", "out.csv")
	c.Env = append(os.Environ(), "TMPDIR="+dir, "TMP="+dir)
	silent, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for start := time.Now(); len(names(t, dir)) == 0; time.Sleep(time.Millisecond) { // until it has begun to read
		if time.Since(start) > time.Minute {
			t.Fatal("it puts nothing aside")
		}
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	c.Wait() // the exit code tells
	if code := c.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
	if left := names(t, dir); len(left) != 0 {
		t.Errorf("left %q", left)
	}
}
