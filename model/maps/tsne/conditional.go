package tsne

import (
	"math"
	"slices"
)

// How well, and in how many rounds, the perplexity is met. Newton doubles the digits in a round, so that many cost one
// round more than the few that would do.
const (
	entropyError  = 1e-9
	entropyRounds = 60
	usualBeta     = 4 // times the mean distance: that of a third of the neighbours, in some dozens of dimensions
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
	w := make([]float64, len(out))
	beta, sum := betaOf(out, mean, u, w)
	for j, v := range w {
		out[j] = v / sum
	}
	return beta
}

// betaOf finds the beta at which exp(-beta d) has perplexity u, for distances whose least is 0 and whose mean is given:
// by Newton's steps on its logarithm, halving where they would leave what is known of it. The weights are w then, and
// sum what they sum up to.
func betaOf(distances []float64, mean, u float64, w []float64) (beta, sum float64) {
	want := logarithm(u)
	lo, hi := math.Inf(-1), math.Inf(1) // between which the logarithm lies
	log := logarithm(usualBeta / mean)
	for round := 0; ; round++ {
		b := exponential(log)
		s, sd, sdd := weigh(distances, b, w)
		off := logarithm(s) + b*sd/s - want
		if math.Abs(off) <= entropyError || round == entropyRounds {
			return b, s
		}
		if off > 0 {
			lo = log
		} else {
			hi = log
		}
		next := log + off/(b*b*(sdd/s-float64(sd*sd/(s*s))))
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
}
