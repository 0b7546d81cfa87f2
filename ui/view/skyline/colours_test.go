package skyline

import (
	"image/color"
	"math"
	"slices"
	"testing"

	"blossom/model/clusters/linkage"
	"blossom/render/palette"
)

// Each column has the colour of the cluster that has most of it; without a line, what parts two clusters is of neither.
func TestColumnsHaveTheColoursOfTheirClusters(t *testing.T) {
	sky := &linkage.Skyline{Order: []int32{0, 1, 2, 3}, Gap: []float64{1, 5, 1}}
	flat := &linkage.Flat{Height: math.NaN(), Clusters: []linkage.Stretch{{From: 0, To: 2}, {From: 2, To: 4}}}
	inks := palette.OfLabels("", 2, "")
	heights := []float64{1, 5, 1, -1}
	got := Sight{To: 4, Columns: 4}.Colours(sky, flat, inks, heights, nil)
	want := []color.NRGBA{inks.LabelColour(0), {}, inks.LabelColour(1), inks.LabelColour(1)}
	if !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}
