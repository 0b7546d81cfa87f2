package widget

import (
	"math"
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"
	"pgregory.net/rapid"
)

// Parts of a header fit, and are dropped in the right order.
func TestFitHeader(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := func(name string) float32 { return rapid.Float32Range(0, 300).Draw(t, name) }
		room, name, note, by := w("room")*3, w("name")+1, w("note"), w("by")
		var icons []float32
		for n := rapid.IntRange(1, 6).Draw(t, "icons"); n > 0; n-- {
			icons = append(icons, float32(n)*24)
		}
		f := fitHeader(room, name, note, by, 84, 60, icons)
		used := f.name + pick(f.note, note) + f.by
		if f.fits > 0 {
			used += icons[len(icons)-f.fits]
		}
		if used > room+0.01 {
			t.Fatalf("%+v is %v wide in %v", f, used, room)
		}
		if f.by > by || f.by > 0 && f.by < min(by, 60)-0.01 {
			t.Fatalf("%v of %v are left to the colour", f.by, by)
		}
		if f.note && f.by < by || (f.note || f.by > 0) && (f.fits < len(icons) || f.name < name-0.01) {
			t.Fatalf("dropped in the wrong order: %+v", f)
		}
		if wider := fitHeader(room+1, name, note, by, 84, 60, icons); wider.fits < f.fits ||
			(f.note && !wider.note) || f.by > wider.by {
			t.Fatalf("wider shows less: %+v, %+v", f, wider)
		}
	})
}

// A card hides as few points as the best of the places, stays within bounds and does not cover its anchor.
func TestPlaceCard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bounds := R(rapid.Float32Range(-50, 50).Draw(t, "bx"), 0, rapid.Float32Range(600, 1500).Draw(t, "bw"),
			rapid.Float32Range(600, 1500).Draw(t, "bh"))
		size := imgui.Vec2{X: rapid.Float32Range(20, 280).Draw(t, "w"), Y: rapid.Float32Range(20, 280).Draw(t, "h")}
		p := imgui.Vec2{X: rapid.Float32Range(bounds.X0, bounds.X1).Draw(t, "x"),
			Y: rapid.Float32Range(bounds.Y0, bounds.Y1).Draw(t, "y")}
		anchor := R(p.X-9, p.Y-9, 18, 18)
		var points []imgui.Vec2
		for range rapid.IntRange(0, 60).Draw(t, "n") {
			points = append(points, imgui.Vec2{X: rapid.Float32Range(bounds.X0, bounds.X1).Draw(t, "px"),
				Y: rapid.Float32Range(bounds.Y0, bounds.Y1).Draw(t, "py")})
		}
		least := math.MaxInt
		density := func(r Rect) (n int) {
			for _, q := range points {
				if r.Has(q) {
					n++
				}
			}
			if !(r.X0 < anchor.X1 && anchor.X0 < r.X1 && r.Y0 < anchor.Y1 && anchor.Y0 < r.Y1) {
				least = min(least, n)
			}
			return n
		}
		r := PlaceCard(size, anchor, bounds, density)
		if r.X0 < bounds.X0-0.01 || r.Y0 < bounds.Y0-0.01 || r.X1 > bounds.X1+0.01 || r.Y1 > bounds.Y1+0.01 {
			t.Fatalf("%v is not within %v", r, bounds)
		}
		if r.X0 < anchor.X1-0.01 && anchor.X0 < r.X1-0.01 && r.Y0 < anchor.Y1-0.01 && anchor.Y0 < r.Y1-0.01 {
			t.Fatalf("%v covers %v", r, anchor)
		}
		best := least
		if n := density(r); n > best {
			t.Fatalf("%d points are hidden, %d would be at another place", n, best)
		}
	})
	big := PlaceCard(imgui.Vec2{X: 900, Y: 900}, R(50, 50, 10, 10), R(0, 0, 100, 100), nil)
	if big.X0 != 0 || big.Y0 != 0 {
		t.Errorf("a card larger than the window is at %v", big)
	}
}

func TestDecimate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 400).Draw(t, "n")
		path := make([]imgui.Vec2, n)
		for i := range path {
			path[i] = imgui.Vec2{X: rapid.Float32Range(0, 200).Draw(t, "x"), Y: rapid.Float32Range(0, 200).Draw(t, "y")}
		}
		most := rapid.IntRange(2, 200).Draw(t, "most")
		out := Decimate(nil, path, 0.5, most)
		if len(out) > most || (n > 0 && (len(out) == 0 || out[0] != path[0])) {
			t.Fatalf("%d of %d points, at most %d", len(out), n, most)
		}
		if len(out) > 1 && out[len(out)-1] != path[n-1] {
			t.Fatal("the end is lost")
		}
	})
	nan := float32(math.NaN())
	if out := Decimate(nil, []imgui.Vec2{{X: nan}, {X: 1}, {Y: nan}, {X: 5}}, 0.5, 9); len(out) != 2 {
		t.Errorf("with NaN: %v", out)
	}
}

// Rows are filled where the even-odd rule says that a point is inside.
func TestCrossings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := make([]imgui.Vec2, rapid.IntRange(2, 12).Draw(t, "n"))
		for i := range p {
			at := func(name string) float32 { return float32(rapid.IntRange(0, 40).Draw(t, name)) }
			p[i] = imgui.Vec2{X: at("x"), Y: at("y")}
		}
		step := rapid.SampledFrom([]float32{0.5, 1, 3}).Draw(t, "step")
		lo, hi := rapid.Float32Range(0, 10).Draw(t, "lo"), rapid.Float32Range(20, 40).Draw(t, "hi")
		rows := map[int32][]float32{}
		for _, c := range crossings(nil, p, lo, hi, step) {
			rows[c.row] = append(rows[c.row], c.x)
		}
		for r, xs := range rows {
			if len(xs)%2 != 0 {
				t.Fatalf("row %d is crossed %d times", r, len(xs))
			}
			y := lo + (float32(r)+0.5)*step
			for k := 0; k < 20; k++ {
				x := float32(k)*2 + 0.37
				in, near := false, false
				for i := 0; i < len(xs); i += 2 {
					in = in || (x >= xs[i] && x < xs[i+1])
					near = near || math.Abs(float64(x-xs[i])) < 0.01 || math.Abs(float64(x-xs[i+1])) < 0.01
				}
				odd := false
				for i, a := range p {
					b := p[(i+1)%len(p)]
					if (a.Y > y) != (b.Y > y) && x < (b.X-a.X)*(y-a.Y)/(b.Y-a.Y)+a.X {
						odd = !odd
					}
				}
				if in != odd && !near && (y != float32(math.Trunc(float64(y)))) {
					t.Fatalf("(%v, %v) is filled: %v, inside: %v", x, y, in, odd)
				}
			}
		}
	})
}

// A zigzag that cannot be thinned out without being seen is still drawn by few points, soon.
func BenchmarkDecimateZigzag(b *testing.B) {
	path := make([]imgui.Vec2, 100_000)
	for i := range path {
		path[i] = imgui.Vec2{X: float32(i%1000) * 1.7, Y: float32(i*7919%1000) * 0.9}
	}
	var out []imgui.Vec2
	for b.Loop() {
		out = Decimate(out[:0], path, 0.5, lassoMost)
	}
}
