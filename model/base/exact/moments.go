package exact

import (
	"math"
	"math/big"
)

// Moments are the number, the sum and the sum of the squares of finite float32, exactly: mean and deviation depend
// neither on the order of the values, nor on how they are split. The zero Moments are of no values.
type Moments struct {
	N       int64
	Sum     Sum
	Squares Squares
}

// A block of values is summed in float64, which is exact for mostBlock of those whose exponents lie within spanned of
// the largest: with the 24 bits of each their sum has 52. A square has 48 bits, of which those above 2^-40 of the
// largest square, and the rest, are summed apart: 50 and 53.
const (
	spanned   = 18
	mostBlock = 1 << 10
)

// Add adds those of x that are finite.
func (m *Moments) Add(x []float32) {
	for len(x) > mostBlock {
		m.block(x[:mostBlock])
		x = x[mostBlock:]
	}
	m.block(x)
}

// block adds a block: values below those that float64 takes are added one by one.
func (m *Moments) block(x []float32) {
	const infinite = 0xff << 24 // twice the bits, without the sign
	top := uint32(0)
	for _, v := range x {
		top = max(top, math.Float32bits(v)<<1)
	}
	if top >= infinite {
		var some [mostBlock]float32
		n := 0
		for _, v := range x {
			if v-v == 0 {
				some[n] = v
				n++
			}
		}
		if n > 0 { // else it would not end
			m.block(some[:n])
		}
		return
	}
	m.N += int64(len(x))
	e := max(1, int(top>>24))
	limit := uint32(0) // 0 lies above every limit, less one
	if e > spanned {
		limit = uint32(e-spanned)<<24 - 1
	}
	unit := math.Ldexp(1, 2*(e-126)-40) // 2^-40 of more than the largest square
	split := 1.5 * (1 << 52) * unit
	var sum, high, low float64
	for _, v := range x {
		if math.Float32bits(v)<<1-1 < limit {
			m.Sum.Add(v)
			m.Squares.Add(v)
			continue
		}
		f := float64(v)
		square := f * f
		h := (square + split) - split
		sum, high, low = sum+f, high+h, low+(square-h)
	}
	m.Sum.AddFloat64(sum)
	m.Squares.addFloat64(high)
	m.Squares.addFloat64(low)
}

// addFloat64 adds a sum of squares, or a part of it, that float64 holds exactly.
func (s *Squares) addFloat64(x float64) { addFloat64(s[:], x, squareUnit) }

// Merge adds those of other values.
func (m *Moments) Merge(o *Moments) {
	m.N += o.N
	m.Sum.Merge(&o.Sum)
	m.Squares.Merge(&o.Squares)
}

// Mean is the mean, rounded to the nearest float64 from 200 bits of it; 0 of no values.
func (m *Moments) Mean() float64 {
	if m.N == 0 {
		return 0
	}
	return quotient(m.sum(), big.NewInt(m.N), sumUnit)
}

// Deviation is the deviation of a sample (n-1), 0 of fewer than two values: the root of the variance
// (n sum x^2 - (sum x)^2) / (n (n-1)), which is rounded to the nearest float64 from 200 bits of it.
func (m *Moments) Deviation() float64 {
	if m.N < 2 {
		return 0
	}
	n, sum := big.NewInt(m.N), m.sum()
	over := new(big.Int).Mul(n, whole(m.Squares[:]))
	over.Sub(over, sum.Mul(sum, sum))
	return math.Sqrt(quotient(over, n.Mul(n, big.NewInt(m.N-1)), squareUnit))
}

// sum is the sum as a whole number of units.
func (m *Moments) sum() *big.Int {
	s := whole(m.Sum[:])
	if m.Sum[len(m.Sum)-1]>>63 != 0 {
		s.Sub(s, new(big.Int).Lsh(big.NewInt(1), uint(64*len(m.Sum))))
	}
	return s
}

// whole is the number that words are, the least first.
func whole(words []uint64) *big.Int {
	n := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(words[i]))
	}
	return n
}

// quotient is a/b 2^unit.
func quotient(a, b *big.Int, unit int) float64 {
	const precision = 200
	x := new(big.Float).SetPrec(precision).SetInt(a)
	x.Quo(x, new(big.Float).SetPrec(precision).SetInt(b))
	out, _ := x.SetMantExp(x, unit).Float64()
	return out
}
