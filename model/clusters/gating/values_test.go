package gating

import (
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
