package run

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"blossom/model/space/transform"
)

// A workspace with a matrix for each sample compensates each of several files with its own; where it has none for a
// file, that is said.
func TestAWorkspaceCompensatesEachFileWithItsOwnMatrix(t *testing.T) {
	sample := func(name string, share float64) (text string) {
		detectors := []string{"FITC-A", "PE-A", "APC-A"}
		text = `<Sample><SampleNode name="` + name + `"/><spilloverMatrix>`
		for i, d := range detectors {
			text += `<spillover parameter="` + d + `">`
			for j, e := range detectors {
				x := 0.0
				if i == j {
					x = 1
				} else if j == i+1 {
					x = share
				}
				text += fmt.Sprintf(`<coefficient parameter="%s" value="%g"/>`, e, x)
			}
			text += "</spillover>"
		}
		return text + "</spilloverMatrix></Sample>"
	}
	paths := []string{stained(t, "a.fcs", 0.2), stained(t, "b.fcs", 0.2)}
	workspace := func(samples string) string {
		path := filepath.Join(t.TempDir(), "w.wsp")
		if err := os.WriteFile(path, []byte("<Workspace>"+samples+"</Workspace>"), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	s := quick()
	s.Input.More = paths[1:]
	s.Space.Compensation = workspace(sample("b.fcs", 0.4) + sample("a.fcs", 0.1))
	m := embed(t, s, paths[0])
	mixes := m.Points.Spec.Mixes
	if len(mixes) != 1 || mixes[0].Op != transform.CompensateEach || !said(m.Notes,
		"each file with its own matrix in it") {
		t.Fatalf("%v, %q", mixes, m.Notes)
	}
	for f, want := range []float64{0.1, 0.4} {
		if got := mixes[0].Matrices(m.Points.Data)[f].M[0][1]; got != want {
			t.Errorf("file %d has %g", f, got)
		}
	}
	s = quick()
	s.Input.More = paths[1:]
	s.Space.Compensation = workspace(sample("a.fcs", 0.1) + sample("c.fcs", 0.3))
	if _, err := s.Embed(t.Context(), paths[0], nil); err == nil {
		t.Error("a file without a matrix in the workspace was taken")
	}
}

// A matrix in percent is divided by 100, which is said.
func TestAMatrixInPercent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.csv")
	if err := os.WriteFile(path, []byte("FITC-A,PE-A\n100,20\n0,100\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := quick()
	s.Space.Compensation = path
	m := embed(t, s, stained(t, "a.fcs", 0.5))
	if mixes := m.Points.Spec.Mixes; len(mixes) != 1 || mixes[0].Values[1] != 0.2 || !said(m.Notes, "in percent") {
		t.Errorf("%v, %q", mixes, m.Notes)
	}
}
