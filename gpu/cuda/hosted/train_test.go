//go:build linux

package hosted

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/landmarks/train"
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
	{name: "small beside large", n: 150, g: 5, d: 35, draw: func(r *rand.Rand) float64 {
		return r.NormFloat64() * math.Pow(2, -float64(r.IntN(160)))
	}},
	{name: "any magnitude", n: 80, g: 5, d: 3, draw: func(r *rand.Rand) float64 {
		return r.NormFloat64() * math.Pow(2, 125-float64(r.IntN(270)))
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

// The landmark found is the winner.
func TestTrainNearest(t *testing.T) {
	m := Open(t, "../kernels/train.cu")
	for _, c := range trainCases {
		x, code := c.points()
		marks := matrix.Matrix32{Rows: c.g, Cols: c.d, Data: code}
		for i, found := range c.nearest(t, m, x, code) {
			if want := train.Winner(marks, x[i*c.d:i*c.d+c.d]); int(found) != want {
				t.Fatalf("%s: point %d: landmark %d, want %d", c.name, i, found, want)
			}
		}
	}
}

// Sums are exact after as many passes as it takes, and the same bits in every order.
func TestTrainSums(t *testing.T) {
	m := Open(t, "../kernels/train.cu")
	for _, c := range trainCases {
		x, code := c.points()
		bmu := c.nearest(t, m, x, code)
		largest := make([]float32, c.d)
		want, number := make([]exact.Sum, c.g*c.d), make([]uint64, c.g)
		for i, m := range bmu {
			if m < 0 {
				continue
			}
			number[m]++
			for j, v := range x[i*c.d : i*c.d+c.d] {
				largest[j] = max(largest[j], v, -v)
				want[int(m)*c.d+j].Add(v)
			}
		}
		for _, share := range []int{256, 64} { // one block or several
			got, counts := make([]exact.Sum, c.g*c.d), []uint64(nil)
			for skip, more := 0, true; more; skip += 80 {
				var high, low []int64
				var some []uint64
				if high, low, some, more = c.pass(t, m, x, bmu, largest, share, skip); skip == 0 {
					counts = some
				}
				for i := range got {
					e := max(-86, int(math.Float32bits(largest[i%c.d])>>23)-126) - skip
					got[i].AddScaled(high[i], e-40)
					got[i].AddScaled(low[i], e-80)
				}
			}
			if !slices.Equal(got, want) || !slices.Equal(counts, number) {
				t.Fatalf("%s: the sums are not exact", c.name)
			}
		}
	}
}

// pass is one pass of the sums, in every order.
func (c trainCase) pass(t *testing.T, m *Module, x []float32, bmu []int32, largest []float32, share, skip int) (high,
	low []int64, counts []uint64, more bool) {
	lanes, chunks := 1, (c.d+31)/32
	for lanes < min(c.d, 32) {
		lanes *= 2
	}
	name := "trainSums"
	if skip > 0 {
		name = "trainRests"
	}
	var first []int64
	var left []uint32
	m.Run(t, name, Dim{X: (c.n + share - 1) / share, Y: min(chunks, 2)}, Dim{X: 256}, 4*c.g+4*share, func() []any {
		high, low, left = make([]int64, c.g*c.d), make([]int64, c.g*c.d), make([]uint32, 1)
		args := []any{x, int64(c.n), int32(c.d), bmu, int32(c.g), int32(share), int32(lanes), largest, high, low}
		if skip > 0 {
			return append(args, int32(skip), left)
		}
		counts = make([]uint64, c.g)
		return append(args, counts, left)
	}, func(uint64) {
		all := append(slices.Clone(high), low...)
		if first == nil {
			first = all
		} else if !slices.Equal(all, first) {
			t.Fatalf("%s: other sums in another order", c.name)
		}
	})
	return high, low, counts, left[0] != 0
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
		sigma := 0.9
		inverse := 1 / float64(sigma*sigma)
		var out, weights []float64
		m.Run(t, "trainSmooth", Dim{X: c.g, Y: (c.d + 127) / 128}, Dim{X: 128}, 0, func() []any {
			out, weights = make([]float64, c.g*c.d), make([]float64, c.g)
			return []any{pos, int32(c.dims), int32(c.g), int32(c.d), inverse, float64(train.Reach), sums, counts, out,
				weights}
		}, func(uint64) {
			want, weight := make([]float64, c.g*c.d), make([]float64, c.g)
			at := matrix.Matrix32{Rows: c.g, Cols: c.dims, Data: pos}
			if err := train.Smooth(t.Context(), at, sigma, sums, counts, want, weight); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(out, want) || !slices.Equal(weights, weight) {
				t.Fatalf("%d landmarks: other bits than the trainer's", c.g)
			}
		})
	}
}
