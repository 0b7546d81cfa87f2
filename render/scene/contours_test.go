package scene

import (
	"slices"
	"testing"

	"blossom/render"
	"blossom/render/rendertest"
)

// Contours are of the points that are shown, wherever they stand in the order in which they are drawn.
func TestContoursAreOfThePointsThatAreShown(t *testing.T) {
	const hidden, few = 3 * ContourSample, 2000
	r := rendertest.Renderer(t, render.CPU)
	lines := func(before int) []float32 {
		s := Scene{Points: r.NewPointBuffer(before+few, 2)}
		defer s.Points.Free()
		for i := range before + few {
			x, y := nan, nan
			if k := i - before; k >= 0 {
				x, y = float32(k%50), float32(k*k%41)
			}
			s.Points.Host()[2*i], s.Points.Host()[2*i+1] = x, y
		}
		if err := s.trace(t.Context(), Plan{Contours: true}); err != nil {
			t.Fatal(err)
		}
		return s.Contours.Places.Data
	}
	want := lines(0)
	if len(want) == 0 || !slices.Equal(lines(hidden), want) {
		t.Errorf("%d numbers of lines alone, and others where hidden points stand before them", len(want))
	}
	got := Sample([]float32{1, 1, 2, 2, 3, nan, 4, 4, 5, 5}, 2, func(i int) bool { return i > 0 })
	if !slices.Equal(got, []float32{2, 2, 4, 4}) {
		t.Errorf("%v", got)
	}
}
