package tsne

import (
	"context"
	"math"
	"slices"

	"blossom/model/matrix"
)

// Affinities are p_ij, symmetric, with sum 1 and no diagonal, by rows: those of point i are Start[i]..Start[i+1],
// columns rising.
type Affinities struct {
	N      int
	Start  []int64
	Column []int32
	Value  []float64
	// Perplexity is the one that was used: that which was asked for, or what so few points allow.
	Perplexity float64
	// Entropy is the sum of p ln p.
	Entropy float64
}

// Allowed returns the perplexity that n points allow, (n-1)/3 at most, and how many neighbours it takes.
func Allowed(n int, perplexity float64) (used float64, k int) {
	used, k = perplexity, int(math.Floor(3*perplexity))
	if most := float64(n-1) / 3; !(used <= most) {
		used, k = most, n-1
	}
	return used, max(0, min(k, n-1))
}

// Affine finds the affinities of the rows of x at this perplexity. The error is ctx's.
func Affine(ctx context.Context, x matrix.Matrix32, perplexity float64) (*Affinities, error) {
	_, k := Allowed(x.Rows, perplexity)
	near, err := Nearest(ctx, x, k)
	if err != nil {
		return nil, err
	}
	return near.Affine(perplexity), nil
}

// Affine finds the affinities at this perplexity among neighbours that were found for it or for a larger one.
func (o *Neighbours) Affine(perplexity float64) *Affinities {
	u, k := Allowed(o.N, perplexity)
	k = min(k, o.K)
	c := make([]float64, o.N*k)
	rows(o.N, func(from, to int) {
		for i := from; i < to; i++ {
			own := c[i*k : (i+1)*k]
			if o.N <= 4 {
				for j := range own {
					own[j] = 1 / float64(o.N-1)
				}
			} else {
				Conditional(o.Distance[i*o.K:i*o.K+k], u, own)
			}
		}
	})
	p := symmetric(o, c, k)
	p.Perplexity = u
	return p
}

// How well, and in how many rounds, the perplexity is met.
const (
	entropyError  = 2e-6
	entropyRounds = 60
)

// Conditional writes c_j|i to out, for the squared distances of the neighbours of a point: exp(-beta D_j), brought to
// sum 1, with the beta at which their perplexity is u. It returns beta, which is infinite where u or more neighbours
// are equally near: those then share.
func Conditional(distances []float64, u float64, out []float64) (beta float64) {
	least := slices.Min(distances)
	nearest, mean := 0, 0.0
	for j, d := range distances {
		out[j] = d - least // the entropy does not see the shift, exp does
		if out[j] == 0 {
			nearest++
		}
		mean += out[j]
	}
	mean /= float64(len(distances))
	if float64(nearest) >= u || !(mean > 0) {
		for j, d := range out {
			out[j] = 0
			if d == 0 {
				out[j] = 1 / float64(nearest)
			}
		}
		return math.Inf(1)
	}
	want := math.Log(u)
	lo, hi := math.Inf(-1), math.Inf(1) // of log beta
	log := -math.Log(mean)
	for range entropyRounds {
		b := math.Exp(log)
		var s, sd, sdd float64
		for _, d := range out {
			w := math.Exp(-b * d)
			s += w
			sd += w * d
			sdd += w * d * d
		}
		off := math.Log(s) + b*sd/s - want
		if math.Abs(off) <= entropyError {
			break
		}
		if off > 0 {
			lo = log
		} else {
			hi = log
		}
		next := log + off/(b*b*(sdd/s-sd*sd/(s*s)))
		switch {
		case next > lo && next < hi: // false for NaN too
		case math.IsInf(hi, 1):
			next = lo + 1
		case math.IsInf(lo, -1):
			next = hi - 1
		default:
			next = (lo + hi) / 2
		}
		log = next
	}
	beta = math.Exp(log)
	sum := 0.0
	for j, d := range out {
		out[j] = math.Exp(-beta * d)
		sum += out[j]
	}
	for j := range out {
		out[j] /= sum
	}
	return beta
}

// symmetric is p_ij = (c_j|i + c_i|j) / 2n, the union of both patterns.
func symmetric(o *Neighbours, c []float64, k int) *Affinities {
	n := o.N
	p := &Affinities{N: n, Start: make([]int64, n+1)}
	type entry struct {
		column int32
		value  float64
	}
	lists := make([][]entry, n)
	for i := range n {
		lists[i] = make([]entry, 0, 2*k)
	}
	for i := range n { // rising i: what comes from others is in order of columns
		for j := range k {
			to, v := o.Index[i*o.K+j], c[i*k+j]
			lists[i] = append(lists[i], entry{to, v})
			lists[to] = append(lists[to], entry{int32(i), v})
		}
	}
	rows(n, func(from, to int) {
		for i := from; i < to; i++ {
			l := lists[i]
			slices.SortStableFunc(l, func(a, b entry) int { return int(a.column) - int(b.column) })
			kept := l[:0]
			for _, e := range l {
				if last := len(kept) - 1; last >= 0 && kept[last].column == e.column {
					kept[last].value += e.value
				} else {
					kept = append(kept, e)
				}
			}
			lists[i] = kept
		}
	})
	sums := make([]float64, n)
	for i, l := range lists {
		p.Start[i+1] = p.Start[i] + int64(len(l))
		for _, e := range l {
			p.Column, p.Value = append(p.Column, e.column), append(p.Value, e.value)
			sums[i] += e.value
		}
	}
	sum := total(sums)
	for i := range n {
		sums[i] = 0
		for e := p.Start[i]; e < p.Start[i+1]; e++ {
			p.Value[e] /= sum
			if p.Value[e] > 0 {
				sums[i] += p.Value[e] * math.Log(p.Value[e])
			}
		}
	}
	p.Entropy = total(sums)
	return p
}
