package ui

import (
	"math/rand/v2"
	"testing"

	"blossom/model/document/parts"
)

// In the window itself, from its first tool: 20 drags from random places, of which half are landmarks, in two sizes.
func TestADragOfTheFirstToolPans(t *testing.T) {
	a, d := begin(t, 900, 600, 1, Options{Paths: []string{"demo:torus-knot:1500"}, Still: true})
	opened(t, a, d)
	rng := rand.New(rand.NewPCG(1, 2))
	was := parts.Landmarks.Of(a.desk.Doc.State())
	for range 2 {
		r := d.Rect("map")
		for n := range 20 {
			x, y := r.X0+rng.Float32()*r.W(), r.Y0+rng.Float32()*r.H()
			lx, ly := landmarkAt(a, rng.IntN(was.Len()))
			if n%2 == 0 && lx > r.X0 && lx < r.X1 && ly > r.Y0 && ly < r.Y1 {
				x, y = lx, ly
			}
			d.Drag(x, y, x+float32(rng.NormFloat64()*40), y+float32(rng.NormFloat64()*40), 3)
		}
		d.Resize(1280, 800)
		d.Keys("F")
		rest(t, a, d)
	}
	if now := parts.Landmarks.Of(a.desk.Doc.State()); now != was || now.ByHand {
		t.Fatal("panning moved landmarks")
	}
	if n := a.desk.Doc.History().Done(); n != 0 {
		t.Fatalf("panning made %d entries of the history", n)
	}
}
