package engine

import "slices"

// Ranges is a set of points, kept as sorted ranges that neither touch nor overlap. Engines remember
// with it which points have neighbours. The zero value is empty.
type Ranges struct{ list []Range }

// Clear empties the set and keeps its memory.
func (s *Ranges) Clear() { s.list = s.list[:0] }

// Add puts the points of r into the set.
func (s *Ranges) Add(r Range) {
	if r.Len() <= 0 {
		return
	}
	// first and last+1 of the ranges that r touches
	i, _ := slices.BinarySearchFunc(s.list, r.From, func(x Range, from int) int { return x.To - from })
	j := i
	for j < len(s.list) && s.list[j].From <= r.To {
		r.From, r.To = min(r.From, s.list[j].From), max(r.To, s.list[j].To)
		j++
	}
	if i == j {
		s.list = slices.Insert(s.list, i, r)
		return
	}
	s.list[i] = r
	s.list = slices.Delete(s.list, i+1, j)
}

// Contains says whether every point of r is in the set.
func (s *Ranges) Contains(r Range) bool {
	if r.Len() <= 0 {
		return true
	}
	i, _ := slices.BinarySearchFunc(s.list, r.To, func(x Range, to int) int { return x.To - to })
	return i < len(s.list) && s.list[i].From <= r.From
}
