package train

import "blossom/model/step"

func init() {
	Register(Algorithm{
		ID: "som", Title: "SOM, online", Order: 1,
		Help:   "Takes points at random; the nearest landmark and its neighbours on the map move towards each. Shows its work best and follows changes by hand.",
		Params: []step.Param{paramEpochs, paramSigmaFrom, paramSigmaTo, paramAlphaFrom, paramAlphaTo, paramFall},
		New: func(in Input, v step.Values) (Trainer, error) {
			return newOnline(in, v, learnSOM, func(o *online, t float64) map[string]float64 {
				return map[string]float64{"sigma": o.sigma(t), "alpha": o.alpha(t)}
			})
		},
	})
}

// learnSOM is the update of Kohonen's self-organizing map as BlosSOM has it: for every landmark i,
// c_i += alpha exp(-|p_b - p_i|^2 / sigma^2) (x - c_i), on the positions as they are now.
func learnSOM(o *online, x []float32, b int, t float64) {
	sigma, alpha := o.sigma(t), float32(o.alpha(t))
	inverse := float32(1 / (sigma * sigma))
	wide, d, m := o.isWide(), o.code.Cols, o.pos.Cols
	pos, at := o.pos.Data, o.pos.Row(b)
	for i := range o.code.Rows {
		q := float32(0)
		for c, v := range pos[i*m : i*m+m] {
			e := v - at[c]
			q += e * e
		}
		if q *= inverse; !(q < cutOff) || o.pin(i) {
			continue
		}
		pull(o.code.Data[i*d:i*d+d], x, alpha*decay(q), wide)
	}
}
