package selection

import "context"

// Nearby says what lies near what in the space of a map, which the layout of the map has no part in: by its landmarks,
// as that is cheap for any number of points.
type Nearby struct {
	Of   []int32   // the nearest landmark of each row; -1: none
	Near [][]int32 // the other landmarks that are near each
}

// Taken says which landmarks a selection takes: those at least half of whose points are selected or, where there are
// none, those that any selected point has.
func (b Nearby) Taken(s *Set) []bool {
	all, some := make([]int, len(b.Near)), make([]int, len(b.Near))
	for row, l := range b.Of {
		if l < 0 {
			continue
		}
		all[l]++
		if s.Contains(row) {
			some[l]++
		}
	}
	taken, any := make([]bool, len(b.Near)), false
	for l := range taken {
		taken[l] = some[l] > 0 && 2*some[l] >= all[l]
		any = any || taken[l]
	}
	for l := range taken {
		taken[l] = taken[l] || !any && some[l] > 0
	}
	return taken
}

// Points are the rows whose nearest landmark is one of some. The error is that of a cancelled context.
func (b Nearby) Points(ctx context.Context, landmarks []bool) (*Set, error) {
	return Where(ctx, len(b.Of), func(row int) bool { return b.Of[row] >= 0 && landmarks[b.Of[row]] })
}

// Grow returns a selection with the points of the landmarks that it takes; where it has all of those already, with the
// points of the landmarks near these, too. Grown again and again it fills what hangs together.
func (b Nearby) Grow(ctx context.Context, s *Set) (*Set, error) {
	taken := b.Taken(s)
	points, err := b.Points(ctx, taken)
	if err != nil {
		return nil, err
	}
	if out := Union(s, points); !Equal(out, s) {
		return out, nil
	}
	wider := append([]bool(nil), taken...)
	for l, in := range taken {
		if in {
			for _, o := range b.Near[l] {
				wider[o] = true
			}
		}
	}
	points, err = b.Points(ctx, wider)
	return Union(s, points), err
}

// Shrink is Grow of the points that are not selected.
func (b Nearby) Shrink(ctx context.Context, s *Set) (*Set, error) {
	out, err := b.Grow(ctx, Invert(s, len(b.Of)))
	if err != nil {
		return nil, err
	}
	return Replace(s, Invert(out, len(b.Of))), nil
}
