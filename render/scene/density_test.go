package scene

import (
	"image/color"
	"math/rand/v2"
	"testing"

	"blossom/model/dataset"
	"blossom/model/embedsom"
	"blossom/render/colour"
)

// cloud is n points: half of them in a Gaussian of deviation 0.05 around 0.5, the rest evenly in the unit square.
func cloud(n int) *embedsom.HostTarget {
	e := embedsom.NewHostTarget(n, 2)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range e.Data {
		e.Data[i] = rng.Float32()
		if i/2%2 == 0 {
			e.Data[i] = float32(0.5 + 0.05*rng.NormFloat64())
		}
	}
	return e
}

// A table of nothing but coordinates is coloured by density; a column of that name comes first.
func TestChooseDensity(t *testing.T) {
	two := []dataset.Column{{Name: "embedsom1", Values: []float32{1, 2}}, {Name: "embedsom2", Values: []float32{1, 3}}}
	table := func(more ...dataset.Column) *dataset.Dataset {
		ds, err := dataset.FromColumns(t.Context(), "t", append(append([]dataset.Column{}, two...), more...))
		if err != nil {
			t.Fatal(err)
		}
		return ds
	}
	named := dataset.Column{Name: "Density", Values: []float32{5, 6}}
	for _, c := range []struct {
		ds   *dataset.Dataset
		cols []int
		word string
		want int
	}{
		{table(), nil, "", byDensity}, {table(), nil, "none", flat}, {table(), nil, "density", byDensity},
		{table(), []int{1}, "", 1},
		{table(), []int{1}, "Density", byDensity}, {table(named), nil, "density", 2}, {table(), nil, "embedsom2", 1},
	} {
		if got, err := (Colour{Column: c.word}).choose(c.ds, c.cols); got != c.want || err != nil {
			t.Errorf("%q: column %d, not %d (%v)", c.word, got, c.want, err)
		}
	}
	e := cloud(5000)
	if _, _, err := (Colour{}).paint(t.Context(), Scene{Data: table(), Positions: e}, byDensity, color.NRGBA{},
		color.NRGBA{}); err == nil {
		t.Fatal("5000 positions of two points")
	}
	many := make([]float32, 5000)
	ds, err := dataset.FromColumns(t.Context(), "t", []dataset.Column{{Name: "x", Values: many}})
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := (Colour{}).paint(t.Context(), Scene{Data: ds, Positions: e}, byDensity, color.NRGBA{}, color.NRGBA{})
	if err != nil {
		t.Fatal(err)
	}
	l := v.Legend(v.Colouring(colour.Settings{Low: 1, High: 99}))
	if l.Title != "density" || l.Subtitle != "log10" {
		t.Errorf("legend %q, %q", l.Title, l.Subtitle)
	}
	if lo, hi := v.Range(1, 99); lo >= 0 || hi < 1 || hi > 2 { // half of the points in 1 % of the map
		t.Errorf("range %g to %g", lo, hi)
	}
}
