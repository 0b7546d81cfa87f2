package quality

import (
	"math/rand/v2"
	"testing"

	"blossom/model/base/matrix"
)

// A sample of the usual size: the space once, its map again and again while something is dragged.
func BenchmarkSpace(b *testing.B) {
	x := cloud(rand.New(rand.NewPCG(1, 1)), SampleSize, 30, false)
	for b.Loop() {
		if _, err := NewSpace(b.Context(), x, SampleSize, Work{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMeasure(b *testing.B) {
	x := cloud(rand.New(rand.NewPCG(1, 1)), SampleSize, 30, false)
	y := matrix.New(SampleSize, 2)
	for i := range SampleSize {
		copy(y.Row(i), x.Row(i)[:2])
	}
	s, err := NewSpace(b.Context(), x, SampleSize, Work{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Measure(b.Context(), y.Data, 2, Work{}); err != nil {
			b.Fatal(err)
		}
	}
}
