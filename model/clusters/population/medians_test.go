package population

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/maps/selection"
)

// Medians are those of sorted values, whatever their order, ties and gaps.
func TestMediansAreThoseOfSortedValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, uint64(len(t.Name()))))
	for round := range 300 {
		n := rng.IntN(400)
		values := make([]float64, n)
		for i := range values {
			switch values[i] = math.Round(rng.NormFloat64() * 5); {
			case round%3 == 0:
				values[i] = rng.NormFloat64() * 1e300
			case round%3 == 1 && rng.IntN(9) == 0:
				values[i] = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[rng.IntN(3)]
			}
		}
		if round%7 == 0 {
			slices.Sort(values)
		}
		words := make([]uint64, (n+63)/64)
		for i := range words {
			words[i] = rng.Uint64()
		}
		if n%64 != 0 && n > 0 {
			words[len(words)-1] &= 1<<(n%64) - 1
		}
		some := selection.FromBits(n, words)
		sets := []*selection.Set{selection.All(n), some, selection.None(n)}
		got, err := Medians(t.Context(), sets, []func(int) float64{func(row int) float64 { return values[row] }})
		if err != nil {
			t.Fatal(err)
		}
		for i, set := range sets {
			var in []float64
			for row, x := range values {
				if set.Contains(row) && x-x == 0 {
					in = append(in, x)
				}
			}
			slices.Sort(in)
			want := math.NaN()
			if m := len(in); m > 0 {
				want = in[(m-1)/2] + (in[m/2]-in[(m-1)/2])/2
			}
			if x := got[i][0]; x != want && (x == x || want == want) {
				t.Fatalf("of %d values the median is %g, and %g by sorting", len(in), x, want)
			}
		}
	}
}
