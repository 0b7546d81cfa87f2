package format

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"blossom/model/data/dataset"
)

// framedExpected is what other readers find in a file of Parquet or Arrow.
type framedExpected struct {
	SameAs      string `json:"same_as"`
	Rows        int
	Columns     []json.RawMessage
	Error       string
	ErrorOrLeft bool `json:"error_or_columns_left_out"`
	Numbers     map[string]struct {
		Sum     float64
		Missing int
	}
	Texts             map[string]map[string]int
	PopulationMissing int `json:"population_missing"`
	LiveTrue          int `json:"live_true"`
}

type framedColumn struct {
	Column   string
	Sum      *float64
	Missing  int
	Distinct int    `json:"distinct_texts"`
	First    string `json:"first_text"`
	LeftOut  string `json:"left_out"`
}

// Every file of Parquet and Arrow is read as Arrow's own libraries read it, where the folder of such files is there;
// those that are damaged are refused in one line, in 64 MiB and with few readings.
func TestFilesByColumns(t *testing.T) {
	dir := formatsFolder()
	if dir == "" {
		t.Skip("no folder of files")
	}
	raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for name, one := range all {
		if !strings.HasPrefix(name, "parquet/") && !strings.HasSuffix(name, ".parquet") {
			continue
		}
		var want framedExpected
		if err := json.Unmarshal(one, &want); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		checked++
		t.Run(name, func(t *testing.T) { want.check(t, dir, name) })
	}
	if checked < 29 {
		t.Errorf("%d files are expected", checked)
	}
}

func (e *framedExpected) check(t *testing.T, dir, name string) {
	path := filepath.Join(dir, name)
	if e.Error != "" || e.ErrorOrLeft {
		ds, err := openCounted(t, path)
		if err == nil && (e.Error != "" || len(ds.Warnings) == 0) {
			t.Errorf("it is read, and nothing is said: %v", ds.Warnings)
		}
		if err != nil {
			wantProblem(t, err, filepath.Base(name), e.Error)
		}
		return
	}
	ds, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case e.SameAs != "":
		same, err := Open(ctx, filepath.Join(dir, e.SameAs), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".parquet") {
			repeatVectors(same)
		}
		equalTables(t, ds, same)
	case e.Numbers != nil:
		e.cyto(t, ds)
	default:
		if ds.Points != e.Rows {
			t.Errorf("%d rows, want %d", ds.Points, e.Rows)
		}
		for _, raw := range e.Columns {
			var c framedColumn
			if err := json.Unmarshal(raw, &c); err != nil {
				t.Fatal(err)
			}
			c.check(t, ds)
		}
	}
}

// countedReads counts what is read of a file.
type countedReads struct {
	io.ReaderAt
	bytes atomic.Int64
}

func (c *countedReads) ReadAt(to []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(to, at)
	c.bytes.Add(int64(n))
	return n, err
}

// openCounted opens a file by columns, or of HDF5, with 64 MiB of memory, and holds how much of it is read against its
// size: what a file says of itself may have nothing read over and over.
func openCounted(t *testing.T, path string) (*dataset.Dataset, error) {
	t.Helper()
	in, err := openInput(path, Options{Memory: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer in.close()
	counted := &countedReads{ReaderAt: in.r}
	in.r = counted
	read := readArrow
	switch {
	case strings.Contains(path, ".parquet"):
		read = readParquet
	case slices.Contains([]string{".h5ad", ".h5", ".h5mu", ".loom", ".mat"}, filepath.Ext(path)):
		read = readH5
	}
	ds, err := read(ctx, in)
	if n := counted.bytes.Load(); n > 4*in.size+1<<20 {
		t.Errorf("%d bytes were read of %d", n, in.size)
	}
	return ds, err
}

func (w *framedColumn) check(t *testing.T, ds *dataset.Dataset) {
	t.Helper()
	k, ok := ds.Places()[w.Column]
	if w.LeftOut != "" {
		outer, _, _ := strings.Cut(w.Column, ".")
		if said := strings.Join(ds.Warnings, "\n"); ok || !strings.Contains(said, fmt.Sprintf("%q", outer)) {
			t.Errorf("%s is not named as left out: %s", w.Column, said)
		}
		return
	}
	if !ok {
		t.Errorf("there is no column %q", w.Column)
		return
	}
	c := &ds.Columns[k]
	if w.Sum != nil {
		if sum, size := sums(c); math.Abs(sum-*w.Sum) > 1e-6*size || missing(c) != w.Missing {
			t.Errorf("%s: sum %v, %d are missing, want %+v (%v)", w.Column, sum, missing(c), w, *w.Sum)
		}
		return
	}
	first := ""
	for _, v := range c.Values {
		if v == v {
			first = c.Categories[int(v)]
			break
		}
	}
	if missing(c) != w.Missing || len(c.Categories) != w.Distinct || first != w.First {
		t.Errorf("%s: %d are missing, %d labels, first %q, want %+v", w.Column, missing(c), len(c.Categories), first, w)
	}
}

func missing(c *dataset.Column) (n int) {
	for i := range c.Values {
		if v := c.At(i); v != v {
			n++
		}
	}
	return n
}

func (e *framedExpected) cyto(t *testing.T, ds *dataset.Dataset) {
	at := ds.Places()
	for name, want := range e.Numbers {
		c := &ds.Columns[at[name]]
		if sum, size := sums(c); math.Abs(sum-want.Sum) > 1e-6*size || missing(c) != want.Missing {
			t.Errorf("%s: sum %v, %d are missing, want %+v", name, sum, missing(c), want)
		}
	}
	for name, want := range e.Texts {
		c, counts := &ds.Columns[at[name]], map[string]int{}
		for _, v := range c.Values {
			if v == v {
				counts[c.Categories[int(v)]]++
			}
		}
		if fmt.Sprint(counts) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", name, counts, want)
		}
	}
	if n := missing(&ds.Columns[at["population"]]); n != e.PopulationMissing {
		t.Errorf("%d have no population", n)
	}
}

// repeatVectors makes a table what the Parquet files of it are: their writer put the lists of the first group of 1,024
// rows into all groups, whose bytes are the same there.
func repeatVectors(ds *dataset.Dataset) {
	for i := range ds.Columns {
		if c := &ds.Columns[i]; strings.HasPrefix(c.Name, "vector") {
			for row := 1024; row < ds.Points; row++ {
				c.Values[row] = c.Values[row%1024]
			}
		}
	}
}

// equalTables compares two tables value by value. Truth values are called as in Python.
func equalTables(t *testing.T, a, b *dataset.Dataset) {
	t.Helper()
	if a.Points != b.Points || len(a.Columns) != len(b.Columns) {
		t.Fatalf("%d x %d, want %d x %d", a.Points, len(a.Columns), b.Points, len(b.Columns))
	}
	for k := range a.Columns {
		x, y := &a.Columns[k], &b.Columns[k]
		if x.Name != y.Name || x.Role != y.Role || (x.Categories == nil) != (y.Categories == nil) {
			t.Errorf("column %q %v %d, want %q %v %d", x.Name, x.Role, len(x.Categories), y.Name, y.Role,
				len(y.Categories))
			continue
		}
		for i := range x.Values {
			p, q := x.At(i), y.At(i)
			if x.Categories != nil {
				if (p == p) != (q == q) || p == p && !strings.EqualFold(x.Categories[int(p)], y.Categories[int(q)]) {
					t.Errorf("%s: row %d is %v, want %v", x.Name, i, p, q)
					break
				}
			} else if p != q && (p == p || q == q) {
				t.Errorf("%s: row %d is %v, want %v", x.Name, i, p, q)
				break
			}
		}
	}
}
