package view

import (
	"fmt"

	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
)

// Joined says whether the graph has the edge of a pair, and whether that is locked.
func (m *Landmarks) Joined(p Pair) (joined, locked bool) {
	now := m.Graph()
	i := now.Find(int(p.A), int(p.B))
	return i >= 0, i >= 0 && now.Edges[i].Locked
}

// Two is the pair of the landmarks that are selected, where there are two of them.
func (m *Landmarks) Two() Pair {
	if len(m.Selected) != 2 {
		return noEdge
	}
	return Pair{int32(m.Selected[0]), int32(m.Selected[1])}
}

// CutEdge takes an edge out of the graph, whatever kind of graph is chosen.
func (m *Landmarks) CutEdge(p Pair) {
	m.markEdge("Cut edge", p, func(landmark.EdgeMark) landmark.EdgeMark { return landmark.EdgeCut })
}

// CutFromRest cuts all edges between the selected landmarks and the others: layouts that follow the graph no longer
// draw them together.
func (m *Landmarks) CutFromRest() {
	in := make([]bool, parts.Landmarks.Of(m.Doc.State()).Len())
	for _, id := range m.Selected {
		in[id] = true
	}
	var across [][2]int32
	for _, e := range m.Graph().Edges {
		if int(e.B) < len(in) && in[e.A] != in[e.B] {
			across = append(across, [2]int32{e.A, e.B})
		}
	}
	if len(across) == 0 {
		m.Said("No edge joins the selected landmarks and the others")
		return
	}
	if m.edit("Cut from the rest", false, func(l *landmark.Set) (*landmark.Set, error) {
		return l.CutEdges(across)
	}) {
		m.Said(fmt.Sprintf("%d edges cut", len(across)))
	}
	m.done()
}

// JoinEdge puts an edge into the graph, whatever kind of graph is chosen.
func (m *Landmarks) JoinEdge(p Pair) {
	m.markEdge("Join landmarks", p, func(m landmark.EdgeMark) landmark.EdgeMark {
		return m&^landmark.EdgeCut | landmark.EdgeJoined
	})
}

// LockEdge keeps an edge in the graph and, in layouts, its length on the map; or lets go of it.
func (m *Landmarks) LockEdge(p Pair, on bool) {
	if on {
		m.markEdge("Lock edge", p, func(m landmark.EdgeMark) landmark.EdgeMark {
			return m&^landmark.EdgeCut | landmark.EdgeLocked
		})
		return
	}
	m.markEdge("Unlock edge", p, func(m landmark.EdgeMark) landmark.EdgeMark { return m &^ landmark.EdgeLocked })
}

// markEdge makes one entry of the history from a change of what was done to an edge.
func (m *Landmarks) markEdge(name string, p Pair, change func(landmark.EdgeMark) landmark.EdgeMark) {
	if !p.Some() {
		return
	}
	m.edit(name, false, func(l *landmark.Set) (*landmark.Set, error) {
		return l.EditEdge(int(p.A), int(p.B), change(l.EditOf(int(p.A), int(p.B))))
	})
	m.done()
}
