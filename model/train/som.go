package train

import (
	"blossom/model/matrix"
	"blossom/model/step"
)

func init() {
	Register(Algorithm{
		ID: "som", Title: "SOM, online", Order: 1,
		Help: "Takes points at random; the nearest landmark and its neighbours on the map move towards each. " +
			"Shows its work best and follows changes by hand.",
		Params:  []step.Param{paramEpochs, paramSigmaFrom, paramSigmaTo, paramAlphaFrom, paramAlphaTo, paramFall},
		Default: true, Length: samplesLength,
		Suggest: func(n int, pos matrix.Matrix32) step.Values {
			// Samples per landmark decide on the quality; beyond some hundreds nothing is gained.
			return step.Values{"sigma_from": suggestSigma(pos), "epochs": suggestEpochs(n, pos)}
		},
		New: func(in Input, v step.Values) (Trainer, error) {
			return newOnline(in, v, &online{learn: learnSOM, plan: func(o *online, t float64) {
				o.sigma = o.values.fall(paramSigmaFrom, paramSigmaTo, t)
				o.alpha = o.values.fall(paramAlphaFrom, paramAlphaTo, t)
			}})
		},
	})
}

// learnSOM is the update of Kohonen's self-organizing map as BlosSOM has it: for every landmark i,
// c_i += alpha exp(-|p_b - p_i|^2 / sigma^2) (x - c_i), on the positions as they are now.
func learnSOM(o *online, bmu, b int, h *[laneCount]float32) (moves bool) {
	alpha, inverse := float32(o.alpha), float32(1/(o.sigma*o.sigma))
	m := o.pos.Cols
	from := b * laneCount
	pos := o.pos.Data[from*m : min(o.pos.Rows, from+laneCount)*m]
	at := o.pos.Row(bmu)
	for i := 0; len(pos) >= m; i++ {
		q := float32(0)
		for c, v := range pos[:m] {
			e := v - at[c]
			q += e * e
		}
		pos = pos[m:]
		if q *= inverse; q < cutOff {
			h[i] = alpha * decay(q)
			moves = true
		}
	}
	return moves
}
