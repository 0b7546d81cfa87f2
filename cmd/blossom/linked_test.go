//go:build linux && cgo

package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The command line without a window starts where there is no OpenGL: libraries for drawing are looked for when
// something is drawn.
func TestWithoutItsWindowNoLibraryOfOpenGLIsNeeded(t *testing.T) {
	if buildTags == "" && os.Getenv("BLOSSOM_LONG") == "" {
		t.Skip("it builds the program once more: make test-long")
	}
	path := filepath.Join(t.TempDir(), "blossom")
	if out, err := exec.Command("go", "build", "-tags", "nowindow", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	needed, err := f.ImportedLibraries()
	if err != nil || len(needed) == 0 {
		t.Fatal(needed, err)
	}
	for _, name := range needed {
		if strings.Contains(name, "GL") || strings.Contains(name, "X11") {
			t.Errorf("it needs %s to start", name)
		}
	}
}
