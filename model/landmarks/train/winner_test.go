package train

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/matrix"
)

// closeCalls are landmarks, and points of which many lie halfway between two landmarks, or a rounding from there, or on
// one; some landmarks are equal. All are about so large.
func closeCalls(r *rand.Rand, n, g, d int, size float64) (x, code matrix.Matrix32) {
	x, code = matrix.New(n, d), matrix.New(g, d)
	for i := range code.Data {
		code.Data[i] = float32(size * r.NormFloat64())
	}
	if g > 3 {
		copy(code.Row(g-1), code.Row(r.IntN(g-1)))
		copy(code.Row(g-2), code.Row(0))
		code.Row(g - 2)[r.IntN(d)] *= 1 + 0x1p-23
	}
	for i := range n {
		a, b, row := code.Row(r.IntN(g)), code.Row(r.IntN(g)), x.Row(i)
		for j := range row {
			switch i % 4 {
			case 0, 1:
				row[j] = a[j]/2 + b[j]/2
			case 2:
				row[j] = a[j]
			default:
				row[j] = float32(size * r.NormFloat64())
			}
		}
		if i%4 == 1 {
			row[r.IntN(d)] *= 1 - 0x1p-24
		}
	}
	return x, code
}

// exactDistance is a squared distance without rounding.
func exactDistance(a, b []float32) *big.Float {
	s := new(big.Float).SetPrec(1200)
	for j, v := range a {
		e := new(big.Float).SetPrec(600).SetFloat64(float64(v))
		e.Sub(e, new(big.Float).SetFloat64(float64(b[j])))
		s.Add(s, new(big.Float).SetPrec(1200).Mul(e, e))
	}
	return s
}

// The quick search finds the winner of float64 always, which is the nearest landmark but for the rounding of float64,
// and no landmark beyond the limit of doubt is as near as the winner.
func TestTheQuickSearchFindsTheWinner(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	left := 0
	for _, size := range []float64{smallest, 1e-9, 1, 3e7, largest / 8} {
		for _, d := range []int{1, 2, 3, 7, 16, 33, 64, 70} {
			g := 1 + r.IntN(40)
			x, code := closeCalls(r, 60, g, d, size)
			var l lanes
			l.load(code)
			for i := range x.Rows {
				row := x.Row(i)
				at := l.winner(code, row)
				if want := Winner(code, row); at != want {
					t.Fatalf("%d x %d, size %g: landmark %d, want %d", g, d, size, at, want)
				}
				won := exactDistance(row, code.Row(at))
				most := new(big.Float).Mul(won, big.NewFloat(1+float64(d+3)*0x1p-52))
				q := make([]float32, len(l.c)/d)
				for b := 0; b < len(q); b += laneCount {
					distances(l.block(b/laneCount), row, (*[laneCount]float32)(q[b:]))
				}
				limit := Doubt(slices.Min(q[:g]), d)
				for m := range g {
					of := exactDistance(row, code.Row(m))
					if new(big.Float).Mul(of, big.NewFloat(1+float64(d+3)*0x1p-52)).Cmp(won) < 0 {
						t.Fatalf("%d x %d, size %g: landmark %d won, and %d is nearer", g, d, size, at, m)
					}
					if beyond := q[m] > limit; beyond && of.Cmp(most) <= 0 && of.Sign() > 0 {
						t.Fatalf("%d x %d, size %g: landmark %d is beyond doubt at %v, and as near as the winner", g, d,
							size, m, q[m])
					} else if !beyond && m != at {
						left++
					}
				}
			}
		}
	}
	if left < 1000 {
		t.Errorf("only %d landmarks were in doubt", left)
	}
	x := []float32{0, float32(math.NaN())}
	if got := Winner(matrix.New(3, 2), x); got != -1 {
		t.Errorf("of what is no number landmark %d is the winner", got)
	}
}

// Distances of any float32 have a winner.
func TestWinnersOfAllMagnitudes(t *testing.T) {
	const most, least = math.MaxFloat32, math.SmallestNonzeroFloat32
	code := matrix.Matrix32{Rows: 4, Cols: 1, Data: []float32{-most, most, 0, least}}
	for want, v := range [][]float32{{-most, -most / 1.9}, {most, most / 1.9}, {0, -most / 2.1, -least, most / 2.1},
		{least, 2 * least}} {
		for _, x := range v {
			if got := Winner(code, []float32{x}); got != want {
				t.Errorf("of %g landmark %d is the winner, want %d", x, got, want)
			}
		}
	}
}
