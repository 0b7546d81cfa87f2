package train

import (
	"blossom/model/base/matrix"
	"blossom/model/base/step"
)

func init() {
	alphaFrom, alphaTo := paramAlphaFrom, paramAlphaTo
	alphaFrom.Default, alphaTo.Default = 0.1, 0.01
	Register(Algorithm{
		ID: "kmeans", Title: "k-means, online", Order: 3,
		Help: "Takes points at random; the nearest landmark moves towards each, all others a little. Positions " +
			"on the map play no part.",
		Params:  []step.Param{paramEpochs, alphaFrom, alphaTo, paramGravity, paramFall, paramAlpha},
		Centres: true, Length: samplesLength,
		Suggest: func(n int, pos matrix.Matrix32) step.Values {
			return step.Values{"epochs": suggestEpochs(n, pos)}
		},
		New: func(in Input, v step.Values) (Trainer, error) {
			return newOnline(in, v, &online{learn: learnKMeans, plan: func(o *online, t float64) {
				o.alpha = o.values.alpha(alphaFrom, alphaTo, t)
			}})
		},
		Plan: func(v step.Values, t float64) map[string]float64 {
			return map[string]float64{"alpha": set{v}.fall(alphaFrom, alphaTo, t)}
		},
	})
}

// learnKMeans is BlosSOM's online k-means: c_b += alpha (x - c_b), and for every other landmark
// c_i += gravity alpha / g (x - c_i).
func learnKMeans(o *online, bmu, b int, h *[laneCount]float32) (moves bool) {
	if gravity := o.values.get(paramGravity); gravity > 0 {
		share := float32(gravity * o.alpha / float64(o.code.Rows))
		for i := range h {
			h[i] = share
		}
		moves = true
	}
	if i := bmu - b*laneCount; i >= 0 && i < laneCount {
		h[i] = float32(o.alpha)
		moves = true
	}
	return moves
}
