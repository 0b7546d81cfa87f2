package train

import "math"

const (
	chanceStep = 0x9e3779b97f4a7c15
	chanceLast = 0xd6e8feb86659fd93
)

// chance is a number above 0 and at most 1 that follows from the values of a point.
func chance(x []float32, salt uint64) float64 {
	h := salt
	for _, v := range x {
		h = mix(h, v)
	}
	return fraction(h)
}

func mix(h uint64, v float32) uint64 {
	h = (h ^ uint64(math.Float32bits(v+0))) * chanceStep // -0 + 0 is 0
	return h ^ h>>29
}

func fraction(h uint64) float64 {
	h = (h ^ h>>32) * chanceLast
	return (float64((h^h>>32)>>11) + 0.5) / (1 << 53)
}

// fourChances sets u to the chances of four points of d columns, one after the other in x. A multiplication waits for
// the one before, so a processor does those of four in little more than the time of one.
func fourChances(x []float32, d int, salt uint64, u *[4]float64) {
	x0, x1, x2, x3 := x[:d], x[d:2*d], x[2*d:3*d], x[3*d:4*d]
	x1, x2, x3 = x1[:len(x0)], x2[:len(x0)], x3[:len(x0)]
	h0, h1, h2, h3 := salt, salt, salt, salt
	for j, v := range x0 {
		h0 = mix(h0, v)
		h1 = mix(h1, x1[j])
		h2 = mix(h2, x2[j])
		h3 = mix(h3, x3[j])
	}
	*u = [4]float64{fraction(h0), fraction(h1), fraction(h2), fraction(h3)}
}
