package train

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
)

// A batch training gives the same bits for any order of the points, any number of threads and steps of any size, of
// values that float64 sums otherwise in another order.
func TestTheSameCodebookForAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 28))
	const n, d, g = 98_400, 5, 12 // some chunks
	x, code, pos := matrix.New(n, d), matrix.New(g, d), matrix.New(g, 2)
	for i := range n {
		for j := range d {
			x.Row(i)[j] = float32(r.NormFloat64() * math.Pow(10, float64(4*j-8)))
		}
		switch {
		case i%100 == 50:
			x.Row(i)[0] = 1e7
		case i%100 == 51: // its mirror image: of both nothing is left in a sum but what float64 loses
			copy(x.Row(i), x.Row(i-1))
			x.Row(i)[0] = -1e7
		case i%1001 == 3:
			x.Row(i)[1] = float32(math.NaN())
		}
	}
	for i := range g {
		copy(code.Row(i), x.Row(40*i))
		code.Row(i)[0] = 0 // in the middle of mirror images
		pos.Row(i)[0], pos.Row(i)[1] = float32(i%4), float32(i/4)
	}
	for _, id := range []string{"som-batch", "lloyd"} {
		train := func(x matrix.Matrix32, units int) []float32 {
			a, _ := ByID(id)
			trainer, err := a.New(Input{X: x, Codebook: code, Pos: pos, Seed: 1}, step.Values{"epochs": 1})
			if err != nil {
				t.Fatal(err)
			}
			for {
				p, err := trainer.Step(t.Context(), units)
				if err != nil {
					t.Fatal(err)
				}
				if p.Rest {
					return slices.Clone(trainer.Codebook().Data)
				}
			}
		}
		want := train(x, n)
		for _, threads := range []int{1, 3} {
			was := runtime.GOMAXPROCS(threads)
			mixed := x.Clone()
			r.Shuffle(n, func(i, k int) {
				for j := range d {
					a, b := mixed.Row(i), mixed.Row(k)
					a[j], b[j] = b[j], a[j]
				}
			})
			got := train(mixed, 10_000+threads)
			runtime.GOMAXPROCS(was)
			if !slices.Equal(want, got) {
				t.Errorf("%s on %d threads: another order of the points gives another codebook", id, threads)
			}
		}
	}
}
