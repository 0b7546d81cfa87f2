package enginetest

import (
	"context"
	"errors"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/tsne"
)

// tsneErrors are what methods may be off by in a map of some hundred points, of repulsion and of Z. Those that are not
// named here are papers' methods, which are coarse.
var tsneErrors = map[tsne.Method][2]float64{
	tsne.Exact: {1e-5, 1e-5}, tsne.Tree: {0.25, 6e-2}, tsne.Field: {0.15, 1.5e-2}, "": {0.6, 0.3},
}

// device opens what the engine has for t-SNE. The function gives it back.
func (s *suite) device() (tsne.Device, func()) {
	s.Helper()
	res, err := s.engine.Load(context.Background(), matrix.New(1, 1))
	if err != nil {
		s.Fatal(err)
	}
	return res.Caps().TSNE, res.Free
}

// affinities are those of points in groups, some of them duplicates.
func (s *suite) affinities(n int, perplexity float64) (matrix.Matrix32, *tsne.Affinities) {
	s.Helper()
	x := matrix.New(n, 4)
	for i := range x.Data {
		x.Data[i] = float32(s.rng.NormFloat64() + 5*float64(i/4%3))
	}
	for i := 0; i+9 < n; i += 9 {
		copy(x.Row(i), x.Row(i+9))
	}
	p, err := tsne.Affine(context.Background(), x, perplexity)
	if err != nil {
		s.Fatal(err)
	}
	return x, p
}

// spread are n places of this deviation, with a group of equal ones.
func (s *suite) spread(n, dims int, deviation, offset float64) []float32 {
	y := make([]float32, n*dims)
	for c := range y {
		y[c] = float32(offset + deviation*s.rng.NormFloat64())
	}
	for i := 0; i < n/10; i++ {
		copy(y[i*dims:(i+1)*dims], y[:dims])
	}
	return y
}

// apart is |a-b| / |b|.
func apart(a []float32, b []float64) float64 {
	var off, sum float64
	for i, v := range b {
		off += (float64(a[i]) - v) * (float64(a[i]) - v)
		sum += v * v
	}
	return math.Sqrt(off / max(sum, 1e-300))
}

// tsneForces compares all methods with float64, in maps of every size.
func tsneForces(s *suite) {
	ctx := context.Background()
	d, free := s.device()
	defer free()
	for _, n := range []int{2, 5, 33, 64, 65, 400} {
		_, p := s.affinities(n, 12)
		for dims := 2; dims <= 3; dims++ {
			for _, deviation := range []float64{1e-4, 0.3, 3, 20} {
				y := s.spread(n, dims, deviation, 0)
				want := reference(p, y, dims)
				for _, m := range d.Traits(dims).Methods {
					o := tsne.DefaultsIn(dims)
					o.Method = m
					l, err := tsne.Start(ctx, d, p.Sparse(), y, o)
					if err != nil {
						s.Fatal(err)
					}
					out := tsne.Evaluation{Attraction: make([]float32, len(y)), Repulsion: make([]float32, len(y))}
					err = l.Evaluate(ctx, &out)
					l.Close()
					if err != nil {
						s.Fatal(err)
					}
					most, known := tsneErrors[m]
					if !known {
						most = tsneErrors[""]
					}
					if m != tsne.Exact && n < 40 || m == tsne.Field && deviation > 5 {
						continue // in a nearly empty map the part that is left out is all there is
					}
					a, r := apart(out.Attraction, want.Attraction), apart(out.Repulsion, want.Repulsion)
					z := math.Abs(out.Z/want.Z - 1)
					kl := math.Abs(out.KL - want.KL)
					if !(a < 3e-5) || !(r < most[0]) || !(z < most[1]) || !(kl < 2e-5+2*z) {
						s.Errorf("%s, %d points in %dD at %g: attraction is off by %.2g, repulsion by %.2g, Z by "+
							"%.2g, KL by %.2g", m, n, dims, deviation, a, r, z, kl)
					}
				}
			}
		}
	}
}

// state is that of a map after units in these steps.
func (s *suite) state(d tsne.Device, p *tsne.Sparse, y []float32, o tsne.Options, steps ...int) *tsne.State {
	s.Helper()
	ctx := context.Background()
	l, err := tsne.Start(ctx, d, p, y, o)
	if err != nil {
		s.Fatal(err)
	}
	defer l.Close()
	for _, units := range steps {
		if _, err := l.Step(ctx, units); err != nil {
			s.Fatal(err)
		}
	}
	st := new(tsne.State)
	if err := l.Save(ctx, st); err != nil {
		s.Fatal(err)
	}
	return st
}

// tsneBits: units may be split, and a map that was saved goes on as if it had not been.
func tsneBits(s *suite) {
	ctx := context.Background()
	d, free := s.device()
	defer free()
	const n, units = 150, 76
	_, p := s.affinities(n, 12)
	for dims := 2; dims <= 3; dims++ {
		for _, m := range d.Traits(dims).Methods {
			o := tsne.DefaultsIn(dims)
			o.Method, o.Until, o.Total = m, 30, 0
			y := tsne.RandomStart(n, dims, 1)
			whole := s.state(d, p.Sparse(), y, o, units)
			split := s.state(d, p.Sparse(), y, o, 1, 2, 4, 24, 13, 3, 29)
			if !slices.Equal(whole.Y, split.Y) || !slices.Equal(whole.Gain, split.Gain) || whole.Units != units {
				s.Errorf("%s in %dD: units depend on how they are split", m, dims)
			}
			for _, at := range []int{30, 53} {
				l, err := tsne.Continue(ctx, d, p.Sparse(), s.state(d, p.Sparse(), y, o, at), o)
				if err != nil {
					s.Fatal(err)
				}
				_, err = l.Step(ctx, units-at)
				again := new(tsne.State)
				if err = errors.Join(err, l.Save(ctx, again)); err != nil {
					s.Fatal(err)
				}
				l.Close()
				if !slices.Equal(whole.Y, again.Y) || !slices.Equal(whole.V, again.V) {
					s.Errorf("%s in %dD: a map saved at unit %d goes on otherwise", m, dims, at)
				}
			}
		}
	}
}

// tsneHeld: what is held stays, others follow it; what is let go moves again.
func tsneHeld(s *suite) {
	ctx := context.Background()
	d, free := s.device()
	defer free()
	const n = 120
	_, p := s.affinities(n, 12)
	for dims := 2; dims <= 3; dims++ {
		for _, m := range d.Traits(dims).Methods {
			o := tsne.DefaultsIn(dims)
			o.Method, o.Until, o.Total = m, 40, 0
			l, err := tsne.Start(ctx, d, p.Sparse(), tsne.RandomStart(n, dims, 1), o)
			if err != nil {
				s.Fatal(err)
			}
			ids := []int32{7, 3, 119}
			place := make([]float32, len(ids)*dims)
			for c := range place {
				place[c] = 60 + float32(c)
			}
			_, err = l.Step(ctx, 70)
			before := embedsom.NewHostTarget(n, dims)
			err = errors.Join(err, l.Positions(ctx, before), l.Hold(ctx, ids, place))
			_, err2 := l.Step(ctx, 21)
			held := embedsom.NewHostTarget(n, dims)
			if err = errors.Join(err, err2, l.Positions(ctx, held)); err != nil {
				s.Fatal(err)
			}
			for k, id := range ids {
				if at := held.Data[int(id)*dims : int(id+1)*dims]; !slices.Equal(at, place[k*dims:(k+1)*dims]) {
					s.Fatalf("%s in %dD: point %d is held at %v and lies at %v", m, dims, id, place, at)
				}
			}
			if slices.Equal(before.Data[:3*dims], held.Data[:3*dims]) {
				s.Errorf("%s in %dD: others do not move while some are held", m, dims)
			}
			// Affinities of another perplexity, and released.
			_, q := s.affinities(n, 5)
			err = errors.Join(l.Release(ctx, ids), l.Swap(ctx, q.Sparse()))
			_, err2 = l.Step(ctx, 5)
			if err = errors.Join(err, err2, l.Positions(ctx, held)); err != nil {
				s.Fatal(err)
			}
			if slices.Equal(held.Data[7*dims:8*dims], place[:dims]) || len(l.Held()) != 0 {
				s.Errorf("%s in %dD: a point that was let go stays", m, dims)
			}
			l.Close()
		}
	}
}

// tsneOdd: maps far from the origin, on a line, on a spot, with an outlier; none and one point.
func tsneOdd(s *suite) {
	ctx := context.Background()
	d, free := s.device()
	defer free()
	for dims := 2; dims <= 3; dims++ {
		for _, m := range d.Traits(dims).Methods {
			for _, n := range []int{0, 1, 3, 70} {
				_, p := s.affinities(n, 30)
				for name, y := range map[string][]float32{
					"far": s.spread(n, dims, 3, 1e5), "spot": make([]float32, n*dims), "line": s.spread(n, dims, 3, 0),
					"outlier": s.spread(n, dims, 1, 0), "huge": s.spread(n, dims, 1e8, 0),
				} {
					for i := range n {
						if name == "line" {
							y[i*dims+1] = 0
						}
						if name == "outlier" && i == n-1 {
							y[i*dims] = 1e5
						}
					}
					o := tsne.DefaultsIn(dims)
					o.Method, o.Until, o.Total = m, 5, 12
					l, err := tsne.Start(ctx, d, p.Sparse(), y, o)
					if err != nil {
						s.Fatal(err)
					}
					got, err := l.Step(ctx, 1000)
					out := embedsom.NewHostTarget(n, dims)
					at := tsne.Evaluation{Repulsion: make([]float32, n*dims)}
					if err = errors.Join(err, l.Positions(ctx, out), l.Evaluate(ctx, &at)); err != nil {
						s.Fatal(err)
					}
					l.Close()
					bad := func(v float32) bool { return v-v != 0 }
					if !got.Rest || n > 1 && got.Done != 12 || slices.ContainsFunc(out.Data, bad) ||
						slices.ContainsFunc(at.Repulsion, bad) || at.KL-at.KL != 0 {
						s.Errorf("%s in %dD: %d points, %s: %+v, KL %g", m, dims, n, name, got, at.KL)
					}
				}
			}
		}
	}
}

// tsneFar: forces in maps that lie far from the origin are those of the places as float32 has them.
func tsneFar(s *suite) {
	d, free := s.device()
	defer free()
	const n = 120
	_, p := s.affinities(n, 12)
	for dims := 2; dims <= 3; dims++ {
		for _, offset := range []float64{1e4, 1e6} {
			y := s.spread(n, dims, 3, offset)
			want := reference(p, y, dims)
			for _, m := range d.Traits(dims).Methods {
				most, ours := tsneErrors[m]
				if !ours {
					continue
				}
				o := tsne.DefaultsIn(dims)
				o.Method = m
				out := tsne.Evaluation{Attraction: make([]float32, n*dims), Repulsion: make([]float32, n*dims)}
				l, err := tsne.Start(s.Context(), d, p.Sparse(), y, o)
				if err == nil {
					err = l.Evaluate(s.Context(), &out)
					l.Close()
				}
				if err != nil {
					s.Fatal(err)
				}
				a, r := apart(out.Attraction, want.Attraction), apart(out.Repulsion, want.Repulsion)
				if z := math.Abs(out.Z/want.Z - 1); !(a < 3e-5) || !(r < most[0]) || !(z < most[1]) {
					s.Errorf("%s in %dD, %g from the origin: attraction is off by %.2g, repulsion by %.2g, Z by "+
						"%.2g", m, dims, offset, a, r, z)
				}
			}
		}
	}
}

// tsneEnds: a run ends as well as one in float64 with all pairs, and stops when it is told to.
func tsneEnds(s *suite) {
	ctx := context.Background()
	d, free := s.device()
	defer free()
	x, p := s.affinities(200, 20)
	for dims := 2; dims <= 3; dims++ {
		o := tsne.DefaultsIn(dims)
		o.Perplexity, o.Until, o.Total = 20, 60, 160
		exact, err := tsne.Exactly(ctx, x, o)
		must(s, err)
		_, err = exact.Step(ctx, 160)
		must(s, err)
		var ref tsne.Evaluation
		must(s, exact.Evaluate(ctx, &ref))
		y, err := tsne.PCAStart(ctx, x, dims, o.Seed)
		must(s, err)
		for _, m := range append(d.Traits(dims).Methods, tsne.Auto) {
			if _, ours := tsneErrors[m]; !ours && m != tsne.Auto {
				continue
			}
			o.Method = m
			st := s.state(d, p.Sparse(), y, o, 1000)
			got := reference(p, st.Y, dims)
			if st.Units != 160 || !(got.KL < 1.1*ref.KL+0.02) {
				s.Errorf("%s in %dD: KL %g after %d units, with all pairs %g", m, dims, got.KL, st.Units, ref.KL)
			}
		}
		done, cancel := context.WithCancel(ctx)
		cancel()
		l, err := tsne.Start(ctx, d, p.Sparse(), y, o)
		if err != nil {
			s.Fatal(err)
		}
		if got, err := l.Step(done, 10); !errors.Is(err, context.Canceled) || got.Done != 0 {
			s.Errorf("cancelled: %+v, %v", got, err)
		}
		l.Close()
	}
}
