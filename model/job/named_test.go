package job

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
)

// Gates on a file that carries its spillover have the rows that plain arithmetic gives: the values times the inverse of
// the matrix, asinh, and the even-odd rule.
func TestGatesAreOfCompensatedValues(t *testing.T) {
	const n = 3000
	m := [2][2]float64{{1, 0.3}, {0.12, 1}} // row: the dye, column: the detector
	r := rand.New(rand.NewPCG(5, 6))
	columns := []dataset.Column{{Name: "FITC-A"}, {Name: "PE-A"}, {Name: "APC-A"}}
	for range n {
		for c := range columns {
			columns[c].Values = append(columns[c].Values, float32(math.Exp(9*r.Float64())-50))
		}
	}
	ds, err := dataset.FromColumns(t.Context(), "x", columns)
	if err != nil {
		t.Fatal(err)
	}
	ds.Spillover = &dataset.Spillover{Names: []string{"FITC-A", "PE-A"}, M: [][]float64{m[0][:], m[1][:]}}
	path := filepath.Join(t.TempDir(), "x.fcs")
	if err := format.Save(t.Context(), path, ds, nil); err != nil {
		t.Fatal(err)
	}
	o, err := opening.Load(t.Context(), []string{path}, format.Options{Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	corners := [][2]float64{{-1, 0}, {5, -0.5}, {4, 7}, {3, 3}}
	var tree population.Tree
	tree, up, _ := tree.Add(population.Population{Name: "gate", Rule: &population.Gate{Shape: population.Polygon,
		X: population.Axis{Column: "FITC-A", Transform: "asinh:150"}, Path: corners,
		Y: population.Axis{Column: "PE-A", Transform: "asinh:20"}}})
	tree, _, _ = tree.Add(population.Population{Name: "limits", Parent: up, Rule: &population.Limits{
		Of: []population.Limit{{Column: "PE-A", Low: 30, High: 900}, {Column: "APC-A", Low: 10, High: math.Inf(1)}}}})
	o.Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
	j, err := OfDocument(t.Context(), o.Doc)
	if err != nil {
		t.Fatal(err)
	}
	named := &Named{Output: filepath.Join(t.TempDir(), "l.csv")}
	if j.Want(named); !parts.Transform.Of(o.Doc.State()).Compensated(0) {
		t.Fatal("the file's matrix is not applied")
	}
	if _, err := Execute(t.Context(), j, Options{}); err != nil {
		t.Fatal(err)
	}
	det, some := m[0][0]*m[1][1]-m[0][1]*m[1][0], [2]int{}
	for i := range n {
		a, b := float64(columns[0].Values[i]), float64(columns[1].Values[i])
		x, y := (a*m[1][1]-b*m[1][0])/det, (b*m[0][0]-a*m[0][1])/det
		u, v := float64(float32(math.Asinh(x/150))), float64(float32(math.Asinh(y/20)))
		gated := false
		for k, p := range corners {
			q := corners[(k+3)%4]
			if (p[1] > v) != (q[1] > v) && u < (q[0]-p[0])*(v-p[1])/(q[1]-p[1])+p[0] {
				gated = !gated
			}
		}
		limited := gated && y >= 30 && y <= 900 && columns[2].Values[i] >= 10
		for k, in := range []bool{gated, limited} {
			if in {
				some[k]++
			}
			if named.Made.Sets[k].Contains(i) != in {
				t.Errorf("row %d (%g, %g) in %s: %v", i, u, v, tree.All()[k].Name, !in)
			}
		}
	}
	if some[0] < 100 || some[1] < 20 {
		t.Errorf("only %v rows", some)
	}
}
