package explain

import (
	"math/rand/v2"
	"testing"

	"blossom/model/maps/selection"
)

// islands is a table of normal values, as float32, about the centres of some islands, with the set of each.
func islands(n, columns, kinds int) (v []Column, of []*selection.Set) {
	r := rand.New(rand.NewPCG(3, 4))
	centre := make([][]float64, kinds)
	for k := range centre {
		for range columns {
			centre[k] = append(centre[k], 3*float64(r.IntN(2)))
		}
	}
	values := make([][]float32, columns)
	for c := range values {
		values[c] = make([]float32, n)
		v = append(v, Column{"c", func(row int) float64 { return float64(values[c][row]) }})
	}
	words := make([][]uint64, kinds)
	for k := range words {
		words[k] = make([]uint64, (n+63)/64)
	}
	for row := range n {
		k := min(r.IntN(kinds), r.IntN(kinds))
		words[k][row/64] |= 1 << (row % 64)
		for c := range values {
			values[c][row] = float32(r.NormFloat64() + centre[k][c])
		}
	}
	for _, w := range words {
		of = append(of, selection.FromBits(n, w))
	}
	return v, of
}

func BenchmarkDescribe(b *testing.B) {
	columns, sets := islands(1_000_000, 40, 20)
	for b.Loop() {
		found, err := Describe(b.Context(), columns, sets[10], nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, d := range found {
			b.Logf("%d columns: F1 %.4f of %d rows", len(d.Limits), d.F1, d.Size)
		}
	}
}

func BenchmarkApart(b *testing.B) {
	columns, sets := islands(1_000_000, 40, 20)
	for b.Loop() {
		if _, err := Apart(b.Context(), columns, sets[0], sets[1]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAlike(b *testing.B) {
	columns, sets := islands(1_000_000, 40, 20)
	for b.Loop() {
		if _, err := Alike(b.Context(), columns, sets[0], sets); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSigns(b *testing.B) {
	columns, sets := islands(1_000_000, 40, 20)
	for b.Loop() {
		if _, err := Signs(b.Context(), columns, sets[0], nil); err != nil {
			b.Fatal(err)
		}
	}
}
