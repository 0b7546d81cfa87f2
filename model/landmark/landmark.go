// Package landmark holds the landmarks: the few hundred points that carry the map. Each has a
// codebook vector in the space of the data and a position on the map.
package landmark

import (
	"blossom/model/matrix"
	"blossom/model/revision"
)

// Set is the landmarks of a map. A Set is immutable once it has been shared: every change makes a
// new Set (they are a few hundred kilobytes at most), with a new revision for the part that changed.
type Set struct {
	Codebook matrix.Matrix32 // g x d, in the space of the transformed data
	Pos      matrix.Matrix32 // g x 2 or g x 3
	Pinned   []bool          // length g: kept in place by training and layout
	Names    []string        // length g or nil: shown on the map

	CodeRev revision.Revision // last change of Codebook
	PosRev  revision.Revision // last change of Pos
}

// Len returns the number of landmarks g.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return s.Codebook.Rows
}
