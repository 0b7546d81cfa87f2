package train

import "blossom/model/base/step"

// newSOM starts online training of a map.
func newSOM(in Input, v step.Values) (*online, error) {
	return newOnline(in, v, &online{learn: learnSOM, plan: func(o *online, t float64) {
		o.sigma = o.values.sigma(t)
		o.alpha = o.values.alpha(paramAlphaFrom, paramAlphaTo, t)
		o.net, o.edge = o.neighbourhood(o.values)
	}})
}

// planSOM is the fall of both.
func planSOM(v step.Values, t float64) map[string]float64 {
	s := set{v}
	return map[string]float64{"sigma": s.fall(paramSigmaFrom, paramSigmaTo, t),
		"alpha": s.fall(paramAlphaFrom, paramAlphaTo, t)}
}

// learnSOM is the update of Kohonen's self-organizing map as BlosSOM has it: for every landmark i,
// c_i += alpha exp(-|p_b - p_i|^2 / sigma^2) (x - c_i), on the positions as they are now, or with the distance along
// edges in the place of that on the map.
func learnSOM(o *online, bmu, b int, h *[laneCount]float32) (moves bool) {
	alpha, inverse := float32(o.alpha), float32(1/(o.sigma*o.sigma))
	from := b * laneCount
	if o.net != nil {
		inverse *= float32(o.edge * o.edge)
		steps := o.net.steps(bmu, &o.net.row)
		for i, s := range steps[from:min(len(steps), from+laneCount)] {
			if q := float32(s) * float32(s) * inverse; s != far && q < cutOff {
				h[i] = alpha * decay(q)
				moves = true
			}
		}
		return moves
	}
	m := o.pos.Cols
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
