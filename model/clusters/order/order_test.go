package order

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
)

func rows(cols int, values ...float32) matrix.Matrix32 {
	return matrix.Matrix32{Rows: len(values) / cols, Cols: cols, Data: values}
}

// Numbers on a line come in their order, whichever end is first.
func TestLeavesOfALineAreInItsOrder(t *testing.T) {
	x := rows(1, 5, 1, 4.1, 9, 1.5, 8.2, 0)
	tree, err := Of(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	var got []float32
	for _, i := range tree.Leaves {
		got = append(got, x.Data[i])
	}
	up := slices.Clone(got)
	slices.Reverse(up)
	if !slices.IsSorted(got) && !slices.IsSorted(up) {
		t.Errorf("the order is %v", got)
	}
}

func TestNoRowsAndOne(t *testing.T) {
	for n := range 2 {
		tree, err := Of(context.Background(), rows(2, make([]float32, 2*n)...))
		if err != nil || len(tree.Leaves) != n || len(tree.Joins) != 0 {
			t.Errorf("%d rows: %+v, %v", n, tree, err)
		}
	}
}

func TestEqualRowsHaveATreeToo(t *testing.T) {
	tree, err := Of(context.Background(), rows(1, make([]float32, 32)...))
	if err != nil || len(tree.Leaves) != 32 || len(tree.Joins) != 31 || tree.Joins[30].Height != 0 {
		t.Errorf("%+v, %v", tree, err)
	}
}

func TestACancelledOrderEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Of(ctx, rows(1, 1, 2, 3)); err == nil {
		t.Error("no error")
	}
}

// The tree is that of average linkage by its definition: the two clusters of the least mean squared distance between
// their rows become one, again and again.
func TestOrderIsAverageLinkage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(2, 33).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "d")
		x := matrix.Matrix32{Rows: n, Cols: d, Data: make([]float32, n*d)}
		draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)) // no two distances are equal
		for i := range x.Data {
			x.Data[i] = float32(draw.NormFloat64())
		}
		tree, err := Of(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		leaves := slices.Clone(tree.Leaves)
		slices.Sort(leaves)
		for i, l := range leaves {
			if int(l) != i {
				t.Fatalf("the leaves are %v", tree.Leaves)
			}
		}
		var got []float64
		for _, j := range tree.Joins {
			got = append(got, j.Height)
		}
		slices.Sort(got)
		want := byDefinition(x)
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-6*(1+want[i]) {
				t.Fatalf("heights %v, by definition %v", got, want)
			}
		}
	})
}

func byDefinition(x matrix.Matrix32) (heights []float64) {
	var all [][]int
	for i := range x.Rows {
		all = append(all, []int{i})
	}
	for len(all) > 1 {
		best, a, b := math.Inf(1), 0, 0
		for i := range all {
			for j := range i {
				sum := 0.0
				for _, p := range all[i] {
					for _, q := range all[j] {
						sum += apart(x.Row(p), x.Row(q))
					}
				}
				if d := sum / float64(len(all[i])*len(all[j])); d < best {
					best, a, b = d, j, i
				}
			}
		}
		heights = append(heights, math.Sqrt(best))
		all[a] = append(all[a], all[b]...)
		all = slices.Delete(all, b, b+1)
	}
	slices.Sort(heights)
	return heights
}
