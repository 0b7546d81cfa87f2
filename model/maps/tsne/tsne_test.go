package tsne

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/space/knn"
)

func cloud(n, d int, seed uint64) matrix.Matrix32 {
	r := rand.New(rand.NewPCG(seed, 2))
	x := matrix.New(n, d)
	for i := range x.Data {
		x.Data[i] = float32(r.NormFloat64()) + float32(5*(i/d%3))
	}
	return x
}

// kl is KL as its definition says.
func kl(p *Affinities, y []float64, dims int) float64 {
	z, sum := 0.0, 0.0
	w := func(i, j int) float64 {
		d := 0.0
		for c := range dims {
			d += (y[i*dims+c] - y[j*dims+c]) * (y[i*dims+c] - y[j*dims+c])
		}
		return 1 / (1 + d)
	}
	for i := range p.N {
		for j := range p.N {
			if i != j {
				z += w(i, j)
			}
		}
	}
	for i := range p.N {
		for e := p.Start[i]; e < p.Start[i+1]; e++ {
			if v := p.Value[e]; v > 0 {
				sum += v * math.Log(v/(w(i, int(p.Column[e]))/z))
			}
		}
	}
	return sum
}

// The gradient is a quarter of what finite differences of KL give, and no force moves the whole.
func TestGradientIsThatOfKL(t *testing.T) {
	for dims := 2; dims <= 3; dims++ {
		p, err := Affine(t.Context(), cloud(60, 5, 1), 12)
		if err != nil {
			t.Fatal(err)
		}
		y := make([]float64, 60*dims)
		Jitter(y, 3, 0, 2)
		var f Forces
		f.Of(p, y, dims)
		if d := math.Abs(f.KL - kl(p, y, dims)); d > 1e-12 {
			t.Errorf("KL is off by %g", d)
		}
		g := make([]float64, len(y))
		f.Gradient(1, g)
		want := make([]float64, len(y))
		const h = 1e-5
		for c := range y {
			was := y[c]
			y[c] = was + h
			up := kl(p, y, dims)
			y[c] = was - h
			want[c] = (up - kl(p, y, dims)) / (2 * h) / 4
			y[c] = was
		}
		if d := apart(g, want); d > 1e-7 {
			t.Errorf("%dD: the gradient is off by %g", dims, d)
		}
		for c := range dims {
			sum := 0.0
			for i := c; i < len(y); i += dims {
				sum += f.Repulsion[i]
			}
			if math.Abs(sum) > 1e-12*f.Z {
				t.Errorf("repulsion moves the map by %g", sum)
			}
		}
	}
}

// Each row has the perplexity that was asked for, whatever its distances; ties share.
func TestPerplexityIsMet(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for try := range 300 {
		d := make([]float64, 60)
		scale := math.Pow(10, float64(try%30)-15)
		for j := range d {
			d[j] = scale * (math.Pow(r.Float64(), 4) + float64(try%7)*1e3)
		}
		u := 2 + 17*r.Float64()
		c := make([]float64, 60)
		beta := Conditional(d, u, c)
		h, sum := 0.0, 0.0
		for _, v := range c {
			sum += v
			if v > 0 {
				h -= v * math.Log(v)
			}
		}
		if !(beta > 0) || math.IsInf(beta, 1) || math.Abs(sum-1) > 1e-12 || math.Abs(h-math.Log(u)) > 3e-6 {
			t.Fatalf("scale %g, u %g: beta %g, sum %g, perplexity %g", scale, u, beta, sum, math.Exp(h))
		}
	}
	c := make([]float64, 5)
	if beta := Conditional([]float64{3, 3, 3, 4, 9}, 2.5, c); !math.IsInf(beta, 1) ||
		!slices.Equal(c, []float64{1. / 3, 1. / 3, 1. / 3, 0, 0}) {
		t.Errorf("three equally near ones: beta %g, %v", beta, c)
	}
}

// Affinities do not see where the points lie, nor how they are turned or numbered.
func TestAffinitiesSeeDistancesOnly(t *testing.T) {
	x := cloud(80, 3, 7)
	p, _ := Affine(t.Context(), x, 10)
	turned, mixed := x.Clone(), x.Clone()
	order := rand.New(rand.NewPCG(1, 1)).Perm(80)
	for i := range 80 {
		a := x.Row(i)
		copy(turned.Row(i), []float32{-a[1] + 8, a[2] - 4, -a[0] + 2})
		copy(mixed.Row(order[i]), a)
	}
	q, _ := Affine(t.Context(), turned, 10)
	m, _ := Affine(t.Context(), mixed, 10)
	at := func(p *Affinities, i, j int) float64 {
		for e := p.Start[i]; e < p.Start[i+1]; e++ {
			if int(p.Column[e]) == j {
				return p.Value[e]
			}
		}
		return 0
	}
	for i := range 80 {
		for j := range 80 {
			v := at(p, i, j)
			if math.Abs(v-at(q, i, j)) > 1e-5*v+1e-12 || math.Abs(v-at(m, order[i], order[j])) > 1e-9*v+1e-15 ||
				math.Abs(v-at(p, j, i)) > 1e-15 {
				t.Fatalf("p of %d and %d: %g, turned %g, mixed %g", i, j, v, at(q, i, j), at(m, order[i], order[j]))
			}
		}
	}
	// Neighbours that were found for more serve for less.
	_, k := Allowed(80, 20)
	near, _ := knn.Of(t.Context(), x, k)
	less, _ := AffinitiesOf(t.Context(), near, 10)
	if !slices.Equal(less.Value, p.Value) || !slices.Equal(less.Column, p.Column) {
		t.Error("a smaller perplexity among more neighbours gives other affinities")
	}
}

// saved returns where the points of a map are.
func saved(t *testing.T, l *Forming) []float32 {
	t.Helper()
	var s State
	if err := l.Save(context.WithoutCancel(t.Context()), &s); err != nil {
		t.Fatal(err)
	}
	return s.Y
}

func TestRunsMayBeSplitAndThreadsDoNotMatter(t *testing.T) {
	x := cloud(150, 6, 9)
	o := Defaults()
	o.Until, o.Total, o.Perplexity = 30, 90, 20
	one, _ := Exactly(t.Context(), x, o)
	was := runtime.GOMAXPROCS(1)
	one.Step(t.Context(), 70)
	runtime.GOMAXPROCS(7)
	defer runtime.GOMAXPROCS(was)
	two, _ := Exactly(t.Context(), x, o)
	for range 7 {
		two.Step(t.Context(), 10)
	}
	if !slices.Equal(saved(t, one), saved(t, two)) {
		t.Error("70 units and 7 times 10 units differ")
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := two.Step(stopped, 10); err == nil || p.Done != 70 {
		t.Errorf("cancelled: %+v, %v", p, err)
	}
}

// Few points, and points on a spot: finite and without an end that never comes.
func TestFewAndEqualPoints(t *testing.T) {
	for n := range 7 {
		for _, equal := range []bool{false, true} {
			x := cloud(n, 4, 3)
			if equal {
				clear(x.Data)
			}
			o := Defaults()
			o.Until, o.Total = 40, 120
			r, err := Exactly(t.Context(), x, o)
			if err != nil {
				t.Fatal(n, err)
			}
			p, err := r.Step(t.Context(), 200)
			y := saved(t, r)
			if err != nil || !p.Rest || len(y) != 2*n {
				t.Fatal(n, p, err)
			}
			for _, v := range y {
				if v-v != 0 {
					t.Fatalf("%d points, equal %v: %v", n, equal, y)
				}
			}
		}
	}
	for _, o := range []Options{{}, {Dims: 4, Perplexity: 5, Exaggeration: 1}, {Dims: 2, Perplexity: math.NaN(),
		Exaggeration: 1}, {Dims: 2, Perplexity: 0.5, Exaggeration: 1}} {
		if _, err := Exactly(t.Context(), cloud(9, 2, 1), o); err == nil {
			t.Errorf("%+v is run", o)
		}
	}
}

// Points on one spot in high dimensions part when exaggeration ends.
func TestDuplicatesPart(t *testing.T) {
	x := cloud(120, 5, 11)
	for i := range 60 {
		copy(x.Row(i), x.Row(0))
	}
	o := Defaults()
	o.Perplexity, o.Until, o.Total = 15, 100, 500
	r, err := Exactly(t.Context(), x, o)
	if err != nil {
		t.Fatal(err)
	}
	r.Step(t.Context(), 500)
	y, seen := saved(t, r), map[[2]float64]bool{}
	for i := range 120 {
		seen[[2]float64{math.Round(float64(y[2*i]) * 1000), math.Round(float64(y[2*i+1]) * 1000)}] = true
	}
	if len(seen) < 115 {
		t.Errorf("120 points are at %d places", len(seen))
	}
}
