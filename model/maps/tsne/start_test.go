package tsne

import (
	"math"
	"math/rand/v2"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/space/pca"
)

// More points and more columns than components are found of exactly start along their longest axis all the same.
func TestStartOfManyColumns(t *testing.T) {
	n, r := pca.MaxSide+2, rand.New(rand.NewPCG(1, 2))
	x := matrix.New(n, pca.MaxSide+1)
	along := make([]float64, n)
	for i := range n {
		along[i] = r.NormFloat64()
		for c := range 40 {
			x.Row(i)[c] = float32(along[i] + 0.1*r.NormFloat64())
		}
	}
	y, err := PCAStart(t.Context(), x, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	var xy, xx, yy float64
	for i, a := range along {
		b := float64(y[2*i])
		xy, xx, yy = xy+a*b, xx+a*a, yy+b*b
	}
	deviation := math.Sqrt(yy / float64(n))
	if c := math.Abs(xy) / math.Sqrt(xx*yy); !(c > 0.99) || !(math.Abs(deviation/startDeviation-1) < 0.1) {
		t.Errorf("the first axis correlates by %g with the data's, with a deviation of %g", c, deviation)
	}
}
