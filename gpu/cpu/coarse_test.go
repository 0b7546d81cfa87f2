package cpu

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/gpu/enginetest"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// So many landmarks and dimensions that the coarse filter is used where the processor has one, with
// points that it can not tell apart (tight clusters far from one another) beside those that it can:
// the neighbours must be right, and a point's bits its own.
func TestManyDimensionsAndTightClusters(t *testing.T) {
	const n, d, g, k, tight = 400, 40, 512, 20, 180
	rng := rand.New(rand.NewPCG(9, 9))
	c := enginetest.Uniform(rng, n, d, g, k, 2)
	for i := range tight { // two clusters of 90 landmarks, and points in them
		for q := range d {
			centre := float32(i/(tight/2)*8 - 4)
			c.Codebook.Row(i)[q] = centre + 1e-2*rng.Float32()
			c.X.Row(i)[q] = centre + 1e-2*rng.Float32()
		}
	}
	shuffled := rng.Perm(n) // so that tiles hold both kinds
	mixed := c
	mixed.X = c.X.Clone()
	for i, from := range shuffled {
		copy(mixed.X.Row(i), c.X.Row(from))
	}
	want, err := embedsom.Embed(context.Background(), c.X, c.Codebook, c.Pos, c.P)
	if err != nil {
		t.Fatal(err)
	}
	all := engine.Range{From: 0, To: n}
	for _, name := range Conforming() {
		e, err := NewVariant(name, engine.Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		got, err := enginetest.Embed(e, c, all)
		if err != nil {
			t.Fatal(err)
		}
		other, err := enginetest.Embed(e, mixed, all)
		if err != nil {
			t.Fatal(err)
		}
		e.Close()
		if m := enginetest.Measure(got, want, enginetest.Extent(c.Pos)); m.Strange > 0 || m.Median > 1e-5 ||
			m.P99 > 1e-3 {
			t.Errorf("%s: %v", name, m)
		}
		for i, from := range shuffled {
			if !slices.Equal(other.Row(i), got.Row(from)) {
				t.Fatalf("%s: point %d has other bits beside other points", name, from)
			}
		}
	}
}
