package landmark

import (
	"context"
	"testing"
)

// As many landmarks as a map takes are fitted from as many.
func BenchmarkFitAll(b *testing.B) {
	pos, _ := Grid(Shape{Cols: 64, Rows: 64, Layers: 1}, Hex)
	s, err := New(pos, pos)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.FitAll(context.Background(), pos, nil); err != nil {
			b.Fatal(err)
		}
	}
}
