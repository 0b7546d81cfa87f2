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
		for by := Average; by <= Single; by++ {
			tree, err := By(context.Background(), rows(2, make([]float32, 2*n)...), by)
			if err != nil || len(tree.Leaves) != n || len(tree.Joins) != 0 {
				t.Errorf("%d rows: %+v, %v", n, tree, err)
			}
		}
	}
}

func TestEqualRowsHaveATreeToo(t *testing.T) {
	for by := Average; by <= Single; by++ {
		tree, err := By(context.Background(), rows(1, make([]float32, 32)...), by)
		if err != nil || len(tree.Leaves) != 32 || len(tree.Joins) != 31 || tree.Joins[30].Height != 0 {
			t.Errorf("%+v, %v", tree, err)
		}
	}
}

func TestACancelledOrderEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for by := Average; by <= Single; by++ {
		if _, err := By(ctx, rows(1, 1, 2, 3), by); err == nil {
			t.Error("no error")
		}
	}
}

// The tree is that of its linkage by definition: the two clusters that are the least apart become one, again and again.
func TestATreeIsThatOfItsLinkage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(2, 33).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "d")
		by := Linkage(rapid.IntRange(int(Average), int(Single)).Draw(t, "by"))
		x := matrix.Matrix32{Rows: n, Cols: d, Data: make([]float32, n*d)}
		draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)) // no two distances are equal
		for i := range x.Data {
			x.Data[i] = float32(draw.NormFloat64())
		}
		tree, err := By(context.Background(), x, by)
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
		want := byDefinition(x, by)
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-6*(1+want[i]) {
				t.Fatalf("%d: heights %v, by definition %v", by, got, want)
			}
		}
	})
}

// apartBy is the square of how far apart two sets of rows are by a linkage, by definition.
func apartBy(x matrix.Matrix32, a, b []int, by Linkage) float64 {
	sum, least := 0.0, math.Inf(1)
	for _, p := range a {
		for _, q := range b {
			d := apart(x.Row(p), x.Row(q))
			sum, least = sum+d, min(least, d)
		}
	}
	switch by {
	case Single:
		return least
	case Ward: // twice how much the sum of squared distances from the means grows
		return 2 * (scatter(x, append(slices.Clone(a), b...)) - scatter(x, a) - scatter(x, b))
	}
	return sum / float64(len(a)*len(b))
}

// scatter is the sum of the squared distances of rows from their mean.
func scatter(x matrix.Matrix32, of []int) (sum float64) {
	for c := range x.Cols {
		mean := 0.0
		for _, i := range of {
			mean += float64(x.Row(i)[c]) / float64(len(of))
		}
		for _, i := range of {
			sum += (float64(x.Row(i)[c]) - mean) * (float64(x.Row(i)[c]) - mean)
		}
	}
	return sum
}

func byDefinition(x matrix.Matrix32, by Linkage) (heights []float64) {
	var all [][]int
	for i := range x.Rows {
		all = append(all, []int{i})
	}
	for len(all) > 1 {
		best, a, b := math.Inf(1), 0, 0
		for i := range all {
			for j := range i {
				if d := apartBy(x, all[i], all[j], by); d < best {
					best, a, b = d, j, i
				}
			}
		}
		heights = append(heights, math.Sqrt(max(best, 0)))
		all[a] = append(all[a], all[b]...)
		all = slices.Delete(all, b, b+1)
	}
	slices.Sort(heights)
	return heights
}
