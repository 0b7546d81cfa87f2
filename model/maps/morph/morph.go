// Package morph makes the maps that lie between two maps of the same points, so that the eye can follow what moves.
package morph

import (
	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
)

// Morph is the way from one map to another. Both have codebooks in one space.
type Morph struct {
	a, b *landmark.Set
	// Where landmarks differ: where the landmarks of each map would be on the other. Empty: nowhere known.
	aInB, bInA matrix.Matrix32
}

// Effort is how much New may compute at most, in multiplications of codebook values: some tens of milliseconds on one
// core, and what a frame has room for.
const (
	Effort      = 64 << 20
	FrameEffort = 4 << 20
)

// New prepares the way from a to b, projected as p says. Maps with as many landmarks are taken to have the same ones,
// which move. Where there are others each lot moves to where the other map would put it, and they change places
// halfway; so it is if that would take more than effort, without the motion.
func New(a, b *landmark.Set, p embedsom.Params, effort int) *Morph {
	m := &Morph{a: a, b: b}
	if a.Len() == b.Len() || a.Len() == 0 || b.Len() == 0 || a.Dims() != b.Dims() ||
		a.Codebook.Cols != b.Codebook.Cols || a.Len()*b.Len()*a.Codebook.Cols > effort {
		return m
	}
	m.aInB = embedsom.Direct32(a.Codebook, b.Codebook, b.Pos, p)
	m.bInA = embedsom.Direct32(b.Codebook, a.Codebook, a.Pos, p)
	return m
}

// Ends returns the two maps.
func (m *Morph) Ends() (a, b *landmark.Set) { return m.a, m.b }

// Same says whether both maps make the same picture, so that there is nothing between them.
func (m *Morph) Same() bool {
	return m.a == m.b || m.a.Len() == m.b.Len() && m.a.CodeRev == m.b.CodeRev && m.a.PosRev == m.b.PosRev
}

// At returns the map at t: the first at 0, the second at 1, else a new one.
func (m *Morph) At(t float64) *landmark.Set {
	switch {
	case !(t > 0):
		return m.a
	case t >= 1:
		return m.b
	}
	near, pos, from, to := m.a, m.a.Pos, m.a.Pos, m.aInB
	if t >= 0.5 {
		near, pos, from, to = m.b, m.b.Pos, m.bInA, m.b.Pos
	}
	out := *near
	if m.a.Len() == m.b.Len() && m.a.Dims() == m.b.Dims() && m.a.Codebook.Cols == m.b.Codebook.Cols {
		if m.a.CodeRev != m.b.CodeRev {
			out.Codebook, out.CodeRev = between(m.a.Codebook, m.b.Codebook, t), revision.Next()
		}
		from, to = m.a.Pos, m.b.Pos
	}
	if from.Rows == to.Rows && m.a.PosRev != m.b.PosRev {
		pos = between(from, to, t)
		for i, x := range pos.Data { // where a landmark has no place on the other map it stays on its own
			if x-x != 0 {
				pos.Data[i] = near.Pos.Data[i]
			}
		}
		out.Pos, out.PosRev = pos, revision.Next()
	}
	return &out
}

func between(a, b matrix.Matrix32, t float64) matrix.Matrix32 {
	out := matrix.New(a.Rows, a.Cols)
	f := float32(t)
	for i, x := range a.Data {
		out.Data[i] = x + f*(b.Data[i]-x)
	}
	return out
}
