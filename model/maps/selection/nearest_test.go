package selection

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// slowNearest looks at all points one after the other.
func slowNearest(v View, p Points, at Point, radius float64) (best Hit, ok bool) {
	for i := range p.Len() {
		z := float32(0)
		if p.Dims == 3 {
			z = p.Pos[3*i+2]
		}
		x, y, depth, seen := v.Screen(p.Pos[i*p.Dims], p.Pos[i*p.Dims+1], z)
		d := (x-at.X)*(x-at.X) + (y-at.Y)*(y-at.Y)
		if !seen || !(d <= radius*radius) {
			continue
		}
		if !ok || depth < best.Depth || depth == best.Depth && d < best.Distance {
			best, ok = Hit{i, p.Row(i), x, y, d, depth}, true
		}
	}
	best.Distance = math.Sqrt(best.Distance)
	return best, ok
}

// TestNearest: a look at all points and an index find the same, for any view that it serves.
func TestNearest(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		dims := rapid.IntRange(2, 3).Draw(t, "dims")
		n := rapid.SampledFrom([]int{0, 1, 2, 31, 32, 33, 255, 256, 257, 3000, 20000}).Draw(t, "n")
		p := randomPoints(r, n, dims, rapid.Bool().Draw(t, "whole"))
		if rapid.IntRange(0, 4).Draw(t, "one place") == 0 {
			for i := range p.Pos {
				p.Pos[i] = 0.25
			}
		}
		made := anyView(t, dims)
		x, err := BuildIndex(ctx, made, p)
		if err != nil {
			t.Fatal(err)
		}
		views := []View{made}
		if dims == 2 && made.projector().flat {
			views = append(views, flatView(0.1, 0.2, r.Float64()*5000, 700, 300))
		}
		if x.Len() != n || !x.Serves(made) {
			t.Fatalf("an index of %d points, serves its view: %v", x.Len(), x.Serves(made))
		}
		for _, v := range views {
			for range 20 {
				at := Point{r.Float64() * float64(v.W), r.Float64() * float64(v.H)}
				radius := []float64{0, 0.1, 8, 100, 1e5}[r.IntN(5)]
				if n > 0 && r.IntN(2) == 0 { // at a point
					i, z := r.IntN(n), float32(0)
					if dims == 3 {
						z = p.Pos[3*i+2]
					}
					if sx, sy, _, ok := v.Screen(p.Pos[i*dims], p.Pos[i*dims+1], z); ok {
						at = Point{sx, sy}
					}
				}
				want, ok := slowNearest(v, p, at, radius)
				got, gok, err := Nearest(ctx, v, p, at, radius)
				if err != nil || gok != ok || got != want {
					t.Fatalf("at %v within %v: %+v %v, not %+v %v, %v", at, radius, got, gok, want, ok, err)
				}
				if got, gok := x.Nearest(v, at, radius); gok != ok || got != want {
					t.Fatalf("index: at %v within %v: %+v %v, not %+v %v", at, radius, got, gok, want, ok)
				}
			}
		}
	})
}

// A point in the very middle of the plane is found from its own place, where rounding is larger than any coordinate.
func TestNearestInTheMiddleOfThePlane(t *testing.T) {
	p := Points{Pos: []float32{0, 0}, Dims: 2}
	for i := range 2000 {
		v := flatView(float64(i)*1.4551915228366852e-11, 0.3, 1+float64(i)*1.000001e-3, 1+i%3, 1)
		x, err := BuildIndex(context.Background(), v, p)
		if err != nil {
			t.Fatal(err)
		}
		sx, sy, _, ok := v.Screen(0, 0, 0)
		if h, found := x.Nearest(v, Point{sx, sy}, 0); ok && (!found || h.Point != 0 || h.Distance != 0) {
			t.Fatalf("view %d: %+v, %v", i, h, found)
		}
	}
}

func TestNearestOfNothing(t *testing.T) {
	v, space := flatView(0, 0, 100, 400, 400), spaceView(0, 0, 3, 400, 400)
	p := Points{Pos: []float32{0, 0, 0}, Dims: 3}
	x, err := BuildIndex(context.Background(), space, p)
	if err != nil {
		t.Fatal(err)
	}
	if h, ok := x.Nearest(space, Point{200, 200}, 1); !ok || h.Depth != 3 || h.Distance > 1e-4 {
		t.Errorf("%+v, %v", h, ok)
	}
	if x.Serves(v) || (*Index)(nil).Serves(v) {
		t.Error("an index in space serves another view")
	}
	if _, ok := x.Nearest(v, Point{200, 200}, 100); ok {
		t.Error("something found in a view that is not served")
	}
	for _, radius := range []float64{-1, math.NaN()} {
		_, ok := x.Nearest(space, Point{200, 200}, radius)
		_, found, err := Nearest(context.Background(), space, p, Point{200, 200}, radius)
		if ok || found || err != nil {
			t.Errorf("found within %v, %v", radius, err)
		}
	}
	if _, ok := x.Nearest(space, Point{math.NaN(), 0}, 10); ok {
		t.Error("found at NaN")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Nearest(ctx, space, p, Point{}, 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := BuildIndex(ctx, space, p); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := BuildIndex(context.Background(), v, Points{Pos: make([]float32, 3), Dims: 2}); err == nil {
		t.Error("an index of half a point")
	}
}

// TestCounter: a sample within a small budget, everything within a large one.
func TestCounter(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(5, 6))
	v := flatView(0, 0, 400, 1000, 1000)
	p := Points{Pos: make([]float32, 2*3*Sample), Dims: 2}
	for i := range p.Pos {
		p.Pos[i] = 2*r.Float32() - 1
	}
	region := Lasso(longRound(500))
	s, err := Pick(ctx, region, v, p)
	if err != nil {
		t.Fatal(err)
	}
	first := 0
	for i := range Sample {
		if s.Contains(i) {
			first++
		}
	}
	clock := time.Unix(0, 0)
	now := func() time.Time { clock = clock.Add(time.Millisecond); return clock }
	for _, c := range []struct {
		budget time.Duration
		want   Count
	}{
		{3 * time.Millisecond, Count{first, Sample, 3 * Sample}},
		{time.Second, Count{s.Count(), 3 * Sample, 3 * Sample}},
	} {
		got, err := (&Counter{Points: p, Budget: c.budget, Now: now}).Count(ctx, region, v)
		if err != nil || got != c.want || got.Exact() != (got.Of == 3*Sample) {
			t.Errorf("in %v: %+v, not %+v, %v", c.budget, got, c.want, err)
		}
		if off := float64(got.Estimate())/float64(s.Count()) - 1; math.Abs(off) > 0.02 ||
			math.Abs(got.Share()-float64(s.Count())/float64(3*Sample)) > 0.01 {
			t.Errorf("in %v: %d for %d", c.budget, got.Estimate(), s.Count())
		}
	}
	for _, n := range []int{0, 1, 65} {
		few := Points{Pos: p.Pos[:2*n], Dims: 2}
		for _, region := range []Region{region, {}, Lasso(longRound(2))} {
			s, _ := Pick(ctx, region, v, few)
			got, err := (&Counter{Points: few}).Count(ctx, region, v)
			if err != nil || got != (Count{s.Count(), n, n}) || got.Estimate() != s.Count() {
				t.Errorf("%d points: %+v, %v", n, got, err)
			}
		}
	}
	if _, err := (&Counter{Points: Points{Dims: 9}}).Count(ctx, region, v); err == nil {
		t.Error("nine dimensions are counted in")
	}
}
