package view

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/ui/widget"
)

// Parts of lines within a place are what plain steps along them find there, and dashes of them are bounded however far
// the lines go.
func TestLinesAreCutAroundAPlace(t *testing.T) {
	in := widget.Rect{X0: 100, Y0: 50, X1: 400, Y1: 300}
	around := in.Inset(-64, -64)
	r := rand.New(rand.NewPCG(5, 5))
	for round := range 3000 {
		far := []float64{100, 600, 1e5}[round%3]
		end := func() imgui.Vec2 {
			return imgui.Vec2{X: float32(250 + far*r.NormFloat64()), Y: float32(170 + far*r.NormFloat64())}
		}
		a, b := end(), end()
		if round%7 == 0 {
			b.X = a.X
		}
		got := clipped([][2]imgui.Vec2{{a, b}}, in)
		if len(got) > 1 {
			t.Fatalf("%v from one line", got)
		}
		const steps = 400
		for k := range steps + 1 {
			s := float32(k) / steps
			p := imgui.Vec2{X: a.X + s*(b.X-a.X), Y: a.Y + s*(b.Y-a.Y)}
			if !around.Inset(1, 1).Has(p) {
				continue
			}
			if len(got) == 0 || apartFrom(point{float64(p.X), float64(p.Y)}, got[0][0], got[0][1]) > 0.5+far*1e-5 {
				t.Fatalf("%v to %v: %v is cut off by %v", a, b, p, got)
			}
		}
		long := 0.0
		for _, l := range got {
			long += math.Hypot(float64(l[1].X-l[0].X), float64(l[1].Y-l[0].Y))
		}
		if most := math.Hypot(300+128, 250+128) + far*1e-4; long > most+1 {
			t.Fatalf("%g of a line within a place whose diagonal is %g", long, most)
		}
		on := 0.0
		for _, l := range widget.Dashes(got, 4) {
			on += math.Hypot(float64(l[1].X-l[0].X), float64(l[1].Y-l[0].Y))
		}
		if math.Abs(on-long/2) > 4.1 {
			t.Fatalf("dashes of %g in a line of %g", on, long)
		}
	}
	if n := len(widget.Dashes([][2]imgui.Vec2{{{X: 0}, {X: 1e9}}}, 4)); n > 30_000 {
		t.Errorf("%d dashes", n)
	}
}
