package transform

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
)

// stained is a table of three detectors and their spillover, as a cytometer writes it.
func stained(t *testing.T, n int, m [][]float64) *dataset.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	columns := []dataset.Column{{Name: "FSC-A"}, {Name: "FITC-A", Label: "CD3"}, {Name: "PE-A", Label: "CD4"},
		{Name: "APC-A", Label: "CD8"}}
	for j := range columns {
		for range n {
			columns[j].Values = append(columns[j].Values, float32(3000*rng.ExpFloat64()-100))
		}
	}
	ds, err := dataset.FromColumns(t.Context(), "stained.fcs", columns)
	if err != nil {
		t.Fatal(err)
	}
	ds.Format, ds.Metadata = "fcs", map[string]string{}
	ds.Spillover = &dataset.Spillover{Keyword: "SPILL", Names: []string{"PE-A", "FITC-A", "APC-A"}, M: m}
	return ds
}

var spilling = [][]float64{{1, 0.3, 0.01}, {0.12, 1, 0}, {0.05, 0.002, 1}}

// solve returns x with x S = y, by elimination with the largest pivot: what compensation is by its definition.
func solve(s [][]float64, y []float64) []float64 {
	n := len(y)
	a := make([][]float64, n) // S transposed, and y
	for i := range a {
		for j := range n {
			a[i] = append(a[i], s[j][i])
		}
		a[i] = append(a[i], y[i])
	}
	for k := range n {
		best := k
		for i := k; i < n; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[best][k]) {
				best = i
			}
		}
		a[k], a[best] = a[best], a[k]
		for i := range n {
			if i != k {
				f := a[i][k] / a[k][k]
				for j := k; j <= n; j++ {
					a[i][j] -= f * a[k][j]
				}
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = a[i][n] / a[i][i]
	}
	return x
}

// checkSolved compares the compensated columns of ds with the solution of its equations, row by row.
func checkSolved(t *testing.T, ds *dataset.Dataset) {
	t.Helper()
	spec := Default(ds)
	if len(spec.Mixes) != 1 || spec.Mixes[0].Op != Compensate {
		t.Fatalf("begins with %v", spec.Mixes)
	}
	cols := spec.Mixes[0].Cols
	got := AllMixed(ds, spec, cols)
	for r := range ds.Points {
		y := make([]float64, len(cols))
		size := 1.0
		for k, c := range cols {
			y[k] = float64(ds.Columns[c].Values[r])
			size = max(size, math.Abs(y[k]))
		}
		for k, want := range solve(ds.Spillover.M, y) {
			if v := float64(got[cols[k]].Values[r]); math.Abs(v-want) > 1e-7*math.Abs(want)+1e-9*size {
				t.Fatalf("row %d, %s: %g, want %g", r, ds.Columns[cols[k]].Name, v, want)
			}
		}
	}
}

// A matrix that a file brings is applied to a newly opened table, and said.
func TestAppliedMatrixIsSaid(t *testing.T) {
	ds := stained(t, 3000, spilling)
	checkSolved(t, ds)
	asked := Suggestions(ds)
	if len(asked) == 0 || !asked[0].On || asked[0].Said != "compensated with the file's matrix of 3 detectors (SPILL)" {
		t.Fatalf("said: %v", asked)
	}
	// Back again: raw values, from which a codebook is carried into other spaces.
	forward, back := MatrixByID(Compensate).New(3, asked[0].Mix.Values)
	b := Block{{100, 5, math.NaN()}, {2000, 0, 1}, {-7, 1e5, 2}}
	was := Block{slices.Clone(b[0]), slices.Clone(b[1]), slices.Clone(b[2])}
	forward(b)
	if !math.IsNaN(b[0][2]) {
		t.Error("an invalid value has become valid")
	}
	back(b)
	for j := range b {
		for i := range 2 {
			if math.Abs(b[j][i]-was[j][i]) > 1e-9*(1+math.Abs(was[j][i])) {
				t.Errorf("%g comes back as %g", was[j][i], b[j][i])
			}
		}
	}
	// Off is a choice like any other, and kept.
	off := Default(ds)
	off.Mixes = nil
	again, err := DecodeSpec(ds, EncodeSpec(ds, off))
	if err != nil || len(again.Mixes) != 0 {
		t.Errorf("what was kept without compensation has %v, %v", again.Mixes, err)
	}
}

// A matrix that changes nothing is not mentioned; one that does not fit, or that the file does not want, is, and not
// applied.
func TestMatricesThatAreNotApplied(t *testing.T) {
	for want, change := range map[string]func(*dataset.Dataset){
		"which changes nothing":      func(ds *dataset.Dataset) { ds.Spillover.M[0][1], ds.Spillover.M[1][0] = 0, 0 },
		"cannot be inverted":         func(ds *dataset.Dataset) { ds.Spillover.M[0][1], ds.Spillover.M[1][0] = 1, 1 },
		"must be finite":             func(ds *dataset.Dataset) { ds.Spillover.M[0][1] = math.Inf(1) },
		`"Cy5" is no column`:         func(ds *dataset.Dataset) { ds.Spillover.Names[0] = "Cy5" },
		`names "APC-A" twice`:        func(ds *dataset.Dataset) { ds.Spillover.Names[0] = "APC-A" },
		"mass cytometry":             func(ds *dataset.Dataset) { ds.Metadata["$CYT"] = "Helios" },
		"there is <PE-A> already":    func(ds *dataset.Dataset) { ds.Columns[0].Name = "<PE-A>" },
		"above 1e+06":                func(ds *dataset.Dataset) { ds.Spillover.M[0] = []float64{0.1, 1 + 1e-9, 0} },
		"has no numbers":             func(ds *dataset.Dataset) { ds.Columns[1].Categories = []string{"a"} },
		"is compensated already":     func(ds *dataset.Dataset) { ds.Columns[1].Name = "Comp-FITC-A" },
		"there is Comp-PE-A already": func(ds *dataset.Dataset) { ds.Columns[0].Name = "Comp-PE-A" },
		"COMPENSATION FALSE":         func(ds *dataset.Dataset) { ds.Metadata["APPLY COMPENSATION"] = "FALSE" },
	} {
		ds := stained(t, 5, [][]float64{{1, 0.3, 0}, {0.1, 1, 0}, {0, 0, 1}})
		change(ds)
		said := ""
		for _, s := range Suggestions(ds) {
			said += s.Said
		}
		if len(Default(ds).Mixes) != 0 || want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("%q: mixes %v, said %q", want, Default(ds).Mixes, said)
		}
	}
}
