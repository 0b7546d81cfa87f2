package format

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

var ctx = context.Background()

// wantProblem checks that err is one line that says file, what (all of the given words) and a remedy.
func wantProblem(t testing.TB, err error, file string, words ...string) {
	t.Helper()
	var p *problem.Problem
	if !errors.As(err, &p) {
		t.Errorf("%s: %v is no problem in words, wanted %q", file, err, words)
		return
	}
	text := p.Error()
	if !strings.Contains(p.File, file) || p.What == "" || p.Remedy == "" || strings.ContainsAny(text, "\r\n") {
		t.Errorf("%s: not a line of file, what and remedy: %q", file, text)
	}
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%s: %q does not say %q", file, text, w)
		}
	}
}

// write makes a file with the content and returns its path.
func write(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// memory is an input that is not on disk.
func memory(name string, content []byte, o Options) *input {
	if o.Memory == 0 {
		o.Memory = AvailableMemory()
	}
	return &input{path: name, size: int64(len(content)), r: bytes.NewReader(content), o: o}
}

func openText(t testing.TB, content string, o Options) *dataset.Dataset {
	t.Helper()
	ds, err := Open(ctx, write(t, "table.csv", []byte(content)), o)
	if err != nil {
		t.Fatalf("%.80q: %v", content, err)
	}
	return ds
}

func warned(ds *dataset.Dataset, words string) bool {
	return strings.Contains(strings.Join(ds.Warnings, "\n"), words)
}

// same says whether two columns hold the same values, missing ones included.
func same(a, b []float32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && (a[i] == a[i] || b[i] == b[i]) {
			return false
		}
	}
	return true
}

func newTemp(t testing.TB) (*os.File, error) {
	return os.Create(filepath.Join(t.TempDir(), "file.fcs"))
}
