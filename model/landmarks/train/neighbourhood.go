package train

import "math"

// The neighbourhood of online training is exp(-q) with q = |p_b - p_i|^2 / sigma^2, from a table with
// linear interpolation (error below 1e-5), and 0 where it is below 1e-4.
const tableSize = 1024

var (
	cutOff   = float32(-math.Log(1e-4))
	expTable = func() (t [tableSize + 2]float32) {
		for i := range t {
			t[i] = float32(math.Exp(-float64(i) / tableSize * float64(cutOff)))
		}
		return t
	}()
)

// decay returns exp(-q) for 0 <= q < cutOff.
func decay(q float32) float32 {
	u := q * (tableSize / cutOff)
	i := int(u) & (2*tableSize - 1) // for the compiler: never negative
	if i > tableSize {
		return 0
	}
	a := expTable[i]
	return a + (expTable[i+1]-a)*(u-float32(i))
}
