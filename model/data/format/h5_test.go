package format

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/hdf5"
)

// h5Data is the path of a file of testdata/h5, which h5py has written. In most X[i,j] = 4i+j of six cells and
// four genes.
func h5Data(name string) string { return filepath.Join("testdata", "h5", name) }

func openH5(t testing.TB, name string, o Options) *dataset.Dataset {
	t.Helper()
	ds, err := Open(ctx, h5Data(name), o)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

func column(t testing.TB, ds *dataset.Dataset, name string) *dataset.Column {
	t.Helper()
	for i := range ds.Columns {
		if ds.Columns[i].Name == name {
			return &ds.Columns[i]
		}
	}
	t.Fatalf("there is no column %q of %d", name, len(ds.Columns))
	return nil
}

func names(ds *dataset.Dataset) (out []string) {
	for i := range ds.Columns {
		out = append(out, ds.Columns[i].Name)
	}
	return out
}

func texts(c *dataset.Column) (out []string) {
	for _, v := range c.Values {
		if v != v {
			out = append(out, "?")
		} else {
			out = append(out, c.Categories[int(v)])
		}
	}
	return out
}

func TestAnnDataBecomesATable(t *testing.T) {
	ds := openH5(t, "small.h5ad", Options{})
	want := []string{"g1", "g2", "g2 (2)", "g3", "index", "kind", "live", "counts", "maybe", "yes", "note", "text",
		"umap1", "umap2"}
	if got := names(ds); !slices.Equal(got, want) || ds.Format != "h5ad" || ds.Points != 6 {
		t.Errorf("%s: %q", ds.Format, got)
	}
	for j := range 4 {
		c := &ds.Columns[j]
		if c.Label != []string{"CD3", "CD4", "CD8", "CD19"}[j] || c.Role != dataset.Marker {
			t.Errorf("%+v", c)
		}
		for i, v := range c.Values {
			if v != float32(4*i+j) {
				t.Errorf("%s of cell %d is %v", c.Name, i, v)
			}
		}
	}
	for name, want := range map[string][]string{
		"index": {"cell0", "cell1", "cell2", "cell3", "cell4", "cell5"},
		"kind":  {"T", "B", "?", "B", "T", "B"}, "live": {"True", "False", "True", "True", "False", "True"},
		"yes": {"True", "False", "?", "True", "True", "True"}, "note": {"x", "", "?", "x", "x", "x"},
		"text": {"a", "b", "a", "a", "a", "b"},
	} {
		c := column(t, ds, name)
		if got := texts(c); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if role := map[bool]dataset.Role{true: dataset.Index, false: dataset.Label}[name == "index"]; c.Role != role {
			t.Errorf("%s is %v", name, c.Role)
		}
	}
	if c := column(t, ds, "maybe"); c.Values[0] != 1 || c.Values[1] == c.Values[1] || c.Role != dataset.Measure {
		t.Errorf("%+v", c)
	}
	if c := column(t, ds, "counts"); c.Values[0] != 5.5 || c.Role != dataset.Measure {
		t.Errorf("%+v", c)
	}
	if c := column(t, ds, "umap2"); c.Values[5] != 11 || c.Role != dataset.Placed {
		t.Errorf("%+v", c)
	}
	if !warned(ds, `"odd" (its encoding is "odd-encoding")`) {
		t.Errorf("%q", ds.Warnings)
	}
}

func TestAMatrixOfAFileIsChosen(t *testing.T) {
	sparse := func(i, j int) float32 {
		if x := 4*i + j%4; x%3 == 0 {
			return float32(x)
		}
		return 0
	}
	for matrix, want := range map[string]struct {
		cols  int
		first string
		at    func(i, j int) float32
	}{
		"X":             {4, "g1", func(i, j int) float32 { return float32(4*i + j) }},
		"layer:packed":  {4, "g1", func(i, j int) float32 { return float32(4*i + j) }},
		"layer:sparse":  {4, "g1", sparse},
		"layer:columns": {4, "g1", sparse},
		"raw":           {8, "r0", sparse},
		"obsm:X_pca":    {5, "pca1", func(i, j int) float32 { return float32(5*i + j) }},
	} {
		for _, most := range []int{0, 3} {
			o := Options{Reading: Reading{Matrix: matrix}, MaxPoints: most, Sample: dataset.SampleRandom, Seed: 5}
			ds := openH5(t, "small.h5ad", o)
			rows, err := dataset.SampleRows(6, most, dataset.SampleRandom, 5)
			if err != nil || most > 0 && ds.Points != most || ds.Total != 6 {
				t.Fatal(err, ds.Points)
			}
			if ds.Columns[0].Name != want.first || ds.Columns[want.cols].Name != "index" ||
				ds.Reading.Matrix != matrix {
				t.Errorf("%s: %q", matrix, names(ds))
			}
			for j := range want.cols {
				for i, v := range ds.Columns[j].Values {
					row := i
					if rows != nil {
						row = int(rows[i])
					}
					if v != want.at(row, j) {
						t.Errorf("%s %d: row %d column %d is %v", matrix, most, row, j, v)
					}
				}
			}
			if most > 0 && texts(column(t, ds, "index"))[1] != "cell"+string(rune('0'+rows[1])) {
				t.Errorf("the index of a sample is %q", texts(column(t, ds, "index")))
			}
		}
	}
	_, err := Open(ctx, h5Data("small.h5ad"), Options{Reading: Reading{Matrix: "layer:nope"}})
	wantProblem(t, err, "small.h5ad", "layer:nope", "layer:columns", "layer:packed", "obsm:X_pca")
	if _, err := ParseMatrix("layers"); err == nil {
		t.Error("a matrix without a name")
	}
}

func TestOfManyGenesTheVariableOnesMakeTheMap(t *testing.T) {
	ds := openH5(t, "wide.h5ad", Options{})
	if got := names(ds); !slices.Equal(got, []string{"gene7", "gene8", "gene9", "index"}) ||
		!warned(ds, "600 columns") {
		t.Errorf("%q %q", got, ds.Warnings)
	}
	ds = openH5(t, "wide.h5ad", Options{Reading: Reading{Genes: []string{"gene599", "gene7"}}})
	c := column(t, ds, "gene599")
	if len(ds.Columns) != 5 || !c.Aside || c.Values[2] != 9 || c.Stats.Max != 9 || ds.Columns[0].Values[5] != 5 {
		t.Errorf("%q %+v", names(ds), c)
	}
	if markers, err := ds.MapColumns("", ""); err != nil || slices.Contains(markers, 3) {
		t.Errorf("%v %v", markers, err)
	}
	ds = openH5(t, "wide.h5ad", Options{Wanted: []string{"gene599", "gene8", "elsewhere"}})
	if !slices.Equal(ds.Reading.Genes, []string{"gene599"}) || column(t, ds, "gene599").Values[2] != 9 {
		t.Errorf("%+v %q", ds.Reading, names(ds))
	}
	_, err := Open(ctx, h5Data("wide.h5ad"), Options{Reading: Reading{Genes: []string{"gene600"}}})
	wantProblem(t, err, "wide.h5ad", "gene600")
	if all := openH5(t, "wide.h5ad", Options{Reading: Reading{Matrix: "X"}}); len(all.Columns) != 601 {
		t.Errorf("%d columns", len(all.Columns))
	}
}

func TestOfSparseGenesThoseThatVaryMostAreFound(t *testing.T) {
	plain, err := openInput(h5Data("wide.h5ad"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.close()
	file, err := hdf5.Open(plain.r, plain.size, plain.o.Memory)
	if err != nil {
		t.Fatal(err)
	}
	root, err := file.Root()
	if err != nil {
		t.Fatal(err)
	}
	in := &h5Input{input: plain, file: file}
	a, err := openAnnData(ctx, in, root)
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.named(ctx, a.found["X"])
	if err != nil {
		t.Fatal(err)
	}
	// Gene 599 has a 9 in one of six cells (variance 11.25), gene 7 has 0 to 5 (2.92), all others have nothing.
	for most, want := range map[int][]int{1: {599}, 2: {7, 599}, 3: {0, 7, 599}} {
		if cols, err := p.matrix.sparse.varied(ctx, in, most); err != nil || !slices.Equal(cols, want) {
			t.Errorf("%d: %v, %v", most, cols, err)
		}
	}
	if err := in.unchosen(ctx, p); err != nil || len(p.cols) != mostMarkers || p.cols[511] != 599 {
		t.Errorf("%d columns, %v", len(p.cols), err)
	}
}

func TestOldAnnData(t *testing.T) {
	ds := openH5(t, "old.h5ad", Options{})
	if got := names(ds); !slices.Equal(got, []string{"g0", "g1", "g2", "g3", "index", "kind", "score"}) {
		t.Errorf("%q", got)
	}
	if got := texts(column(t, ds, "kind")); !slices.Equal(got, []string{"T", "B", "T", "B", "T", "B"}) {
		t.Errorf("%q", got)
	}
	if c := column(t, ds, "score"); c.Role != dataset.Measure || c.Values[4] != 4 {
		t.Errorf("%+v", c)
	}
}

func TestMuDataAndTenxHaveParts(t *testing.T) {
	for part := range 2 {
		ds := openH5(t, "small.h5mu", Options{Part: part})
		if ds.Format != "h5mu" || len(ds.Columns) != part+3 || !warned(ds, "2 modalities (m1, m2)") {
			t.Errorf("part %d: %s %q %q", part, ds.Format, names(ds), ds.Warnings)
		}
		ds = openH5(t, "v2.h5", Options{Part: part})
		if ds.Format != "10x" || ds.Columns[0].Values[3] != float32(12*(part+1)) || ds.Columns[0].Label != "E1" {
			t.Errorf("part %d: %s %v", part, ds.Format, ds.Columns[0])
		}
	}
	ds := openH5(t, "small.h5mu", Options{Reading: Reading{Modality: "m2"}})
	if again := openH5(t, "small.h5mu", Options{Part: 1}); len(ds.Columns) != 4 || !ds.Reading.Equal(again.Reading) {
		t.Errorf("%q, read as %+v", names(ds), again.Reading)
	}
	_, err := Open(ctx, h5Data("small.h5mu"), Options{Reading: Reading{Modality: "m3"}})
	wantProblem(t, err, "small.h5mu", "m3", "m1 or m2")
	_, err = Open(ctx, h5Data("small.h5mu"), Options{Part: 2})
	wantProblem(t, err, "small.h5mu", "number 3", "m1, m2")
	_, err = Open(ctx, h5Data("small.h5ad"), Options{Part: 1})
	wantProblem(t, err, "small.h5ad", "one table only")
	ds = openH5(t, "v3.h5", Options{})
	if got := names(ds); !slices.Equal(got, []string{"CD3E", "CD4", "CD4 (Antibody Capture)", "CD8A", "barcode"}) ||
		ds.Columns[3].Label != "E4" || ds.Columns[1].Values[2] != 9 || texts(&ds.Columns[4])[5] != "AC5-1" {
		t.Errorf("%q %+v", got, ds.Columns[3])
	}
}

func TestOtherHDF5FilesAreSaidToBeSo(t *testing.T) {
	_, err := Open(ctx, filepath.Join("..", "encoding", "hdf5", "testdata", "old.h5"), Options{})
	wantProblem(t, err, "old.h5", "neither AnnData, 10x nor loom", "counting")
	_, err = Open(ctx, write(t, "x.csv", []byte("a,b\n1,2\n")), Options{})
	if err != nil {
		t.Error(err)
	}
	ds, err := Open(ctx, write(t, "x.csv", []byte("a,b\n1,2\n3,4\n")), Options{Reading: Reading{Matrix: "X"}})
	if err != nil || !warned(ds, "holds one matrix") {
		t.Errorf("%v %v", ds, err)
	}
}

// An h5ad that is cut anywhere, or in which bytes were changed, is a table or a problem in words.
func TestDamagedAnnDataIsSaidToBeSo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, name := range []string{"small.h5ad", "old.h5ad", "small.h5mu", "v3.h5", "wide.h5ad"} {
		whole, err := os.ReadFile(h5Data(name))
		if err != nil {
			t.Fatal(err)
		}
		for k := range 60 {
			b := slices.Clone(whole)
			if k < 10 {
				b = b[:len(b)*k/10+1]
			} else {
				for range 1 + k%4 {
					b[r.IntN(len(b))] = byte(r.IntN(256))
				}
			}
			ds, err := readH5(ctx, memory(name, b, Options{Memory: fuzzMemory}))
			fuzzed(t, ds, err)
			if k < 10 && err == nil {
				t.Errorf("%s: cut at %d of %d bytes, it was read", name, len(b), len(whole))
			}
		}
	}
}

func TestExactNumbersOfAnnDataStayExact(t *testing.T) {
	s := &h5Series{numbers: []float64{1e9 + 1, 1e9 + 2, 1e9 + 3}, wide: true}
	if c, _ := s.of("n", picked{n: 2, list: []int64{0, 2}}, false); len(c.Exact) != 2 || c.At(1) != 1e9+3 {
		t.Errorf("%+v", c)
	}
	s = &h5Series{numbers: []float64{0.1, math.NaN(), 0.7, 0.3, 0.9, 0.2}, wide: true}
	if c, _ := s.of("n", picked{n: 6}, false); c.Exact != nil || c.Values[1] == c.Values[1] {
		t.Errorf("%+v", c)
	}
}

func FuzzH5(f *testing.F) {
	for _, name := range []string{"small.h5ad", "old.h5ad", "small.h5mu", "v3.h5"} {
		b, err := os.ReadFile(h5Data(name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, byte(0))
	}
	f.Fuzz(func(t *testing.T, b []byte, choice byte) {
		ds, err := readH5(ctx, memory("x.h5ad", b, fuzzOptions(choice)))
		fuzzed(t, ds, err)
	})
}

// A file of names alone is told to hold no matrix, whichever one is asked for: there is none to be offered.
func TestAFileWithoutAMatrixSaysSo(t *testing.T) {
	root := hdf5.NewGroup()
	h5Encoded(root, "anndata", "0.1.0")
	for name, n := range map[string]int{"obs": 4, "var": 3} {
		g := newFrame(root, name, "_index")
		h5Texts(g, "_index", n, strconv.Itoa)
		g.AttributeTexts("column-order", nil)
	}
	var b bytes.Buffer
	if err := hdf5.Write(ctx, &b, root); err != nil {
		t.Fatal(err)
	}
	path := write(t, "names.h5ad", b.Bytes())
	for _, matrix := range []string{"", "X", "layer:nope"} {
		_, err := Open(ctx, path, Options{Reading: Reading{Matrix: matrix}})
		wantProblem(t, err, "names.h5ad", "nothing that was measured")
	}
}
