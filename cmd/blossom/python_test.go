package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// python is an interpreter that has NumPy: Python's tests need one.
func python(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3", "python"} {
		ask := "import sys, numpy; sys.version_info >= (3, 9) and print(sys.executable)"
		out, err := exec.Command(name, "-c", ask).Output()
		if err == nil && len(out) > 0 {
			return strings.TrimSpace(string(out))
		}
	}
	t.Skip("no Python 3.9 with NumPy is here")
	return ""
}

// wheel makes the Python package in a folder, with the program in it or not.
func wheel(t *testing.T, dir string, more ...string) string {
	t.Helper()
	c := exec.Command("go", append([]string{"run", "./.ci/wheel", "-o", dir}, more...)...)
	c.Dir = filepath.Join("..", "..")
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	return strings.TrimSpace(string(out))
}

// The wheel has the version of the program, hashes of all that is in it, and the same bytes each time.
func TestPythonsWheelIsWhole(t *testing.T) {
	path := wheel(t, t.TempDir())
	if want := "blossom_map-" + release + "-py3-none-any.whl"; filepath.Base(path) != want {
		t.Errorf("it is called %s, not %s", filepath.Base(path), want)
	}
	if again := wheel(t, t.TempDir()); text(t, path) != text(t, again) {
		t.Error("made again it has other bytes")
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	files, record := map[string]string{}, ""
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name] = string(content); strings.HasSuffix(f.Name, "/RECORD") {
			record = string(content)
		}
	}
	for name, content := range files {
		sum := sha256.Sum256([]byte(content))
		line := fmt.Sprintf("%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(content))
		if !strings.Contains(record, line) && content != record {
			t.Errorf("RECORD does not know %s", name)
		}
	}
	for _, must := range []string{"blossom/__init__.py", "blossom/_view.py"} {
		if files[must] == "" {
			t.Errorf("%s is missing", must)
		}
	}
}

// TestPython runs the tests of cmd/python on the installed wheel.
func TestPython(t *testing.T) {
	interpreter := python(t)
	bare, whole := installed(t, interpreter), installed(t, interpreter, "-program", binary(t))
	tests, err := filepath.Glob(filepath.Join("..", "python", "tests", "test_*.py"))
	if err != nil || len(tests) < 5 {
		t.Fatalf("%v: the tests are %v", err, tests)
	}
	for i, path := range tests {
		module := strings.TrimSuffix(filepath.Base(path), ".py")
		t.Run(module, func(t *testing.T) {
			t.Parallel() // they wait for windows most of the time
			var display []string
			if _, err := exec.LookPath("xvfb-run"); err == nil { // one of its own, with no other windows over it
				display = []string{"xvfb-run", "-a", "-n", strconv.Itoa(200 + 40*i), "-s", "-screen 0 1280x800x24"}
			}
			unittest(t, append(display, interpreter), module, bare, "BLOSSOM_PROGRAM="+binary(t))
		})
	}
	// With the program in the wheel nothing else is needed.
	t.Run("program inside", func(t *testing.T) {
		const one = "test_compute.Computing.test_every_command"
		said := unittest(t, []string{interpreter}, one, whole, "PATH="+t.TempDir(), "BLOSSOM_INSIDE=yes")
		if strings.Contains(said, "skipped") {
			t.Error(said)
		}
	})
}

// installed installs a wheel into a folder of its own, as pip does.
func installed(t *testing.T, interpreter string, more ...string) string {
	t.Helper()
	dir := t.TempDir()
	path := wheel(t, dir, more...)
	site := filepath.Join(dir, "site")
	how := []string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps",
		"--target", site, path}
	if exec.Command(interpreter, "-m", "pip", "--version").Run() != nil {
		if len(more) > 0 {
			return "" // only pip makes programs such that can be run
		}
		how = []string{"-m", "zipfile", "-e", path, site}
	}
	if said, err := exec.Command(interpreter, how...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return site
}

// unittest runs tests of Python with the package in site, and returns what they say.
func unittest(t *testing.T, interpreter []string, tests, site string, env ...string) string {
	t.Helper()
	if site == "" {
		t.Skip("pip is not here")
	}
	page, err := filepath.Abs(filepath.Join("..", "..", "docs", "python.md"))
	if err != nil {
		t.Fatal(err)
	}
	words := append(interpreter, "-W", "ignore", "-m", "unittest", "-v", tests)
	c := exec.Command(words[0], words[1:]...)
	c.Dir = filepath.Join("..", "python", "tests")
	home := t.TempDir()
	unset := func(v string) bool { return strings.HasPrefix(v, "BLOSSOM_PROGRAM=") || strings.HasPrefix(v, "PYTHON") }
	c.Env = append(slices.DeleteFunc(os.Environ(), unset), "PYTHONPATH="+site, "PYTHONDONTWRITEBYTECODE=1",
		"BLOSSOM_PAGE="+page, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, "config"),
		"LIBGL_ALWAYS_SOFTWARE=1")
	c.Env = append(c.Env, env...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !regexp.MustCompile(`(?m)^Ran [1-9]`).Match(out) {
		t.Fatalf("no test was run:\n%s", out)
	}
	t.Logf("%s", out)
	return string(out)
}
