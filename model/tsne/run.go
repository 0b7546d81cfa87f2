package tsne

import (
	"context"
	"math"

	"blossom/model/matrix"
	"blossom/model/pca"
	"blossom/model/problem"
	"blossom/model/step"
)

// Options say how a map is made.
type Options struct {
	Dims         int     // 2 or 3
	Perplexity   float64 // 1 or more
	Exaggeration float64 // of attraction at first
	Until        int     // units with exaggeration
	Total        int     // units in all; 0: until it rests
	Seed         uint64
}

// Defaults are the options of a map on the plane.
func Defaults() Options {
	return Options{Dims: 2, Perplexity: 30, Exaggeration: 12, Until: 250, Total: 1000}
}

// Schedule is how points are moved in a unit: attraction is e times as strong while a map forms, and momentum small.
func (o Options) Schedule(unit, n int) (e, mu, eta float64) {
	if unit < o.Until {
		return o.Exaggeration, 0.5, float64(n) / o.Exaggeration
	}
	return 1, 0.8, float64(n)
}

// The start of a map and what is done to one that shrinks, in its units.
const (
	startDeviation = 1e-4
	startJitter    = 1e-6
	leastRadius    = 1e-6
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
	if o.Dims != 2 && o.Dims != 3 || !(o.Perplexity >= 1) || !(o.Exaggeration >= 1) || o.Until < 0 || o.Total < 0 {
		return nil, problem.New("", "take 2 or 3 dimensions, a perplexity and an exaggeration of 1 or more",
			"t-SNE cannot be run with %d dimensions, perplexity %g and exaggeration %g", o.Dims, o.Perplexity,
			o.Exaggeration)
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
	return r, r.start(ctx, x)
}

// start puts the points on their first principal components, the first of which gets a deviation of 1e-4.
func (r *Run) start(ctx context.Context, x matrix.Matrix32) error {
	axes, err := pca.Fit(ctx, x, nil)
	if err != nil {
		return err
	}
	dims := r.options.Dims
	f := 0.0
	if axes.Variance[0] > 0 {
		f = startDeviation / math.Sqrt(axes.Variance[0])
	}
	for i := range x.Rows {
		for c := range dims {
			at := 0.0
			for j, v := range x.Row(i) {
				at += (float64(v) - axes.Mean[j]) * axes.Axis[c][j]
			}
			r.Y[i*dims+c] = f * at
		}
	}
	Jitter(r.Y, r.options.Seed, 0, startJitter)
	return nil
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
