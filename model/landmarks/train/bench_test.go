package train

import (
	"fmt"
	"testing"

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
