//go:build linux

package hosted

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// trainCase is a small training step with everything odd in it.
type trainCase struct {
	name    string
	n, g, d int
	draw    func(r *rand.Rand) float64
	same    bool // all points on one landmark
	bad     bool // some points have NaN or Inf
}

var trainCases = []trainCase{
	{name: "one of everything", n: 1, g: 1, d: 1, draw: (*rand.Rand).NormFloat64},
	{name: "one landmark", n: 300, g: 1, d: 3, draw: (*rand.Rand).NormFloat64, bad: true},
	{name: "one column", n: 130, g: 65, d: 1, draw: (*rand.Rand).NormFloat64, bad: true},
	{name: "usual", n: 400, g: 70, d: 16, draw: (*rand.Rand).NormFloat64, bad: true},
	{name: "tiles left over", n: 129, g: 130, d: 45, draw: (*rand.Rand).NormFloat64, bad: true},
	{name: "many columns", n: 40, g: 5, d: 131, draw: (*rand.Rand).ExpFloat64},
	{name: "one place", n: 200, g: 9, d: 4, draw: (*rand.Rand).NormFloat64, same: true},
	{name: "ties", n: 200, g: 40, d: 2, draw: func(r *rand.Rand) float64 { return float64(r.IntN(3)) }},
	{name: "zeros", n: 50, g: 3, d: 5, draw: func(*rand.Rand) float64 { return 0 }},
	{name: "far", n: 100, g: 7, d: 3, draw: func(r *rand.Rand) float64 { return 1e30 * r.NormFloat64() }, bad: true},
	{name: "an outlier", n: 100, g: 7, d: 3, draw: func(r *rand.Rand) float64 {
		return math.Pow(10, 16*r.Float64()-8)
	}},
	{name: "tiny", n: 100, g: 7, d: 3, draw: func(r *rand.Rand) float64 { return 1e-39 * r.NormFloat64() }},
}

func (c trainCase) points() (x, code []float32) {
	r := rand.New(rand.NewPCG(uint64(c.n), uint64(c.d)))
	x, code = make([]float32, c.n*c.d), make([]float32, c.g*c.d)
	for i := range code {
		code[i] = float32(c.draw(r))
	}
	for i := range x {
		x[i] = float32(c.draw(r))
		if c.same {
			x[i] = code[i%c.d]
		}
	}
	if c.bad {
		for i := 3; i < len(x); i += 7*c.d + 1 {
			x[i] = []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}[i%3]
		}
	}
	return x, code
}

func validRow(v []float32) bool {
	for _, x := range v {
		if x-x != 0 {
			return false
		}
	}
	return true
}

func squared(a, b []float32) float64 {
	s := 0.0
	for i, v := range a {
		e := float64(v) - float64(b[i])
		s += e * e
	}
	return s
}

func (c trainCase) nearest(t *testing.T, m *Module, x, code []float32) []int32 {
	t.Helper()
	var first, out []int32
	m.Run(t, "trainNearest", Dim{X: (c.n + 127) / 128}, Dim{X: 256}, 0, func() []any {
		out = make([]int32, c.n)
		return []any{x, int64(c.n), int32(c.d), code, int32(c.g), out}
	}, func(order uint64) {
		if first == nil {
			first = out
		}
		for i := range out {
			if out[i] != first[i] {
				t.Fatalf("%s: point %d: %d in order %d, %d in order 0", c.name, i, out[i], order, first[i])
			}
		}
	})
	return out
}

// The landmark found is the nearest in float64 or one as near up to float32 rounding; of equal ones
// it is the first.
func TestTrainNearest(t *testing.T) {
	m := Open(t, "../kernels/train.cu")
	for _, c := range trainCases {
		x, code := c.points()
		for i, found := range c.nearest(t, m, x, code) {
			row := x[i*c.d : i*c.d+c.d]
			if !validRow(row) {
				if found != -1 {
					t.Fatalf("%s: invalid point %d has landmark %d", c.name, i, found)
				}
				continue
			}
			best, at := math.Inf(1), -1
			for l := range c.g {
				if s := squared(row, code[l*c.d:l*c.d+c.d]); s < best {
					best, at = s, l
				}
			}
			if found < 0 || int(found) >= c.g {
				t.Fatalf("%s: point %d has landmark %d", c.name, i, found)
			}
			got := squared(row, code[int(found)*c.d:int(found)*c.d+c.d])
			limit := best*(1+float64(c.d+4)*0x1p-23) + 0x1p-126
			if got > limit || got == best && int(found) > at {
				t.Fatalf("%s: point %d: landmark %d at %g, want %d at %g", c.name, i, found, got, at, best)
			}
		}
	}
}

// Sums are the exact ones up to the unit of the column, and the same bits in every order.
func TestTrainSums(t *testing.T) {
	m := Open(t, "../kernels/train.cu")
	for _, c := range trainCases {
		x, code := c.points()
		bmu := c.nearest(t, m, x, code)
		lanes := 1
		for lanes < min(c.d, 32) {
			lanes *= 2
		}
		chunks := (c.d + 31) / 32
		var largest []uint32
		m.Run(t, "trainLargest", Dim{X: 3, Y: chunks}, Dim{X: 256}, 0, func() []any {
			largest = make([]uint32, c.d)
			return []any{x, int64(c.n), int32(c.d), bmu, int32(lanes), largest}
		}, func(uint64) {
			for j, got := range largest {
				want := float32(0)
				for i, m := range bmu {
					if m >= 0 {
						want = max(want, x[i*c.d+j], -x[i*c.d+j])
					}
				}
				if math.Float32bits(want) != got {
					t.Fatalf("%s: the largest of column %d is %g, want %g", c.name, j, math.Float32frombits(got), want)
				}
			}
		})
		for _, share := range []int{256, 64} { // one block or several
			var high, low []int64
			var counts []uint64
			m.Run(t, "trainSums", Dim{X: (c.n + share - 1) / share, Y: min(chunks, 2)}, Dim{X: 256}, 4*c.g+4*share,
				func() []any {
					high, low, counts = make([]int64, c.g*c.d), make([]int64, c.g*c.d), make([]uint64, c.g)
					return []any{x, int64(c.n), int32(c.d), bmu, int32(c.g), int32(share), int32(lanes), largest, high,
						low, counts}
				}, func(uint64) {
					c.compare(t, x, bmu, largest, high, low, counts)
				})
		}
	}
}

func (c trainCase) compare(t *testing.T, x []float32, bmu []int32, largest []uint32, high, low []int64,
	counts []uint64) {
	t.Helper()
	number := make([]uint64, c.g)
	exact := make([]big.Float, c.g*c.d)
	for i := range exact {
		exact[i].SetPrec(400)
	}
	for i, m := range bmu {
		if m < 0 {
			continue
		}
		number[m]++
		for j := range c.d {
			s := &exact[int(m)*c.d+j]
			s.Add(s, big.NewFloat(float64(x[i*c.d+j])))
		}
	}
	for l := range c.g {
		if counts[l] != number[l] {
			t.Fatalf("%s: landmark %d has %d points, want %d", c.name, l, counts[l], number[l])
		}
		for j := range c.d {
			e := max(-86, int(largest[j]>>23)-126)
			i := l*c.d + j
			got := new(big.Float).SetPrec(400).SetInt64(high[i])
			got.SetMantExp(got, 40)
			got.Add(got, new(big.Float).SetInt64(low[i]))
			got.SetMantExp(got, e-80)
			off, _ := got.Sub(got, &exact[i]).Float64()
			if math.Abs(off) > math.Ldexp(float64(number[l]), e-81) {
				t.Fatalf("%s: sum %d of landmark %d is off by %g, its unit is %g", c.name, j, l, off,
					math.Ldexp(1, e-80))
			}
		}
	}
}

func TestTrainSmooth(t *testing.T) {
	m := Open(t, "../kernels/train.cu")
	for _, c := range []struct{ g, d, dims int }{{1, 1, 2}, {9, 3, 2}, {130, 129, 3}, {200, 4, 2}} {
		r := rand.New(rand.NewPCG(1, uint64(c.g)))
		pos, sums, counts := make([]float32, c.g*c.dims), make([]float64, c.g*c.d), make([]int64, c.g)
		for i := range pos {
			pos[i] = 8 * r.Float32()
		}
		for i := range counts {
			if r.IntN(4) > 0 {
				counts[i] = int64(r.IntN(1000))
			}
			for j := range c.d {
				sums[i*c.d+j] = float64(counts[i]) * r.NormFloat64()
			}
		}
		const inverse, reach = 1 / (0.9 * 0.9), 20.0
		var out, weights []float64
		m.Run(t, "trainSmooth", Dim{X: c.g, Y: (c.d + 127) / 128}, Dim{X: 128}, 0, func() []any {
			out, weights = make([]float64, c.g*c.d), make([]float64, c.g)
			return []any{pos, int32(c.dims), int32(c.g), int32(c.d), inverse, reach, sums, counts, out, weights}
		}, func(uint64) {
			for i := range c.g {
				want, weight := make([]float64, c.d), 0.0
				for o := range c.g {
					q := inverse * squared(pos[i*c.dims:i*c.dims+c.dims], pos[o*c.dims:o*c.dims+c.dims])
					if counts[o] == 0 || q >= reach {
						continue
					}
					h := math.Exp(-q)
					weight += h * float64(counts[o])
					for j := range want {
						want[j] += h * sums[o*c.d+j]
					}
				}
				if math.Abs(weights[i]-weight) > 1e-12*weight {
					t.Fatalf("landmark %d weighs %g, want %g", i, weights[i], weight)
				}
				for j, w := range want {
					if math.Abs(out[i*c.d+j]-w) > 1e-9*(1+math.Abs(w)) {
						t.Fatalf("sum %d of landmark %d is %g, want %g", j, i, out[i*c.d+j], w)
					}
				}
			}
		})
	}
}
