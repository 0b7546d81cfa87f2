package selection

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// inFront is the definition, for each point against all others: of those that are there and on the screen, in its cell.
func inFront(f Front, v View, p Points, cell float64) []bool {
	type seen struct {
		cx, cy int
		depth  float64
		on     bool
	}
	at := make([]seen, p.Len())
	for i := range at {
		var z float32
		if p.Dims == 3 {
			z = p.Pos[i*p.Dims+2]
		}
		x, y, depth, ok := v.Screen(p.Pos[i*p.Dims], p.Pos[i*p.Dims+1], z)
		on := ok && x >= 0 && x < float64(v.W) && y >= 0 && y < float64(v.H)
		if p.Among != nil && !p.Among.Contains(p.Row(i)) {
			on = false
		}
		at[i] = seen{int(math.Floor(x / cell)), int(math.Floor(y / cell)), depth, on}
	}
	out := make([]bool, p.Len())
	for i, a := range at {
		out[i] = a.on
		for _, b := range at {
			if b.on && b.cx == a.cx && b.cy == a.cy && a.depth-b.depth > f.Behind {
				out[i] = false
			}
		}
	}
	return out
}

// In front are exactly the points that the definition has, of each shape, whatever the order and however many cores;
// and a count says as many.
func TestInFrontIsWhatNoPointHides(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	hidden := 0
	for _, n := range []int{0, 1, 31, 32, 33, 500, 1500} {
		for range 8 {
			p := randomPoints(r, n, 3, false)
			if r.IntN(2) == 0 {
				p.Among = FromBits(n, func() (words []uint64) {
					for range wordsOf(n) {
						words = append(words, r.Uint64())
					}
					return words
				}())
			}
			v := spaceView(6*r.Float64(), r.Float64(), 0.5+3*r.Float64(), 300+r.IntN(300), 200+r.IntN(300))
			f := Front{Cell: 1 + 40*r.Float64(), Behind: 0.3 * r.Float64()}
			front := inFront(f, v, p, f.Cell)
			w, h := float64(v.W), float64(v.H)
			for _, region := range []Region{Rect(Point{-9, -9}, Point{w + 9, h + 9}),
				Rect(Point{w / 4, 0}, Point{w / 2, h}), Lasso([]Point{{0, 0}, {w, h}, {w, 0}, {0, h}}),
				Ellipse(Point{0, 0}, Point{w, h / 2}),
				Brush([]Point{{0, 0}, {w, h}}, 40)} {
				got, err := OnScreen{region, v, p, f}.Pick(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				in := 0
				for i := range n {
					x, y, _, ok := v.Screen(p.Pos[3*i], p.Pos[3*i+1], p.Pos[3*i+2])
					want := ok && front[i] && region.Contains(Point{x, y})
					if ok && !want && region.Contains(Point{x, y}) {
						hidden++
					}
					if want {
						in++
					}
					if got.Contains(p.Row(i)) != want {
						t.Fatalf("%d points, %+v: point %d at (%g, %g): %v", n, f, i, x, y, !want)
					}
				}
				depths, err := f.Depths(t.Context(), v, p)
				if err != nil {
					t.Fatal(err)
				}
				counter := Counter{Points: p, Depths: depths, Budget: time.Hour}
				if c, err := counter.Count(t.Context(), region, v); err != nil || c.In != in {
					t.Fatalf("%d of %d counted, %d are in: %v", c.In, n, in, err)
				}
			}
		}
	}
	if hidden < 1000 {
		t.Fatalf("only %d points were hidden", hidden)
	}
}

// On a flat map all are in front, and so they are without cells.
func TestAllAreInFrontOnAFlatMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	flat, deep := randomPoints(r, 900, 2, false), randomPoints(r, 900, 3, false)
	all := Rect(Point{0, 0}, Point{400, 400})
	for _, c := range []OnScreen{{all, flatView(0, 0, 180, 400, 400), flat, Front{20, 0}},
		{all, spaceView(1, 1, 3, 400, 400), deep, Front{}}, {all, spaceView(1, 1, 3, 0, 0), deep, Front{3, 1}}} {
		want, err := Pick(t.Context(), c.Region, c.View, c.Points)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Pick(t.Context()); err != nil || !Equal(got, want) {
			t.Errorf("%d of %d: %v", got.Count(), want.Count(), err)
		}
	}
}
