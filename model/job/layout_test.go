package job

import (
	"errors"
	"slices"
	"testing"

	"blossom/model/document/opening"
	"blossom/model/job/run"
	"blossom/model/landmarks/graph"
	"blossom/model/maps/layout"
)

// Trained landmarks are laid out to the same bytes as in a window that begins with the table, trains and then runs the
// layout with the values that its panel begins with.
func TestLandmarksAreLaidOutAsInAWindow(t *testing.T) {
	for _, a := range layout.All() {
		s := run.Defaults()
		s.Machine.Engine, s.Origin.Layout = "reference", a.ID
		j, err := Open(t.Context(), &s, []string{"demo:tesseract:700"}, false, nil)
		if err = errors.Join(err, j.ForMap(t.Context(), &s)); err != nil {
			t.Fatal(err)
		}
		w, err := Execute(t.Context(), j, Options{})
		if err != nil {
			t.Fatalf("%s: %v", a.ID, err)
		}
		begun, err := opening.Begin(t.Context(), j.Table(), s.Input.Seed, nil)
		if err != nil {
			t.Fatal(err)
		}
		set, err := begun.Landmarks.WithCodebook(trainedInWindow(t, begun, s.Input.Seed))
		if err != nil {
			t.Fatal(err)
		}
		var values map[string]float64
		if a.Suggest != nil {
			values = a.Suggest(set.Len())
		}
		x, err := a.New(layout.Input{Codebook: set.Codebook, Pos: set.Pos, Graph: graph.Of(graph.Default(), set),
			Seed: s.Input.Seed}, values)
		if err != nil {
			t.Fatal(err)
		}
		for rests := false; !rests; { // a step at a time, as frames do
			p, err := x.Step(t.Context(), 3)
			if err != nil {
				t.Fatal(err)
			}
			rests = p.Rest
		}
		got := w.Landmarks.Set.Pos.Data
		if !slices.Equal(got, x.Pos().Data) {
			t.Errorf("%s: %v, and %v in a window", a.ID, got[:4], x.Pos().Data[:4])
		}
		if slices.Equal(got, set.Pos.Data) {
			t.Errorf("%s has not moved the landmarks", a.ID)
		}
	}
}
