package landmark

import (
	"slices"

	"blossom/model/base/revision"
)

// Carry returns the set with landmarks that carry the number of a population from now on, 0 for none. Landmarks that
// there are not are left aside.
func (s *Set) Carry(ids []int, group int32) *Set {
	t := *s
	if t.Groups = slices.Clone(s.Groups); t.Groups == nil {
		t.Groups = make([]int32, s.Len())
	}
	changed := false
	for _, id := range ids {
		if id >= 0 && id < len(t.Groups) && t.Groups[id] != group {
			t.Groups[id], changed = group, true
		}
	}
	if !changed {
		return s
	}
	t.GroupRev = revision.Next()
	return &t
}

// Grouped returns the set with the numbers of populations that its landmarks carry, one for each or nil.
func (s *Set) Grouped(groups []int32) *Set {
	t := *s
	t.Groups, t.GroupRev = groups, revision.Next()
	return &t
}

// Carrying returns the landmarks that carry a number.
func (s *Set) Carrying(group int32) (ids []int) {
	for i, g := range s.Groups {
		if g == group {
			ids = append(ids, i)
		}
	}
	return ids
}
