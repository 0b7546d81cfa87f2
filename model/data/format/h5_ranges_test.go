package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/hdf5"
)

// Ranges of the rows of HDF5 files of all kinds are those of the whole.
func TestRangesOfHDF5(t *testing.T) {
	files, err := filepath.Glob(h5Data("*"))
	if err != nil || len(files) == 0 {
		t.Fatal("there are no files")
	}
	more, _ := filepath.Glob(filepath.Join("..", "..", "..", "..", "shared", "formats", "h5ad", "*", "*.h5ad"))
	top, _ := filepath.Glob(filepath.Join("..", "..", "..", "..", "shared", "formats", "h5ad", "*.h5*"))
	for _, path := range append(append(files, more...), top...) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			ds, err := Open(ctx, path, Options{})
			if err != nil {
				t.Skip(err)
			}
			wantRanges(t, path, ds.Points)
		})
	}
}

// specialTable has the special columns, labels that come late, and names of its n rows.
func specialTable(t *testing.T, n int) *dataset.Dataset {
	t.Helper()
	r := rand.New(rand.NewPCG(8, 1))
	var columns []dataset.Column
	for j, f := range special {
		values := make([]float64, n)
		for i := range values {
			values[i] = f(r, i, n)
		}
		c := dataset.Column{Name: fmt.Sprintf("c%d", j)}
		c.SetExact(values)
		columns = append(columns, c)
	}
	labels := dataset.Column{Name: "cell type", Categories: []string{"B", "T", "NK"}, Values: make([]float32, n)}
	for i := range labels.Values {
		labels.Values[i] = float32(i % 2 * (1 + i/(n-9)))
	}
	ds, err := dataset.FromColumns(ctx, "special", append(columns, labels))
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// An outline of an h5ad file says what reading all of it says, and has its values: of a dense matrix with what obs
// notes, and of a sparse one by rows. One that lies by columns is read as a whole.
func TestAnOutlineOfAnnData(t *testing.T) {
	const n = 17_001
	dir := t.TempDir()
	dense := filepath.Join(dir, "dense.h5ad")
	if err := Save(ctx, dense, specialTable(t, n), nil); err != nil {
		t.Fatal(err)
	}
	wantSameOutline(t, dense, Options{})
	wantRanges(t, dense, n)
	rows := sparseH5AD(t, "csr_matrix", n, 7)
	wantSameOutline(t, rows, Options{})
	wantRanges(t, rows, n)
	columns := sparseH5AD(t, "csc_matrix", 7, n)
	if _, err := Outline(ctx, columns, Options{}); !errors.Is(err, dataset.ErrWhole) {
		t.Errorf("a matrix by columns: %v", err)
	}
	wantRanges(t, columns, n)
}

// sparseH5AD writes an h5ad file of a sparse matrix of so many lines, in which two of three values are 0.
func sparseH5AD(t *testing.T, kind string, lines, others int) string {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(lines), 3))
	var data []float32
	var indices []int32
	start := []int64{0}
	for range lines {
		for k := range others {
			if r.IntN(3) == 0 {
				data, indices = append(data, r.Float32()), append(indices, int32(k))
			}
		}
		start = append(start, int64(len(data)))
	}
	shape := []int64{int64(lines), int64(others)}
	if kind == "csc_matrix" {
		shape = []int64{int64(others), int64(lines)}
	}
	root := hdf5.NewGroup()
	x := root.Group("X")
	x.Attribute("encoding-type", kind)
	x.Attribute("encoding-version", "0.1.0")
	x.AttributeWhole("shape", shape...)
	put := func(name string, of hdf5.Kind, n int, values any) {
		x.Values(name, of, []int64{int64(n)}, func(w io.Writer) error {
			return binary.Write(w, binary.LittleEndian, values)
		})
	}
	put("data", hdf5.Float32, len(data), data)
	put("indices", hdf5.Int32, len(indices), indices)
	put("indptr", hdf5.Int64, len(start), start)
	for k, name := range []string{"obs", "var"} {
		g := root.Group(name)
		g.Attribute("_index", "_index")
		g.AttributeTexts("column-order", nil)
		g.Texts("_index", int(shape[k]), func(i int) string { return fmt.Sprintf("%s%d", name, i) })
	}
	var b bytes.Buffer
	if err := hdf5.Write(ctx, &b, root); err != nil {
		t.Fatal(err)
	}
	return write(t, kind+".h5ad", b.Bytes())
}
