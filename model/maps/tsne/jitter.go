package tsne

import (
	"context"

	"blossom/model/base/par"
	"blossom/model/maps/places"
)

// Jitter adds normal noise of this deviation to all coordinates. It depends on seed, time and index alone.
func Jitter(y []float64, seed, time uint64, deviation float64) {
	_ = par.Blocks(context.Background(), len(y), 1<<12, func(_, from, to int) { // whole, or not at all
		for c := from; c < to; c++ {
			y[c] += deviation * places.Normal(seed, time, uint64(c))
		}
	})
}
