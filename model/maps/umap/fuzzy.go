package umap

import "math"

// How the width of a neighbourhood is found: in so many halvings and doublings at most, which lead from 1 to any
// number, to this error; and the part of the mean distance that it is at least.
const (
	widthRounds = 2200
	widthError  = 1e-5
	leastWidth  = 1e-3
)

// Neighbourhood is how near the others are to a point: Rho is the distance of the nearest that is not on its spot, and
// 0 where all are; Sigma is how fast membership falls beyond that.
type Neighbourhood struct{ Rho, Sigma float64 }

// Around finds the neighbourhood of a point from the distances of its others, nearest first, such that their
// memberships add up to log2 of how many points that are, itself included. mean is the mean distance over all
// neighbourhoods, each with its own point.
func Around(distances []float64, mean float64) Neighbourhood {
	var h Neighbourhood
	own := 0.0
	for _, d := range distances {
		if h.Rho == 0 {
			h.Rho = d
		}
		own += d
	}
	if h.Rho > 0 {
		mean = own / float64(len(distances)+1)
	}
	h.Sigma = width(distances, h.Rho, math.Log2(float64(len(distances)+1)), leastWidth*mean)
	return h
}

// width is the sigma at which the memberships add up to want, by halving, and least if it lies below that.
func width(distances []float64, rho, want, least float64) float64 {
	lo, hi, sigma := 0.0, math.Inf(1), 1.0
	for range widthRounds {
		h, sum := Neighbourhood{rho, sigma}, 0.0
		for _, d := range distances {
			sum += h.Member(d)
		}
		switch {
		case math.Abs(sum-want) < widthError:
			return max(sigma, least)
		case sum > want:
			if hi = sigma; hi <= least {
				return least
			}
			sigma = (lo + hi) / 2
		case math.IsInf(hi, 1):
			lo = sigma
			sigma *= 2
		default:
			lo = sigma
			sigma = (lo + hi) / 2
		}
		if sigma == lo || sigma == hi { // there is no number between
			break
		}
	}
	return max(sigma, least)
}

// Member is how much a point at this distance belongs to the neighbourhood, 0 to 1.
func (h Neighbourhood) Member(distance float64) float64 {
	if distance <= h.Rho || h.Sigma == 0 {
		return 1
	}
	return math.Exp(-(distance - h.Rho) / h.Sigma)
}
