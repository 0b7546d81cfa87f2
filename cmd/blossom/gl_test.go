package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// needsGLEngine skips the test where OpenGL cannot compute, unless the environment insists on it.
func needsGLEngine(t *testing.T) {
	t.Helper()
	needsGL(t)
	if e := doctorEngines(t)["gl"]; !e.Available {
		if os.Getenv("CI") != "" || os.Getenv("BLOSSOM_REQUIRE_GL") != "" {
			t.Fatal(e.Why)
		}
		t.Skip(e.Why)
	}
}

// The OpenGL engine puts the points where the processor does, and trains with it where asked.
func TestGLEngine(t *testing.T) {
	needsGLEngine(t)
	dir := t.TempDir()
	ok(t, dir, "train", "demo:cytometry:3000", "--som", "12x12", "--epochs", "2", "-o", "map.json")
	for _, engine := range []string{"gl", "cpu", "reference"} {
		ok(t, dir, "embed", "demo:cytometry:3000", "--landmarks", "map.json", "--engine", engine, "-o", engine+".npy")
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	exact := read(t, at("reference.npy"))
	compare(t, read(t, at("gl.npy")), exact, exact, 3000, 2)
	compare(t, read(t, at("gl.npy")), read(t, at("cpu.npy")), exact, 3000, 2)

	for _, out := range []string{"a.csv", "b.csv"} {
		ok(t, dir, "embed", "demo:cytometry:2000", "--som", "6x6", "--algorithm", "som-batch", "--epochs", "3",
			"--engine", "gl", "-o", out)
	}
	if text(t, at("a.csv")) != text(t, at("b.csv")) {
		t.Error("two runs differ")
	}
	for _, command := range [][]string{{"umap"}, {"tsne"}, {"cluster", "--n-clusters", "2"}} {
		blossom(t, dir, append(command, "demo:cytometry:200", "--engine", "gl", "-o", "u.csv")...).
			refused(t, exitUsage, "engine gl makes no ", ": use --engine auto", "cpu")
	}
}

// Without an OpenGL of today the engine says what is missing, and all else works.
func TestGLEngineNotHere(t *testing.T) {
	needsGLEngine(t)
	dir := t.TempDir()
	old := []string{"PATH=" + os.Getenv("PATH"), "LIBGL_ALWAYS_SOFTWARE=1", "MESA_GL_VERSION_OVERRIDE=4.1"}
	c := command(t, dir, "doctor")
	c.Env = old
	if r := finish(t, c); r.code != 0 || !strings.Contains(r.stdout, "computing needs OpenGL 4.3, and this is 4.1") {
		t.Errorf("exit code %d:\n%s%s", r.code, r.stdout, r.stderr)
	}
	c = command(t, dir, "embed", "demo:cytometry:500", "--som", "4x4", "--engine", "gl", "-o", "x.csv")
	c.Env = old
	finish(t, c).refused(t, exitFailed, "engine gl does not work here", "OpenGL 4.3")
	c = command(t, dir, "embed", "demo:cytometry:500", "--som", "4x4", "-o", "x.csv")
	c.Env = old
	if r := finish(t, c); r.code != 0 {
		t.Errorf("auto: %s", r.stderr)
	}
}
