package format

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"blossom/model/data/dataset"

	"pgregory.net/rapid"
)

func labelled3(t testing.TB, categories []string, values ...float32) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.FromColumns(ctx, "x", []dataset.Column{{Name: "population", Categories: categories,
		Values: values}, {Name: "a", Values: make([]float32, len(values))}})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

type tableWriter func(context.Context, io.Writer, *dataset.Dataset, func(done, total int64)) error

func writtenBy(t testing.TB, write tableWriter, ds *dataset.Dataset) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(ctx, &b, ds, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The number that the window shows for a cluster is the one in every file, and none is 0.
func TestClustersAreTheSameNumbersInEveryFormat(t *testing.T) {
	ds := labelled3(t, []string{"1", "2", "16"}, 2, 0, nan32, 1)
	plain := writtenBy(t, writeFCS, ds)
	if at := bytes.Index(plain, []byte("BLOSSOM P1 LABELS")); at < 0 {
		t.Fatal("no keyword says what the numbers are called")
	}
	// Another program reads the numbers alone.
	foreign := bytes.ReplaceAll(plain, []byte("BLOSSOM P1 LABELS"), []byte("ANOTHER P1 LABELS"))
	other, err := readBytes(foreign, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []float32{16, 1, 0, 2}; !slices.Equal(other.Columns[0].Values, want) {
		t.Errorf("FCS holds %v, want %v", other.Columns[0].Values, want)
	}
	if r := other.Columns[0].Range; r != 17 {
		t.Errorf("the range is %g, want 17", r)
	}
	if text := string(writtenBy(t, writeCSV, ds)); text != "population,a\n16,0\n1,0\n,0\n2,0\n" {
		t.Errorf("CSV holds %q", text)
	}
	array := writtenBy(t, writeNPY, ds)
	if got := array[len(array)-32:]; !bytes.Equal(got[:4], []byte{0, 0, 0x80, 0x41}) ||
		!bytes.Equal(got[16:20], []byte{0, 0, 0, 0}) {
		t.Errorf("NPY holds % x, want 16 first and 0 for none", got)
	}
}

// Labels with names count from 1, and come back with them, whatever they are called.
func TestLabelsComeBackFromFCS(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"1", "2", "3", "0", "-1", "07", "T, naive", `B "1"`,
			"N|K/", "größe", "16777217", "2.5"}), 1, 8, rapid.ID).Draw(r, "names")
		values := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) float32 {
			if k := rapid.IntRange(-1, len(names)-1).Draw(r, "label"); k >= 0 {
				return float32(k)
			}
			return nan32
		}), 1, 20).Draw(r, "values")
		ds := labelled3(t, names, values...)
		if rapid.Bool().Draw(r, "wide") {
			wide := ds.Columns[1]
			wide.Exact = make([]float64, len(values))
			ds.Columns[1] = wide
		}
		back, err := readBytes(writtenBy(t, writeFCS, ds), Options{})
		if err != nil {
			r.Fatal(err)
		}
		if c := back.Columns[0]; !slices.Equal(c.Categories, names) || !same(c.Values, values) {
			r.Fatalf("%q %v, want %q %v", c.Categories, c.Values, names, values)
		}
	})
}

// Files of blossom before 0.6 hold indices from 0, and a keyword of another name.
func TestLabelsOfOlderFilesAreReadByTheirKeyword(t *testing.T) {
	var data []byte
	for _, v := range []float32{0, 1, nan32, 0} {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	file := fcsFixture{names: []string{"cluster"}, rows: 4, data: data, keywords: map[string]string{
		"BLOSSOM P1 CATEGORIES": `["1","2"]`}}
	ds, err := readBytes(file.build(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := ds.Columns[0]; !slices.Equal(c.Categories, []string{"1", "2"}) ||
		!same(c.Values, []float32{0, 1, nan32, 0}) {
		t.Errorf("%q %v", c.Categories, c.Values)
	}
}

func TestWhatAnArrayDoesNotHoldIsSaid(t *testing.T) {
	ds := labelled3(t, []string{"T", strings.Repeat("long", 40)}, 0, 1)
	if said := Lost("x.npy", ds); len(said) != 1 || !strings.Contains(said[0], "0 is none, 1 is T, 2 is long") ||
		len(said[0]) > 200 {
		t.Errorf("%q", said)
	}
	if said := Lost("x.fcs", ds); len(said) > 0 {
		t.Errorf("FCS is said to lose %q", said)
	}
	ds.Columns[0].Name = "CD4,CD8"
	if said := Lost("x.fcs", ds); len(said) != 1 || !strings.Contains(said[0], `"CD4,CD8" is called "CD4_CD8"`) {
		t.Errorf("%q", said)
	}
}

// Clusters that are read as numbers are labels where they are written: a gap among them is none, and no number.
func TestAGapAmongNumbersOfClustersIsNone(t *testing.T) {
	ds, err := Open(t.Context(), put(t, filepath.Join(t.TempDir(), "l.csv"), []byte("cluster,x\n1,2\n,3\n10,4\n3,7\n")),
		Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]float32{"a.csv": {1, nan32, 10, 3}, "a.fcs": {1, nan32, 10, 3}, "a.npy": {1, 0, 10, 3}}
	for name, want := range want {
		path := filepath.Join(t.TempDir(), name)
		if err := Save(t.Context(), path, ds, nil); err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(path)
		back, err := Open(t.Context(), path, Options{})
		if err != nil || bytes.Contains(text, []byte("NaN")) {
			t.Fatalf("%s: %v", text, err)
		}
		c := back.Columns[0]
		got := slices.Clone(c.Values)
		for i, v := range got {
			if c.Categories != nil && v == v {
				n, _ := strconv.Atoi(c.Categories[int(v)])
				got[i] = float32(n)
			}
		}
		if !same(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
