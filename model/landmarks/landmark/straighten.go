package landmark

import (
	"cmp"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
)

// Along says in what order landmarks follow a stroke, and how far apart.
type Along struct {
	// Values are one number for each of the landmarks, in whose order they follow, low ones first. nil: in the order of
	// their spanning tree in the space of the data, from the end that is nearer to the beginning of the stroke.
	Values []float32
	// ByDistance: gaps on the stroke are in proportion to the differences of the values, or to the distances of the
	// codebook vectors. Otherwise all gaps are the same.
	ByDistance bool
}

// Straighten puts the landmarks ids onto a stroke, a polyline of as many coordinates as positions have: the first at
// its beginning and the last at its end. Pinned landmarks stay where they are. Errors: fewer than two landmarks that
// may move, a stroke without length, numbers that are not finite.
func (s *Set) Straighten(ids []int, stroke matrix.Matrix32, how Along) (*Set, error) {
	if err := s.check(ids, stroke.Cols); err != nil {
		return nil, err
	}
	if how.Values != nil && len(how.Values) != len(ids) {
		return nil, problem.New("", "give one value each", "%d values for %d landmarks", len(how.Values), len(ids))
	}
	pins := s.pins()
	var free []int
	var values []float32
	for i, id := range ids {
		if pins[id] {
			continue
		}
		free = append(free, id)
		if how.Values != nil {
			values = append(values, how.Values[i])
		}
	}
	if len(free) < 2 {
		return nil, problem.New("", "select at least two that are not pinned", "there is nothing to straighten")
	}
	if notFinite(stroke.Data) >= 0 || notFinite(values) >= 0 {
		return nil, problem.New("", "choose another order, or draw again", "a number is not finite")
	}
	line := newStrokePath(stroke)
	if line.length() == 0 {
		return nil, problem.New("", "draw a longer line", "a stroke needs a beginning and an end")
	}
	order := s.order(free, values, stroke.Row(0))
	at := make([]float64, len(order))
	for i := range order {
		at[i] = float64(i)
		if how.ByDistance && i > 0 {
			at[i] = at[i-1] + s.gap(free, values, order[i-1], order[i])
		}
	}
	whole := at[len(at)-1]
	pos := matrix.New(len(free), stroke.Cols)
	moved := make([]int, len(free))
	for i, o := range order {
		part := float64(i) / float64(len(order)-1) // where all distances are zero
		if whole > 0 {
			part = at[i] / whole
		}
		moved[i] = free[o]
		line.at(part*line.length(), pos.Row(i))
	}
	return s.SetPos(moved, pos)
}

// gap is the distance of two of the landmarks free, by their values or their codebook.
func (s *Set) gap(free []int, values []float32, a, b int) float64 {
	if values != nil {
		return math.Abs(float64(values[b]) - float64(values[a]))
	}
	return math.Sqrt(apart(s.Codebook.Row(free[a]), s.Codebook.Row(free[b])))
}

// order returns indices into free in the order in which they follow a stroke that begins at start.
func (s *Set) order(free []int, values []float32, start []float32) []int {
	if values != nil {
		order := make([]int, len(free))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
		return order
	}
	order := s.treeOrder(free)
	if n := len(order) - 1; apart(s.Pos.Row(free[order[n]]), start) < apart(s.Pos.Row(free[order[0]]), start) {
		slices.Reverse(order)
	}
	return order
}

// treeOrder goes along the longest way of the spanning tree, and into each branch where it leaves that way, near
// landmarks first.
func (s *Set) treeOrder(free []int) []int {
	n := &graph{to: make([][]int32, len(free)), length: make([][]float64, len(free))}
	best, from, in := make([]float64, len(free)), make([]int, len(free)), make([]bool, len(free))
	for i := range best {
		best[i] = math.Inf(1)
	}
	for next := 0; next >= 0; { // Prim
		if in[next] = true; next > 0 {
			n.join(next, from[next], math.Sqrt(best[next]))
		}
		last := next
		next = -1
		for i := range free {
			if in[i] {
				continue
			}
			if d := apart(s.Codebook.Row(free[last]), s.Codebook.Row(free[i])); d < best[i] {
				best[i], from[i] = d, last
			}
			if next < 0 || best[i] < best[next] {
				next = i
			}
		}
	}
	far := func(of []float64) (at int) {
		for i, d := range of {
			if d > of[at] {
				at = i
			}
		}
		return at
	}
	a := far(n.ways(0))
	fromA := n.ways(a)
	fromB := n.ways(far(fromA))
	whole := fromA[far(fromA)]
	order := make([]int, len(free))
	for i := range order {
		order[i] = i
	}
	// Where a branch leaves the longest way, and how deep into it a landmark is, follow from the ways from both ends.
	leaves := func(i int) float64 { return (fromA[i] + whole - fromB[i]) / 2 }
	slices.SortStableFunc(order, func(i, j int) int {
		if x, y := leaves(i), leaves(j); math.Abs(x-y) > 1e-9*whole {
			return cmp.Compare(x, y)
		}
		return cmp.Compare(fromA[i], fromA[j])
	})
	return order
}

// strokePath is a line through points, by its length.
type strokePath struct {
	points matrix.Matrix32
	upTo   []float64 // each point
}

func newStrokePath(points matrix.Matrix32) strokePath {
	p := strokePath{points, make([]float64, points.Rows)}
	for i := 1; i < points.Rows; i++ {
		p.upTo[i] = p.upTo[i-1] + math.Sqrt(apart(points.Row(i-1), points.Row(i)))
	}
	return p
}

func (p strokePath) length() float64 {
	if len(p.upTo) == 0 {
		return 0
	}
	return p.upTo[len(p.upTo)-1]
}

// at writes the place at a length from the beginning.
func (p strokePath) at(length float64, out []float32) {
	i, _ := slices.BinarySearch(p.upTo, length)
	i = min(max(i, 1), len(p.upTo)-1)
	part := 0.0
	if step := p.upTo[i] - p.upTo[i-1]; step > 0 {
		part = min(1, max(0, (length-p.upTo[i-1])/step))
	}
	for c, x := range p.points.Row(i - 1) {
		out[c] = float32(float64(x) + part*(float64(p.points.Row(i)[c])-float64(x)))
	}
}
