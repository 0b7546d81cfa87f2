// Package quality measures how well the neighbours of points in their space are kept on a map of them: any positions
// in two or three dimensions. All measures are of ranks: the rank of j for i in the space is r_ij = 1 for the nearest
// other point of i, 2 for the next and so on, that on the map is s_ij; of two points at one distance the one with the
// lower index is nearer. Distances are Euclidean, in float64 from differences of coordinates.
//
// With n points measured among each other:
//
//	Q_NX(K)  = sum_i |{j: r_ij <= K and s_ij <= K}| / (nK)
//	R_NX(K)  = ((n-1) Q_NX(K) - K) / (n-1-K)         1: all neighbours kept, 0: as many as by chance
//	AUC      = sum_K R_NX(K)/K / sum_K 1/K           K from 1 to n-2
//	T(K)     = 1 - 2/(nK(2n-3K-1)) sum_i sum_{j: s_ij <= K < r_ij} (r_ij - K)    trustworthiness
//	C(K)     = 1 - 2/(nK(2n-3K-1)) sum_i sum_{j: r_ij <= K < s_ij} (s_ij - K)    continuity
//
// Sources: Lee, Peluffo-Ordóñez, Verleysen, "Multi-scale similarities in stochastic neighbour embedding",
// Neurocomputing 169 (2015), for R_NX and its area; Venna, Kaski, "Neighborhood preservation in nonlinear projection
// methods", ICANN (2001), for the others.
package quality

import "math"

// Neighbours is the K at which R_NX is told as one number, where there are enough points for it.
const Neighbours = 32

// Trusted is the K of trustworthiness and continuity.
const Trusted = 12

// K returns the K at which R_NX of n points is told: Neighbours, or half of the other points.
func K(n int) int { return max(0, min(Neighbours, (n-1)/2)) }

// Result is the quality of a map.
type Result struct {
	Points int       // n, those measured among each other: with a place in the space and on the map
	RNX    []float64 // R_NX(K) at K-1, for K from 1 to n-2; empty for fewer than three points
	// Error is the standard error of R_NX(K(n)) by the points of which it is the mean: what another sample of as
	// many would differ by.
	Error           float64
	AUC             float64 // mean of RNX over log K
	Trustworthiness float64 // at Trusted; NaN for 24 points or fewer
	Continuity      float64 // at Trusted; NaN for 24 points or fewer
}

// At returns R_NX(K), NaN where it is not defined.
func (r *Result) At(k int) float64 {
	if r == nil || k < 1 || k > len(r.RNX) {
		return math.NaN()
	}
	return r.RNX[k-1]
}

// Value is the one number: R_NX at K(Points).
func (r *Result) Value() float64 {
	if r == nil {
		return math.NaN()
	}
	return r.At(K(r.Points))
}

// rnx is R_NX where a share q of the k nearest of n-1 other points is kept.
func rnx(q float64, n, k int) float64 {
	return (float64(n-1)*q - float64(k)) / float64(n-1-k)
}

// area is the mean of a curve over log K.
func area(curve []float64) float64 {
	sum, weight := 0.0, 0.0
	for i, v := range curve {
		sum += v / float64(i+1)
		weight += 1 / float64(i+1)
	}
	return sum / weight
}

// penalty turns a sum of ranks beyond k, over so many of n points, into trustworthiness or continuity.
func penalty[T int64 | float64](sum T, points, n, k int) float64 {
	if points == 0 || n <= 2*k {
		return math.NaN()
	}
	return 1 - 2*float64(sum)/(float64(points)*float64(k)*float64(2*n-3*k-1))
}
