package transform

import (
	"math"
	"testing"

	"blossom/model/data/dataset"
)

// Every op that says so of its numbers has the place of a value for one k times as large when they are k times as
// large; others are not magnified.
func TestMagnifiedScalesHaveThePlacesOfTheirValues(t *testing.T) {
	seen := 0
	for _, o := range Ops() {
		c := Column{}.With(o.ID, o.Defaults())
		if o.Lengths > 0 {
			c.Params[0] = 1000
		}
		big, ok := c.Magnified(8)
		if ok != (o.Lengths > 0) {
			t.Errorf("%s is magnified: %t", o.ID, ok)
		}
		if !ok {
			continue
		}
		seen++
		if o.Lengths > 1 {
			c.Params[1] = 10
			big, _ = c.Magnified(8)
		}
		f, g := FunctionOf(&dataset.Column{}, c), FunctionOf(&dataset.Column{}, big)
		place, larger := o.Standard(f.Params), o.Standard(g.Params)
		for _, x := range []float64{0.5, 3, 250, 1000} {
			a, b := place.Place(f.Forward(x)), larger.Place(g.Forward(8*x))
			if place.Gate != nil {
				a, b = place.Gate(x), larger.Gate(8*x)
			}
			if math.Abs(a-b) > 1e-9 {
				t.Errorf("%s has %g at %g, magnified %g", o.ID, x, a, b)
			}
		}
	}
	if seen < 5 {
		t.Errorf("%d ops are scales of Gating-ML", seen)
	}
}
