package contest

import "strings"

// limits are what a device can do at most.
type limits struct {
	bytes float64 // per second, of its memory
	tf32  float64 // floating-point operations per second of its tensor cores
	slots float64 // float32 instructions per second: multiprocessors x lanes x sustained clock
}

// h200: 4.3 TB/s as measured, 495 TFLOP/s dense, 132 multiprocessors x 128 lanes at 1.83 GHz.
var h200 = limits{4.3e12, 495e12, 132 * 128 * 1.83e9}

func limitsOf(device string) (limits, bool) {
	if strings.Contains(device, "H200") {
		return h200, true
	}
	return limits{}, false
}

// Instructions that cannot be had for less.
const (
	perDistance = 3  // add the norm, compare, keep
	perPair     = 20 // operations for a pair of landmarks, to project
	tf32Parts   = 3  // products that make a float32 one
)

// Roof is the least time of a stage, in ns per point, on a device whose limits are known; 0 elsewhere.
// It is the largest of: points read once and positions written once; distances as three TF32 products on
// the tensor cores; and the sum of the float32 instructions for choosing neighbours and for pairs.
// Stage one has none: it need not touch all points.
func Roof(device, stage string, sh Shape) float64 {
	m, ok := limitsOf(device)
	if !ok {
		return 0
	}
	d, g, k := float64(sh.D), float64(sh.G), float64(sh.K)
	read, write := 4*d/m.bytes, 8/m.bytes
	cached := 8 * (k + 1) / m.bytes // neighbours between the stages: id and distance
	products := tf32Parts * 2 * d * g / m.tf32
	choose := perDistance * g / m.slots
	pairs := perPair * k * (k - 1) / 2 / m.slots
	var s float64
	switch stage {
	case near:
		s = max(read+cached, products, choose)
	case project, drag:
		s = max(cached+write, pairs)
	case total:
		s = max(read+write, products, choose+pairs)
	}
	return s * 1e9
}
