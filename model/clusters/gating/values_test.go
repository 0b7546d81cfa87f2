package gating

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
)

// A gate on values that are compensated as the file says finds the detectors of its matrix as people and programs write
// them; one that is not there is said, rather than that nothing is compensated.
func TestTheMatrixOfTheFileFindsItsDetectors(t *testing.T) {
	ds := table(t, dataset.Column{Name: "PE-A", Values: []float32{100, 100}},
		dataset.Column{Name: "FITC-A", Values: []float32{100, 0}},
		dataset.Column{Name: "Time", Values: []float32{90, 1}})
	text := func(of string) string {
		return gate(`<RectangleGate id="r"><dimension compensation-ref="FCS" min="90"><fcs-dimension name="` + of +
			`"/></dimension></RectangleGate>`)
	}
	for _, names := range [][]string{{"pe-a", "FITC -A"}, {"PE-A", "FITC-A :: CD3"}} {
		ds.Spillover = &dataset.Spillover{Names: names, M: [][]float64{{1, 0}, {0.5, 1}}}
		if got := rows(t, text("PE-A"), ds)["r"]; !slices.Equal(got, []int{1}) {
			t.Errorf("by a matrix of %v it has the rows %v", names, got)
		}
	}
	ds.Spillover.Names = []string{"PE-A", "APC-A"}
	s, err := of(t, text("PE-A"), ds)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Rows(t.Context(), ds)
	if err == nil || !strings.Contains(err.Error(), `no column "APC-A" of its matrix`) {
		t.Errorf("a detector that is not there: %v", err)
	}
	if got := rows(t, text("Time"), ds)["r"]; !slices.Equal(got, []int{0}) {
		t.Errorf("what the matrix is not about has the rows %v", got)
	}
}

// Fewer dyes than detectors are unmixed up to the same condition number as as many; what is worse is refused.
func TestDyesInMoreDetectorsAreUnmixedAsLongAsTheyDiffer(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, differ := range []float64{0.5, 1e-2, 1e-4, 1e-9, 0} {
		m := &Matrix{Dyes: []string{"a", "b"}, Detectors: []string{"x", "y", "z"},
			Rows: [][]float64{{1, 0.5, 0.25}, {1, 0.5 + differ, 0.25}}}
		by, err := m.unmix()
		if refused := differ < 1e-6; refused != (err != nil) {
			t.Errorf("dyes that differ by %g: %v", differ, err)
		}
		if err != nil {
			continue
		}
		for range 100 {
			dyes := [2]float64{1000 * rng.Float64(), 1000 * rng.Float64()}
			for k, want := range dyes {
				got := 0.0
				for j := range m.Detectors {
					got += (dyes[0]*m.Rows[0][j] + dyes[1]*m.Rows[1][j]) * by.At(j, k)
				}
				if math.Abs(got-want) > 1e-12/differ*1000 {
					t.Fatalf("dyes that differ by %g: %g, want %g", differ, got, want)
				}
			}
		}
	}
}
