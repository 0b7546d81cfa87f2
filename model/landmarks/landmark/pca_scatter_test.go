package landmark

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Sums that cores share have the bits of gonum's own, zeros and small numbers among them.
func TestTheScatterHasTheBitsOfOneCore(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for _, d := range []int{1, 2, 7, 33} {
		points := mat.NewDense(301, d, nil)
		for i := range 301 {
			for j := range d {
				if v := r.NormFloat64(); r.IntN(5) > 0 {
					points.Set(i, j, v*float64(int(1)<<r.IntN(30)))
				}
			}
		}
		want := mat.NewSymDense(d, nil)
		want.SymOuterK(1, points.T())
		got, err := scatterOf(context.Background(), points)
		if err != nil {
			t.Fatal(err)
		}
		for i := range d {
			for j := range d {
				if got.At(i, j) != want.At(i, j) {
					t.Fatalf("%d columns: %d, %d is %g, not %g", d, i, j, got.At(i, j), want.At(i, j))
				}
			}
		}
	}
}
