//go:build linux

package main

import (
	"bytes"
	"debug/elf"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"blossom/gpu/cpu"
)

// lonely runs a program that is the only file of its root: no libraries, no /proc, no /dev.
type lonely struct {
	t    *testing.T
	root string
}

// rootWith makes the root; where this user may not have one it skips the test.
func rootWith(t *testing.T, program string) lonely {
	a := lonely{t, t.TempDir()}
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(a.root, "blossom"), text, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := a.run("--version"); errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		t.Skip("this user may not change the root of a process: ", err)
	}
	return a
}

// run is what one run of the program does; err says that it could not be started.
func (a lonely) run(args ...string) (result, error) {
	c := exec.Command("/blossom", args...)
	c.Dir, c.Env = "/", []string{}
	c.SysProcAttr = &syscall.SysProcAttr{Chroot: a.root}
	if id := os.Getuid(); id != 0 { // root of a namespace of its own
		c.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		c.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: id, Size: 1}}
	}
	var out, said bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(""), &out, &said
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return result{}, err
	}
	return result{c.ProcessState.ExitCode(), out.String(), said.String(), c.ProcessState}, nil
}

// ok runs the program, and fails the test unless it succeeds.
func (a lonely) ok(line string) result {
	a.t.Helper()
	r, err := a.run(strings.Fields(line)...)
	if err != nil || r.code != 0 {
		a.t.Fatalf("blossom %s: %v, exit code %d: %s", line, err, r.code, r.stderr)
	}
	return r
}

// needsNothing fails the test if the program needs a library, or what loads one, to start.
func needsNothing(t *testing.T, program string) {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if needed, err := f.ImportedLibraries(); len(needed) > 0 || err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		t.Errorf("it needs %q (%v)", needed, err)
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			loader, _ := io.ReadAll(p.Open())
			t.Errorf("it needs %s to start", loader)
		}
	}
}

// The command line that is built without cgo is a single file, which does in an empty root what the program with a
// window does: with the same engines the same bytes.
func TestSingleFileStartsInAnEmptyRoot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "blossom")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-tags", "nowindow", "-o", path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	needsNothing(t, path)
	a, dir := rootWith(t, path), t.TempDir()
	for _, line := range []string{
		"train demo:tesseract:3000 --som 8x8 --epochs 2 --engine reference -o map.json",
		"embed demo:tesseract:3000 --landmarks map.json --engine reference -o reference.npy",
		"embed demo:tesseract:3000 --landmarks map.json --variant cpu/go -o go.npy",
		"tsne demo:tesseract:300 --units 20 --engine reference -o tsne.csv",
		"umap demo:tesseract:300 --epochs 20 --variant cpu/go -o umap.tsv",
		"cluster demo:tesseract:500 --n-clusters 4 --algorithm prim -o labels.csv --linkage-out Z.npy",
		"convert demo:tesseract:200 data.parquet",
		"embed data.parquet --engine reference -o file.csv",
	} {
		a.ok(line)
		ok(t, dir, strings.Fields(line)...)
	}
	for _, out := range []string{"map.json", "reference.npy", "go.npy", "tsne.csv", "umap.tsv", "labels.csv", "Z.npy",
		"data.parquet", "file.csv"} {
		if got, want := text(t, filepath.Join(a.root, out)), text(t, filepath.Join(dir, out)); got != want {
			t.Errorf("%s: %d bytes that differ from the %d of the program with a window", out, len(got), len(want))
		}
	}
	printed := a.ok("embed data.parquet --engine reference -o job.csv --print-job").stdout
	write(t, filepath.Join(a.root, "job.json"), printed)
	a.ok("job job.json")
	if text(t, filepath.Join(a.root, "job.csv")) != text(t, filepath.Join(a.root, "file.csv")) {
		t.Error("the printed job makes another map")
	}
	if said := a.ok("info data.parquet").stdout; !strings.Contains(said, "200 points") {
		t.Errorf("info: %s", said)
	}
	saysWhatItLacks(a)
}

// saysWhatItLacks checks that what needs a driver is told in one line, with what has it, and leaves nothing.
func saysWhatItLacks(a lonely) {
	t := a.t
	t.Helper()
	for line, what := range map[string]string{
		"render demo:tesseract:300 -o map.png":                  "no OpenGL",
		"embed demo:tesseract:300 --engine gl -o no.npy":        "without OpenGL",
		"embed demo:tesseract:300 --engine cuda -o no.npy":      "without CUDA",
		"embed demo:tesseract:300 --engine cuda --device 0 -o-": "without CUDA",
		"demo:tesseract:300":                                    "without its window",
	} {
		r, err := a.run(strings.Fields(line)...)
		if err != nil || r.code == 0 || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, what) ||
			!strings.Contains(r.stderr, "blossom with a window") && what != "without its window" {
			t.Errorf("%s: %v, exit code %d: %q", line, err, r.code, r.stderr)
		}
	}
	for _, name := range names(t, a.root) {
		if name == "map.png" || name == "no.npy" {
			t.Errorf("it left %s", name)
		}
	}
	var h health
	parse(t, a.ok("doctor --json").stdout, &h)
	for _, e := range h.Engines {
		works := e.Name == "cpu" || e.Name == "reference"
		if e.Available != works || e.Available == (e.Why != "") {
			t.Errorf("doctor: engine %s: %+v", e.Name, e)
		}
	}
	for _, why := range []string{h.GL.Offscreen.Why, h.CUDA.Why} {
		if !strings.Contains(why, "single file") || !strings.Contains(why, "blossom with a window") {
			t.Errorf("doctor: %q", why)
		}
	}
}

// The command line is built without cgo for the systems that people have.
func TestSingleFileIsBuiltForOtherSystems(t *testing.T) {
	if os.Getenv("BLOSSOM_LONG") == "" {
		t.Skip("each builds everything once more: make test-long")
	}
	for _, system := range []string{"linux/arm64", "windows/amd64", "windows/arm64", "darwin/amd64", "darwin/arm64"} {
		goos, goarch, _ := strings.Cut(system, "/")
		build := exec.Command("go", "build", "-ldflags=-s -w", "-tags", "nowindow", "-o", os.DevNull, ".")
		build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
		if out, err := build.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", system, err, out)
		}
	}
}

// With a C compiler the single file has the kernels in C, and gives the bytes that the program with a window gives with
// the same instructions.
func TestSingleFileWithKernelsInC(t *testing.T) {
	if os.Getenv("BLOSSOM_LONG") == "" || runtime.GOARCH != "amd64" {
		t.Skip("it builds everything once more, for x86-64: make test-long")
	}
	path := filepath.Join(t.TempDir(), "blossom")
	build := exec.Command("./.ci/single", path)
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	needsNothing(t, path)
	a, dir := rootWith(t, path), t.TempDir()
	for _, v := range cpu.Conforming() {
		for name, line := range map[string]string{
			"map.npy":  "embed demo:tesseract:20000 --seed 3",
			"tsne.npy": "tsne demo:tesseract:3000 --units 50",
			"umap.npy": "umap demo:tesseract:3000 --epochs 50",
		} {
			line += " --variant cpu/" + v + " -o " + name
			a.ok(line)
			ok(t, dir, strings.Fields(line)...)
			if text(t, filepath.Join(a.root, name)) != text(t, filepath.Join(dir, name)) {
				t.Errorf("%s, %s: other bytes than of the program with a window", v, name)
			}
		}
	}
	saysWhatItLacks(a)
}
