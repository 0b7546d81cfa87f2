package linkage

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/knn"
	"blossom/model/matrix"
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
