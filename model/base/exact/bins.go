package exact

import "math"

// Bins is a Sum that is quick to add to: it has a bin for each sixteen exponents, and carries late. The zero Bins is 0.
type Bins struct {
	bins  [16]int64
	added int // values since the last carry
	sum   Sum
}

// mostInBins is how many values of up to 2^39 a bin takes, with room to spare.
const mostInBins = 1 << 23

// Add adds x, which is finite.
func (b *Bins) Add(x float32) {
	m, shift := parts(x)
	v := int64(m << (shift & 15))
	if math.Signbit(float64(x)) {
		v = -v
	}
	b.bins[shift>>4] += v
	if b.added++; b.added == mostInBins {
		b.carry()
	}
}

// carry brings what is in the bins into the sum.
func (b *Bins) carry() {
	for k, v := range b.bins {
		add(b.sum[:], uint64(max(v, -v)), uint(16*k), v < 0)
	}
	b.bins, b.added = [16]int64{}, 0
}

// Sum returns the sum of what was added.
func (b *Bins) Sum() Sum {
	b.carry()
	return b.sum
}
