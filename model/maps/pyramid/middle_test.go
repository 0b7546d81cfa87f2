package pyramid

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"blossom/model/base/problem"
)

// The middle is the box of all points but a share at each end of each axis, to a cell.
func TestTheMiddleLeavesOutliersOut(t *testing.T) {
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 7))
		f := Frame{X: -3 + 6*r.Float64(), Y: -3 + 6*r.Float64(), Side: math.Exp2(20*r.Float64() - 10)}
		n := 1 + r.IntN(3000)
		at, sorted := [2][]float32{}, [2][]float32{}
		for axis, from := range [2]float64{f.X, f.Y} {
			for range n {
				part := 0.5 + 0.08*r.NormFloat64()
				at[axis] = append(at[axis], float32(from+f.Side*min(max(part, 0.01), 0.99)))
			}
			sorted[axis] = slices.Sorted(slices.Values(at[axis]))
		}
		c := NewCounts(f)
		c.Add(at[0], at[1])
		share := []float64{0, 0.001, 0.02, 0.3}[r.IntN(4)]
		low, high, ok, err := written(t, c).Middle(t.Context(), share)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		cell, cut := f.Side/middleSide, int(share*float64(n)+0.5)
		for axis := range low {
			from, to := float64(sorted[axis][cut]), float64(sorted[axis][n-1-cut])
			if from < low[axis]-1e-5*f.Side || from > low[axis]+1.001*cell || to > high[axis]+1e-5*f.Side ||
				to < high[axis]-1.001*cell {
				t.Errorf("seed %d: axis %d of %d points, a share of %g: %g to %g, want %g to %g within %g", seed, axis,
					n, share, low[axis], high[axis], from, to, cell)
			}
		}
	}
}

// Where there are no points there is no middle, and of a damaged pyramid the file is named.
func TestThereMayBeNoMiddle(t *testing.T) {
	f := Frame{Side: 1}
	if _, _, ok, err := written(t, NewCounts(f)).Middle(t.Context(), 0.001); ok || err != nil {
		t.Error(ok, err)
	}
	c := NewCounts(f)
	c.Add([]float32{0.5}, []float32{0.5})
	p := written(t, c)
	path := tilePath(p.folder, middleSide, tileName(2, 2))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := p.Middle(t.Context(), 0.001); err == nil || problem.As(err).File != path {
		t.Error(err)
	}
}

// Tiles that have been read are at hand, and no others; of tiles without points nothing is ever read.
func TestWhatHasBeenReadIsAtHand(t *testing.T) {
	c := NewCounts(Frame{Side: 1})
	c.Add([]float32{0.1, 0.9}, []float32{0.1, 0.9})
	p := written(t, c)
	at := func(x, y int) Span { return Span{Side: 1024, X: x, Y: y, Cols: 200, Rows: 200} }
	low, high, empty := at(0, 0), at(800, 800), at(300, 600)
	if p.Has(low) || p.Has(high) || !p.Has(empty) || !p.Has(Span{Side: 1024}) {
		t.Error("something is at hand that nobody has read, or a tile without points is not")
	}
	if _, err := p.Read(t.Context(), low); err != nil || !p.Has(low) || p.Has(high) {
		t.Error(err, p.Has(low), p.Has(high))
	}
	same, err := Open(p.folder)
	if err != nil || !same.Same(p) || same.Has(low) {
		t.Error("another reader of the same pyramid is not the same, or has its tiles", err)
	}
	c.Add([]float32{0.5}, []float32{0.1})
	if written(t, c).Same(p) {
		t.Error("a pyramid with a point more is called the same")
	}
}
