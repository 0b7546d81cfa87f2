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

// The job says how a text was recognised: a table whose first row comes to look otherwise is read as it was.
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

// A table with names in it gives no places, wherever places are read from a file.
func TestNamesAreNoPlaces(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y,z\n1,2,3\n4,5,6\n7,8,10\n9,1,1\n2,2,7\n")
	write(t, filepath.Join(dir, "p.csv"), "p,q\na,1\nb,2\nc,3\na,4\nb,5\n")
	for _, line := range []string{
		"tsne a.csv --start p.csv -o o.csv",
		"umap a.csv --start p.csv -o o.csv",
		"tsne a.csv --at p.csv -o o.csv",
		"tsne a.csv --into a.csv --map p.csv -o o.csv",
		"embed a.csv --landmarks-hd a.csv --landmarks-ld p.csv -o o.csv",
		"embed a.csv --landmarks-hd p.csv --landmarks-ld p.csv -o o.csv",
		"render a.csv --coordinates p.csv -o o.png",
		"render p.csv --at p,q -o o.png",
	} {
		r := blossom(t, dir, strings.Fields(line)...)
		if r.code != exitFailed || !strings.Contains(r.stderr, `p.csv: the column "p" holds names`) {
			t.Errorf("%s: %d, %s", line, r.code, r.stderr)
		}
	}
}

// A job of which nothing is said but what is wanted is made as in a new document.
func TestAJobWithoutStateIsAsANewDocument(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y,z\n1,2,3\n4,5,6\n7,8,10\n9,1,1\n2,2,7\n")
	write(t, filepath.Join(dir, "j.json"), `{"format":"blossom job","version":1,"data":[{"path":"a.csv","reading":{}}],
		"state":{},"wanted":[{"what":"landmarks","som":"2x2"},{"what":"embedding","output":"o.csv"}],"seed":1}`)
	ok(t, dir, "job", "j.json")
	ok(t, dir, "embed", "a.csv", "--som", "2x2", "-o", "p.csv")
	if a, b := text(t, filepath.Join(dir, "o.csv")), text(t, filepath.Join(dir, "p.csv")); a != b {
		t.Errorf("the job gives %s, the command %s", a, b)
	}
}
