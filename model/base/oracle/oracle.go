// Package oracle finds and reads the exact answers that tests compare with: what other programs computed in float64,
// stored as arrays of NumPy. A sample is part of the tree, so that every clone is tested against it; the folder that
// BLOSSOM_ORACLE names, and its neighbours, hold more.
package oracle

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"blossom/model/base/matrix"
)

// Kind is a kind of answers.
type Kind struct {
	sample string // the folder below testdata
	beside string // folder below BLOSSOM_ORACLE
	holds  string // a file that every case of this kind has
}

// The kinds of answers.
var (
	Embedding = Kind{"embedding", "", "embedding.npy"}    // points projected by EmbedSOM
	Linkage   = Kind{"linkage", "-linkage", "Z.npy"}      // hierarchies of single linkage, with cuts
	TSNE      = Kind{"tsne", "-tsne", "P_data.npy"}       // affinities of points, forces of maps
	Placing   = Kind{"placing", "-tsne", "new_start.npy"} // new points placed into a map by t-SNE
)

// Cases returns the folders of all cases of a kind: those of the sample, and those that BLOSSOM_ORACLE has besides.
func Cases(t testing.TB, kind Kind) []string {
	t.Helper()
	dirs := holding(t, filepath.Join(Root(t), "model", "base", "oracle", "testdata", kind.sample), kind.holds)
	if len(dirs) == 0 {
		t.Fatalf("the tree has no answers of %s", kind.sample)
	}
	more := os.Getenv("BLOSSOM_ORACLE")
	if more == "" {
		return dirs
	}
	sample := slices.Clone(dirs)
	for _, dir := range holding(t, more+kind.beside, kind.holds) {
		same := func(s string) bool { return filepath.Base(s) == filepath.Base(dir) }
		if !slices.ContainsFunc(sample, same) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// holding returns the folders in dir that hold a case with a file of this name.
func holding(t testing.TB, dir, name string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		if _, err := os.Stat(filepath.Join(at, name)); err == nil {
			out = append(out, at)
		}
	}
	return out
}

// Root returns the folder of the module in which the test runs.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("the test runs in no folder of the module")
		}
		dir = up
	}
}

// Case reads the description of a case, case.json, into a struct.
func Case(t testing.TB, dir string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "case.json"))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
}

var header = regexp.MustCompile(`'descr': '<([fi][48])', 'fortran_order': False, 'shape': \((\d+),? ?(\d*)\)`)

// number is what arrays hold.
type number interface {
	float32 | float64 | int32 | int64
}

// Array reads the numbers of a file by rows, of whatever type they are there, and how many are in a row: 1 in a vector.
func Array[T number](t testing.TB, dir, name string) (values []T, cols int) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	var head [][]byte
	from := 0
	if len(raw) > 10 {
		from = min(len(raw), 10+int(binary.LittleEndian.Uint16(raw[8:])))
		head = header.FindSubmatch(raw[:from])
	}
	if head == nil {
		t.Fatalf("%s of %s is no array of numbers by rows", name, dir)
	}
	if cols, err = strconv.Atoi(string(head[3])); err != nil {
		cols = 1
	}
	rows, _ := strconv.Atoi(string(head[2]))
	switch string(head[1]) {
	case "f4":
		values, err = decoded[float32, T](raw[from:], rows*cols)
	case "f8":
		values, err = decoded[float64, T](raw[from:], rows*cols)
	case "i4":
		values, err = decoded[int32, T](raw[from:], rows*cols)
	case "i8":
		values, err = decoded[int64, T](raw[from:], rows*cols)
	}
	if err != nil {
		t.Fatalf("%s of %s: %v", name, dir, err)
	}
	return values, cols
}

func decoded[S, T number](b []byte, n int) ([]T, error) {
	in := make([]S, n)
	if err := binary.Read(bytes.NewReader(b), binary.LittleEndian, in); err != nil && n > 0 {
		return nil, err
	}
	out := make([]T, n)
	for i, v := range in {
		out[i] = T(v)
	}
	return out, nil
}

// Matrix reads an array as a matrix.
func Matrix(t testing.TB, dir, name string) matrix.Matrix32 {
	t.Helper()
	v, cols := Array[float32](t, dir, name)
	return matrix.Matrix32{Rows: len(v) / max(cols, 1), Cols: cols, Data: v}
}
