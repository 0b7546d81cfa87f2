package linkage

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
	"blossom/model/space/knn"
)

// finder is a device that finds neighbours as the reference does, or fails.
type finder struct {
	x    matrix.Matrix32
	asks int
	fail error
}

func (f *finder) Others(ctx context.Context, q knn.Query, out *knn.Lists) error {
	if f.asks++; f.fail != nil {
		return f.fail
	}
	return knn.Search(ctx, f.x, q, out)
}

// Cores that a device is asked for are those of all pairs, bit by bit, however few are asked for at a time; what it is
// not made for is done without it, and what fails is said.
func TestCoresOfADevice(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	x := matrix.New(150, 3)
	for i := range x.Data {
		x.Data[i] = float32(r.IntN(9)) * 0.1 // some rows are equal
	}
	x.Row(7)[1], x.Row(80)[0] = float32(math.NaN()), float32(math.Inf(1))
	for _, metric := range []Metric{Euclidean, L1} {
		p, err := newPoints(t.Context(), x, metric, 2)
		if err != nil || p.n == p.m || p.m != x.Rows-2 {
			t.Fatalf("%d of %d: %v", p.n, p.m, err)
		}
		for _, k := range []int{2, 5, 40} {
			f := &finder{x: x}
			o := Options{MinSamples: k, Near: f, Threads: 2}
			if err := p.seekCores(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			want := p.core
			p.core = nil
			if err := p.findCores(t.Context(), o); err != nil || !slices.Equal(p.core, want) {
				t.Errorf("%v, %d samples: other cores, or %v", metric, k, err)
			}
			if asked := f.asks > 0; asked != (metric == Euclidean) {
				t.Errorf("%v: asked %v", metric, asked)
			}
			if metric != Euclidean {
				continue
			}
			p.core, f.asks = nil, 0
			if err := p.askCores(t.Context(), o, 7*k); err != nil || !slices.Equal(p.core, want) || f.asks < p.n/7 {
				t.Errorf("%d samples, %d asks: other cores, or %v", k, f.asks, err)
			}
			p.core, f.fail = nil, errors.ErrUnsupported
			if err := p.findCores(t.Context(), o); err != nil || !slices.Equal(p.core, want) {
				t.Errorf("without a device: other cores, or %v", err)
			}
			f.fail = errors.New("no memory")
			if err := p.findCores(t.Context(), o); !errors.Is(err, f.fail) {
				t.Errorf("a failure is %v", err)
			}
		}
	}
}

// Cores are the same as by a sort of all weights, whatever the metric and wherever the points are.
func TestCoresByBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(2, 500).Draw(t, "n"), rapid.IntRange(1, 5).Draw(t, "d")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		kind := rapid.SampledFrom([]string{"clusters", "ties", "offset", "tiny", "huge", "cone"}).Draw(t, "kind")
		x := matrix.New(n, d)
		for i := range n {
			for c := range d {
				v := float32(r.NormFloat64()) + float32(10*(i%7)*(c+1))
				switch kind {
				case "ties":
					v = float32(r.IntN(5))
				case "offset":
					v = v*1e-3 + 1e4
				case "tiny":
					v *= 1e-40
				case "huge":
					v *= 1e36
				case "cone": // nearly one direction
					v = float32(1+i%3) + 1e-6*v
				}
				x.Row(i)[c] = v
			}
		}
		metric := Metric(rapid.IntRange(0, len(metricNames)-1).Draw(t, "metric"))
		p, err := newPoints(t.Context(), x, metric, 2)
		if err != nil || p.m < 3 {
			t.Skip("too few")
		}
		k := rapid.IntRange(2, max(2, min(90, p.m-1))).Draw(t, "k")
		if err := p.seekCores(t.Context(), Options{MinSamples: k, Threads: 2}); err != nil {
			t.Fatal(err)
		}
		for i := range int32(p.n) {
			var all []float64
			for leaf := range int32(p.m) {
				f := leaf
				if p.first != nil {
					f = p.first[leaf]
				}
				j, _ := p.pointOf(f)
				switch {
				case j != i:
					all = append(all, p.plain(i, j))
				case leaf != p.leaf(i): // equal to it
					all = append(all, 0)
				}
			}
			slices.Sort(all)
			if p.core[i] != all[k-1] {
				t.Fatalf("%v, %s: the core of %d of %d is %g, want %g", metric, kind, i, p.n, p.core[i], all[k-1])
			}
		}
	})
}
