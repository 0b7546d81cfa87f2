package umap

import (
	"math"

	"blossom/model/maps/places"
)

// Parts is how many sub-steps an epoch has. Those edges of a point that act in an epoch are dealt to them in turn, and
// all points move at once in each: in whole epochs points overshoot (docs/umap.md has the measurements).
const Parts = 4

// Rate is how often an edge of this weight acts, as a part of 2^32, less 1: of the epochs e = 1, 2, ... in those in
// which floor(e weight / most) is another than in the epoch before.
func Rate(weight, most float32) uint32 {
	return uint32(max(1, min(math.Ceil(float64(weight)/float64(most)*(1<<32)), 1<<32)) - 1)
}

// Rates are those of all edges of a graph.
func Rates(g *Graph) []uint32 {
	out := make([]uint32, len(g.Weight))
	rows(len(out), func(from, to int) {
		for e := from; e < to; e++ {
			out[e] = Rate(g.Weight[e], g.Most)
		}
	})
	return out
}

// Acts says whether an edge of this rate acts in an epoch, counted from 1: all modulo 2^32.
func Acts(rate uint32, epoch int) bool { return uint32(epoch)*(rate+1) <= rate }

// Keys are what the random numbers of a sub-step depend on.
func Keys(seed uint64, epoch, part int) (a, b uint32) {
	h := places.Mix(places.Mix(places.Mix(seed)^uint64(epoch)) ^ uint64(part))
	return uint32(h), uint32(h >> 32)
}

// Drawn is a point of n that depends on its arguments alone: the finisher of a hash, keyed twice.
func Drawn(counter, a, b uint32, n int) int {
	return int(uint64(hash(counter, a, b)) * uint64(n) >> 32)
}

func hash(x, a, b uint32) uint32 {
	x ^= a
	x ^= x >> 16
	x *= 0x7feb352d
	x ^= b
	x ^= x >> 15
	x *= 0x846ca68b
	return x ^ x>>16
}

// Apart is how point i is pushed from a point j on its spot: a direction of length clip that is drawn for the pair,
// the opposite one for j.
func Apart(i, j, dims int) (push [3]float64) {
	h := hash(uint32(min(i, j)), 0x9e3779b9, uint32(max(i, j)))
	square := 0.0
	for c := range dims {
		push[c] = float64(h>>(10*c)&1023) - 511.5
		square += push[c] * push[c]
	}
	f := clip / math.Sqrt(square)
	if i > j {
		f = -f
	}
	for c := range push {
		push[c] *= f
	}
	return push
}
