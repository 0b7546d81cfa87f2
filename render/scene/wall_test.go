package scene

import (
	"image"
	"testing"

	"blossom/model/data/dataset"
	"blossom/render"
)

// A map of a wall is called as it was asked for, or, by number, as its column is called.
func TestHeadsOfAWallAreNames(t *testing.T) {
	m := &Map{Data: table(t, dataset.Column{Name: "PE-A", Label: "CD4", Values: []float32{1}},
		dataset.Column{Name: "7", Values: []float32{1}}, dataset.Column{Name: "Time", Values: []float32{1}})}
	for word, want := range map[string]string{"1": "CD4", "2": "7", " 3": "Time", "7": "7", "PE-A": "PE-A",
		"none": "none", "density": "density", "12": "12"} {
		if got := m.head(word); got != want {
			t.Errorf("%q is called %q, not %q", word, got, want)
		}
	}
}

// The maps of a page stand below its title, all of one size.
func TestMapsStandBelowTheTitleOfAPage(t *testing.T) {
	whole, below := render.BelowTitle("", 400, 300, 2), render.BelowTitle("Figure 1", 400, 300, 2)
	if whole != image.Rect(0, 0, 400, 300) || below.Min.Y < 40 || below.Max != whole.Max || below.Min.X != 0 {
		t.Fatalf("%v, below a title %v", whole, below)
	}
	for i, r := range render.Columns(4, 2, below, 2) {
		if !r.In(below) || r.Dx() != 199 || r.Dy() != (below.Dy()+2)/2-2 {
			t.Errorf("map %d stands at %v in %v", i, r, below)
		}
	}
	if got := render.BelowTitle("x", 400, 30, 2); got.Dy() != 0 {
		t.Errorf("a page with room for nothing but a title has %v", got)
	}
}
