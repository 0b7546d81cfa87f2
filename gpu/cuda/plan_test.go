package cuda

import (
	"context"
	"math/rand/v2"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// random returns n points of d columns, and g landmarks with positions of dims coordinates.
func random(n, d, g, dims int) (matrix.Matrix32, *landmark.Set) {
	rng := rand.New(rand.NewPCG(1, 2))
	fill := func(rows, cols int) matrix.Matrix32 {
		m := matrix.New(rows, cols)
		for i := range m.Data {
			m.Data[i] = rng.Float32()
		}
		return m
	}
	return fill(n, d), &landmark.Set{Codebook: fill(g, d), Pos: fill(g, dims), CodeRev: revision.Next(),
		PosRev: revision.Next()}
}

// loaded returns points on a card of which at most so many bytes may be used, 0 for all.
func loaded(t *testing.T, x matrix.Matrix32, memory int64) *resident {
	t.Helper()
	e, err := New(engine.Options{Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Load(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Free()
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return r.(*resident)
}

func (r *resident) mustFind(t *testing.T, l *landmark.Set, p embedsom.Params, from, to int) {
	t.Helper()
	if err := r.Neighbours(context.Background(), l, p, engine.Range{From: from, To: to}); err != nil {
		t.Fatal(err)
	}
}

func (r *resident) mustPlace(t *testing.T, l *landmark.Set, p embedsom.Params, dst embedsom.Target, from, to int) {
	t.Helper()
	if err := r.Project(context.Background(), l, p, dst, engine.Range{From: from, To: to}); err != nil {
		t.Fatal(err)
	}
}

// equal compares bits; of NaN all are the same.
func equal(t *testing.T, what string, got, want []float32) {
	t.Helper()
	wrong := 0
	for i := range want {
		if got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]) {
			if wrong++; wrong == 1 {
				t.Errorf("%s: number %d is %g instead of %g", what, i, got[i], want[i])
			}
		}
	}
	if wrong > 1 {
		t.Errorf("%s: %d numbers of %d differ", what, wrong, len(want))
	}
}

// Whatever is kept on the card, and in whatever order, the map is the same.
func TestPlans(t *testing.T) {
	needsCard(t)
	defer func(w []int64) { windows = w }(windows)
	windows = []int64{1 << 11}
	defer func(n int64) { orderFrom = n }(orderFrom)
	orderFrom = 1 << 12
	const n, d, g = 1<<12 + 100, 16, 20
	x, l := random(n, d, g, 2)
	x.Data[5] /= x.Data[5] - x.Data[5] // no point
	few, many := embedsom.Params{K: 3, Boost: 1, Adjust: 1}, embedsom.Params{K: 8, Boost: 1, Adjust: 1}
	want := map[int][]float32{}
	try := func(name string, memory int64, first plan, more func(r *resident) int64, later plan) {
		t.Run(name, func(t *testing.T) {
			r := loaded(t, x, memory)
			r.e.o.Memory = 0
			for _, p := range []embedsom.Params{few, many} {
				plan := first
				if p == many {
					plan, r.e.o.Memory = later, more(r)
				}
				r.mustFind(t, l, p, 0, n)
				if r.plan != plan {
					t.Errorf("k %d: plan %d instead of %d", p.K, r.plan, plan)
				}
				dst := embedsom.NewHostTarget(n, 2)
				r.mustPlace(t, l, p, dst, 7, n)
				r.mustPlace(t, l, p, dst, 0, 7)
				if want[p.K] == nil {
					want[p.K] = dst.Data
				}
				equal(t, "positions", dst.Data, want[p.K])
			}
		})
	}
	none := func(*resident) int64 { return 0 }
	try("everything and recompute", 0, everything, func(r *resident) int64 {
		// memory for more neighbours is a little too much
		m := r.Status()
		return m.Points + m.Other + 6*9*n
	}, recompute)
	try("stream", others(n)+windows[0]*(4*d+6*11)+1000, stream, none, stream)
}

// Pages that are to be sorted anew have their old order until then.
func TestOrderDue(t *testing.T) {
	needsCard(t)
	const n, d, g = page + 5000, 2, 20
	x, l := random(n, d, g, 2)
	p := embedsom.Params{K: 3, Boost: 1, Adjust: 1}
	r := loaded(t, x, 0)
	want, got := embedsom.NewHostTarget(n, 2), embedsom.NewHostTarget(n, 2)
	r.mustFind(t, l, p, 0, n)
	r.mustPlace(t, l, p, want, 0, n)
	r.order.turns = orderFor * len(r.order.sorted)
	r.mustFind(t, l, p, page, n) // sorts the last page only
	if !r.order.due[0] || r.order.due[1] {
		t.Errorf("due are %v", r.order.due)
	}
	r.mustPlace(t, l, p, got, 100, 200)
	equal(t, "before", got.Data[200:400], want.Data[200:400])
	r.mustFind(t, l, p, 50, 300)
	r.mustPlace(t, l, p, got, 0, n)
	equal(t, "found again in part", got.Data, want.Data)
	// dragged
	l = &landmark.Set{Codebook: l.Codebook, Pos: l.Pos.Clone(), CodeRev: l.CodeRev, PosRev: revision.Next()}
	l.Pos.Data[6] += 0.5
	r.mustPlace(t, l, p, got, 0, n)
	if !r.drag.listed {
		t.Error("all points were placed")
	}
	r.mustPlace(t, l, p, want, 0, page-10)
	r.mustPlace(t, l, p, want, page-10, n)
	equal(t, "dragged", got.Data, want.Data)
}
