//go:build linux && cgo

package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The program starts where there is neither OpenGL nor X11: libraries for drawing are looked for when something is
// drawn, or a window is wanted. The program of this test has in it all that blossom has.
func TestNoLibraryForDrawingIsNeededToStart(t *testing.T) {
	if buildTags == "" && runtime.GOARCH != "amd64" {
		t.Skip("on this processor windows link their libraries")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	drawsNothing(t, self)
}

// The command line without a window needs none on any processor.
func TestWithoutItsWindowNoLibraryOfOpenGLIsNeeded(t *testing.T) {
	if buildTags == "" && os.Getenv("BLOSSOM_LONG") == "" {
		t.Skip("it builds the program once more: make test-long")
	}
	path := filepath.Join(t.TempDir(), "blossom")
	if out, err := exec.Command("go", "build", "-tags", "nowindow", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	drawsNothing(t, path)
}

// drawsNothing fails the test if a program needs a library of OpenGL or X11 to start.
func drawsNothing(t *testing.T, program string) {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	needed, err := f.ImportedLibraries()
	if err != nil || len(needed) == 0 {
		t.Fatal(needed, err)
	}
	for _, name := range needed {
		if strings.Contains(name, "GL") || strings.Contains(name, "libX") {
			t.Errorf("it needs %s to start", name)
		}
	}
}
