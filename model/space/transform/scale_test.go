package transform

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"blossom/model/data/dataset"
)

// cells is a table of n cells: two markers of two populations each, and columns of other units beside them.
func cells(t *testing.T, n int, more ...dataset.Column) *dataset.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(9, 1))
	columns := []dataset.Column{{Name: "CD3"}, {Name: "CD4"}, {Name: "CD8"}}
	for i := range n {
		for j := range columns {
			columns[j].Values = append(columns[j].Values, float32(2.5*float64(i>>j&1)+0.2*rng.NormFloat64()))
		}
	}
	ds, err := dataset.FromColumns(t.Context(), "cells.csv", append(columns, more...))
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// column makes a column of n values.
func column(name string, n int, f func(i int) float64) dataset.Column {
	c := dataset.Column{Name: name}
	for i := range n {
		c.Values = append(c.Values, float32(f(i)))
	}
	return c
}

// Where one column holds the spread, columns are scaled, and it is said who holds it.
func TestMixedScalesAreScaled(t *testing.T) {
	const n = 3000
	rng := rand.New(rand.NewPCG(2, 7))
	umi := column("UMI", n, func(int) float64 { return 500 + 49500*math.Pow(rng.Float64(), 3) })
	ds := cells(t, n, umi)
	spec := Default(ds)
	share, few := WantsScale(ds, spec, spec.MapColumns())
	if !spec.Scale || !spec.Robust || !few || share.Text(ds) != "UMI holds 99 % of the spread" {
		t.Fatalf("%v, %q", spec, share.Text(ds))
	}
	table := mustBuild(t, ds, spec, nil)
	for j := range table.Cols { // each has the deviation 1 in the map
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(table.X.Row(i)[j])
		}
		if d := dataset.Deviation(v); math.Abs(d-1) > 0.02 {
			t.Errorf("dimension %d has the deviation %g", j, d)
		}
	}
	// Frozen, other points fall into the same space, and the kind of deviation no longer matters.
	frozen := table.Frozen()
	frozen.Robust = false
	if again := mustBuild(t, ds, frozen, nil); !sameButNaN(again.X.Data, table.X.Data) {
		t.Error("frozen, the space is another")
	}
	// Kinds of tables that are left as they are.
	for name, other := range map[string]*dataset.Dataset{
		"columns alike":         cells(t, n),
		"one somewhat wider":    cells(t, n, column("CD19", n, func(int) float64 { return 6 * rng.NormFloat64() })),
		"with light scatter":    cells(t, n, umi, column("FSC-A", n, func(int) float64 { return 1e5 * rng.Float64() })),
		"most are as wide":      cells(t, n, umi, column("b", n, func(int) float64 { return 2e4 * rng.Float64() })),
		"numbers of the points": cells(t, n, column("nr", n, func(i int) float64 { return float64(i) })),
	} {
		if s := Default(other); s.Scale {
			t.Errorf("%s: scaled", name)
		}
	}
	axes, err := dataset.FromColumns(t.Context(), "pca.csv", []dataset.Column{
		column("PC1", n, func(int) float64 { return 100 * rng.NormFloat64() }),
		column("PC2", n, func(int) float64 { return rng.NormFloat64() }),
		column("PC_3", n, func(int) float64 { return rng.NormFloat64() })})
	if err != nil || Default(axes).Scale {
		t.Errorf("principal components are scaled, %v", err)
	}
}

// A few values far away do not make a column narrow.
func TestScaleIsRobust(t *testing.T) {
	const n = 3000
	rng := rand.New(rand.NewPCG(4, 4))
	ds := cells(t, n, column("UMI", n, func(int) float64 { return 1000 * rng.NormFloat64() }),
		column("far", n, func(i int) float64 {
			if i%1000 == 5 {
				return 1e7
			}
			return rng.NormFloat64()
		}))
	spec := Default(ds)
	if share, _ := WantsScale(ds, spec, spec.MapColumns()); !spec.Scale || !strings.HasPrefix(share.Text(ds), "UMI") {
		t.Fatalf("scaled %v: %s", spec.Scale, share.Text(ds))
	}
	for robust, want := range map[bool]float64{true: 1, false: 316_000} {
		spec.Robust = robust
		for how, c := range map[string]Column{"as it is": {Weight: 1},
			"tripled": {Op: Linear, Params: Params{3, 1}, Weight: 1}} {
			if spec.Columns[4] = c; c.Op == Linear {
				want *= 3
			}
			if sd := mustBuild(t, ds, spec, nil).SD[4]; math.Abs(sd/want-1) > 0.05 {
				t.Errorf("robust %v, %s: divided by %g, want %g", robust, how, sd, want)
			}
			if c.Op == Linear {
				want /= 3
			}
		}
	}
	// The change of the kind alone is a change of the map.
	plain := spec.Clone()
	spec.Robust, plain.Robust = true, false
	old := mustBuild(t, ds, plain, nil)
	now, err := Update(t.Context(), old, ds, spec, nil)
	if err != nil || now.Rev == old.Rev || !sameButNaN(now.X.Data, mustBuild(t, ds, spec, nil).X.Data) {
		t.Errorf("updated: %v", err)
	}
}

// Settings saved before columns were scaled by themselves stay as they were.
func TestSavedScaleSettingsStay(t *testing.T) {
	const n = 500
	ds := cells(t, n, column("UMI", n, func(i int) float64 { return float64(1000 * (i % 17)) }))
	was := EncodeSpec(ds, Spec{Columns: make([]Column, len(ds.Columns))})
	for _, scale := range []bool{false, true} {
		was.Scale = scale
		if s, err := DecodeSpec(ds, was); err != nil || s.Scale != scale || s.Robust {
			t.Errorf("scale %v has become %v, %v, %v", scale, s.Scale, s.Robust, err)
		}
	}
	now := Default(ds)
	if s, err := DecodeSpec(ds, EncodeSpec(ds, now)); err != nil || !s.Equal(now) || !s.Robust {
		t.Errorf("%v comes back as %v, %v", now, s, err)
	}
}

// Columns that come or go beside it do not change how a column is scaled.
func TestFitKeepsHowColumnsAreScaled(t *testing.T) {
	const n = 500
	ds := cells(t, n, column("UMI", n, func(i int) float64 { return float64(1000 * (i % 17)) }))
	spec := Default(ds)
	if !spec.Robust {
		t.Fatal("the table is not one that is scaled")
	}
	fit, gone, _ := EncodeSpec(ds, spec).Fit(ds)
	if s, err := DecodeSpec(ds, fit); err != nil || len(gone) > 0 || !s.Equal(spec) {
		t.Errorf("%v has become %v, %q, %v", spec, s, gone, err)
	}
}
