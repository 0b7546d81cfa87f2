package format

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Files of instruments, where BLOSSOM_TESTDATA names their folder, are read as another reader does and as was seen in
// them by hand. Files that other tests build byte by byte show the same things.
func TestFilesOfInstruments(t *testing.T) {
	twoColumns := write(t, "a.fcs", twoColumns(3).build())
	if ds, err := Open(ctx, twoColumns, Options{}); err != nil || ds.Columns[1].Stats.Mean != 3 {
		t.Errorf("a file of three events: %v", err)
	}
	if dir := os.Getenv("BLOSSOM_TESTDATA"); dir != "" {
		t.Run("of another reader", func(t *testing.T) { realFCS(t, filepath.Join(dir, "fcs")) })
		t.Run("by hand", func(t *testing.T) { realOthers(t, dir) })
	}
}

// realFCS: another reader (FlowIO) found these events, names, means, minima and maxima.
func realFCS(t *testing.T, dir string) {
	raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]struct {
		Events         int
		PnN, PnS       []string
		Mean, Min, Max []float64
		Version        string
		Spill          []string
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("nothing is expected")
	}
	for name, want := range all {
		ds, err := Open(context.Background(), filepath.Join(dir, name), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if ds.Format != "fcs" || ds.Points != want.Events || len(ds.Columns) != len(want.PnN) ||
			ds.Metadata["FCS version"] != want.Version {
			t.Errorf("%s: %s, %d events, %d columns, version %s", name, ds.Format, ds.Points, len(ds.Columns),
				ds.Metadata["FCS version"])
			continue
		}
		spill := false
		for _, k := range want.Spill {
			spill = spill || k == "spill"
		}
		if (ds.Spillover != nil) != spill {
			t.Errorf("%s: spillover %v", name, ds.Spillover)
		}
		for i, c := range ds.Columns {
			if c.Name != want.PnN[i] || c.Label != strings.TrimSpace(want.PnS[i]) {
				t.Errorf("%s: column %d is %q %q, want %q %q", name, i, c.Name, c.Label, want.PnN[i], want.PnS[i])
			}
			for _, v := range [][2]float64{{c.Stats.Mean, want.Mean[i]}, {c.Stats.Min, want.Min[i]},
				{c.Stats.Max, want.Max[i]}} {
				if math.Abs(v[0]-v[1]) > 1e-6*math.Abs(v[1]) {
					t.Errorf("%s %s: %v, want %v", name, c.Name, v[0], v[1])
				}
			}
		}
		for _, w := range ds.Warnings {
			t.Logf("%s: %s", name, w)
		}
	}
}

func realOthers(t *testing.T, dir string) {
	_, err := Open(ctx, filepath.Join(dir, "fcs", "corrupted.fcs"), Options{})
	wantProblem(t, err, "corrupted.fcs", "not an FCS file")
	ds, err := Open(ctx, filepath.Join(dir, "fcs", "data_start_offset_discrepancy_example.fcs"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if ds.Points != 2 || len(ds.Columns) != 26 || !strings.Contains(strings.Join(ds.Warnings, "\n"),
		"HEADER and TEXT disagree") {
		t.Errorf("%d points, %d columns, %q", ds.Points, len(ds.Columns), ds.Warnings)
	}
	if l := ds.Columns[0].Log; l == nil || l.Decades != 4 || l.Range != 65536 || ds.Columns[2].Log != nil ||
		ds.Columns[2].Gain != 6.5536 {
		t.Errorf("scales %+v %+v", ds.Columns[0], ds.Columns[2])
	}
	m, err := Open(ctx, filepath.Join(dir, "mammoth.csv"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Points != 50_000 || len(m.Columns) != 3 || m.Columns[0].Name != "x" || m.Columns[1].Values[0] != 329.536 ||
		len(m.Warnings) > 0 {
		t.Errorf("mammoth: %d x %d, %v", m.Points, len(m.Columns), m.Warnings)
	}
	// This one has the name of an array and no header.
	_, err = Open(ctx, filepath.Join(dir, "fcs", "test_comp_example.npy"), Options{})
	wantProblem(t, err, "test_comp_example.npy", "not a NumPy array")
}
