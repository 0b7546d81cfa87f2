package format

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"blossom/model/data/dataset"
)

// compensable is a table as a cytometer gives one, with a matrix, amplifiers, and numbers that were noted of the cells.
func compensable(t *testing.T) *dataset.Dataset {
	t.Helper()
	numbers := func(by float32) []float32 {
		out := make([]float32, 40)
		for i := range out {
			out[i] = by * float32(i*7%40)
		}
		return out
	}
	ds, err := dataset.FromColumns(ctx, "x", []dataset.Column{
		{Name: "FITC-A", Label: "CD3", Values: numbers(3), Gain: 4, Range: 1024},
		{Name: "PE-A", Values: numbers(5.5), Range: 1024, Log: &dataset.LogScale{Decades: 4, Offset: 1, Range: 1024}},
		{Name: "G1", Values: numbers(1)}, {Name: "age", Values: numbers(0.3)},
	})
	if err != nil {
		t.Fatal(err)
	}
	ds.Columns[2].SetRole(dataset.Label)
	ds.Columns[3].SetRole(dataset.Measure)
	ds.Spillover = &dataset.Spillover{Keyword: "$SPILLOVER", Names: []string{"FITC-A", "PE-A"},
		M: [][]float64{{1, 0.25}, {0.1, 1}}}
	return ds
}

// Numbers that were noted of cells, as a sheet and gates give them, steer no map when an FCS file is read again, unless
// another program has put columns elsewhere.
func TestRolesAreReadAgainFromFCS(t *testing.T) {
	ds := compensable(t)
	path := filepath.Join(t.TempDir(), "x.fcs")
	if err := Save(ctx, path, ds, nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := write(t, "y.fcs", bytes.ReplaceAll(text, []byte("|age|"), []byte("|CD8|")))
	for from, roles := range map[string][]dataset.Role{
		path:      {dataset.Marker, dataset.Marker, dataset.Label, dataset.Measure},
		elsewhere: {dataset.Marker, dataset.Marker, dataset.Label, dataset.Marker},
	} {
		back, err := Open(ctx, from, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range roles {
			if c := &back.Columns[i]; c.Role != want {
				t.Errorf("%s: %s is %v, want %v", filepath.Base(from), c.Name, c.Role, want)
			}
		}
	}
}

// Formats that hold all of a table hold its matrix of spillover, amplifiers and roles.
func TestCompensationAndRolesAreReadAgain(t *testing.T) {
	for _, name := range []string{"x.parquet", "x.h5ad"} {
		ds := compensable(t)
		path := filepath.Join(t.TempDir(), name)
		if said := Lost(path, ds); len(said) > 0 {
			t.Errorf("%s loses %q", name, said)
		}
		if err := Save(ctx, path, ds, nil); err != nil {
			t.Fatal(err)
		}
		back, err := Open(ctx, path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !back.Spillover.Equal(ds.Spillover) || len(back.Warnings) > 0 {
			t.Errorf("%s: the matrix is %+v, %q", name, back.Spillover, back.Warnings)
		}
		at := back.Places()
		for i := range ds.Columns {
			want := &ds.Columns[i]
			got := &back.Columns[at[want.Name]]
			sameLog := (got.Log == nil) == (want.Log == nil) && (got.Log == nil || *got.Log == *want.Log)
			if got.Gain != want.Gain || got.Range != want.Range || !sameLog || got.Role != want.Role {
				t.Errorf("%s: %s is %v %v %v %v, was %v %v %v %v", name, want.Name, got.Gain, got.Range, got.Log,
					got.Role, want.Gain, want.Range, want.Log, want.Role)
			}
		}
	}
}

// The column that names the points does so for pandas too, whatever it is called.
func TestNamesOfPointsAreTheIndexOfPandas(t *testing.T) {
	ds, err := dataset.FromColumns(ctx, "x", []dataset.Column{{Name: "CD3", Label: "PE-A", Values: []float32{1, 2.5}},
		{Name: "who", Label: "whom", Values: []float32{0, 1}, Categories: []string{"anna", "bob"}}})
	if err != nil {
		t.Fatal(err)
	}
	ds.Columns[1].SetRole(dataset.Index)
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := Save(ctx, path, ds, nil); err != nil {
		t.Fatal(err)
	}
	back, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if back.IndexAt() != 1 || back.Columns[0].Role != dataset.Marker {
		t.Errorf("column %d names the points", back.IndexAt())
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	other, err := pq.OpenFile(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	text, _ := other.Lookup("pandas")
	var said struct {
		Index   []string `json:"index_columns"`
		Columns []struct {
			Field string `json:"field_name"`
		}
	}
	if err := json.Unmarshal([]byte(text), &said); err != nil || len(said.Index) != 1 || len(said.Columns) != 2 ||
		said.Index[0] != said.Columns[1].Field || said.Index[0] != other.Schema().Columns()[1][0] {
		t.Errorf("%v: pandas reads %s", err, text)
	}
}

// A file of one table holds none of several matrices, and that is said.
func TestSeveralMatricesAreSaidToBeLost(t *testing.T) {
	ds := compensable(t)
	ds.Spillovers, ds.Spillover = []*dataset.Spillover{ds.Spillover, nil}, nil
	for _, name := range []string{"x.parquet", "x.h5ad"} {
		if said := Lost(name, ds); len(said) != 1 {
			t.Errorf("%s loses %q", name, said)
		}
	}
}

// A note that does not fit costs itself alone.
func TestANoteThatDoesNotFitIsLeftOut(t *testing.T) {
	for _, names := range [][]string{{"FITC-A"}, {"V1", "V2"}} {
		ds := compensable(t)
		note := dataset.NoteOf(ds)
		note.Spillover.Names = slices.Clone(names)
		ds.Spillover = nil
		if said := note.Tell(ds); ds.Spillover != nil || len(said) != 1 {
			t.Errorf("%q: %+v, %q", names, ds.Spillover, said)
		}
	}
}
