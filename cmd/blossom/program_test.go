package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

// The tests of this package run the real program, installed once when the first of them asks for it, as users do.
var program struct {
	sync.Once
	dir, path string
	err       error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if program.dir != "" {
		os.RemoveAll(program.dir)
	}
	os.Exit(code)
}

func binary(t testing.TB) string {
	t.Helper()
	program.Do(func() {
		if program.dir, program.err = os.MkdirTemp("", "blossom-test-"); program.err != nil {
			return
		}
		program.path = filepath.Join(program.dir, "blossom")
		os.Chmod(program.dir, 0o755) // some tests run it as another user
		install := exec.Command("go", "install", "-ldflags=-s -w", "-tags", buildTags, ".")
		install.Env = append(os.Environ(), "GOBIN="+program.dir)
		if out, err := install.CombinedOutput(); err != nil {
			program.err = fmt.Errorf("go install: %v\n%s", err, out)
		}
	})
	if program.err != nil {
		t.Fatal(program.err)
	}
	return program.path
}

// result is what one run of the program did.
type result struct {
	code           int
	stdout, stderr string
	state          *os.ProcessState
}

// blossom runs the program in the folder dir.
func blossom(t testing.TB, dir string, args ...string) result {
	t.Helper()
	return finish(t, command(t, dir, args...))
}

func command(t testing.TB, dir string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(binary(t), args...)
	c.Dir = dir
	return c
}

// finish runs the command to its end.
func finish(t testing.TB, c *exec.Cmd) result {
	t.Helper()
	var out, said bytes.Buffer
	if c.Stdout == nil {
		c.Stdout = &out
	}
	c.Stderr = &said
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{c.ProcessState.ExitCode(), out.String(), said.String(), c.ProcessState}
}

// ok runs the program and fails the test unless it succeeds.
func ok(t testing.TB, dir string, args ...string) result {
	t.Helper()
	r := blossom(t, dir, args...)
	if r.code != 0 {
		t.Fatalf("blossom %s: exit code %d: %s", strings.Join(args, " "), r.code, r.stderr)
	}
	return r
}

// refused checks that a run failed as it should: the exit code, nothing on standard output, and one
// line on standard error with all of the words.
func (r result) refused(t testing.TB, code int, words ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d; standard error: %s", r.code, code, r.stderr)
	}
	if strings.Count(r.stderr, "\n") != 1 || !strings.HasPrefix(r.stderr, "blossom: ") {
		t.Errorf("standard error is not one line of the program: %q", r.stderr)
	}
	for _, w := range words {
		if !strings.Contains(r.stderr, w) {
			t.Errorf("%q does not say %q", r.stderr, w)
		}
	}
	if r.stdout != "" {
		t.Errorf("standard output is not empty: %.200q", r.stdout)
	}
}

// read reads a table that the program wrote.
func read(t testing.TB, path string) *dataset.Dataset {
	t.Helper()
	ds, err := format.Open(context.Background(), path, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

func write(t testing.TB, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func parse(t testing.TB, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in %.400s", err, text)
	}
}

// names lists what is in a folder, hidden files too.
func names(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// text returns what a file holds.
func text(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
