package transform

import (
	"slices"
	"testing"

	"blossom/model/data/dataset"
)

// Columns whose values float32 does not tell apart are named, and no others: also not those that the transform brings
// near zero.
func TestLost(t *testing.T) {
	n := 500
	far, tiny, plain := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		x := float64(i*7919%n) / 100
		far[i], tiny[i], plain[i] = 1e9+x, x*1e-300, 1000+x
	}
	ds := &dataset.Dataset{Points: n, Total: n, Columns: make([]dataset.Column, 3)}
	for c, v := range [][]float64{far, tiny, plain} {
		ds.Columns[c].Name = string(rune('a' + c))
		ds.Columns[c].SetExact(v)
	}
	lost := func(text string) []int {
		s := Default(ds)
		for c := range s.Columns {
			op, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			s.Columns[c] = op
		}
		table, err := Build(t.Context(), ds, s, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return table.Lost(ds)
	}
	if got := lost("linear"); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("lost are %v", got)
	}
	if got := lost("linear:1:-1000000000"); slices.Contains(got, 0) {
		t.Errorf("what is brought near zero is lost: %v", got)
	}
}
