package landmark

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
)

// Edits of edges stay with their landmarks, whatever is added, doubled or removed beside them.
func TestEditsOfEdgesFollowTheirLandmarks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.IntRange(3, 9).Draw(t, "landmarks")
		s := numbered(t, g)
		type names struct{ a, b float32 } // landmarks are known again by their codebook
		want := map[names]EdgeMark{}
		next := float32(g)
		for range rapid.IntRange(0, 30).Draw(t, "changes") {
			n := s.Len()
			a, b := rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b")
			x, y := s.Codebook.Row(a)[0], s.Codebook.Row(b)[0]
			var err error
			switch before := s; rapid.IntRange(0, 3).Draw(t, "change") {
			case 0:
				s, _, err = s.Add([]float32{0, 0}, []float32{next})
				next++
			case 1:
				if n < 4 {
					continue
				}
				s, _, err = s.Remove([]int{a})
				for k := range want {
					if k.a == x || k.b == x {
						delete(want, k)
					}
				}
			case 2: // on a copy nothing has been done by hand
				s, _, err = s.Duplicate(a, []float32{1, 1})
				if err == nil {
					s.Codebook.Row(s.Len() - 1)[0] = next
					next++
				}
			case 3:
				if a == b {
					continue
				}
				mark := rapid.SampledFrom([]EdgeMark{0, EdgeCut, EdgeJoined, EdgeLocked, EdgeJoined | EdgeLocked}).
					Draw(t, "mark")
				if s, err = s.EditEdge(a, b, mark); err != nil {
					t.Fatal(err)
				}
				if s.EdgeRev == before.EdgeRev {
					t.Fatal("the same revision after a change")
				}
				key := names{min(x, y), max(x, y)}
				if delete(want, key); mark != 0 {
					want[key] = mark
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(); err != nil {
				t.Fatal(err)
			}
		}
		got := map[names]EdgeMark{}
		for _, e := range s.Edits {
			x, y := s.Codebook.Row(int(e.A))[0], s.Codebook.Row(int(e.B))[0]
			got[names{min(x, y), max(x, y)}] = e.Mark
			if s.EditOf(int(e.B), int(e.A)) != e.Mark {
				t.Fatalf("asked for %v: %v", e, s.EditOf(int(e.B), int(e.A)))
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%v, not %v", got, want)
		}
		for k, mark := range want {
			if got[k] != mark {
				t.Fatalf("%v is %d, not %d", k, got[k], mark)
			}
		}
		again := written(t, s)
		if !slices.Equal(again.Edits, s.Edits) {
			t.Fatalf("read back %v of %v", again.Edits, s.Edits)
		}
	})
}

func numbered(t interface{ Fatal(...any) }, g int) *Set {
	code := matrix.New(g, 1)
	for i := range code.Data {
		code.Data[i] = float32(i)
	}
	s, err := New(code, matrix.New(g, 2))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func written(t interface{ Fatal(...any) }, s *Set) *Set {
	var b bytes.Buffer
	f := File{Set: s, Columns: []FileColumn{{Name: "a", Transform: "none", Weight: 1}}}
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	again, err := Read(&b, "a.json")
	if err != nil {
		t.Fatal(err)
	}
	return again.Set
}

func TestEditsThatBecomeOneEdge(t *testing.T) {
	edits := []EdgeEdit{{0, 1, EdgeLocked}, {0, 2, EdgeCut}, {1, 2, EdgeCut}, {2, 3, EdgeCut}, {3, 4, EdgeJoined}}
	// 1 and 2 become one landmark, 4 is gone.
	got := remapEdits(edits, []int32{2, 1, 1, 0, -1})
	if want := []EdgeEdit{{0, 1, EdgeCut}, {1, 2, EdgeLocked}}; !slices.Equal(got, want) {
		t.Fatalf("%v, not %v", got, want)
	}
}

// Edges that are cut together are each cut, whatever was done to them before; the set that they were of stays.
func TestEdgesAreCutTogether(t *testing.T) {
	s, err := numbered(t, 5).EditEdge(1, 2, EdgeLocked)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.CutEdges([][2]int32{{1, 2}, {4, 0}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []EdgeEdit{{0, 4, EdgeCut}, {1, 2, EdgeCut}}; !slices.Equal(c.Edits, want) || len(s.Edits) != 1 {
		t.Errorf("%v, not %v; before there were %v", c.Edits, want, s.Edits)
	}
	if _, err := s.CutEdges([][2]int32{{1, 2}, {3, 3}}); err == nil {
		t.Error("an edge of a landmark with itself was cut")
	}
}

func TestWrongEditsAreRefused(t *testing.T) {
	s := numbered(t, 3)
	for _, bad := range [][2]int{{1, 1}, {0, 3}, {-1, 2}} {
		if _, err := s.EditEdge(bad[0], bad[1], EdgeCut); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
	if _, err := s.EditEdge(0, 1, EdgeCut|EdgeLocked); err == nil {
		t.Error("an edge both cut and locked was taken")
	}
	s, err := s.EditEdge(0, 1, EdgeCut)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	f := File{Set: s, Columns: []FileColumn{{Name: "a", Transform: "none", Weight: 1}}}
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{`"edges_cut":[[0,1,2]]`, `"edges_cut":[[1,0]]`, `"edges_cut":[[0,7]]`,
		`"edges_cut":[[0,1]],"edges_locked":[[0,1]]`} {
		text := strings.Replace(b.String(), `"edges_cut":[[0,1]]`, bad, 1)
		if text == b.String() {
			t.Fatal("nothing replaced in " + text)
		}
		if _, err := Read(strings.NewReader(text), "a.json"); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}
