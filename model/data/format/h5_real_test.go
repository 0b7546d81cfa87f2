package format

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/data/dataset"
)

// formatsFolder is the folder of files in other formats beside that of BLOSSOM_TESTDATA, "" where it is not there.
func formatsFolder() string {
	dir := os.Getenv("BLOSSOM_TESTDATA")
	if dir == "" {
		return ""
	}
	dir = filepath.Join(filepath.Dir(dir), "formats")
	if _, err := os.Stat(filepath.Join(dir, "expected.json")); err != nil {
		return ""
	}
	return dir
}

// h5Expected is what h5py and AnnData find in a file, see the README of the folder.
type h5Expected struct {
	Kind               string
	NObs               int `json:"n_obs"`
	NVar               int `json:"n_var"`
	ObsFirst, VarFirst []string
	X, Raw             *h5ExpectedMatrix
	Layers             map[string]*h5ExpectedMatrix
	Obs                map[string]h5ExpectedColumn
	Obsm               map[string]struct {
		Shape []int
		Sum   []float64
	}
	Modalities, Groups   map[string]*h5Expected
	Barcodes, Names, IDs []string
	Error                bool
	Rows                 int
	Note                 string
}

type h5ExpectedMatrix struct {
	Shape      []int
	Sum        float64
	NaN        int
	Min, Max   *float64
	Row0, Last *float64
	Nonzero    *int
}

type h5ExpectedColumn struct {
	Kind     string
	Missing  int
	Sum      float64
	Min, Max float64
	Distinct int
	Counts   map[string]int
}

func h5ExpectedFiles(t *testing.T, dir string) map[string]*h5Expected {
	raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	raw = []byte(strings.NewReplacer(`"obs_first"`, `"obsfirst"`, `"var_first"`, `"varfirst"`, `"last_column"`,
		`"last"`).Replace(string(raw)))
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	out := map[string]*h5Expected{}
	for name, one := range all {
		if !strings.Contains(name, "h5") && !strings.HasPrefix(name, "10x/") && !strings.HasSuffix(name, ".mat") {
			continue
		}
		e := &h5Expected{}
		if err := json.Unmarshal(one, e); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = e
	}
	if len(out) < 30 {
		t.Fatalf("%d files are expected", len(out))
	}
	return out
}

// Every file of HDF5 is read as h5py and AnnData read it, where the folder of such files is there. Files that
// TestAnnData and others have written show the same things.
func TestFilesOfSingleCells(t *testing.T) {
	if ds, err := Open(ctx, h5Data("small.h5ad"), Options{}); err != nil || ds.Points != 6 {
		t.Errorf("a file of six cells: %v", err)
	}
	dir := formatsFolder()
	if dir == "" {
		return
	}
	for name, want := range h5ExpectedFiles(t, dir) {
		path := filepath.Join(dir, name)
		switch {
		case want.Error:
			_, err := openCounted(t, path)
			wantProblem(t, err, filepath.Base(name))
		case strings.HasPrefix(want.Note, "no_matrix"):
			_, err := Open(ctx, path, Options{})
			wantProblem(t, err, filepath.Base(name), "10 cells", "20 names", "nothing")
		case want.Kind == "":
			if ds, err := Open(ctx, path, Options{}); err != nil || ds.Points != want.Rows {
				t.Errorf("%s: %v", name, err)
			}
		case want.Modalities != nil:
			for i, part := range []string{"mod1", "mod2"} {
				want.Modalities[part].check(t, path, Options{Part: i})
			}
		case want.Groups != nil:
			want.Groups["hg19_chr21"].check(t, path, Options{})
		default:
			want.check(t, path, Options{})
		}
	}
}

func (e *h5Expected) check(t *testing.T, path string, o Options) {
	t.Helper()
	ds, err := Open(ctx, path, o)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	if e.NObs > 0 && (ds.Points != e.NObs || ds.Total != e.NObs) {
		t.Errorf("%s: %d points", path, ds.Points)
	}
	e.columns(t, path, ds)
	with := func(matrix string) Options {
		o := o
		o.Reading.Matrix = matrix
		return o
	}
	if e.X != nil {
		e.X.check(t, path, with("X"), e.VarFirst)
	}
	if e.Raw != nil {
		e.Raw.check(t, path, with("raw"), nil)
	}
	for name, m := range e.Layers {
		m.check(t, path, with("layer:"+name), e.VarFirst)
	}
	for name, m := range e.Obsm {
		if m.Shape == nil {
			continue
		}
		ds, err := Open(ctx, path, with("obsm:"+name))
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		for k, sum := range m.Sum {
			c := &ds.Columns[k]
			if got, size := sums(c); math.Abs(got-sum) > 1e-6*size {
				t.Errorf("%s obsm:%s %s: the sum is %v, want %v", path, name, c.Name, got, sum)
			}
		}
		if n := m.Shape[1]; len(ds.Columns) < n || ds.Points != m.Shape[0] {
			t.Errorf("%s obsm:%s: %d columns", path, name, len(ds.Columns))
		}
	}
}

// sums are that of the finite values and that of their magnitudes.
func sums(c *dataset.Column) (sum, size float64) {
	for i := range c.Values {
		if v := c.At(i); v-v == 0 {
			sum, size = sum+v, size+math.Abs(v)
		}
	}
	return sum, size
}

// columns checks the columns of obs.
func (e *h5Expected) columns(t *testing.T, path string, ds *dataset.Dataset) {
	t.Helper()
	for _, first := range [][]string{e.ObsFirst, e.Barcodes} {
		for i, name := range first {
			found := false
			for k := range ds.Columns {
				c := &ds.Columns[k]
				found = found || c.Role == dataset.Index && c.Categories != nil &&
					c.Categories[int(c.Values[i])] == name
			}
			if !found {
				t.Errorf("%s: no index names point %d %q", path, i, name)
			}
		}
	}
	at := ds.Places()
	for name, want := range e.Obs {
		k, ok := at[name]
		if !ok {
			t.Errorf("%s: there is no column %q", path, name)
			continue
		}
		c := &ds.Columns[k]
		if c.Stats.Invalid != want.Missing {
			t.Errorf("%s %s: %d are missing, want %d", path, name, c.Stats.Invalid, want.Missing)
		}
		if want.Kind == "int" || want.Kind == "float" {
			sum, size := sums(c)
			if c.Categories != nil || math.Abs(sum-want.Sum) > 1e-6*size || !close32(c.Stats.Min, want.Min) ||
				!close32(c.Stats.Max, want.Max) || c.Role == dataset.Marker {
				t.Errorf("%s %s: %v %v to %v, sum %v, want %+v", path, name, c.Role, c.Stats.Min, c.Stats.Max, sum,
					want)
			}
			continue
		}
		counts := map[string]int{}
		for _, v := range c.Values {
			if v == v {
				counts[c.Categories[int(v)]]++
			}
		}
		if want.Kind == "bool" {
			if counts["True"] != int(want.Sum) {
				t.Errorf("%s %s: %v, want %+v", path, name, counts, want)
			}
			continue
		}
		if len(counts) != want.Distinct || c.Role != dataset.Label {
			t.Errorf("%s %s: %v %v, want %+v", path, name, c.Role, counts, want)
		}
		for label, n := range want.Counts {
			if counts[label] != n {
				t.Errorf("%s %s: %d are %q, want %d", path, name, counts[label], label, n)
			}
		}
	}
}

func close32(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Abs(b) }

// check reads a matrix and compares it.
func (m *h5ExpectedMatrix) check(t *testing.T, path string, o Options, names []string) {
	t.Helper()
	if strings.HasSuffix(path, ".h5") {
		o.Reading.Matrix = ""
	}
	ds, err := Open(ctx, path, o)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	what := filepath.Base(path) + " " + o.Reading.Matrix
	cols := m.Shape[1]
	if ds.Points != m.Shape[0] || len(ds.Columns) < cols {
		t.Errorf("%s: %d x %d", what, ds.Points, len(ds.Columns))
		return
	}
	var sum, size, row0 float64
	nonzero, nan, low, high := 0, 0, math.Inf(1), math.Inf(-1)
	for k := range cols {
		c := &ds.Columns[k]
		if k < len(names) && c.Name != names[k] {
			t.Errorf("%s: column %d is called %q, want %q", what, k, c.Name, names[k])
		}
		s, z := sums(c)
		sum, size = sum+s, size+z
		if v := c.At(0); v == v {
			row0 += v
		}
		for i := range c.Values {
			switch v := c.At(i); {
			case v != v:
				nan++
			case v != 0:
				nonzero++
				low, high = min(low, v), max(high, v)
			default:
				low, high = min(low, v), max(high, v)
			}
		}
	}
	if math.Abs(sum-m.Sum) > 1e-6*size || nan != m.NaN || m.Nonzero != nil && nonzero != *m.Nonzero {
		t.Errorf("%s: sum %v, %d are not 0, %d missing, want %+v", what, sum, nonzero, nan, m)
	}
	if m.Min != nil && !close32(low, *m.Min) || m.Max != nil && !close32(high, *m.Max) {
		t.Errorf("%s: %v to %v, want %v to %v", what, low, high, m.Min, m.Max)
	}
	last, _ := sums(&ds.Columns[cols-1])
	if m.Row0 != nil && math.Abs(row0-*m.Row0) > 1e-6*size || m.Last != nil && math.Abs(last-*m.Last) > 1e-6*size {
		t.Errorf("%s: row 0 sums to %v, the last column to %v, want %v and %v", what, row0, last, *m.Row0, *m.Last)
	}
}
