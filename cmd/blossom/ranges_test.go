//go:build linux

package main

import (
	"bufio"
	little "encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// array writes n rows of d normal numbers as an NPY array: a block of rows again and again.
func array(t *testing.T, path string, n, d int) {
	t.Helper()
	const rows = 10_000
	r, block := rand.New(rand.NewPCG(2, 3)), []byte(nil)
	for range rows * d {
		block = little.LittleEndian.AppendUint32(block, math.Float32bits(float32(r.NormFloat64())))
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	dict := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", n, d)
	fmt.Fprintf(w, "\x93NUMPY\x01\x00\x76\x00%-117s\n", dict)
	for at := 0; at < n; at += rows {
		if _, err := w.Write(block[:4*d*min(rows, n-at)]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
}

// most is how many bytes of memory a run had at most, as the kernel has counted them.
func (r result) most(t *testing.T) int64 {
	t.Helper()
	u, ok := r.state.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Fatal("the system does not say how much memory a process had")
	}
	return u.Maxrss << 10
}

// Four times as many rows take no more memory where they are read by ranges.
func TestMemoryDoesNotGrowWithRows(t *testing.T) {
	dir := t.TempDir()
	small, large := filepath.Join(dir, "small.npy"), filepath.Join(dir, "large.npy")
	array(t, small, 500_000, 40)
	array(t, large, 2_000_000, 40)
	ok(t, dir, "train", small, "--max-points", "5000", "--som", "8x8", "--epochs", "1", "-o", "map.json")
	for _, line := range []string{
		"embed FILE --landmarks map.json -o out.npy",
		"embed FILE --landmarks map.json --with-data --values map -o out.npy",
		"embed FILE --train-on 5000 --som 8x8 --epochs 1 -o out.npy",
		"convert FILE --columns 1-6 out.csv",
		"cluster FILE --landmarks map.json --n-clusters 4 -o out.npy",
	} {
		run := func(path string) int64 {
			return ok(t, dir, strings.Fields(strings.Replace(line, "FILE", path, 1))...).most(t)
		}
		// the rows that are more are 240 MB, of which memory has some at a time
		if a, b := run(small), run(large); b > a+64<<20 {
			t.Errorf("%s: %d MB for 80 MB of rows, %d MB for 320 MB", line, a>>20, b>>20)
		}
	}
}

// On the engine that is chosen by itself, what is made by ranges is what is made at once: a column that is made of the
// whole map has it made so.
func TestRangesOnTheBestEngine(t *testing.T) {
	dir := t.TempDir()
	array(t, filepath.Join(dir, "a.npy"), 450_001, 40)
	train := []string{"--som", "9x9", "--epochs", "1"}
	ok(t, dir, append([]string{"train", "a.npy", "--max-points", "5000", "--sample", "random", "-o", "m.json"},
		train...)...)
	ok(t, dir, "embed", "a.npy", "--landmarks", "m.json", "-o", "a1.npy")
	ok(t, dir, "embed", "a.npy", "--landmarks", "m.json", "--threads", "1", "-o", "a2.npy")
	ok(t, dir, append([]string{"embed", "a.npy", "--train-on", "5000", "-o", "a3.npy"}, train...)...)
	ok(t, dir, "embed", "a.npy", "--landmarks", "m.json", "--derived", "nearest", "-o", "whole.npy")
	for _, name := range []string{"a2.npy", "a3.npy"} {
		if text(t, filepath.Join(dir, "a1.npy")) != text(t, filepath.Join(dir, name)) {
			t.Errorf("%s has other bytes", name)
		}
	}
	a, whole := read(t, filepath.Join(dir, "a1.npy")), read(t, filepath.Join(dir, "whole.npy"))
	if len(a.Columns) != 2 || len(whole.Columns) != 3 || a.Points != 450_001 {
		t.Fatalf("%d columns by ranges, %d at once, %d points", len(a.Columns), len(whole.Columns), a.Points)
	}
	for j := range a.Columns {
		if !slices.Equal(a.Columns[j].Values, whole.Columns[j].Values) {
			t.Errorf("coordinate %d differs", j+1)
		}
	}
}

// A picture of a large file is made by ranges, and is that of all rows at once to the byte.
func TestPicturesByRanges(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	array(t, filepath.Join(dir, "a.npy"), 450_001, 40)
	ok(t, dir, "train", "a.npy", "--max-points", "5000", "--som", "9x9", "--epochs", "1", "-o", "m.json")
	for _, line := range []string{
		"--landmarks m.json --contours over",
		"--at 2,5 --draw hexagons",
	} {
		args := append(strings.Fields("render a.npy --no-recipe --size 300x200"), strings.Fields(line)...)
		ok(t, dir, append(slices.Clone(args), "-o", "ranges.png")...)
		ok(t, dir, append(slices.Clone(args), "--max-points", "450001", "-o", "whole.png")...)
		if text(t, filepath.Join(dir, "ranges.png")) != text(t, filepath.Join(dir, "whole.png")) {
			t.Errorf("%s: another picture", line)
		}
	}
}

// Flags that go against points to train on are refused.
func TestTrainOnWrong(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y\n0,0\n0,1\n9,9\n")
	for line, word := range map[string]string{
		"--train-on -1":                  "--train-on -1",
		"--train-on 5 --max-points 3":    "--max-points",
		"--train-on 5 --landmarks m.jsn": "--train-on",
		"--train-on 5 --session s":       "--train-on",
	} {
		line := append([]string{"embed", "a.csv", "-o", "b.csv"}, strings.Fields(line)...)
		blossom(t, dir, line...).refused(t, exitUsage, word)
	}
	ok(t, dir, "embed", "a.csv", "--train-on", "2", "-o", "b.csv", "--quiet") // few rows are read at once
	if got := read(t, filepath.Join(dir, "b.csv")); got.Points != 3 {
		t.Errorf("%d points", got.Points)
	}
}
