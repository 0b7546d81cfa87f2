package job

import (
	"errors"
	"slices"
	"testing"

	"blossom/model/document/opening"
	"blossom/model/job/run"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/landmark"
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
		got, want := w.Landmarks.Set.Pos.Data, laidOutInWindow(t, a.ID, set, s.Input.Seed)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, and %v in a window", a.ID, got[:4], want[:4])
		}
		if slices.Equal(got, set.Pos.Data) {
			t.Errorf("%s has not moved the landmarks", a.ID)
		}
	}
}

// laidOutInWindow is where a layout brings landmarks, with the values that its panel begins with.
func laidOutInWindow(t *testing.T, id string, set *landmark.Set, seed uint64) []float32 {
	t.Helper()
	a, ok := layout.ByID(id)
	if !ok {
		return set.Pos.Data
	}
	var values map[string]float64
	if a.Suggest != nil {
		values = a.Suggest(set.Len())
	}
	x, err := a.New(layout.Input{Codebook: set.Codebook, Pos: set.Pos, Graph: graph.Of(graph.Default(), set),
		Seed: seed}, values)
	if err != nil {
		t.Fatal(err)
	}
	for { // a step at a time, as frames do
		p, err := x.Step(t.Context(), 3)
		if err != nil {
			t.Fatal(err)
		}
		if p.Rest {
			return x.Pos().Data
		}
	}
}
