package order

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
)

// A cut into k has k clusters, where no two rows are equal, of which the first is the largest; one more splits one of
// them in two.
func TestACutIntoOneMoreSplitsOne(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(r, "rows")
		x := matrix.New(n, 2)
		for i := range x.Data {
			x.Data[i] = float32(i%7) + rapid.Float32Range(0, 9).Draw(r, "x")
		}
		tree, err := Of(context.Background(), x)
		if err != nil {
			r.Fatal(err)
		}
		before := make([]int, n)
		for k := 1; k <= n; k++ {
			got := tree.Cut(k)
			sizes := make([]int, k)
			for _, c := range got {
				sizes[c]++
			}
			if slices.Min(sizes) == 0 || !slices.IsSortedFunc(sizes, func(a, b int) int { return b - a }) {
				r.Fatalf("%d clusters of the sizes %v", k, sizes)
			}
			split := map[[2]int]bool{}
			for i := range got {
				split[[2]int{before[i], got[i]}] = true
			}
			if k > 1 && len(split) != k {
				r.Fatalf("%d clusters are parts of %d: %v", k, k-1, split)
			}
			before = got
		}
		if len(tree.Cut(n+5)) != n || slices.Max(tree.Cut(0)) != 0 {
			r.Fatal("numbers beyond what is possible")
		}
	})
}
