package layout

import "math"

// coast makes velocities the step, none of them longer than a step may be: what is cut off is gone from the velocity
// too.
func (b *body) coast() {
	most := mostStep * b.diameter() / b.unit
	for i := range b.n {
		v := b.v[i*b.dims : (i+1)*b.dims]
		length := 0.0
		for _, s := range v {
			length += s * s
		}
		if length = math.Sqrt(length); length > most {
			for c := range v {
				v[c] *= most / length
			}
		}
		for c := range v {
			b.step[i*b.dims+c] = b.unit * v[c]
		}
	}
}
