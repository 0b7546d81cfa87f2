package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
)

// pass trains by passes of points that go by size at a time, and are summed by a device or not.
func pass(t *testing.T, id string, x, code, pos matrix.Matrix32, size int, summed bool) (matrix.Matrix32, error) {
	t.Helper()
	a, _ := ByID(id)
	each := func(visit func(matrix.Matrix32) error) error {
		for from := 0; from < x.Rows; from += size {
			to := min(x.Rows, from+size)
			part := matrix.Matrix32{Data: slices.Clone(x.Data[from*x.Cols : to*x.Cols]), Rows: to - from, Cols: x.Cols}
			if err := visit(part); err != nil {
				return err
			}
			for i := range part.Data { // nobody may have kept them
				part.Data[i] = float32(math.NaN())
			}
		}
		return nil
	}
	var all Census
	_ = each(func(x matrix.Matrix32) error { all.Add(x); return nil })
	p, err := a.Pass(Input{Codebook: code, Pos: pos, Seed: 3}, &all, step.Values{"epochs": 4})
	for err == nil && !p.Progress().Rest {
		err = each(func(x matrix.Matrix32) error {
			if summed {
				return p.Take(t.Context(), x, nil, &device{x: x})
			}
			return p.Take(t.Context(), x, nil, nil)
		})
	}
	if err != nil {
		return matrix.Matrix32{}, err
	}
	return p.Codebook().Clone(), nil
}

// Points that go by some at a time, once in each epoch, give the codebook of all points at once, to the last bit; what
// needs all of them says so.
func TestPassesGiveTheCodebookOfAllAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 5))
	const n, d, g = 70_003, 4, 15
	x, code, pos := matrix.New(n, d), matrix.New(g, d), matrix.New(g, 2)
	for i := range x.Data {
		x.Data[i] = float32(r.NormFloat64() * math.Pow(10, float64(r.IntN(8))))
	}
	x.Row(77)[1], x.Row(n - 1)[0] = float32(math.NaN()), float32(math.Inf(1))
	for i := range g {
		copy(code.Row(i), x.Row(100+i))
		pos.Row(i)[0], pos.Row(i)[1] = float32(i%5), float32(i/5)
	}
	for _, id := range []string{"som-batch", "lloyd"} {
		a, _ := ByID(id)
		whole, err := a.New(Input{X: x, Codebook: code, Pos: pos, Seed: 3}, step.Values{"epochs": 4})
		for err == nil && whole.Ahead() == 0 {
			var p step.Progress
			if p, err = whole.Step(t.Context(), n); p.Rest {
				break
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{n, 9999, 40_000} {
			for _, summed := range []bool{false, true} {
				got, err := pass(t, id, x, code, pos, size, summed)
				if err != nil || !slices.Equal(got.Data, whole.Codebook().Data) {
					t.Errorf("%s, %d at a time, by a device %t: another codebook, %v", id, size, summed, err)
				}
			}
		}
	}
	for j := range d {
		code.Row(3)[j] = 3e9 // no point is near it: it goes to one, of all
	}
	whole, err := newWhole(t, x, code, pos)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := pass(t, "lloyd", x, code, pos, 9999, false); err != nil || !slices.Equal(got.Data, whole.Data) {
		t.Errorf("a landmark without points goes elsewhere, %v", err)
	}
}

// newWhole is the codebook of k-means of all points at once.
func newWhole(t *testing.T, x, code, pos matrix.Matrix32) (matrix.Matrix32, error) {
	t.Helper()
	a, _ := ByID("lloyd")
	tr, err := a.New(Input{X: x, Codebook: code, Pos: pos, Seed: 3}, step.Values{"epochs": 4})
	for p := (step.Progress{}); err == nil && !p.Rest; {
		p, err = tr.Step(t.Context(), x.Rows/3+1)
	}
	if err != nil {
		return matrix.Matrix32{}, err
	}
	return tr.Codebook().Clone(), nil
}
