package landmark

import (
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
)

// Every function here returns a new Set and leaves s as it is. Parts that did not change are shared
// between the two. Errors (an index that does not exist, a number that is not finite) are Problems.

// Move adds delta (2 or 3 coordinates, as the positions have) to the positions of the landmarks ids.
func (s *Set) Move(ids []int, delta []float32) (*Set, error) {
	pos := matrix.New(len(ids), s.Pos.Cols)
	if err := s.check(ids, len(delta)); err != nil {
		return nil, err
	}
	for r, id := range ids {
		for c, x := range s.Pos.Row(id) {
			pos.Row(r)[c] = x + delta[c]
		}
	}
	return s.SetPos(ids, pos)
}

// SetPos puts the landmarks ids to the rows of pos.
func (s *Set) SetPos(ids []int, pos matrix.Matrix32) (*Set, error) {
	if err := s.check(ids, pos.Cols); err != nil {
		return nil, err
	}
	if pos.Rows != len(ids) {
		return nil, problem.New("", "give one position each", "%d landmarks and %d positions", len(ids), pos.Rows)
	}
	if err := checkPlaces(pos); err != nil {
		return nil, err
	}
	t := *s
	t.Pos, t.PosRev = s.Pos.Clone(), revision.Next()
	for r, id := range ids {
		copy(t.Pos.Row(id), pos.Row(r))
	}
	return &t, nil
}

// Add appends one landmark and returns its index. A set of none takes its dimensions from it.
func (s *Set) Add(pos, codebook []float32) (*Set, int, error) {
	id := s.Len()
	t := &Set{}
	if s != nil {
		*t = *s
	}
	if id == 0 {
		t.Codebook.Cols, t.Pos.Cols = len(codebook), len(pos)
	}
	if len(codebook) != t.Codebook.Cols || len(pos) != t.Pos.Cols {
		return nil, 0, problem.New("", "give as many numbers as the other landmarks have",
			"a landmark of %d dimensions and %d coordinates among those of %d and %d", len(codebook), len(pos),
			t.Codebook.Cols, t.Pos.Cols)
	}
	t.Pinned = append(slices.Clip(t.pins()), false) // before there is one more
	t.Codebook, t.Pos = appendRow(t.Codebook, codebook), appendRow(t.Pos, pos)
	if t.Names != nil {
		t.Names = append(slices.Clip(t.Names), "")
	}
	t.CodeRev, t.PosRev, t.PinRev = revision.Next(), revision.Next(), revision.Next()
	if t.Names != nil {
		t.NameRev = revision.Next()
	}
	if err := t.Validate(); err != nil {
		return nil, 0, err
	}
	return t, id, nil
}

// AddFitted appends a landmark at pos with the codebook that Fit gives there.
func (s *Set) AddFitted(pos, mean []float32) (*Set, int, error) {
	return s.Add(pos, s.Fit(pos, mean))
}

// Duplicate appends a copy of landmark id at its position plus offset; pin and name stay with the old.
func (s *Set) Duplicate(id int, offset []float32) (*Set, int, error) {
	if err := s.check([]int{id}, len(offset)); err != nil {
		return nil, 0, err
	}
	pos := slices.Clone(s.Pos.Row(id))
	for c := range pos {
		pos[c] += offset[c]
	}
	return s.Add(pos, s.Codebook.Row(id))
}

// Remove takes the landmarks ids out. index maps each old index to the new one, -1 if it is gone:
// whoever keeps indices (selection, gestures) must go through it. Edges of removed landmarks go too.
func (s *Set) Remove(ids []int) (t *Set, index []int32, err error) {
	if err := s.check(ids, s.Pos.Cols); err != nil {
		return nil, nil, err
	}
	index = make([]int32, s.Len())
	for _, id := range ids {
		index[id] = -1
	}
	t = &Set{ByHand: s.ByHand, Space: s.Space, CodeRev: revision.Next(), PosRev: revision.Next(),
		PinRev: revision.Next(), NameRev: revision.Next(), EdgeRev: revision.Next()}
	if s.Groups != nil {
		t.GroupRev = revision.Next()
	}
	t.Codebook.Cols, t.Pos.Cols = s.Codebook.Cols, s.Pos.Cols
	pins := s.pins()
	for i := range index {
		if index[i] < 0 {
			continue
		}
		index[i] = int32(t.Codebook.Rows)
		t.Codebook.Rows++
		t.Pos.Rows++
		t.Codebook.Data = append(t.Codebook.Data, s.Codebook.Row(i)...)
		t.Pos.Data = append(t.Pos.Data, s.Pos.Row(i)...)
		t.Pinned = append(t.Pinned, pins[i])
		if s.Names != nil {
			t.Names = append(t.Names, s.Names[i])
		}
		if s.Groups != nil {
			t.Groups = append(t.Groups, s.Groups[i])
		}
	}
	for _, e := range s.Edges {
		if a, b := index[e[0]], index[e[1]]; a >= 0 && b >= 0 {
			t.Edges = append(t.Edges, [2]int32{a, b})
		}
	}
	t.Edits = remapEdits(s.Edits, index)
	return t, index, nil
}

// Pin pins or unpins the landmarks ids.
func (s *Set) Pin(ids []int, on bool) (*Set, error) {
	if err := s.check(ids, s.Pos.Cols); err != nil {
		return nil, err
	}
	t := *s
	t.Pinned, t.PinRev = slices.Clone(s.pins()), revision.Next()
	for _, id := range ids {
		t.Pinned[id] = on
	}
	return &t, nil
}

// Rename names a landmark; "" takes its name away.
func (s *Set) Rename(id int, name string) (*Set, error) {
	if err := s.check([]int{id}, s.Pos.Cols); err != nil {
		return nil, err
	}
	t := *s
	t.Names, t.NameRev = make([]string, s.Len()), revision.Next()
	copy(t.Names, s.Names)
	t.Names[id] = name
	return &t, nil
}

// WithCodebook replaces the codebook of the same number of landmarks with a copy of codebook; the
// number of dimensions may change.
func (s *Set) WithCodebook(codebook matrix.Matrix32) (*Set, error) {
	t := *s
	t.Codebook, t.CodeRev = codebook.Clone(), revision.Next()
	if err := t.Validate(); err != nil {
		return nil, err
	}
	return &t, nil
}

// WithPos replaces all positions with a copy of pos.
func (s *Set) WithPos(pos matrix.Matrix32) (*Set, error) {
	t := *s
	t.Pos, t.PosRev = pos.Clone(), revision.Next()
	if err := t.Validate(); err != nil {
		return nil, err
	}
	return &t, nil
}

// WithEdges replaces the edges with a copy of edges.
func (s *Set) WithEdges(edges [][2]int32) (*Set, error) {
	t := *s
	t.Edges, t.EdgeRev = slices.Clone(edges), revision.Next()
	if err := t.Validate(); err != nil {
		return nil, err
	}
	return &t, nil
}

// pins returns Pinned, never nil for a set that has landmarks.
func (s *Set) pins() []bool {
	if len(s.Pinned) == s.Len() {
		return s.Pinned
	}
	return make([]bool, s.Len())
}

// check returns a Problem for an index that is out of range or a number of coordinates that is not
// that of the positions.
func (s *Set) check(ids []int, coordinates int) error {
	if s.Len() > 0 && coordinates != s.Pos.Cols {
		return problem.New("", "give as many as the map has", "%d coordinates on a map of %d", coordinates, s.Pos.Cols)
	}
	for _, id := range ids {
		if id < 0 || id >= s.Len() {
			return problem.New("", "choose another landmark", "there is no landmark %d of %d", id+1, s.Len())
		}
	}
	return nil
}

// appendRow returns a new matrix with one more row.
func appendRow(m matrix.Matrix32, row []float32) matrix.Matrix32 {
	data := make([]float32, 0, len(m.Data)+len(row))
	data = append(append(data, m.Data...), row...)
	return matrix.Matrix32{Rows: m.Rows + 1, Cols: m.Cols, Data: data}
}

// Arranged returns s marked as arranged by hand.
func (s *Set) Arranged() *Set {
	if s.ByHand {
		return s
	}
	t := *s
	t.ByHand = true
	return &t
}
