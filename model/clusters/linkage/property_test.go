package linkage

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
)

// drawn is a table with ties and equal rows, or with neither.
func drawn(t *rapid.T, least int) matrix.Matrix32 {
	n, d := rapid.IntRange(least, 90).Draw(t, "n"), rapid.IntRange(1, 5).Draw(t, "d")
	x := matrix.New(n, d)
	if rapid.Bool().Draw(t, "lattice") {
		for i := range x.Data {
			x.Data[i] = float32(rapid.IntRange(-2, 3).Draw(t, "at"))
		}
		return x
	}
	for i := range x.Data {
		x.Data[i] = float32(rapid.Float32Range(-100, 100).Draw(t, "x"))
	}
	return x
}

func drawnAlgorithm(t *rapid.T) Options {
	var ids []string
	for _, a := range Algorithms() {
		if a.Exact {
			ids = append(ids, a.ID)
		}
	}
	return Options{Algorithm: rapid.SampledFrom(ids).Draw(t, "algorithm"),
		Threads: rapid.IntRange(1, 3).Draw(t, "threads")}
}

func heights(z Z) (h []float64) {
	for i := range len(z) / 4 {
		h = append(h, z.Height(i))
	}
	return h
}

// A row once more adds one height of 0.
func TestDoubledRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, o := drawn(t, 1), drawnAlgorithm(t)
		more := matrix.Matrix32{Rows: x.Rows + 1, Cols: x.Cols,
			Data: append(slices.Clone(x.Data), x.Row(rapid.IntRange(0, x.Rows-1).Draw(t, "row"))...)}
		a, b := drawnZ(t, x, o), drawnZ(t, more, o)
		if !slices.Equal(append([]float64{0}, heights(a.Z)...), heights(b.Z)) {
			t.Fatalf("%v becomes %v", heights(a.Z), heights(b.Z))
		}
	})
}

// drawnZ is cluster for rapid.
func drawnZ(t *rapid.T, x matrix.Matrix32, o Options) *Linkage {
	r, err := New(t.Context(), x, o)
	if err == nil {
		err = r.Finish(t.Context(), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	return known(t, r)
}

func TestTwiceAsLarge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, o := drawn(t, 1), drawnAlgorithm(t)
		twice := x.Clone()
		for i := range twice.Data {
			twice.Data[i] *= 2
		}
		a, b := drawnZ(t, x, o), drawnZ(t, twice, o)
		for i := range len(a.Z) / 4 {
			a.Z[4*i+2] *= 2
		}
		if !slices.Equal(a.Z, b.Z) {
			t.Fatalf("%v becomes %v", a.Z, b.Z)
		}
	})
}

// Rows in another order have the same hierarchy: two points are together at the same height.
func TestPermuted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, o := drawn(t, 2), drawnAlgorithm(t)
		order := rapid.Permutation(seq(x.Rows)).Draw(t, "order")
		y := matrix.New(x.Rows, x.Cols)
		for i, j := range order {
			copy(y.Row(i), x.Row(j))
		}
		a, b := together(drawnZ(t, x, o).Z, x.Rows), together(drawnZ(t, y, o).Z, x.Rows)
		for i := range order {
			for j := range order {
				if a(order[i], order[j]) != b(i, j) {
					t.Fatalf("%d and %d are together at %g, and then at %g", i, j, a(order[i], order[j]), b(i, j))
				}
			}
		}
	})
}

func seq(n int) (s []int) {
	for i := range n {
		s = append(s, i)
	}
	return s
}

// together is the cophenetic distance by Z alone: the height of the first cluster with both leaves.
func together(z Z, m int) func(i, j int) float64 {
	up := make([]int, m+len(z)/4)
	for i := range len(z) / 4 {
		a, b := z.ids(i)
		up[a], up[b] = m+i, m+i
	}
	return func(i, j int) float64 {
		h := 0.0
		for i != j {
			if i > j {
				i, j = j, i
			}
			i = up[i]
			h = max(h, z.Height(i-m))
		}
		return h
	}
}

// Points that are together among some of the points are together among all of them no later.
func TestSubset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, o := drawn(t, 2), drawnAlgorithm(t)
		some := rapid.IntRange(2, x.Rows).Draw(t, "some")
		part := matrix.Matrix32{Rows: some, Cols: x.Cols, Data: x.Data[:some*x.Cols]}
		all, few := together(drawnZ(t, x, o).Z, x.Rows), together(drawnZ(t, part, o).Z, some)
		for i := range some {
			for j := range i {
				if all(i, j) > few(i, j) {
					t.Fatalf("%d and %d are together at %g, and at %g without the others", i, j, all(i, j), few(i, j))
				}
			}
		}
	})
}

// Cuts follow from the cophenetic distances alone.
func TestCuts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, o := drawn(t, 1), drawnAlgorithm(t)
		l := drawnZ(t, x, o)
		m := l.Len()
		at := together(l.Z, m)
		check := func(c *Cut, h float64) {
			sizes, firsts := map[int32]int{}, map[int32]int{}
			for i, a := range c.Labels {
				sizes[a]++
				if sizes[a] == 1 {
					firsts[a] = i
				}
				for j, b := range c.Labels {
					if (a == b) != (at(i, j) <= h) {
						t.Fatalf("%d and %d, together at %g, are cut at %g to %d and %d", i, j, at(i, j), h, a, b)
					}
				}
			}
			for a := range int32(c.Clusters) {
				if a > 0 && (sizes[a] > sizes[a-1] || sizes[a] == sizes[a-1] && firsts[a] < firsts[a-1]) {
					t.Fatalf("label %d of %d points comes after one of %d", a, sizes[a], sizes[a-1])
				}
			}
			if len(sizes) != c.Clusters {
				t.Fatalf("%d clusters, and %d labels", c.Clusters, len(sizes))
			}
		}
		h := float64(rapid.Float32Range(0, 60).Draw(t, "h"))
		c, err := l.Z.CutDistance(m, h)
		if err != nil {
			t.Fatal(err)
		}
		check(c, h)
		k := rapid.IntRange(1, m).Draw(t, "k")
		if c, err = l.Z.CutNumber(m, k); err != nil {
			t.Fatal(err)
		}
		check(c, c.Height)
		if c.Clusters > k || c.Clusters < k && !(c.Fewer == c.Clusters && (c.More > k || c.More == c.Fewer)) ||
			c.Clusters == k && c.More != 0 {
			t.Fatalf("%d clusters were asked for: %d, of %d or %d", k, c.Clusters, c.Fewer, c.More)
		}
		if c.More > 0 {
			if again, err := l.Z.CutNumber(m, c.More); err != nil || again.Clusters != c.More {
				t.Fatalf("%d clusters are possible, and are %+v %v", c.More, again, err)
			}
		}
		size := rapid.IntRange(2, 12).Draw(t, "size")
		if c, err = l.Z.CutSize(m, size); err != nil {
			t.Fatal(err)
		}
		count := make([]int, c.Clusters)
		for _, label := range c.Labels {
			if label != Noise {
				count[label]++
			}
		}
		for _, n := range count {
			if n < size {
				t.Fatalf("a cluster of %d points, where %d are the least", n, size)
			}
		}
		if c.Clusters == 1 {
			t.Fatal("the whole is no cluster, and one alone has no other")
		}
	})
}

func TestCutsRefuse(t *testing.T) {
	z := FromTree(3, []Edge{{0, 1, 1}, {1, 2, 1}})
	for _, err := range []error{second(z.CutNumber(3, 0)), second(z.CutNumber(3, 4)), second(z.CutDistance(3, -1)),
		second(z.CutDistance(3, math.NaN())), second(z.CutSize(3, 1))} {
		if err == nil {
			t.Error("it is possible")
		}
	}
	if c, err := z.CutNumber(3, 2); err != nil || c.Clusters != 1 || c.Fewer != 1 || c.More != 3 {
		t.Errorf("%+v %v", c, err)
	}
	if c, err := FromTree(3, []Edge{{0, 1, 0}, {1, 2, 0}}).CutNumber(3, 2); err != nil || c.Clusters != 1 ||
		c.Fewer != 1 || c.More != 1 {
		t.Errorf("%+v %v", c, err)
	}
	if c, err := (Z{}).CutNumber(1, 1); err != nil || c.Clusters != 1 || !slices.Equal(c.Labels, []int32{0}) {
		t.Errorf("%+v %v", c, err)
	}
}

func second(_ *Cut, err error) error { return err }
