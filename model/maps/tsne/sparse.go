package tsne

import (
	"math"

	"blossom/model/base/problem"
)

// Sparse are affinities as devices take them: p_ij, symmetric, with sum 1 and no diagonal, by rows: those of point i
// are Start[i]..Start[i+1], columns rising. They do not change once made.
type Sparse struct {
	N      int
	Start  []int64 // n + 1
	Column []int32
	Value  []float32
	// Perplexity is the one that was used: that which was asked for, or what so few points allow.
	Perplexity float64
	// Entropy is the sum of p ln p.
	Entropy float64
}

// Edges is how many affinities there are, each pair twice.
func (p *Sparse) Edges() int64 { return int64(len(p.Column)) }

// Sparse rounds affinities to float32.
func (p *Affinities) Sparse() *Sparse {
	s := &Sparse{N: p.N, Start: p.Start, Column: p.Column, Value: make([]float32, len(p.Value)),
		Perplexity: p.Perplexity, Entropy: p.Entropy}
	for e, v := range p.Value {
		s.Value[e] = float32(v)
	}
	return s
}

// Affinities are the same in float64, for the reference.
func (p *Sparse) Affinities() *Affinities {
	a := &Affinities{N: p.N, Start: p.Start, Column: p.Column, Value: make([]float64, len(p.Value)),
		Perplexity: p.Perplexity, Entropy: p.Entropy}
	for e, v := range p.Value {
		a.Value[e] = float64(v)
	}
	return a
}

// Check says (problem.Problem) what is wrong with affinities from elsewhere. It looks at every one of them.
func (p *Sparse) Check() error {
	wrong := func(format string, args ...any) error {
		return problem.New("", "this is a defect of the program", format, args...)
	}
	if p.N < 0 || p.N > math.MaxInt32 || len(p.Start) != p.N+1 || len(p.Column) != len(p.Value) ||
		p.Start[0] != 0 || p.Start[p.N] != p.Edges() {
		return wrong("affinities of %d points have %d starts, %d columns and %d values", p.N, len(p.Start),
			len(p.Column), len(p.Value))
	}
	for i := range p.N {
		if p.Start[i+1] < p.Start[i] || p.Start[i+1] > p.Edges() {
			return wrong("row %d of the affinities begins at %d and ends at %d", i, p.Start[i], p.Start[i+1])
		}
		last := int32(-1)
		for e := p.Start[i]; e < p.Start[i+1]; e++ {
			if c, v := p.Column[e], p.Value[e]; c <= last || int(c) >= p.N || int(c) == i || !(v >= 0) {
				return wrong("row %d of the affinities has %g in column %d", i, v, c)
			}
			last = p.Column[e]
		}
	}
	return nil
}
