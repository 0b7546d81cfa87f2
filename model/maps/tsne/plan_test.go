package tsne

import (
	"math"
	"slices"
	"testing"

	"blossom/model/maps/places"

	"pgregory.net/rapid"
)

// A lattice covers the box that it is laid under and has a size that transforms are fast at; the distance of its nodes
// is that of the accuracy where the map fills the smallest lattice and the largest reaches.
func TestLatticesCoverTheMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Accuracy(rapid.IntRange(0, 2).Draw(t, "accuracy"))
		side := math.Exp2(rapid.Float64Range(-30, 14).Draw(t, "side"))
		var lo, hi [2]float64
		for c := range lo {
			lo[c] = rapid.Float64Range(-100, 100).Draw(t, "from") * side
			hi[c] = lo[c] + side*rapid.Float64Range(0, 1).Draw(t, "part")
		}
		hi[0] = lo[0] + side
		l := PlanLattice(lo, hi, a, 0)
		from, to := l.Box()
		for c := range lo {
			if !(from[c] <= lo[c] && hi[c] <= to[c]) {
				t.Fatalf("%+v reaches from %v to %v, not from %v to %v", l, from, to, lo, hi)
			}
		}
		h0, spline := a.spacing()
		if !slices.Contains(nodes, l.N) || l.Spline != spline || l.N > leastNodes && l.N < MostNodes && l.H != h0 ||
			l.N == leastNodes && l.H > h0 {
			t.Fatalf("%+v under a map of %g", l, side)
		}
		if wide := PlanLattice(lo, hi, a, 128); wide.N > 128 || !(wide.H >= l.H) {
			t.Fatalf("at most 128 nodes: %+v", wide)
		}
	})
	for i, n := range nodes[1:] {
		if n%16 != 0 || float64(n) > 1.34*float64(nodes[i]) {
			t.Errorf("lattices of %d, then %d", nodes[i], n)
		}
	}
}

// The method is chosen by a formula of sizes alone, among those that there are.
func TestMethodIsChosen(t *testing.T) {
	cpu := Traits{Methods: []Method{Exact, Tree, Field}, Exact: 2000, Field: 0.88, Tree: 165}
	for _, c := range []struct {
		n, dims int
		side    float64
		methods []Method
		want    Method
	}{
		{2000, 2, 30, nil, Exact}, {2001, 2, 30, nil, Field}, {20_000, 2, 1e-4, nil, Field},
		{20_000, 2, 1e4, nil, Tree},
		{20_000, 3, 30, nil, Tree}, {70_000, 2, 200, nil, Field}, {20_000, 2, 30, []Method{Exact}, Exact},
		{20_000, 2, 1e4, []Method{Exact, Field}, Field}, {20_000, 3, 1, []Method{Exact, Field}, Exact},
	} {
		traits := cpu
		if c.methods != nil {
			traits.Methods = c.methods
		}
		o := DefaultsIn(c.dims)
		m := Measure{Hi: [3]float64{c.side, c.side, c.side}}
		p, err := o.plan(traits, c.n, m, m, 8, "", true)
		if err != nil || p.Method != c.want || (p.Lattice.N > 0) != (c.want == Field) {
			t.Errorf("%+v: %+v, %v", c, p, err)
		}
		// It stays until it may change.
		if p, _ = o.plan(traits, c.n, m, m, 8, Exact, false); p.Method != Exact {
			t.Errorf("%+v: it changes to %s", c, p.Method)
		}
	}
	o := Defaults()
	o.Method = "nobody's"
	if _, err := o.plan(cpu, 9, Measure{}, Measure{}, 0, "", true); err == nil {
		t.Error("a method that nobody has is planned")
	}
}

// Options that cannot be run are refused in words.
func TestOptionsAreChecked(t *testing.T) {
	nan := math.NaN()
	for name, change := range map[string]func(*Options){
		"dims": func(o *Options) { o.Dims = 4 }, "perplexity": func(o *Options) { o.Perplexity = 0.5 },
		"no perplexity": func(o *Options) { o.Perplexity = nan }, "theta": func(o *Options) { o.Theta = -1 },
		"no theta": func(o *Options) { o.Theta = nan }, "late": func(o *Options) { o.Late = 5 },
		"exaggeration": func(o *Options) { o.Exaggeration = 0 }, "units": func(o *Options) { o.Total = -1 },
		"eta": func(o *Options) { o.Eta = math.Inf(1) }, "accuracy": func(o *Options) { o.Accuracy = 9 },
	} {
		o := Defaults()
		if o.Validate() != nil {
			t.Fatal("defaults are refused")
		}
		if change(&o); o.Validate() == nil {
			t.Errorf("%s: %+v is accepted", name, o)
		}
	}
	for _, y := range [][]float32{{1}, {1, float32(nan)}, {1e20, 1}} {
		if places.Check(y, 1, 2) == nil {
			t.Errorf("a start at %v is accepted", y)
		}
	}
}

// The spectrum of a lattice gives the kernel back: the potential of one charge on a node, at other nodes.
func TestSpectrumIsThatOfTheKernel(t *testing.T) {
	l := Lattice{Spline: 4, N: 96, H: 1. / 3}
	g := l.Spectrum()
	// Charge and potential pass the spline's values at nodes: the sum over frequencies of g b^4 cos.
	at := func(i, j int) float64 {
		sum := 0.0
		for ky := range 2 * l.N {
			by := (2 + math.Cos(math.Pi*float64(ky)/96)) / 3
			row := min(ky, 2*l.N-ky) * (l.N + 1)
			line := 0.0
			for kx := range 2 * l.N {
				bx := (2 + math.Cos(math.Pi*float64(kx)/96)) / 3
				line += g[row+min(kx, 2*l.N-kx)] * bx * bx * math.Cos(math.Pi*float64(kx*j)/96)
			}
			sum += line * by * by * math.Cos(math.Pi*float64(ky*i)/96)
		}
		return sum
	}
	for _, p := range [][2]int{{0, 0}, {1, 0}, {3, 4}, {40, 7}, {80, 80}} {
		r := float64(p[0]*p[0]+p[1]*p[1]) / 9
		if got, want := at(p[0], p[1])+l.Far(), 1/(1+r); math.Abs(got-want) > 1e-12 {
			t.Errorf("the kernel %v nodes away is %g, want %g", p, got, want)
		}
	}
}
