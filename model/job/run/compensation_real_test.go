package run

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"blossom/model/base/oracle"
	"blossom/model/data/dataset"
)

// compensatedFile is what flowCore and others find in a file after compensation.
type compensatedFile struct {
	Channels []string
	Matrix   [][]float64
	Rows     int
	Before   []float64   `json:"linear_before_mean"`
	Mean     []float64   `json:"compensated_mean"`
	SD       []float64   `json:"compensated_sd"`
	Min      []float64   `json:"compensated_min"`
	Max      []float64   `json:"compensated_max"`
	First    [][]float64 `json:"first_3_rows"`
	FlowCore []float64   `json:"flowCore_mean"`
}

// Values that `convert --compensation PATH` writes are those of flowCore: of linear values, also where a file holds
// logarithms.
func TestCompensatedValuesAreThoseOfFlowCore(t *testing.T) {
	dir := oracle.Formats(t)
	raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	for file, matrix := range map[string]string{"fcs/060909.001": "compmatrix", "fcs/060909.003": "compmatrix",
		"fcs/test_comp_example.fcs": "comp_complete_example.csv"} {
		var want compensatedFile
		if err := json.Unmarshal(all[file], &want); err != nil {
			t.Fatal(err)
		}
		ds := open(t, filepath.Join(dir, file))
		s := quick()
		s.Space.Compensation = filepath.Join(dir, "fcs", matrix)
		made, err := s.Space.Table(t.Context(), ds)
		if err != nil {
			t.Fatal(err)
		}
		if made.Points != want.Rows || made.Spillover != nil {
			t.Fatalf("%s: %d rows, matrix %v", file, made.Points, made.Spillover)
		}
		before := linear(t, ds, want.Channels)
		for j, channel := range want.Channels {
			at := slices.IndexFunc(made.Columns, func(c dataset.Column) bool { return c.Name == "Comp-"+channel })
			if at < 0 {
				t.Fatalf("%s: there is no Comp-%s", file, channel)
			}
			c := &made.Columns[at]
			near := func(what string, got, want float64) {
				t.Helper()
				if math.Abs(got-want) > 1e-6*math.Abs(want) {
					t.Errorf("%s, %s of %s: %.9g, want %.9g", file, what, channel, got, want)
				}
			}
			near("mean", c.Stats.Mean, want.Mean[j])
			near("deviation", c.Stats.SD, want.SD[j])
			near("minimum", c.Stats.Min, want.Min[j])
			near("maximum", c.Stats.Max, want.Max[j])
			near("mean before", before[j], want.Before[j])
			if want.FlowCore != nil {
				near("mean by flowCore", c.Stats.Mean, want.FlowCore[j])
			}
			for r, row := range want.First {
				near("a value", c.At(r), row[j])
			}
		}
	}
}

// linear are the means of columns in linear units.
func linear(t *testing.T, ds *dataset.Dataset, channels []string) (means []float64) {
	t.Helper()
	for _, name := range channels {
		at, err := ds.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for r := range ds.Points {
			x := ds.Columns[at].At(r)
			if l := ds.Columns[at].Log; l != nil {
				x = l.Linear(x)
			}
			sum += x
		}
		means = append(means, sum/float64(ds.Points))
	}
	return means
}
