package linkage

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
)

// sharded links a table by pairs of shards that begin at cuts, in a random order.
func sharded(ctx context.Context, x matrix.Matrix32, cuts []int, o Options, order func(n int) []int) (*Linkage, error) {
	var shards []Shard
	for k, from := range cuts {
		to := x.Rows
		if k+1 < len(cuts) {
			to = cuts[k+1]
		}
		shards = append(shards, Shard{from, matrix.Matrix32{Rows: to - from, Cols: x.Cols,
			Data: x.Data[from*x.Cols : to*x.Cols]}})
	}
	var pairs [][2]int
	for a := range shards {
		for b := a + 1; b < len(shards); b++ {
			pairs = append(pairs, [2]int{a, b})
		}
	}
	if len(shards) == 1 {
		pairs = [][2]int{{0, 0}}
	}
	all := NewGroves(x.Rows, o.Threads)
	for _, k := range order(len(pairs)) {
		g, err := OfShards(ctx, shards[pairs[k][0]], shards[pairs[k][1]], o)
		if err == nil {
			err = all.Add(ctx, g)
		}
		if err != nil {
			return nil, err
		}
	}
	return all.Linkage(ctx)
}

// The hierarchy of pairs of shards, merged in any order, is that of one table, to the last bit: with ties, rows that
// are equal within a shard or across, and rows that are not valid.
func TestShardsHaveTheLinkageOfOneTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n, d := rapid.IntRange(0, 300).Draw(t, "rows"), rapid.IntRange(1, 4).Draw(t, "columns")
		o := Options{Metric: rapid.SampledFrom([]Metric{Euclidean, Cosine, L1}).Draw(t, "metric"),
			Algorithm: rapid.SampledFrom([]string{"light", "prim", "boruvka"}).Draw(t, "algorithm")}
		levels := rapid.IntRange(1, 40).Draw(t, "levels") // few make ties and equal rows
		x := matrix.New(n, d)
		for i := range x.Data {
			if x.Data[i] = float32(r.IntN(levels)); levels == 40 {
				x.Data[i] = float32(r.NormFloat64())
			}
			if r.IntN(50) == 0 {
				x.Data[i] = float32(math.NaN())
			}
		}
		cuts := []int{0}
		for range rapid.IntRange(0, 6).Draw(t, "cuts") {
			cuts = append(cuts, r.IntN(n+1))
		}
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		want := linked(t, x, o)
		got, err := sharded(t.Context(), x, cuts, o, r.Perm)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Z, want.Z) || !slices.Equal(got.Leaves, want.Leaves) || got.Rows != want.Rows ||
			got.Duplicates != want.Duplicates || len(got.Tree) != len(want.Tree) {
			t.Fatalf("cut at %v: %v\nof one table %v", cuts, got, want)
		}
	})
}

// linked is the linkage of a table at once.
func linked(t *rapid.T, x matrix.Matrix32, o Options) *Linkage {
	r, err := New(t.Context(), x, o)
	if err == nil {
		defer r.Close()
		err = r.Finish(t.Context(), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	l, err := r.Linkage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A pair that is missing is said, what no two shards know is refused, and an end is an end.
func TestShardsThatCannotBeLinked(t *testing.T) {
	a, b := Shard{0, rows(1, 1, 2)}, Shard{2, rows(1, 5, 9)}
	if _, err := OfShards(t.Context(), a, b, Options{MinSamples: 2}); err == nil {
		t.Error("neighbours among all rows are found in two shards")
	}
	if _, err := OfShards(t.Context(), b, a, Options{}); err == nil {
		t.Error("shards in the wrong order are linked")
	}
	all := NewGroves(4, 1)
	for _, s := range []Shard{a, b} {
		g, err := OfShards(t.Context(), s, s, Options{})
		if err == nil {
			err = all.Add(t.Context(), g)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if l, err := all.Linkage(t.Context()); err == nil {
		t.Errorf("without the pair of both: %v", l)
	}
	if err := all.Add(t.Context(), &Grove{Tree: []Edge{{1, 4, 1}}}); err == nil {
		t.Error("a tree of other rows is taken")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := OfShards(ctx, a, b, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

// BenchmarkShards links BLOSSOM_ROWS x 10 (a hundred thousand) in 1, 4 and 8 shards: for docs/scale.md.
func BenchmarkShards(b *testing.B) {
	n, _ := strconv.Atoi(os.Getenv("BLOSSOM_ROWS"))
	n = max(n, 100_000)
	const d = 10
	r := rand.New(rand.NewPCG(1, 2))
	x, centres := matrix.New(n, d), matrix.New(30, d)
	for i := range centres.Data {
		centres.Data[i] = float32(10 * r.NormFloat64())
	}
	for i := range n {
		c := centres.Row(r.IntN(centres.Rows))
		for j := range d {
			x.Row(i)[j] = c[j] + float32(r.NormFloat64())
		}
	}
	for _, shards := range []int{1, 4, 8} {
		b.Run(strconv.Itoa(shards), func(b *testing.B) {
			cuts := make([]int, shards)
			for k := range cuts {
				cuts[k] = k * n / shards
			}
			for b.Loop() {
				if _, err := sharded(b.Context(), x, cuts, Options{}, rand.Perm); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
