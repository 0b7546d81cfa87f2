package landmark

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
)

// someSet is any map of 2 to 40 landmarks.
func someSet(t *rapid.T) *Set {
	g, dims, d := rapid.IntRange(2, 40).Draw(t, "g"), rapid.IntRange(2, 3).Draw(t, "dims"), 4
	pos, code := matrix.New(g, dims), matrix.New(g, d)
	for i := range pos.Data {
		pos.Data[i] = float32(rapid.IntRange(-20, 20).Draw(t, "pos")) / 4
	}
	for i := range code.Data {
		code.Data[i] = float32(rapid.Float64Range(-3, 3).Draw(t, "code"))
	}
	s, err := New(code, pos)
	if err != nil {
		t.Fatal(err)
	}
	for range rapid.IntRange(0, 60).Draw(t, "edges") {
		a, b := rapid.IntRange(0, g-1).Draw(t, "a"), rapid.IntRange(0, g-1).Draw(t, "b")
		e := [2]int32{int32(min(a, b)), int32(max(a, b))}
		if a != b && !slices.Contains(s.Edges, e) {
			s.Edges = append(s.Edges, e)
		}
	}
	if rapid.Bool().Draw(t, "named") {
		s.Names = make([]string, g)
		s.Names[g-1] = "last"
	}
	s.Pinned[0] = true
	return s
}

func someOf(t *rapid.T, s *Set, least int) []int {
	one := rapid.IntRange(0, s.Len()-1)
	ids := rapid.SliceOfNDistinct(one, min(least, s.Len()), s.Len(), rapid.ID[int]).Draw(t, "ids")
	slices.Sort(ids)
	return ids
}

// New landmarks pass through those that are there, and stay within their range.
func TestFittedFromNeighbours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := someSet(t)
		more, first, err := s.AddAll(context.Background(), s.Pos, s.Edges, nil)
		if err != nil {
			t.Fatal(err)
		}
		if more.Len() != 2*s.Len() || first != s.Len() || len(more.Edges) != 2*len(s.Edges) {
			t.Fatalf("%d landmarks and %d edges", more.Len(), len(more.Edges))
		}
		for i := range s.Len() {
			same := []int{} // on top of which it is
			for j := range s.Len() {
				if slices.Equal(s.Pos.Row(i), s.Pos.Row(j)) {
					same = append(same, j)
				}
			}
			if len(same) > fitNeighbours {
				continue
			}
			for c, x := range more.Codebook.Row(first + i) {
				want := 0.0
				for _, j := range same {
					want += float64(s.Codebook.Row(j)[c]) / float64(len(same))
				}
				if math.Abs(want-float64(x)) > 1e-5 {
					t.Fatalf("landmark %d: %g, on top of it %g", i, x, want)
				}
			}
		}
		for i := range s.Len() {
			if !slices.Equal(more.Codebook.Row(i), s.Codebook.Row(i)) || !slices.Equal(more.Pos.Row(i), s.Pos.Row(i)) {
				t.Fatal("those that were there have changed")
			}
		}
	})
}

// Fit takes its neighbours as sorting all of them by distance and index would.
func TestNearestAsSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := someSet(t)
		at := []float32{float32(rapid.IntRange(-8, 8).Draw(t, "x")) / 2, 0.5, 0}[:s.Pos.Cols]
		k := rapid.IntRange(1, s.Len()).Draw(t, "k")
		all := s.nearest(at, s.Len())
		if !slices.IsSortedFunc(all, func(a, b near) int {
			if a.r != b.r {
				return int(math.Copysign(1, a.r-b.r))
			}
			return a.id - b.id
		}) || len(all) != s.Len() {
			t.Fatal("not in order")
		}
		if !slices.Equal(s.nearest(at, k), all[:k]) {
			t.Fatal("the nearest of some are others")
		}
	})
}

func TestAlignAndDistribute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := someSet(t)
		ids := someOf(t, s, 3)
		dir := make([]float64, s.Pos.Cols)
		c := rapid.IntRange(0, s.Pos.Cols-1).Draw(t, "axis")
		dir[c] = 1
		for _, side := range []Side{Lowest, Middle, Highest} {
			a, err := s.Align(ids, dir, side)
			if err != nil {
				if len(ids) > 1 {
					t.Fatal(err)
				}
				return
			}
			for _, id := range ids {
				if a.Pos.Row(id)[c] != a.Pos.Row(ids[0])[c] {
					t.Fatalf("side %d: landmarks are not on a line", side)
				}
				for o := range dir {
					if o != c && a.Pos.Row(id)[o] != s.Pos.Row(id)[o] {
						t.Fatal("moved along the line too")
					}
				}
			}
		}
		if len(ids) < 3 {
			return
		}
		d, err := s.Distribute(ids, dir)
		if err != nil {
			t.Fatal(err)
		}
		var at []float64
		for _, id := range ids {
			at = append(at, float64(d.Pos.Row(id)[c]))
		}
		slices.Sort(at)
		gap := (at[len(at)-1] - at[0]) / float64(len(at)-1)
		for i := range at[1:] {
			if math.Abs(at[i+1]-at[i]-gap) > 1e-5 {
				t.Fatalf("gaps of %g and %g", at[i+1]-at[i], gap)
			}
		}
	})
}

func TestMergeAndSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := someSet(t)
		ids := someOf(t, s, 2)
		m, index, err := s.Merge(ids)
		if err != nil {
			t.Fatal(err)
		}
		if m.Len() != s.Len()-len(ids)+1 {
			t.Fatalf("%d of %d are left after %d were merged", m.Len(), s.Len(), len(ids))
		}
		one := index[ids[0]]
		for _, e := range s.Edges {
			a, b := index[e[0]], index[e[1]]
			if a != b && !slices.Contains(m.Edges, [2]int32{min(a, b), max(a, b)}) {
				t.Fatalf("the edge %v is lost", e)
			}
		}
		for c := range m.Pos.Cols {
			mean := 0.0
			for _, id := range ids {
				mean += float64(s.Pos.Row(id)[c]) / float64(len(ids))
			}
			if math.Abs(mean-float64(m.Pos.Row(int(one))[c])) > 1e-5 {
				t.Fatal("not in the middle")
			}
		}
		if !m.Pinned[index[0]] || s.Names != nil && m.Names[index[s.Len()-1]] != "last" {
			t.Fatal("its pin or its name is lost")
		}
		two, halves, err := s.Split(ids)
		if err != nil {
			t.Fatal(err)
		}
		if two.Len() != s.Len()+len(ids) || len(halves) != len(ids) {
			t.Fatalf("%d landmarks after %d of %d were split", two.Len(), len(ids), s.Len())
		}
		for k, id := range ids {
			if slices.Equal(two.Pos.Row(id), two.Pos.Row(halves[k])) {
				t.Fatalf("both halves of %d are in one place", id)
			}
			if !slices.Contains(two.Edges, [2]int32{int32(id), int32(halves[k])}) {
				t.Fatal("the halves are not joined")
			}
		}
	})
}

func TestTooFewToArrange(t *testing.T) {
	pos, code := matrix.New(2, 2), matrix.New(2, 1)
	s, err := New(code, pos)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Align([]int{0}, []float64{1, 0}, Lowest); err == nil {
		t.Error("one landmark was aligned")
	}
	if _, err := s.Distribute([]int{0, 1}, []float64{1, 0}); err == nil {
		t.Error("two landmarks were distributed")
	}
	if _, _, err := s.Merge([]int{1}); err == nil {
		t.Error("one landmark was merged")
	}
	if _, _, err := s.Split([]int{7}); err == nil {
		t.Error("a landmark that is not there was split")
	}
	if _, halves, err := s.Split([]int{0, 1}); err != nil || len(halves) != 2 {
		t.Error("two landmarks on one spot were not split", err)
	}
}
