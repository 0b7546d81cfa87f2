package tsne

import "blossom/model/maps/places"

// Jitter adds normal noise of this deviation to all coordinates. It depends on seed, time and index alone.
func Jitter(y []float64, seed, time uint64, deviation float64) {
	for c := range y {
		y[c] += deviation * places.Normal(seed, time, uint64(c))
	}
}
