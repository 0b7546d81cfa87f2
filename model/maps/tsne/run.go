package tsne

import (
	"context"
	"math"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
)

// The start of a map and what is done to one that shrinks, in its units.
const (
	leastRadius = 1e-6
	// PartJitter parts points with equal rows of affinities when exaggeration, which has made them coincide, ends.
	PartJitter = 1e-3
	meanEvery  = 50
	restStep   = 1e-4
	restUnits  = 50
)

// Run is a map that forms. It is used from one goroutine.
type Run struct {
	P     *Affinities
	Y     []float64 // n x Dims
	Units int
	Motion
	Forces

	options Options
	g       []float64
	still   int
	rest    bool
}

// New starts a map of the rows of x (n x d, finite) from their first principal components. The error is a
// problem.Problem, or ctx's.
func New(ctx context.Context, x matrix.Matrix32, o Options) (*Run, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	p, err := Affine(ctx, x, o.Perplexity)
	if err != nil {
		return nil, err
	}
	r := &Run{P: p, options: o, Y: make([]float64, x.Rows*o.Dims), g: make([]float64, x.Rows*o.Dims),
		Motion: NewMotion(x.Rows * o.Dims)}
	if x.Rows < 2 {
		r.rest = true
		return r, nil
	}
	r.Y, err = components(ctx, x, o.Dims, o.Seed)
	return r, err
}

// Step does units of the schedule. Splitting them changes nothing.
func (r *Run) Step(ctx context.Context, units int) (step.Progress, error) {
	for range units {
		if err := ctx.Err(); err != nil {
			return r.progress(), err
		}
		if r.rest {
			break
		}
		r.unit()
	}
	return r.progress(), nil
}

func (r *Run) progress() step.Progress {
	return step.Progress{Done: int64(r.Units), Total: int64(r.options.Total), Rest: r.rest}
}

func (r *Run) unit() {
	o, dims := r.options, r.options.Dims
	if r.Units == o.Until && o.Until > 0 {
		Jitter(r.Y, o.Seed, uint64(r.Units), PartJitter)
	}
	e, mu, eta := o.Schedule(r.Units, r.P.N)
	r.Of(r.P, r.Y, dims)
	r.Gradient(e, r.g)
	r.Push(r.g, dims, mu, eta)
	for c, v := range r.V {
		r.Y[c] += v
	}
	r.Units++
	if r.Units%meanEvery == 0 {
		r.centre()
	}
	if r.Units < o.Until {
		r.unshrink()
	}
	r.settle()
}

// centre takes the mean away.
func (r *Run) centre() {
	dims := r.options.Dims
	column := make([]float64, r.P.N)
	for c := range dims {
		for i := range column {
			column[i] = r.Y[i*dims+c]
		}
		mean := total(column) / float64(r.P.N)
		for i := range column {
			r.Y[i*dims+c] -= mean
		}
	}
}

// unshrink keeps small dense sets from becoming a point under exaggeration.
func (r *Run) unshrink() {
	sum := 0.0
	for _, v := range r.Y {
		sum += v * v
	}
	if rms := math.Sqrt(sum / float64(r.P.N)); rms < leastRadius && rms > 0 {
		f := leastRadius / rms
		for c := range r.Y {
			r.Y[c] *= f
			r.V[c] *= f
		}
	}
}

// settle sees whether it is done, or rests.
func (r *Run) settle() {
	o, dims := r.options, r.options.Dims
	if r.Units == o.Total {
		r.rest = true
		return
	}
	sum, extent := 0.0, 0.0
	for _, v := range r.V {
		sum += v * v
	}
	for c := range dims {
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := c; i < len(r.Y); i += dims {
			lo, hi = min(lo, r.Y[i]), max(hi, r.Y[i])
		}
		extent = max(extent, hi-lo)
	}
	r.still++
	if r.Units <= o.Until || math.Sqrt(sum/float64(r.P.N)) >= restStep*extent {
		r.still = 0
	}
	r.rest = r.still >= restUnits
}
