package landmark

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"

	"pgregory.net/rapid"
)

var nan = float32(math.NaN())

func rowsOf(v ...[]float32) matrix.Matrix32 {
	m := matrix.New(len(v), len(v[0]))
	for i, r := range v {
		copy(m.Row(i), r)
	}
	return m
}

// five landmarks of three dimensions: codebook (i, 10i, 100i), position (i, -i).
func five(t rapid.TB) *Set {
	code, pos := matrix.New(5, 3), matrix.New(5, 2)
	for i := range 5 {
		f := float32(i)
		copy(code.Row(i), []float32{f, 10 * f, 100 * f})
		copy(pos.Row(i), []float32{f, -f})
	}
	s, err := New(code, pos)
	if err != nil {
		t.Fatal(err)
	}
	s.Names = []string{"a", "b", "c", "d", "e"}
	s.Edges = [][2]int32{{0, 1}, {1, 2}, {2, 3}, {3, 4}}
	s.Pinned[3] = true
	return s
}

func copyOf(s *Set) *Set {
	c := *s
	c.Codebook, c.Pos = s.Codebook.Clone(), s.Pos.Clone()
	c.Pinned, c.Names, c.Edges = slices.Clone(s.Pinned), slices.Clone(s.Names), slices.Clone(s.Edges)
	return &c
}

func equal(a, b *Set) bool {
	return slices.Equal(a.Codebook.Data, b.Codebook.Data) && slices.Equal(a.Pos.Data, b.Pos.Data) &&
		a.Codebook.Rows == b.Codebook.Rows && a.Codebook.Cols == b.Codebook.Cols && a.Pos.Rows == b.Pos.Rows &&
		slices.Equal(a.Pinned, b.Pinned) && slices.Equal(a.Names, b.Names) && slices.Equal(a.Edges, b.Edges)
}

// After any changes the set is valid, the one before is as it was, revisions say what changed, and
// what was named "x" still has the codebook of "x".
func TestChangesKeepEverythingTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := five(t)
		key := map[string]float32{"a": 0, "b": 1, "c": 2, "d": 3, "e": 4}
		for change := range rapid.IntRange(1, 12).Draw(t, "changes") {
			before, kept := s, copyOf(s)
			if s.Len() == 0 {
				break
			}
			ids := rapid.SliceOfDistinct(rapid.IntRange(0, s.Len()-1), rapid.ID[int]).Draw(t, "ids")
			id := rapid.IntRange(0, s.Len()-1).Draw(t, "id")
			var err error
			code, pos := false, false // which revisions must change
			switch rapid.IntRange(0, 6).Draw(t, "what") {
			case 0:
				s, err = s.Move(ids, []float32{1, 2})
				pos = true
			case 1:
				s, _, err = s.Add([]float32{7, 7}, []float32{9, 9, 9})
				code, pos = true, true
			case 2:
				s, _, err = s.AddFitted([]float32{0.5, 0.5}, nil)
				code, pos = true, true
			case 3:
				s, _, err = s.Duplicate(id, []float32{0.1, 0})
				code, pos = true, true
			case 4:
				var index []int32
				s, index, err = s.Remove(ids)
				code, pos = true, true
				for old, now := range index {
					gone := slices.Contains(ids, old)
					if gone != (now < 0) {
						t.Fatalf("%v removed, index %v", ids, index)
					}
					if !gone && !slices.Equal(before.Codebook.Row(old), s.Codebook.Row(int(now))) {
						t.Fatal("an index leads to another landmark")
					}
				}
			case 5:
				s, err = s.Pin(ids, true)
				for _, id := range ids {
					if !s.Pinned[id] {
						t.Fatal("not pinned")
					}
				}
			case 6:
				name := fmt.Sprint("new ", change)
				delete(key, before.Names[id])
				key[name] = s.Codebook.Row(id)[0]
				s, err = s.Rename(id, name)
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(); err != nil {
				t.Fatal(err)
			}
			if !equal(before, kept) {
				t.Fatal("the set before has changed")
			}
			if (s.CodeRev != before.CodeRev) != code || (s.PosRev != before.PosRev) != pos {
				t.Fatal("revisions do not say what changed")
			}
			for i, name := range s.Names {
				if want, ok := key[name]; ok && s.Codebook.Row(i)[0] != want {
					t.Fatalf("%q has the codebook of another landmark", name)
				}
			}
		}
	})
}

func TestRemove(t *testing.T) {
	s, index, err := five(t).Remove([]int{3, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(index, []int32{0, -1, 1, -1, 2}) || !slices.Equal(s.Names, []string{"a", "c", "e"}) ||
		len(s.Edges) != 0 || slices.Contains(s.Pinned, true) || s.Len() != 3 {
		t.Errorf("%+v %v", s, index)
	}
	s, _, err = s.Remove([]int{0, 1, 2})
	if err != nil || s.Len() != 0 || s.Validate() != nil || s.Dims() != 2 {
		t.Errorf("%+v %v", s, err)
	}
	if s, id, err := s.AddFitted([]float32{1, 1}, []float32{5, 6, 7}); err != nil || id != 0 ||
		s.Codebook.Row(0)[2] != 7 {
		t.Errorf("%+v %v", s, err)
	}
}

func TestRefusals(t *testing.T) {
	s := five(t)
	bad := map[string]error{}
	_, bad["stale"] = s.Move([]int{5}, []float32{0, 0})
	_, bad["negative"] = s.Pin([]int{-1}, true)
	_, bad["coordinates"] = s.Move([]int{0}, []float32{0, 0, 0})
	_, bad["NaN move"] = s.Move([]int{0}, []float32{nan, 0})
	_, _, bad["NaN add"] = s.Add([]float32{0, nan}, []float32{1, 2, 3})
	_, _, bad["dimensions"] = s.Add([]float32{0, 0}, []float32{1, 2})
	_, _, bad["duplicate"] = s.Duplicate(9, []float32{0, 0})
	_, bad["NaN code"] = s.WithCodebook(rowsOf([]float32{nan}, []float32{1}, []float32{1}, []float32{1}, []float32{1}))
	_, bad["few"] = s.WithCodebook(matrix.New(4, 3))
	_, bad["Inf pos"] = s.WithPos(rowsOf([]float32{1, 1}, []float32{1, 1}, []float32{1, 1}, []float32{1, 1},
		[]float32{1, float32(math.Inf(1))}))
	_, bad["4D"] = s.WithPos(matrix.New(5, 4))
	_, bad["edge"] = s.WithEdges([][2]int32{{1, 5}})
	_, bad["name"] = s.Rename(5, "x")
	_, bad["empty"] = New(matrix.New(3, 0), matrix.New(3, 2))
	for what, err := range bad {
		if err == nil || problem.As(err).Remedy == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestNearest2D(t *testing.T) {
	s := five(t)
	if id, d2 := s.Nearest2D(2, -2.1); id != 2 || math.Abs(d2-0.01) > 1e-6 {
		t.Error(id, d2)
	}
	if id, _ := s.Nearest2D(0.5, -0.5); id != 0 {
		t.Error("a tie goes to", id)
	}
	if id, _ := (*Set)(nil).Nearest2D(0, 0); id != -1 {
		t.Error(id)
	}
}

// The fit passes through the landmarks, stays in their range, and is about linear inside a grid
// whose codebook is.
func TestFit(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	pos, _ := Grid(Shape{8, 8, 1}, Hex)
	code := matrix.New(64, 2)
	for i := range 64 {
		p := pos.Row(i)
		copy(code.Row(i), []float32{3*p[0] + p[1], 1e5})
	}
	s, err := New(code, pos)
	if err != nil {
		t.Fatal(err)
	}
	low, high := slices.Min(column(code, 0)), slices.Max(column(code, 0))
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, 63).Draw(t, "i")
		if got := s.Fit(pos.Row(i), nil); !slices.Equal(got, code.Row(i)) {
			t.Fatalf("on landmark %d: %v, want %v", i, got, code.Row(i))
		}
		x, y := rapid.Float32Range(-2.5, 2.5).Draw(t, "x"), rapid.Float32Range(-2, 2).Draw(t, "y")
		if got := s.Fit([]float32{x, y}, nil); math.Abs(float64(got[0]-(3*x+y))) > 1 || got[1] != 1e5 {
			t.Fatalf("at %g %g: %v, want %g", x, y, got, 3*x+y)
		}
		far := rapid.Float32Range(-1e30, 1e30)
		got := s.Fit([]float32{far.Draw(t, "far"), far.Draw(t, "far")}, nil)
		if !(got[0] >= low && got[0] <= high) {
			t.Fatalf("far away: %v is outside of %g to %g", got, low, high)
		}
	})
	// Continuous: a small step makes a small change, also where the set of neighbours changes.
	last := s.Fit([]float32{-6, 0.3}, nil)[0]
	for x := float32(-6); x < 6; x += 1e-3 {
		now := s.Fit([]float32{x, 0.3}, nil)[0]
		if math.Abs(float64(now-last)) > 0.05 {
			t.Fatalf("a jump from %g to %g at %g", last, now, x)
		}
		last = now
	}
	one, _, _ := (*Set)(nil).Add([]float32{1, 1}, []float32{4})
	if got := one.Fit([]float32{9, 9}, nil); got[0] != 4 {
		t.Error(got)
	}
}

func column(m matrix.Matrix32, c int) []float32 {
	v := make([]float32, m.Rows)
	for i := range v {
		v[i] = m.Row(i)[c]
	}
	return v
}

// A tenth as many landmarks as points, up to the default grid.
func TestSideFor(t *testing.T) {
	for n, want := range map[int]int{0: 2, 1: 2, 100: 3, 1000: 10, 3999: 19, 4000: 20, 1 << 40: 20} {
		if got := SideFor(n); got != want {
			t.Errorf("%d points: %d, want %d", n, got, want)
		}
	}
}
