package tsne

import (
	"context"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/maps/places"
)

// Double is the Device that computes in float64, with all pairs: slow, and what others are judged by. Positions,
// velocities and gains are rounded to float32 after each unit, as others keep them.
func Double() Device { return double{} }

// Exactly starts a map of the rows of x (n x d, finite) on Double, from their first principal components. The error is
// a problem.Problem, or ctx's.
func Exactly(ctx context.Context, x matrix.Matrix32, o Options) (*Forming, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	p, err := Affine(ctx, x, o.Perplexity)
	if err != nil {
		return nil, err
	}
	y, err := PCAStart(ctx, x, o.Dims, o.Seed)
	if err != nil {
		return nil, err
	}
	return Start(ctx, Double(), p.Sparse(), y, o)
}

type double struct{}

func (double) Traits(int) Traits { return Traits{Methods: []Method{Exact}, Exact: math.MaxInt32} }

func (double) Open(ctx context.Context, p *Sparse, dims int) (Body, error) {
	b := &doubleBody{dims: dims}
	return b, b.Swap(ctx, p)
}

type doubleBody struct {
	p    *Affinities
	dims int
	y, g []float64
	held map[int32]bool
	z    float64
	Motion
	Forces
}

func (b *doubleBody) Load(ctx context.Context, s *State) error {
	wide := func(v []float32) []float64 {
		out := make([]float64, len(v))
		for c, x := range v {
			out[c] = float64(x)
		}
		return out
	}
	b.y, b.V, b.Gain, b.g = wide(s.Y), wide(s.V), wide(s.Gain), make([]float64, len(s.Y))
	b.held = map[int32]bool{}
	for _, id := range s.Held {
		b.held[id] = true
	}
	return ctx.Err()
}

func (b *doubleBody) Save(ctx context.Context, s *State) error {
	s.Y, s.V, s.Gain = narrow(b.y), narrow(b.V), narrow(b.Gain)
	s.Held = s.Held[:0]
	for id := range b.held {
		s.Held = append(s.Held, id)
	}
	slices.Sort(s.Held)
	return ctx.Err()
}

func (b *doubleBody) Swap(ctx context.Context, p *Sparse) error {
	b.p = &Affinities{N: p.N, Start: p.Start, Column: p.Column, Value: make([]float64, len(p.Value)),
		Perplexity: p.Perplexity, Entropy: p.Entropy}
	for e, v := range p.Value {
		b.p.Value[e] = float64(v)
	}
	return ctx.Err()
}

func (b *doubleBody) Advance(ctx context.Context, batch Batch) (int, error) {
	for unit := range batch.Units {
		if err := ctx.Err(); err != nil {
			return unit, err
		}
		b.Of(b.p, b.y, b.dims)
		b.z = b.Z
		b.Gradient(batch.E, b.g)
		b.Push(b.g, b.dims, batch.Mu, batch.Eta)
		for id := range b.held {
			clear(b.V[int(id)*b.dims : int(id+1)*b.dims])
		}
		for c, v := range b.V {
			b.y[c] += v
		}
		b.unshrink(batch.LeastRadius)
		if batch.Centre && unit == batch.Units-1 {
			b.centre()
		}
		for _, all := range [][]float64{b.y, b.V, b.Gain} {
			for c, v := range all {
				all[c] = float64(float32(v))
			}
		}
	}
	return batch.Units, nil
}

// unshrink scales a map up to this rms radius.
func (b *doubleBody) unshrink(least float64) {
	if least == 0 {
		return
	}
	sum := 0.0
	for _, v := range b.y {
		sum += v * v
	}
	if rms := math.Sqrt(sum / float64(b.p.N)); rms < least && rms > 0 {
		for c := range b.y {
			b.y[c] *= least / rms
			b.V[c] *= least / rms
		}
	}
}

func (b *doubleBody) centre() {
	column := make([]float64, b.p.N)
	for c := range b.dims {
		for i := range column {
			column[i] = b.y[i*b.dims+c]
		}
		mean := Total(column) / float64(b.p.N)
		for i := range column {
			b.y[i*b.dims+c] -= mean
		}
	}
}

func (b *doubleBody) Measure(ctx context.Context) (Measure, error) {
	m := Measure{Z: b.z}
	if b.p.N == 0 {
		return m, ctx.Err()
	}
	for c := range b.dims {
		m.Lo[c], m.Hi[c] = math.Inf(1), math.Inf(-1)
		for i := c; i < len(b.y); i += b.dims {
			m.Lo[c], m.Hi[c] = min(m.Lo[c], b.y[i]), max(m.Hi[c], b.y[i])
		}
	}
	for _, v := range b.V {
		m.Step += v * v
	}
	m.Step = math.Sqrt(m.Step / float64(b.p.N))
	return m, ctx.Err()
}

func (b *doubleBody) Evaluate(ctx context.Context, _ Plan, out *Evaluation) error {
	b.Of(b.p, b.y, b.dims)
	for _, f := range []struct {
		to   []float32
		from []float64
	}{{out.Attraction, b.Attraction}, {out.Repulsion, b.Repulsion}} {
		for c := range f.to {
			f.to[c] = float32(f.from[c])
		}
	}
	out.Z, out.KL = b.Z, b.KL
	return ctx.Err()
}

func (b *doubleBody) Hold(ctx context.Context, ids []int32, places []float32) error {
	for k, id := range ids {
		b.held[id] = true
		for c := range b.dims {
			b.y[int(id)*b.dims+c], b.V[int(id)*b.dims+c] = float64(places[k*b.dims+c]), 0
		}
	}
	return ctx.Err()
}

func (b *doubleBody) Release(ctx context.Context, ids []int32) error {
	for _, id := range ids {
		delete(b.held, id)
		for c := int(id) * b.dims; c < int(id+1)*b.dims; c++ {
			b.V[c], b.Gain[c] = 0, 1
		}
	}
	return ctx.Err()
}

func (b *doubleBody) Positions(ctx context.Context, dst places.Target) error {
	copy(dst.Host(), narrow(b.y))
	dst.Upload(0, b.p.N)
	return ctx.Err()
}

func (b *doubleBody) Close() {}
