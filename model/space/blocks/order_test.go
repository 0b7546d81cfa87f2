package blocks

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func table(r *rand.Rand, n, d, values int) ([]float32, func(id int32) []float32) {
	x := make([]float32, n*d)
	for i := range x {
		x[i] = float32(r.IntN(values))
	}
	return x, func(id int32) []float32 { return x[int(id)*d : int(id+1)*d] }
}

func upTo(n int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32(i)
	}
	return ids
}

// Each point is there once, and the order is the same on any number of threads.
func TestOrderIsOneOfAllPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(0, 900).Draw(t, "n"), rapid.IntRange(1, 5).Draw(t, "d")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		x, row := table(r, n, d, rapid.SampledFrom([]int{1, 3, 1 << 20}).Draw(t, "values"))
		if n > 0 && rapid.Bool().Draw(t, "wild") { // lengths that float32 does not square
			x[r.IntN(len(x))] = math.MaxFloat32
		}
		var want []int32
		for _, threads := range []int{1, 2, 5} {
			ids := upTo(n)
			if err := Order(t.Context(), threads, d, ids, row); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = slices.Clone(ids)
			} else if !slices.Equal(ids, want) {
				t.Fatalf("on %d threads the order is another", threads)
			}
			if slices.Sort(ids); !slices.Equal(ids, upTo(n)) {
				t.Fatalf("%d points become %v", n, ids)
			}
		}
	})
}

// Blocks in order are far smaller than blocks of points as they come, for which the order is there.
func TestBlocksAreCompact(t *testing.T) {
	const n, d = 64 * 64, 3
	_, row := table(rand.New(rand.NewPCG(3, 4)), n, d, 1<<20)
	radius := func(ids []int32) (sum float64) {
		for b := range slices.Chunk(ids, Size) {
			var centre [d]float64
			for _, id := range b {
				for c, v := range row(id) {
					centre[c] += float64(v) / float64(len(b))
				}
			}
			most := 0.0
			for _, id := range b {
				s := 0.0
				for c, v := range row(id) {
					s += (float64(v) - centre[c]) * (float64(v) - centre[c])
				}
				most = max(most, s)
			}
			sum += math.Sqrt(most)
		}
		return sum
	}
	ids := upTo(n)
	before := radius(ids)
	if err := Order(t.Context(), 2, d, ids, row); err != nil {
		t.Fatal(err)
	}
	if after := radius(ids); after > before/3 { // a cube cut into 64 has a quarter of its length
		t.Errorf("blocks have radius %g, as the points come %g", after/64, before/64)
	}
}

func TestOrderIsCancelled(t *testing.T) {
	_, row := table(rand.New(rand.NewPCG(5, 6)), 5000, 2, 100)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Order(ctx, 2, 2, upTo(5000), row); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
