package output

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// script is a program of the shell, with what it says on its standard error.
func script(t *testing.T, text string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("it is a script of the shell")
	}
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// awaited waits for a file.
func awaited(t *testing.T, path string) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s does not come", filepath.Base(path))
		}
	}
}

// Words of a process come to the window by a pipe as by its log, to the last line.
func TestProcessesAreHeard(t *testing.T) {
	program := script(t, `i=0
while [ $i -lt 500 ]; do echo "progress 50 parts $i/500" >&2; i=$((i+1)); done
echo "blossom: it went wrong: mend it" >&2
exit 1
`)
	for _, log := range []string{"", filepath.Join(t.TempDir(), "log")} {
		last, percent := int64(0), int64(0)
		said := &told{stage: "parts", report: func(done, _ int64) { percent = done },
			remark: func(done, _ int64) { last = done }}
		err := new(children).run(t.Context(), child{program: program, log: log}, said)
		if err == nil || said.last(err) != "it went wrong: mend it" || last != 499 || percent != 50 {
			t.Errorf("with the log %q it says %v, %d %%, %d", log, said.last(err), percent, last)
		}
	}
}

// A process is told to end when nobody wants it any more; one that lasts goes on when the window has gone.
func TestProcessesEndWithTheWindow(t *testing.T) {
	program := script(t, `trap 'touch "$1.interrupted"; exit 130' INT TERM
touch "$1.begun"
while [ ! -e "$1.go" ]; do sleep 0.02; done
touch "$1.done"
`)
	for _, c := range []struct{ lasts, leaves, ends bool }{{false, false, true}, {false, true, true},
		{true, false, true}, {true, true, false}} {
		at, processes := filepath.Join(t.TempDir(), "at"), new(children)
		of := child{program: program, args: []string{at}}
		if c.lasts {
			of.log = at + ".log"
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- processes.run(ctx, of, new(strings.Builder)) }()
		awaited(t, at+".begun")
		if c.leaves {
			processes.leave()
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) && !c.leaves {
			t.Errorf("%+v: %v", c, err)
		}
		if c.ends {
			awaited(t, at+".interrupted")
			continue
		}
		if err := os.WriteFile(at+".go", nil, 0o666); err != nil {
			t.Fatal(err)
		}
		awaited(t, at+".done")
	}
}
