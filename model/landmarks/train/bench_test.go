package train

import (
	"context"
	"fmt"
	"testing"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/base/step"
)

// BenchmarkStep tells the time of one unit for 400 landmarks: a sample online, a point in a batch.
// Sigma is as wide as in the middle of a run.
func BenchmarkStep(b *testing.B) {
	pos := grid(20, 20)
	for _, d := range []int{3, 10, 30} {
		x := random(50_000, d, 1, uniform)
		for _, id := range []string{"som", "som-batch", "kmeans", "lloyd"} {
			b.Run(fmt.Sprintf("%s/d=%d", id, d), func(b *testing.B) {
				tr := open(b, id, Input{X: x, Codebook: random(400, d, 2, uniform), Pos: pos, Seed: 1},
					step.Values{"epochs": 0, "sigma_from": 2.5})
				b.ResetTimer()
				if _, err := tr.Step(background, b.N); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// BenchmarkBesideADevice tells the time of all of an epoch but what a device does: of 400 landmarks 200 have no points.
func BenchmarkBesideADevice(b *testing.B) {
	x := random(1_000_000, 30, 1, uniform)
	code := random(400, 30, 2, uniform)
	bmu := make([]int32, x.Rows)
	for i := range bmu {
		bmu[i] = int32(i % 200)
	}
	nothing := func(_ context.Context, _ matrix.Matrix32, from, to int, out []int32, _ []float32, _ []exact.Sum,
		counts []int64) error {
		copy(out, bmu[from:to])
		for c := range 200 {
			counts[c] += int64((to - from) / 200)
		}
		counts[0] += int64((to - from) % 200)
		return nil
	}
	tr := open(b, "lloyd", Input{X: x, Codebook: code, Pos: grid(20, 20), Seed: 1, Summer: odd{sum: nothing}},
		step.Values{"epochs": 0})
	for b.Loop() {
		if _, err := tr.Step(background, x.Rows); err != nil {
			b.Fatal(err)
		}
	}
}
