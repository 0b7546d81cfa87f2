package train

import "blossom/model/step"

func init() {
	alphaFrom, alphaTo := paramAlphaFrom, paramAlphaTo
	alphaFrom.Default, alphaTo.Default = 0.1, 0.01
	Register(Algorithm{
		ID: "kmeans", Title: "k-means, online", Order: 3,
		Help:   "Takes points at random; the nearest landmark moves towards each, all others a little. Positions on the map play no part.",
		Params: []step.Param{paramEpochs, alphaFrom, alphaTo, paramGravity, paramFall},
		New: func(in Input, v step.Values) (Trainer, error) {
			alpha := func(o *online, t float64) float64 { return o.values.fall(alphaFrom, alphaTo, t) }
			learn := func(o *online, x []float32, b int, t float64) { learnKMeans(o, x, b, alpha(o, t)) }
			return newOnline(in, v, learn, func(o *online, t float64) map[string]float64 {
				return map[string]float64{"alpha": alpha(o, t)}
			})
		},
	})
}

// learnKMeans is BlosSOM's online k-means: c_b += alpha (x - c_b), and for every other landmark
// c_i += gravity alpha / g (x - c_i).
func learnKMeans(o *online, x []float32, b int, alpha float64) {
	wide := o.isWide()
	if gravity := o.values.get(paramGravity); gravity > 0 {
		h := float32(gravity * alpha / float64(o.code.Rows))
		for i := range o.code.Rows {
			if i != b && !o.pin(i) {
				pull(o.code.Row(i), x, h, wide)
			}
		}
	}
	if !o.pin(b) {
		pull(o.code.Row(b), x, float32(alpha), wide)
	}
}
