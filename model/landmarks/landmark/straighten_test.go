package landmark

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
)

// branch is landmarks on a line of the data, shuffled on the map, with a branch of two in its middle.
func branch(t *testing.T) *Set {
	t.Helper()
	code := matrix.Matrix32{Rows: 7, Cols: 2, Data: []float32{4, 0, 0, 0, 2, 0, 1, 0, 2, 1, 3, 0, 2, 2}}
	pos := matrix.New(7, 2)
	for i := range pos.Rows {
		pos.Row(i)[0], pos.Row(i)[1] = float32(10-i*i%7), float32(i)
	}
	s, err := New(code, pos)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func strokeOf(xy ...float32) matrix.Matrix32 {
	return matrix.Matrix32{Rows: len(xy) / 2, Cols: 2, Data: xy}
}

func TestStraightenInTheOrderOfTheTree(t *testing.T) {
	s := branch(t)
	ids := []int{0, 1, 2, 3, 5}
	got, err := s.Straighten(ids, strokeOf(100, 0, 100, 4), Along{})
	if err != nil {
		t.Fatal(err)
	}
	// On the data's line they are 1, 3, 2, 5, 0; the end on the map that is nearer to the stroke goes first.
	order := []int{1, 3, 2, 5, 0}
	if apart(s.Pos.Row(0), []float32{100, 0}) < apart(s.Pos.Row(1), []float32{100, 0}) {
		slices.Reverse(order)
	}
	for i, id := range order {
		if p := got.Pos.Row(id); p[0] != 100 || math.Abs(float64(p[1])-float64(i)) > 1e-5 {
			t.Errorf("landmark %d is at %v, not at %d", id, p, i)
		}
	}
	if !slices.Equal(got.Pos.Row(4), s.Pos.Row(4)) || !slices.Equal(got.Pos.Row(6), s.Pos.Row(6)) {
		t.Error("others have moved")
	}
	// A branch follows where it leaves the way, the near ones first.
	all, err := s.Straighten([]int{0, 1, 2, 3, 4, 5, 6}, strokeOf(-100, 0, 0, 0), Along{})
	if err != nil {
		t.Fatal(err)
	}
	x := func(id int) float32 { return all.Pos.Row(id)[0] }
	if !(x(2) < x(4) && x(4) < x(6)) && !(x(2) > x(4) && x(4) > x(6)) {
		t.Errorf("the branch is at %g, %g, %g", x(2), x(4), x(6))
	}
}

func TestStraightenByValues(t *testing.T) {
	s := branch(t)
	pinned, err := s.Pin([]int{3}, true)
	if err != nil {
		t.Fatal(err)
	}
	bent := strokeOf(0, 0, 10, 0, 10, 10) // 20 long
	got, err := pinned.Straighten([]int{0, 2, 3, 6}, bent, Along{Values: []float32{8, 0, 3, 4}, ByDistance: true})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[int][]float32{2: {0, 0}, 6: {10, 0}, 0: {10, 10}, 3: pinned.Pos.Row(3)} {
		if !slices.Equal(got.Pos.Row(id), want) {
			t.Errorf("landmark %d is at %v, not at %v", id, got.Pos.Row(id), want)
		}
	}
}

// Whatever the stroke and the landmarks: they lie on it, the first and last at its ends, in order, in 2D and 3D, and
// gaps along it are even.
func TestStraightenAlongAnyStroke(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		g, dims := rapid.IntRange(2, 30).Draw(r, "landmarks"), rapid.IntRange(2, 3).Draw(r, "dims")
		number := rapid.Float32Range(-50, 50)
		draw := func(rows, cols int) matrix.Matrix32 {
			data := rapid.SliceOfN(number, rows*cols, rows*cols).Draw(r, "m")
			return matrix.Matrix32{Rows: rows, Cols: cols, Data: data}
		}
		s, err := New(draw(g, 3), draw(g, dims))
		if err != nil {
			r.Fatal(err)
		}
		stroke := draw(rapid.IntRange(1, 20).Draw(r, "points"), dims)
		var how Along
		if rapid.Bool().Draw(r, "values") {
			how.Values = rapid.SliceOfN(number, g, g).Draw(r, "value")
		}
		ids := make([]int, g)
		for i := range ids {
			ids[i] = i
		}
		got, err := s.Straighten(ids, stroke, how)
		l := newStrokePath(stroke).length()
		if (err != nil) != (l == 0) {
			r.Fatalf("a stroke of length %g: %v", l, err)
		}
		if err != nil {
			return
		}
		if err := got.Validate(); err != nil {
			r.Fatal(err)
		}
		want := make([]float32, dims)
		p, used := newStrokePath(stroke), map[int]bool{}
		for i := range g { // each place of even gaps is that of one landmark, the nearest: gaps may be very short
			p.at(l*float64(i)/float64(g-1), want)
			at := -1
			for id := range g {
				if !used[id] && (at < 0 || apart(got.Pos.Row(id), want) < apart(got.Pos.Row(at), want)) {
					at = id
				}
			}
			if apart(got.Pos.Row(at), want) > 1e-4 {
				r.Fatalf("no landmark is at %v, place %d of %d", want, i, g)
			}
			used[at] = true
		}
		if how.Values != nil {
			lo, hi := slices.Index(how.Values, slices.Min(how.Values)), g-1
			for i, v := range how.Values {
				if v >= how.Values[hi] {
					hi = i
				}
			}
			p.at(0, want)
			if apart(got.Pos.Row(lo), want) > 1e-4 {
				r.Fatalf("the lowest value is at %v", got.Pos.Row(lo))
			}
		}
	})
}

func TestStraightenNothing(t *testing.T) {
	s := branch(t)
	nan := float32(math.NaN())
	for name, x := range map[string]struct {
		ids    []int
		stroke matrix.Matrix32
		how    Along
	}{
		"one landmark":       {[]int{1}, strokeOf(0, 0, 1, 1), Along{}},
		"none":               {nil, strokeOf(0, 0, 1, 1), Along{}},
		"a stroke of none":   {[]int{1, 2}, strokeOf(), Along{}},
		"of one point":       {[]int{1, 2}, strokeOf(1, 1), Along{}},
		"of one place":       {[]int{1, 2}, strokeOf(1, 1, 1, 1), Along{}},
		"of nothing":         {[]int{1, 2}, strokeOf(1, nan, 1, 1), Along{}},
		"no such landmark":   {[]int{1, 77}, strokeOf(0, 0, 1, 1), Along{}},
		"too few values":     {[]int{1, 2}, strokeOf(0, 0, 1, 1), Along{Values: []float32{1}}},
		"values that are no": {[]int{1, 2}, strokeOf(0, 0, 1, 1), Along{Values: []float32{1, nan}}},
	} {
		if got, err := s.Straighten(x.ids, x.stroke, x.how); err == nil {
			t.Errorf("%s: %v", name, got.Pos)
		}
	}
}
