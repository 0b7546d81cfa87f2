//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a terminal that a program writes its progress to, and what it has written. A test acts when something is
// there, however long that takes on this machine.
type terminal struct {
	program *os.File // the program's end
	ours    *os.File
	mu      sync.Mutex
	text    bytes.Buffer
	more    chan struct{} // closed and replaced when there is more
}

func newTerminal(t *testing.T) *terminal {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err) // no terminals here
	}
	t.Cleanup(func() { ours.Close() })
	n, err := unix.IoctlGetUint32(int(ours.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	x := &terminal{program: program, ours: ours, more: make(chan struct{})}
	go x.read()
	return x
}

// read keeps what the program says until the terminal is closed.
func (x *terminal) read() {
	buf := make([]byte, 4096)
	for {
		n, err := x.ours.Read(buf)
		x.mu.Lock()
		x.text.Write(buf[:n])
		close(x.more)
		x.more = make(chan struct{})
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// said is all that the program has said.
func (x *terminal) said() (text string, more <-chan struct{}) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.text.String(), x.more
}

// await waits until the program has said a word, and fails the test if it ends, or says nothing for minutes.
func (x *terminal) await(t *testing.T, word string, over <-chan error) {
	t.Helper()
	patience := time.After(2 * time.Minute)
	for {
		text, more := x.said()
		if strings.Contains(text, word) {
			return
		}
		select {
		case <-more:
		case err := <-over:
			t.Fatalf("it came to its end before it said %q: %v, %q", word, err, text)
		case <-patience:
			t.Fatalf("it does not say %q: %q", word, text)
		}
	}
}

// interrupted runs a program at a terminal, presses Ctrl-C when ready says so, and returns what was said there by then.
// It is not heard where the program does not listen yet.
func interrupted(t *testing.T, c *exec.Cmd, ready func(x *terminal, over <-chan error)) (said string, heard bool) {
	t.Helper()
	x := newTerminal(t)
	c.Stderr = x.program
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	over := make(chan error, 1)
	go func() { over <- c.Wait() }()
	ready(x, over)
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	select {
	case <-over:
	case <-time.After(2 * time.Minute): // at most a second, on a machine of one's own
		c.Process.Kill()
		t.Fatal("it hangs")
	}
	if c.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
		return "", false
	}
	if code := c.ProcessState.ExitCode(); code != exitInterrupted {
		said, _ = x.said()
		t.Fatalf("exit code %d: %q", code, said)
	}
	x.await(t, "interrupted", nil)
	said, _ = x.said()
	return said, true
}

// at is when a program has said a word.
func at(t *testing.T, word string) func(*terminal, <-chan error) {
	return func(x *terminal, over <-chan error) { x.await(t, word, over) }
}

// Ctrl-C ends every command soon, with exit code 130, one line and no file left behind: as soon as it listens, and
// whatever it is at.
func TestInterrupt(t *testing.T) {
	for _, x := range []struct {
		args   string
		stages []string
	}{
		{"train demo:cytometry:300000 --som 30x30 --epochs 900 -o out.json", []string{"training"}},
		{"embed demo:cytometry:300000 --som 10x10 --epochs 0.1 --engine reference -o out.npy",
			[]string{"training", "projecting"}},
		{"demo cytometry --points 1000000 -o out.csv", []string{"writing"}},
		{"convert demo:cytometry:1000000 out.csv", []string{"writing"}},
		{"render demo:tesseract:300000 --som 30x30 --epochs 900 -o out.png", []string{"training"}},
		{"bench train --json --points 500000", []string{"\r"}},
	} {
		args := strings.Fields(x.args)
		press := func(t *testing.T, ready func(*terminal, <-chan error)) (heard bool) {
			dir := t.TempDir()
			var out bytes.Buffer
			c := command(t, dir, args...)
			c.Stdout = &out
			said, heard := interrupted(t, c, ready)
			last := said[max(strings.LastIndex(said, "\x1b[K"), 0):]
			if heard && (strings.Count(last, "\n") != 1 || out.Len() > 0) {
				t.Errorf("it says %q, and writes %q", last, out.String())
			}
			if left := names(t, dir); len(left) > 0 {
				t.Errorf("it left %q", left)
			}
			return heard
		}
		t.Run(args[0], func(t *testing.T) {
			for after := 5 * time.Millisecond; ; after *= 2 {
				if press(t, func(*terminal, <-chan error) { time.Sleep(after) }) {
					break
				}
				if after > 10*time.Second {
					t.Fatal("it does not listen to Ctrl-C")
				}
			}
			for _, stage := range x.stages {
				press(t, at(t, stage))
			}
		})
	}
}

// With --keep Ctrl-C writes the map as far as it has come; without it nothing is left.
func TestTSNEKeep(t *testing.T) {
	for _, keep := range []bool{true, false} {
		dir := t.TempDir()
		const n = 2000
		args := []string{"tsne", fmt.Sprintf("demo:tesseract:%d", n), "--engine", "reference", "--units", "0",
			"-o", "out.npy"}
		if keep {
			args = append(args, "--keep")
		}
		said, _ := interrupted(t, command(t, dir, args...), at(t, "layout"))
		left := names(t, dir)
		switch {
		case !keep && len(left) > 0:
			t.Errorf("it left %q", left)
		case keep && len(left) != 1:
			t.Errorf("nothing is kept: %q, %q", left, said)
		case keep:
			if got := read(t, filepath.Join(dir, "out.npy")); got.Points != n || !strings.Contains(said, "kept") {
				t.Errorf("%d points, %q", got.Points, said)
			}
		}
	}
}
