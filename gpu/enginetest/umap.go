package enginetest

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"sync/atomic"

	"blossom/model/base/matrix"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/umap"
)

// umaps are the tests of what an engine has for UMAP.
type umaps struct {
	s      *suite
	device umap.Device
}

// ofUMAP makes a part of a suite.
func ofUMAP(run func(umaps)) func(*suite) {
	return func(s *suite) {
		res, err := s.engine.Load(context.Background(), matrix.New(1, 1))
		if err != nil {
			s.Fatal(err)
		}
		defer res.Free()
		run(umaps{s, res.Caps().UMAP})
	}
}

// fuzzy is the graph of points in groups, some of them duplicates.
func (u umaps) fuzzy(n, neighbours int) *umap.Graph {
	s := u.s
	s.Helper()
	x := matrix.New(n, 4)
	for i := range x.Data {
		x.Data[i] = float32(s.rng.NormFloat64() + 5*float64(i/4%3))
	}
	for i := 0; i+9 < n; i += 9 {
		copy(x.Row(i), x.Row(i+9))
	}
	g, err := umap.Joined(context.Background(), x, neighbours)
	if err != nil {
		s.Fatal(err)
	}
	return g
}

// flow is where points are after batches.
func (u umaps) flow(d umap.Device, g *umap.Graph, st *umap.State, batches ...umap.Batch) []float32 {
	s := u.s
	s.Helper()
	ctx := context.Background()
	b, err := d.Open(ctx, g, st.Dims)
	if err != nil {
		s.Fatal(err)
	}
	defer b.Close()
	err = b.Load(ctx, st)
	for _, batch := range batches {
		done, failed := b.Advance(ctx, batch)
		if err = errors.Join(err, failed); err == nil && done != len(batch.Alpha) {
			s.Fatalf("%d of %d epochs were done", done, len(batch.Alpha))
		}
	}
	out := embedsom.NewHostTarget(g.N, st.Dims)
	if err = errors.Join(err, b.Positions(ctx, out)); err != nil {
		s.Fatal(err)
	}
	return out.Data
}

// batch is epochs from one on with the kernel of the defaults.
func batch(epoch, negatives int, alpha ...float64) umap.Batch {
	return umap.Batch{Epoch: epoch, Alpha: alpha, Kernel: umap.Fit(0.1, 1), Negatives: negatives, Seed: 7}
}

// steps compares an epoch with float64, in maps of every size, and a point with all others as neighbours.
func (u umaps) steps() {
	s, d := u.s, u.device
	for _, n := range []int{1, 2, 5, 33, 257, 520} {
		for _, neighbours := range []int{2, 15, 200} {
			g := u.fuzzy(n, neighbours)
			for dims := 2; dims <= 3; dims++ {
				for _, deviation := range []float64{0, 1e-3, 1, 1e4} {
					for epoch, negatives := range map[int]int{1: 5, 2: 0, 7: 30, 401: 1} {
						st := &umap.State{Dims: dims, Y: s.spread(n, dims, deviation, 0)}
						b := batch(epoch, negatives, 0.01)
						got, want := u.flow(d, g, st, b), u.flow(umap.Plain{}, g, st, b)
						off, size := 0.0, 0.0
						for c := range got {
							off = max(off, math.Abs(float64(got[c])-float64(want[c])))
							size = max(size, math.Abs(float64(want[c])))
						}
						bound := 2e-5 * max(1, size)
						if !(off <= bound) { // seldom: this takes a while
							bound += u.rounding(g, st, b, want)
						}
						if !(off <= bound) {
							s.Fatalf("%d points in %dD at %g, epoch %d, %d drawn: off by %g, %g allowed", n, dims,
								deviation, epoch, negatives, off, bound)
						}
					}
				}
			}
		}
	}
}

// rounding is how far apart an epoch may bring two maps that differ by rounding alone: points that lie close together
// drive each other apart the more steeply the closer they are, so that a step within the epoch makes more of what the
// step before it has rounded. It is measured on the reference, as the sum of what comes of a rate, of the two numbers
// of the kernel and of places that are off by as much as a power, or a place, is in float32.
func (u umaps) rounding(g *umap.Graph, st *umap.State, b umap.Batch, want []float32) (sum float64) {
	for _, change := range []func(st *umap.State, b *umap.Batch, by float64){
		func(_ *umap.State, b *umap.Batch, by float64) { b.Alpha = []float64{b.Alpha[0] * by} },
		func(_ *umap.State, b *umap.Batch, by float64) { b.Kernel.A *= by },
		func(_ *umap.State, b *umap.Batch, by float64) { b.Kernel.B *= by },
		func(st *umap.State, _ *umap.Batch, by float64) {
			st.Y = slices.Clone(st.Y)
			for c, y := range st.Y {
				if u.s.rng.IntN(2) == 0 {
					st.Y[c] = math.Nextafter32(y, float32(by-1)*1e9)
				}
			}
		},
	} {
		most := 0.0
		for _, by := range []float64{1 - 0x1p-19, 1 + 0x1p-19} {
			at, near := *st, b
			change(&at, &near, by)
			for c, x := range u.flow(umap.Plain{}, g, &at, near) {
				most = max(most, math.Abs(float64(x)-float64(want[c])))
			}
		}
		sum += most
	}
	return sum
}

// bits: epochs may be split, and a map that was saved goes on as if it had not been.
func (u umaps) bits() {
	s, d := u.s, u.device
	ctx := context.Background()
	g := u.fuzzy(400, 15)
	for dims := 2; dims <= 3; dims++ {
		st := &umap.State{Dims: dims, Y: umap.RandomStart(400, dims, 1), Held: []int32{3, 90}}
		whole := u.flow(d, g, st, batch(1, 5, 1, 0.9, 0.8, 0.7, 0.6))
		if !slices.Equal(whole, u.flow(d, g, st, batch(1, 5, 1, 0.9), batch(3, 5, 0.8), batch(4, 5, 0.7, 0.6))) {
			s.Errorf("%dD: epochs depend on how they are split", dims)
		}
		b, err := d.Open(ctx, g, dims)
		if err != nil {
			s.Fatal(err)
		}
		_, failed := b.Advance(ctx, batch(1, 5)) // no epoch
		err = errors.Join(failed, b.Load(ctx, st))
		_, failed = b.Advance(ctx, batch(1, 5, 1, 0.9, 0.8))
		saved := new(umap.State)
		err = errors.Join(err, failed, b.Save(ctx, saved))
		b.Close()
		if err != nil {
			s.Fatal(err)
		}
		if !slices.Equal(whole, u.flow(d, g, saved, batch(4, 5, 0.7, 0.6))) || !slices.Equal(saved.Held, st.Held) {
			s.Errorf("%dD: a map that was saved goes on otherwise", dims)
		}
	}
}

// leaving is a context that is cancelled when it has been asked so often.
type leaving struct {
	context.Context
	asks atomic.Int64
}

func (l *leaving) Err() error {
	if l.asks.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// halted: wherever it is called back, a map goes on from there with the bits of one that was not.
func (u umaps) halted() {
	s, d := u.s, u.device
	ctx := context.Background()
	const n = 1500
	g := u.fuzzy(n, 15)
	alpha := []float64{1, 0.9, 0.8}
	for dims := 2; dims <= 3; dims++ {
		st := &umap.State{Dims: dims, Y: umap.RandomStart(n, dims, 1)}
		whole := u.flow(d, g, st, batch(1, 5, alpha...))
		for _, asks := range []int64{0, 1, 3, 8, 20, 50} {
			b, err := d.Open(ctx, g, dims)
			if err != nil {
				s.Fatal(err)
			}
			stop := &leaving{Context: ctx}
			stop.asks.Store(asks)
			err = b.Load(ctx, st)
			done, failed := b.Advance(stop, batch(1, 5, alpha...))
			if failed != nil && !errors.Is(failed, context.Canceled) || failed == nil && done != len(alpha) {
				s.Errorf("%dD, called back: %d epochs, %v", dims, done, failed)
			}
			_, failed = b.Advance(ctx, batch(1+done, 5, alpha[done:]...))
			out := embedsom.NewHostTarget(n, dims)
			if err = errors.Join(err, failed, b.Positions(ctx, out)); err != nil {
				s.Fatal(err)
			}
			b.Close()
			if !slices.Equal(out.Data, whole) {
				s.Errorf("%dD: called back after %d epochs and %d asks it goes on otherwise", dims, done, asks)
			}
		}
	}
}

// held: what is held stays, others move; what is let go moves again, by another graph too.
func (u umaps) held() {
	s, d := u.s, u.device
	ctx := context.Background()
	const n = 120
	g, other := u.fuzzy(n, 15), u.fuzzy(n, 5)
	for dims := 2; dims <= 3; dims++ {
		b, err := d.Open(ctx, g, dims)
		if err != nil {
			s.Fatal(err)
		}
		start := umap.RandomStart(n, dims, 1)
		ids, place := []int32{7, 3, 119}, make([]float32, 3*dims)
		for c := range place {
			place[c] = 30 + float32(c)
		}
		out := embedsom.NewHostTarget(n, dims)
		at := func(id int32) []float32 { return out.Data[int(id)*dims : int(id+1)*dims] }
		err = errors.Join(b.Load(ctx, &umap.State{Dims: dims, Y: start}), b.Hold(ctx, ids, place))
		_, failed := b.Advance(ctx, batch(1, 5, 1, 0.9, 0.8))
		if err = errors.Join(err, failed, b.Positions(ctx, out)); err != nil {
			s.Fatal(err)
		}
		for k, id := range ids {
			if !slices.Equal(at(id), place[k*dims:(k+1)*dims]) {
				s.Fatalf("%dD: point %d is held at %v and lies at %v", dims, id, place, at(id))
			}
		}
		if slices.Equal(out.Data[:3*dims], start[:3*dims]) {
			s.Errorf("%dD: others do not move while some are held", dims)
		}
		err = errors.Join(b.Release(ctx, ids), b.Swap(ctx, other))
		_, failed = b.Advance(ctx, batch(4, 5, 0.7))
		if err = errors.Join(err, failed, b.Positions(ctx, out)); err != nil {
			s.Fatal(err)
		}
		if slices.Equal(at(7), place[:dims]) {
			s.Errorf("%dD: a point that was let go stays", dims)
		}
		heat, was := make([]float32, n), slices.Clone(out.Data)
		for i := range n / 2 {
			heat[i] = 0.5
		}
		err = b.Warm(ctx, heat)
		_, failed = b.Advance(ctx, batch(5, 5, 0.7))
		if err = errors.Join(err, failed, b.Positions(ctx, out)); err != nil {
			s.Fatal(err)
		}
		if n := n / 2 * dims; slices.Equal(out.Data[:n], was[:n]) || !slices.Equal(out.Data[n:], was[n:]) {
			s.Errorf("%dD: points move that are not warm, or no others do", dims)
		}
		stopped, cancel := context.WithCancel(ctx)
		cancel()
		if done, err := b.Advance(stopped, batch(6, 5, 1)); !errors.Is(err, context.Canceled) || done != 0 {
			s.Errorf("cancelled: %d epochs, %v", done, err)
		}
		b.Close()
	}
}

// random makes small maps of what is hard: duplicates, points on a line, few points, starts on a spot. Each is
// finite and ends by its epochs. BLOSSOM_MANY says how many, 40 as a rule.
func (u umaps) random() {
	s, d := u.s, u.device
	many, err := strconv.Atoi(os.Getenv("BLOSSOM_MANY"))
	if err != nil {
		many = 40
	}
	ctx := context.Background()
	for try := range many {
		n, o := 1+s.rng.IntN(24), umap.DefaultsIn(2+s.rng.IntN(2))
		x := matrix.New(n, 1+s.rng.IntN(4))
		kind := s.rng.IntN(4)
		for i := range n {
			along := float32(s.rng.NormFloat64())
			for c := range x.Cols {
				switch kind {
				case 0: // a cloud
					along = float32(s.rng.NormFloat64())
				case 1: // few places
					along = float32(s.rng.IntN(2))
				case 3: // one place
					along = 7
				}
				x.Row(i)[c] = along // or a line
			}
		}
		o.Neighbours, o.Epochs, o.Negatives, o.Seed = 2+s.rng.IntN(20), 1+s.rng.IntN(20), s.rng.IntN(9), s.rng.Uint64()
		g, err := umap.Joined(ctx, x, o.Neighbours)
		if err != nil {
			s.Fatal(err)
		}
		y, err := umap.PCAStart(ctx, x, o.Dims, o.Seed)
		if err != nil {
			s.Fatal(err)
		}
		if try%4 == 0 {
			clear(y)
		}
		l, err := umap.Start(ctx, d, g, y, o)
		if err != nil {
			s.Fatal(err)
		}
		got, err := l.Step(ctx, 1000)
		out := embedsom.NewHostTarget(n, o.Dims)
		if err = errors.Join(err, l.Positions(ctx, out)); err != nil {
			s.Fatal(err)
		}
		l.Close()
		if !got.Rest || slices.ContainsFunc(out.Data, func(v float32) bool { return v-v != 0 }) {
			s.Fatalf("%d points of kind %d, %+v: %+v %v", n, kind, o, got, out.Data)
		}
	}
}
