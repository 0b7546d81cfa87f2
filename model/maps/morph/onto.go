package morph

import "math"

// Onto is how points a (n x da) of one embedding are brought to the place and size of those of another, b (n x db),
// all coordinates alike: scale times coordinate c of a, and shift[c] more. Points without finite places count for
// nothing.
func Onto(a []float32, da int, b []float32, db int) (scale float64, shift [3]float64) {
	box := func(p []float32, d int) (lo, hi [3]float64) {
		for c := range d {
			lo[c], hi[c] = math.Inf(1), math.Inf(-1)
			for i := c; i < len(p); i += d {
				if v := float64(p[i]); v-v == 0 {
					lo[c], hi[c] = min(lo[c], v), max(hi[c], v)
				}
			}
			if lo[c] > hi[c] {
				lo[c], hi[c] = 0, 0
			}
		}
		return lo, hi
	}
	la, ha := box(a, da)
	lb, hb := box(b, db)
	var wide, want float64
	for c := range 3 {
		wide, want = max(wide, ha[c]-la[c]), max(want, hb[c]-lb[c])
	}
	if scale = 1; wide > 0 {
		scale = want / wide
	}
	for c := range shift {
		shift[c] = (lb[c]+hb[c])/2 - scale*(la[c]+ha[c])/2
	}
	return scale, shift
}
