package landmark

import (
	"cmp"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
)

// EdgeMark is what somebody has done to an edge by hand, bits of one byte. An edge that is cut is nothing else.
type EdgeMark uint8

const (
	// EdgeCut takes an edge out of every graph.
	EdgeCut EdgeMark = 1 << iota
	// EdgeJoined puts an edge into every graph.
	EdgeJoined
	// EdgeLocked keeps an edge in every graph, and layouts keep its length on the map.
	EdgeLocked
)

// EdgeEdit is what has been done to the edge of landmarks A < B, whatever graph is chosen.
type EdgeEdit struct {
	A, B int32
	Mark EdgeMark
}

// compareEdits orders edits by their landmarks.
func compareEdits(x, y EdgeEdit) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) }

// EditOf returns what has been done to the edge of landmarks a and b, in any order; 0 is nothing.
func (s *Set) EditOf(a, b int) EdgeMark {
	key := EdgeEdit{A: int32(min(a, b)), B: int32(max(a, b))}
	if i, ok := slices.BinarySearchFunc(s.Edits, key, compareEdits); ok {
		return s.Edits[i].Mark
	}
	return 0
}

// EditEdge returns a Set in which mark is what has been done to the edge of landmarks a and b; 0 takes back what was.
func (s *Set) EditEdge(a, b int, mark EdgeMark) (*Set, error) {
	if err := s.check([]int{a, b}, s.Pos.Cols); err != nil {
		return nil, err
	}
	if a == b {
		return nil, problem.New("", "choose two landmarks", "an edge joins two landmarks, not one with itself")
	}
	key := EdgeEdit{A: int32(min(a, b)), B: int32(max(a, b)), Mark: mark}
	t := *s
	t.Edits, t.EdgeRev = slices.Clone(s.Edits), revision.Next()
	i, found := slices.BinarySearchFunc(t.Edits, key, compareEdits)
	switch {
	case found && mark == 0:
		t.Edits = slices.Delete(t.Edits, i, i+1)
	case found:
		t.Edits[i] = key
	case mark != 0:
		t.Edits = slices.Insert(t.Edits, i, key)
	}
	if err := t.Validate(); err != nil {
		return nil, err
	}
	return &t, nil
}

// CutEdges returns a Set in which these edges are cut.
func (s *Set) CutEdges(pairs [][2]int32) (t *Set, err error) {
	t = s
	for _, p := range pairs {
		if t, err = t.EditEdge(int(p[0]), int(p[1]), EdgeCut); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// WithoutEdits returns a Set of whose edges nothing has been changed by hand.
func (s *Set) WithoutEdits() *Set {
	t := *s
	t.Edits, t.EdgeRev = nil, revision.Next()
	return &t
}

// remapEdits carries edits over to other indices: index maps each old landmark to its new one, -1 if it is gone.
// Edits of landmarks that became one are lost; of two that became the same edge the one that keeps it wins.
func remapEdits(edits []EdgeEdit, index []int32) []EdgeEdit {
	var out []EdgeEdit
	for _, e := range edits {
		a, b := index[e.A], index[e.B]
		if a < 0 || b < 0 || a == b {
			continue
		}
		out = append(out, EdgeEdit{A: min(a, b), B: max(a, b), Mark: e.Mark})
	}
	slices.SortStableFunc(out, compareEdits)
	kept := out[:0]
	for _, e := range out {
		last := len(kept) - 1
		if last < 0 || compareEdits(kept[last], e) != 0 {
			kept = append(kept, e)
			continue
		}
		if both := (kept[last].Mark | e.Mark) &^ EdgeCut; both != 0 {
			kept[last].Mark = both
		}
	}
	return slices.Clip(kept)
}

// wrongEdits says which of the edits cannot be.
func (s *Set) wrongEdits() error {
	for i, e := range s.Edits {
		if e.A < 0 || e.A >= e.B || int(e.B) >= s.Len() {
			return problem.New("", "leave out this edge", "an edge changed by hand joins landmarks %d and %d of %d",
				e.A+1, e.B+1, s.Len())
		}
		if i > 0 && compareEdits(s.Edits[i-1], e) >= 0 {
			return problem.New("", "leave one of them out", "the edge of landmarks %d and %d is changed by hand twice",
				e.A+1, e.B+1)
		}
		if !e.Mark.valid() {
			return problem.New("", "leave out this edge", "the edge of landmarks %d and %d is both cut and kept",
				e.A+1, e.B+1)
		}
	}
	return nil
}

func (m EdgeMark) valid() bool {
	return m == EdgeCut || m == EdgeJoined || m == EdgeLocked || m == EdgeJoined|EdgeLocked
}
