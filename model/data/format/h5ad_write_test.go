package format

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
)

// annotated is a table with a column of every kind, of n rows.
func annotated(t *testing.T, n int) *dataset.Dataset {
	t.Helper()
	nan := float32(math.NaN())
	of := func(f func(i int) float32) (v []float32) {
		v = []float32{}
		for i := range n {
			v = append(v, f(i))
		}
		return v
	}
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("cell/%d ü", i)
	}
	columns := []dataset.Column{
		{Name: "FITC-A", Label: "CD3", Values: of(func(i int) float32 { return float32(i*37%101) / 8 })},
		{Name: "FSC-A", Values: of(func(i int) float32 { return float32(i * 1000) })},
		{Name: "barcode", Categories: names, Values: of(func(i int) float32 { return float32(i) })},
		{Name: "a/b", Categories: []string{"T, \"x\"", "no", "B 😀"}, Values: of(func(i int) float32 {
			if i%7 == 3 {
				return nan
			}
			return float32(i % 3)
		})},
		{Name: "umap1", Values: of(func(i int) float32 { return float32(i%13) - 6 })},
		{Name: "umap2", Values: of(func(i int) float32 {
			if i == 5 {
				return nan
			}
			return float32(i%17) / 3
		})},
		{Name: "counts", Values: of(func(i int) float32 { return float32(i * i % 1009) })},
		{Name: "many", Values: of(func(i int) float32 { return float32(i % 200) })},
	}
	for i := range 200 {
		columns[7].Categories = append(columns[7].Categories, fmt.Sprint("of ", i))
	}
	ds, err := dataset.FromColumns(t.Context(), "x", columns)
	if err != nil {
		t.Fatal(err)
	}
	roles := []dataset.Role{dataset.Marker, dataset.Scatter, dataset.Index, dataset.Label, dataset.Placed,
		dataset.Placed,
		dataset.Measure, dataset.Label}
	for i, r := range roles {
		ds.Columns[i].SetRole(r)
	}
	ds.Columns[3].Own = "\x01\x02\xff\xff\x80\x80\x80\xff\xff\x00\x00\xff"
	ds.Metadata = map[string]string{"BLOSSOM_ENGINE": "cpu", "$CYT/x": "y", "empty": ""}
	ds.Spillover = &dataset.Spillover{Names: []string{"FITC-A", "FSC-A"}, M: [][]float64{{1, 0.5}, {0, 1}}}
	return ds
}

// A table is the same after it has been an h5ad file: values to the bit, labels, names, roles, colours.
func TestAnAnnDataThatIsWrittenIsReadAgain(t *testing.T) {
	for _, n := range []int{1, 10, 1500} {
		ds := annotated(t, n)
		path := filepath.Join(t.TempDir(), "x.h5ad")
		if err := Save(t.Context(), path, ds, nil); err != nil {
			t.Fatal(err)
		}
		back, err := Open(t.Context(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if back.Points != n || len(back.Columns) != len(ds.Columns) {
			t.Fatalf("%d points, %d columns", back.Points, len(back.Columns))
		}
		at := back.Places()
		for i := range ds.Columns {
			c := &ds.Columns[i]
			k, ok := at[h5Name(c.Name)]
			if !ok {
				t.Errorf("%s is gone", c.Name)
				continue
			}
			got := &back.Columns[k]
			same := slices.EqualFunc(c.Values, got.Values, func(a,
				b float32) bool {
				return a == b || a != a && b != b
			})
			if !same || !slices.Equal(c.Categories, got.Categories) || got.Label != c.Label ||
				c.Own != got.Own {
				t.Errorf("%d rows: %s is %q %v %q, was %q %v %q", n, c.Name, got.Label, got.Categories, got.Own,
					c.Label,
					c.Categories, c.Own)
			}
			if n > 1 && got.Role != c.Role {
				t.Errorf("%d rows: %s is %v, was %v", n, c.Name, got.Role, c.Role)
			}
		}
		var first, second bytes.Buffer
		for i, to := range []*bytes.Buffer{&first, &second} {
			of := back
			if i == 1 {
				if of, err = Open(t.Context(), path, Options{}); err != nil {
					t.Fatal(err)
				}
			}
			if err := writeH5AD(t.Context(), to, of, func(int64, int64) {}); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Error("the same table gives other bytes")
		}
	}
	if said := Lost("x.h5ad", annotated(t, 2)); len(said) != 1 || !strings.Contains(said[0], `"a_b"`) {
		t.Errorf("of what is lost it says %q", said)
	}
}

// Values that float32 does not hold are kept, a table of coordinates alone is one, and numbers name points without
// names.
func TestAnAnnDataOfLittleIsOne(t *testing.T) {
	exact := []float64{1e9 + 0.25, 1e9 + 0.5, 1e9 + 0.75}
	time := dataset.Column{Name: "x1", Values: []float32{1e9, 1e9, 1e9}, Exact: exact}
	places := []dataset.Column{{Name: "embedsom1", Values: []float32{1, 2, 3}}, {Name: "embedsom2",
		Values: []float32{4, 5, 6}}}
	for _, columns := range [][]dataset.Column{{time}, places} {
		ds, err := dataset.FromColumns(t.Context(), "x", columns)
		if err != nil {
			t.Fatal(err)
		}
		for i := range ds.Columns {
			if len(columns) == 2 {
				ds.Columns[i].SetRole(dataset.Placed)
			}
		}
		path := filepath.Join(t.TempDir(), "x.h5ad")
		if err := Save(t.Context(), path, ds, nil); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(text, []byte("dataframe")) {
			t.Fatal(err)
		}
		back, err := Open(t.Context(), path, Options{Reading: Reading{Matrix: map[int]string{2: "obsm:X_embedsom"}[len(
			columns)]}})
		if err != nil {
			t.Fatal(err)
		}
		if back.Points != 3 || back.Columns[0].At(1) != ds.Columns[0].At(1) {
			t.Errorf("%d points, %v", back.Points, back.Columns[0].Values)
		}
		if i := back.IndexAt(); i < 0 || !slices.Equal(back.Columns[i].Categories, []string{"0", "1", "2"}) {
			t.Errorf("names are column %d", i)
		}
	}
}

// pythonWith is a Python that has a module; "": there is none.
func pythonWith(ctx context.Context, module string) string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.CommandContext(ctx, name, "-c", "import "+module).Run() == nil {
			return name
		}
	}
	return ""
}

// AnnData reads what is written, and finds the same in it.
func TestAnnDataReadsWhatIsWritten(t *testing.T) {
	python := pythonWith(t.Context(), "anndata")
	if python == "" {
		t.Skip("there is no Python with anndata here")
	}
	path := filepath.Join(t.TempDir(), "x.h5ad")
	if err := Save(t.Context(), path, annotated(t, 700), nil); err != nil {
		t.Fatal(err)
	}
	const script = `
import anndata, sys, numpy as np
a = anndata.read_h5ad(sys.argv[1])
assert a.shape == (700, 2), a.shape
assert a.X.dtype == np.float32 and a.X[5, 0] == np.float32(5*37 % 101)/8 and a.X[699, 1] == 699000
assert list(a.var_names) == ["FITC-A", "FSC-A"] and list(a.var["marker"]) == ["CD3", "FSC-A"]
assert a.obs_names[3] == "cell/3 ü" and a.obs.index.name == "barcode"
assert list(a.obs.columns) == ["a_b", "counts", "many"], a.obs.columns
c = a.obs["a_b"]
assert str(c.dtype) == "category" and list(c.cat.categories) == ['T, "x"', "no", "B 😀"] and not c.cat.ordered
assert c.isna()[3] and c[2] == "B 😀" and (c.cat.codes == [-1 if i % 7 == 3 else i % 3 for i in range(700)]).all()
assert list(a.obs["many"].cat.codes) == [i % 200 for i in range(700)]
assert (a.obs["counts"].to_numpy() == [i*i % 1009 for i in range(700)]).all()
u = a.obsm["X_umap"]
assert u.shape == (700, 2) and u[4, 0] == -2 and np.isnan(u[5, 1]) and u[20, 1] == np.float32(3)/3
assert list(a.uns["a_b_colors"]) == ["#0102ff", "#808080", "#ff0000"]
assert a.uns["keywords"]["BLOSSOM_ENGINE"] == "cpu" and a.uns["spillover"]["matrix"][0, 1] == 0.5
b = anndata.read_h5ad(sys.argv[1], backed="r+")
assert b.X[3, 1] == 3000
b.obs["new"] = 1
b.write()
b.file.close()
a.write_h5ad(sys.argv[1] + "2")
`
	said, err := exec.CommandContext(t.Context(), python, "-c", script, path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, file := range []string{path, path + "2"} {
		if err := os.Rename(file, strings.TrimSuffix(path, ".h5ad")+"again.h5ad"); err != nil {
			t.Fatal(err)
		}
		back, err := Open(t.Context(), strings.TrimSuffix(path, ".h5ad")+"again.h5ad", Options{})
		if err != nil || back.Points != 700 || back.Columns[1].At(699) != 699000 {
			t.Errorf("what it writes of it: %v", err)
		}
	}
}
