package landmark

import (
	"cmp"
	"context"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
)

// AddAll appends landmarks at the rows of pos, joined by edges (pairs of rows), with the codebook that Fit gives each
// from those that are there; mean is that of a map of none. It returns the index of the first.
func (s *Set) AddAll(ctx context.Context, pos matrix.Matrix32, edges [][2]int32, mean []float32) (*Set, int, error) {
	code, err := s.FitAll(ctx, pos, mean)
	if err != nil {
		return nil, 0, err
	}
	return s.Append(code, pos, edges)
}

// Append is AddAll of landmarks that have a codebook of their own, a row for each of pos.
func (s *Set) Append(code, pos matrix.Matrix32, edges [][2]int32) (*Set, int, error) {
	first := s.Len()
	if first == 0 {
		t, err := New(code, pos)
		if err != nil {
			return nil, 0, err
		}
		t, err = t.WithEdges(edges)
		return t, 0, err
	}
	if err := s.check(nil, pos.Cols); err != nil {
		return nil, 0, err
	}
	t := *s
	t.Codebook, t.Pos = appendRows(s.Codebook, code), appendRows(s.Pos, pos)
	t.Pinned = append(slices.Clone(s.pins()), make([]bool, pos.Rows)...)
	if s.Names != nil {
		t.Names, t.NameRev = append(slices.Clone(s.Names), make([]string, pos.Rows)...), revision.Next()
	}
	if s.Groups != nil {
		t.Groups, t.GroupRev = append(slices.Clone(s.Groups), make([]int32, pos.Rows)...), revision.Next()
	}
	t.Edges = slices.Clone(s.Edges)
	for _, e := range edges {
		t.Edges = append(t.Edges, [2]int32{e[0] + int32(first), e[1] + int32(first)})
	}
	t.CodeRev, t.PosRev, t.PinRev, t.EdgeRev = revision.Next(), revision.Next(), revision.Next(), revision.Next()
	if err := t.Validate(); err != nil {
		return nil, 0, err
	}
	return &t, first, nil
}

// Join appends the landmarks of another set, with their edges, pins and names. It returns the index of the first.
func (s *Set) Join(o *Set) (*Set, int, error) {
	t, first, err := s.Append(o.Codebook, o.Pos, o.Edges)
	if err != nil || o.Names == nil && o.Pinned == nil {
		return t, first, err
	}
	copy(t.Pinned[first:], o.Pinned)
	if o.Names != nil {
		if t.Names == nil {
			t.Names = make([]string, t.Len())
		}
		copy(t.Names[first:], o.Names)
		t.NameRev = revision.Next()
	}
	return t, first, nil
}

func appendRows(m, more matrix.Matrix32) matrix.Matrix32 {
	data := make([]float32, 0, len(m.Data)+len(more.Data))
	return matrix.Matrix32{Rows: m.Rows + more.Rows, Cols: m.Cols, Data: append(append(data, m.Data...), more.Data...)}
}

// Side is which places of several landmarks are made one.
type Side int

const (
	Lowest Side = iota
	Middle
	Highest
)

// Align moves the landmarks ids along a direction (of length 1) until they stand on one line across it: that of the
// lowest, the highest, or the middle between both.
func (s *Set) Align(ids []int, direction []float64, to Side) (*Set, error) {
	at, err := s.along(ids, direction, 2)
	if err != nil {
		return nil, err
	}
	lo, hi := slices.Min(at), slices.Max(at)
	want := [...]float64{lo, (lo + hi) / 2, hi}[to]
	by := make([]float64, len(at))
	for i, x := range at {
		by[i] = want - x
	}
	return s.shift(ids, direction, by)
}

// Distribute moves the landmarks ids along a direction (of length 1) until they are evenly apart; the outermost ones
// stay, and so does the order.
func (s *Set) Distribute(ids []int, direction []float64) (*Set, error) {
	at, err := s.along(ids, direction, 3)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	lo, hi := at[order[0]], at[order[len(order)-1]]
	by := make([]float64, len(at))
	for k, i := range order {
		by[i] = lo + (hi-lo)*float64(k)/float64(len(order)-1) - at[i]
	}
	return s.shift(ids, direction, by)
}

// along returns how far each landmark lies along a direction; least is how many it takes.
func (s *Set) along(ids []int, direction []float64, least int) ([]float64, error) {
	if err := s.check(ids, len(direction)); err != nil {
		return nil, err
	}
	if len(ids) < least {
		return nil, problem.New("", "select more of them", "it takes %d landmarks at least", least)
	}
	at := make([]float64, len(ids))
	for i, id := range ids {
		for c, x := range s.Pos.Row(id) {
			at[i] += float64(x) * direction[c]
		}
	}
	return at, nil
}

// shift moves each landmark by so much along a direction.
func (s *Set) shift(ids []int, direction, by []float64) (*Set, error) {
	pos := matrix.New(len(ids), s.Pos.Cols)
	for r, id := range ids {
		for c, x := range s.Pos.Row(id) {
			pos.Row(r)[c] = float32(float64(x) + by[r]*direction[c])
		}
	}
	return s.SetPos(ids, pos)
}

// Merge makes one landmark of several: in the middle of their places and of their codebooks, pinned if one of them
// was, with the first of their names and the edges of all. It takes the index of the first. index maps each old
// landmark to its new one.
func (s *Set) Merge(ids []int) (t *Set, index []int32, err error) {
	if err := s.check(ids, s.Pos.Cols); err != nil {
		return nil, nil, err
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(ids) < 2 {
		return nil, nil, problem.New("", "select more of them", "it takes 2 landmarks to merge")
	}
	m := *s
	m.Codebook, m.Pos, m.Pinned = s.Codebook.Clone(), s.Pos.Clone(), slices.Clone(s.pins())
	for _, part := range []matrix.Matrix32{m.Codebook, m.Pos} {
		for c := range part.Cols {
			sum := 0.0
			for _, id := range ids {
				sum += float64(part.Row(id)[c])
			}
			part.Row(ids[0])[c] = float32(sum / float64(len(ids)))
		}
	}
	if s.Names != nil {
		m.Names = slices.Clone(s.Names)
	}
	m.Groups = slices.Clone(s.Groups)
	for _, id := range ids[1:] {
		m.Pinned[ids[0]] = m.Pinned[ids[0]] || m.Pinned[id]
		if m.Names != nil && m.Names[ids[0]] == "" {
			m.Names[ids[0]] = m.Names[id]
		}
		if m.Groups != nil && m.Groups[ids[0]] == 0 {
			m.Groups[ids[0]] = m.Groups[id]
		}
	}
	t, index, err = m.Remove(ids[1:])
	if err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		index[id] = index[ids[0]]
	}
	t.Edges = remapEdges(s.Edges, index)
	t.Edits = remapEdits(s.Edits, index)
	return t, index, t.Validate()
}

// remapEdges carries edges over to other indices, each once; those within what became one landmark are lost.
func remapEdges(edges [][2]int32, index []int32) [][2]int32 {
	var out [][2]int32
	for _, e := range edges {
		if a, b := index[e[0]], index[e[1]]; a >= 0 && b >= 0 && a != b {
			out = append(out, [2]int32{min(a, b), max(a, b)})
		}
	}
	slices.SortFunc(out, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(out)
}

// splitShare is how far the halves of a landmark are put aside, as a share of the way to the nearest other.
const splitShare = 0.25

// Split makes two landmarks of each of ids, aside of where it was and across the way to the nearest other, with the
// codebook that Fit gives at their new places. Both have its edges and population and are joined; pin and name stay
// with the first.
// It returns the indices of the second halves, in the order of ids.
func (s *Set) Split(ids []int) (*Set, []int, error) {
	if err := s.check(ids, s.Pos.Cols); err != nil {
		return nil, nil, err
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	t := *s
	t.Pos, t.Codebook = s.Pos.Clone(), s.Codebook.Clone()
	t.Pinned, t.Edges = slices.Clone(s.pins()), slices.Clone(s.Edges)
	if s.Names != nil {
		t.Names, t.NameRev = slices.Clone(s.Names), revision.Next()
	}
	if s.Groups != nil {
		t.Groups, t.GroupRev = slices.Clone(s.Groups), revision.Next()
	}
	halves := make([]int, len(ids))
	twin := map[int32]int32{}
	for k, id := range ids {
		d := s.aside(id)
		second := slices.Clone(s.Pos.Row(id))
		for c, x := range d {
			t.Pos.Row(id)[c] -= x
			second[c] += x
		}
		halves[k] = s.Len() + k
		twin[int32(id)] = int32(halves[k])
		copy(t.Codebook.Row(id), s.Fit(t.Pos.Row(id), nil))
		t.Pos, t.Codebook = appendRow(t.Pos, second), appendRow(t.Codebook, s.Fit(second, nil))
		t.Pinned = append(t.Pinned, false)
		if t.Names != nil {
			t.Names = append(t.Names, "")
		}
		if t.Groups != nil {
			t.Groups = append(t.Groups, t.Groups[id])
		}
	}
	for _, e := range s.Edges {
		a, b := e[0], e[1]
		if c, ok := twin[a]; ok {
			t.Edges = append(t.Edges, [2]int32{b, c})
		}
		if c, ok := twin[b]; ok {
			t.Edges = append(t.Edges, [2]int32{a, c})
		}
	}
	for _, id := range ids {
		t.Edges = append(t.Edges, [2]int32{int32(id), twin[int32(id)]})
	}
	t.CodeRev, t.PosRev, t.PinRev, t.EdgeRev = revision.Next(), revision.Next(), revision.Next(), revision.Next()
	if err := t.Validate(); err != nil {
		return nil, nil, err
	}
	return &t, halves, nil
}

// aside is how a landmark's halves are moved: at right angles to the way to the nearest landmark elsewhere.
func (s *Set) aside(id int) []float32 {
	p := s.Pos.Row(id)
	near, best := -1, math.Inf(1)
	for i := range s.Len() {
		d := 0.0
		for c, x := range s.Pos.Row(i) {
			d += (float64(x) - float64(p[c])) * (float64(x) - float64(p[c]))
		}
		if d > 0 && d < best {
			near, best = i, d
		}
	}
	out := make([]float32, len(p))
	if near < 0 {
		out[0] = splitShare
		return out
	}
	q := s.Pos.Row(near)
	x, y := q[0]-p[0], q[1]-p[1]
	if l := math.Hypot(float64(x), float64(y)); l > 0 {
		r := splitShare * math.Sqrt(best) / l
		out[0], out[1] = float32(-float64(y)*r), float32(float64(x)*r)
		return out
	}
	out[0] = float32(splitShare * math.Sqrt(best))
	return out
}
