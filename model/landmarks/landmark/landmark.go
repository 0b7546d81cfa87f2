// Package landmark holds the landmarks: the few hundred points that carry the map. Each has a
// codebook vector in the space of the data and a position on the map.
package landmark

import (
	"fmt"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
)

// MaxLandmarks is how many landmarks a map may have.
const MaxLandmarks = 1 << 16

// Farthest is how far from the origin a coordinate of a landmark may be: squares of differences of such are finite
// float32, so that every point between them has a place.
const Farthest = 1e17

// Set is the landmarks of a map. A Set is immutable once it has been shared: every change makes a
// new Set (they are a few hundred kilobytes at most), with a new revision for the part that changed.
type Set struct {
	Codebook matrix.Matrix32 // g x d, in the space of the transformed data
	Pos      matrix.Matrix32 // g x 2 or g x 3
	Pinned   []bool          // length g: kept in place by training and layout
	Names    []string        // length g or nil: shown on the map
	Groups   []int32         // length g or nil: the number of the population that each carries, 0 for none
	Edges    [][2]int32      // pairs i < j joined on the map (the net of a grid), or nil
	Edits    []EdgeEdit      // edges cut and locked by hand, in the order of their landmarks, or nil

	// ByHand: somebody moved landmarks by hand, so distances on the map are partly a choice. Exports say so.
	ByHand bool
	// Space is the revision of the transform in whose space the codebook lives. It lags behind the present
	// one while a changed transform is being applied.
	Space revision.Revision

	CodeRev revision.Revision // last change of Codebook
	PosRev  revision.Revision // last change of Pos
	PinRev  revision.Revision // last change of Pinned
	NameRev revision.Revision // last change of Names
	EdgeRev revision.Revision // last change of Edges or Edits

	GroupRev revision.Revision // last change of Groups; 0: there never were any
}

// Len returns the number of landmarks g.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return s.Codebook.Rows
}

// Dims returns the number of coordinates of a position, 2 or 3; 2 for no set at all.
func (s *Set) Dims() int {
	if s == nil || s.Pos.Cols == 0 {
		return 2
	}
	return s.Pos.Cols
}

// New returns the set of these landmarks, unpinned and unnamed. The matrices are not copied.
func New(codebook, pos matrix.Matrix32) (*Set, error) {
	s := &Set{Codebook: codebook, Pos: pos, Pinned: make([]bool, codebook.Rows),
		CodeRev: revision.Next(), PosRev: revision.Next(), PinRev: revision.Next(), NameRev: revision.Next(),
		EdgeRev: revision.Next()}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return s, nil
}

// Validate returns a Problem if the parts of the set do not agree, or if a number in it is NaN or
// infinite.
func (s *Set) Validate() error {
	g := s.Len()
	const remedy = "use one codebook row and one position of 2 or 3 coordinates for each landmark"
	switch {
	case len(s.Codebook.Data) != s.Codebook.Rows*s.Codebook.Cols || len(s.Pos.Data) != s.Pos.Rows*s.Pos.Cols:
		return problem.New("", remedy, "the landmarks' matrices do not hold what their sizes say")
	case s.Pos.Rows != g:
		return problem.New("", remedy, "%d landmarks have %d positions", g, s.Pos.Rows)
	case g > MaxLandmarks:
		return problem.New("", "use fewer", "%d landmarks are more than the %d that a map may have", g, MaxLandmarks)
	case s.Pos.Cols != 2 && s.Pos.Cols != 3:
		return problem.New("", remedy, "positions of landmarks have %d coordinates", s.Pos.Cols)
	case g > 0 && s.Codebook.Cols == 0:
		return problem.New("", remedy, "the landmarks have no dimension")
	case s.Pinned != nil && len(s.Pinned) != g:
		return problem.New("", remedy, "%d landmarks have %d pins", g, len(s.Pinned))
	case s.Names != nil && len(s.Names) != g:
		return problem.New("", remedy, "%d landmarks have %d names", g, len(s.Names))
	case s.Groups != nil && len(s.Groups) != g:
		return problem.New("", remedy, "%d landmarks carry %d populations", g, len(s.Groups))
	}
	if i := notFinite(s.Codebook.Data); i >= 0 {
		return problem.New("", "give every landmark finite numbers",
			"landmark %d has the value %g in dimension %d of its codebook",
			i/s.Codebook.Cols+1, s.Codebook.Data[i], i%s.Codebook.Cols+1)
	}
	if err := checkPlaces(s.Pos); err != nil {
		return err
	}
	for _, e := range s.Edges {
		if e[0] < 0 || e[0] >= e[1] || int(e[1]) >= g {
			return problem.New("", "leave out this edge", "an edge joins landmarks %d and %d of %d", e[0]+1, e[1]+1, g)
		}
	}
	return s.wrongEdits()
}

// notFinite returns the index of the first NaN or Inf, -1 if there is none.
func notFinite(v []float32) int {
	return slices.IndexFunc(v, func(x float32) bool { return x-x != 0 })
}

// checkPlaces says which coordinate a map cannot have.
func checkPlaces(pos matrix.Matrix32) error {
	for i, x := range pos.Data {
		if !(max(x, -x) <= Farthest) {
			return problem.New("", fmt.Sprintf("give every landmark finite numbers, of %g at most", Farthest),
				"landmark %d has the coordinate %g", i/pos.Cols+1, x)
		}
	}
	return nil
}

// Nearest2D returns the landmark whose position is nearest to (x, y) in the first two coordinates, and
// the distance squared; -1 for no landmarks. Ties go to the lower index.
func (s *Set) Nearest2D(x, y float32) (id int, d2 float64) {
	id = -1
	for i := range s.Len() {
		p := s.Pos.Row(i)
		dx, dy := float64(p[0])-float64(x), float64(p[1])-float64(y)
		if d := dx*dx + dy*dy; id < 0 || d < d2 {
			id, d2 = i, d
		}
	}
	return id, d2
}

// WithCodeOf returns the places, pins, names and edges of s with the codebook of code. Sets of different
// length cannot be mixed; then code wins whole.
func (s *Set) WithCodeOf(code *Set) *Set {
	if s == nil || s.Len() != code.Len() {
		return code
	}
	mixed := *s
	mixed.Codebook, mixed.CodeRev, mixed.Space = code.Codebook, code.CodeRev, code.Space
	return &mixed
}
