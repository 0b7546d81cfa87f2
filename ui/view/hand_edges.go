package view

import (
	"fmt"
	"math"

	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
)

// Pair is two landmarks, A < B, as those of an edge.
type Pair struct{ A, B int32 }

// noEdge is where there is no edge.
var noEdge = Pair{-1, -1}

// Some says whether it is a pair at all.
func (p Pair) Some() bool { return p != noEdge }

// edgeReach is the share of Hand.Reach at which an edge counts as hit: landmarks go before.
const edgeReach = 0.6

// look finds what is under the cursor: the landmark that a press would take, else the edge that the menu would be of.
func (g *Hand) look() {
	g.Hover, g.HoverEdge = g.within(), noEdge
	if g.Hover < 0 && g.Tool.Large && g.keys == 0 && !g.Space {
		g.HoverEdge = g.pickEdge(g.Cursor)
	}
}

// pickEdge returns the nearest edge within reach of a screen place; none where a landmark is.
func (g *Hand) pickEdge(at point) Pair {
	if g.Doc == nil || g.At == nil || g.Graph == nil || !g.At.EdgesShown() || !g.Tool.Large || g.pick(at) >= 0 {
		return noEdge
	}
	l := parts.Landmarks.Of(g.Doc.State())
	best, found := g.Reach*edgeReach, noEdge
	for _, e := range g.Graph().Edges {
		if int(e.B) >= l.Len() {
			continue
		}
		ax, ay, ok := g.At.Screen(place(l.Pos.Row(int(e.A))))
		bx, by, also := g.At.Screen(place(l.Pos.Row(int(e.B))))
		if !ok || !also {
			continue
		}
		if d := toSegment(at, point{ax, ay}, point{bx, by}); d < best {
			best, found = d, Pair{e.A, e.B}
		}
	}
	return found
}

// toSegment is the distance of p to the line from a to b.
func toSegment(p, a, b point) float64 {
	dx, dy := b.x-a.x, b.y-a.y
	t := 0.0
	if n := dx*dx + dy*dy; n > 0 {
		t = min(1, max(0, ((p.x-a.x)*dx+(p.y-a.y)*dy)/n))
	}
	return math.Hypot(p.x-a.x-t*dx, p.y-a.y-t*dy)
}

// Joined says whether the graph has the edge of a pair, and whether that is locked.
func (g *Hand) Joined(p Pair) (joined, locked bool) {
	now := g.Graph()
	i := now.Find(int(p.A), int(p.B))
	return i >= 0, i >= 0 && now.Edges[i].Locked
}

// Two is the pair of the landmarks that are selected, where there are two of them.
func (g *Hand) Two() Pair {
	if len(g.Selected) != 2 {
		return noEdge
	}
	return Pair{int32(g.Selected[0]), int32(g.Selected[1])}
}

// CutEdge takes an edge out of the graph, whatever kind of graph is chosen.
func (g *Hand) CutEdge(p Pair) {
	g.markEdge("Cut edge", p, func(landmark.EdgeMark) landmark.EdgeMark { return landmark.EdgeCut })
}

// CutFromRest cuts all edges between the selected landmarks and the others: layouts that follow the graph no longer
// draw them together.
func (g *Hand) CutFromRest() {
	in := make([]bool, parts.Landmarks.Of(g.Doc.State()).Len())
	for _, id := range g.Selected {
		in[id] = true
	}
	var across [][2]int32
	for _, e := range g.Graph().Edges {
		if int(e.B) < len(in) && in[e.A] != in[e.B] {
			across = append(across, [2]int32{e.A, e.B})
		}
	}
	if len(across) == 0 {
		g.Said("No edge joins the selected landmarks and the others")
		return
	}
	if g.edit("Cut from the rest", false, func(l *landmark.Set) (*landmark.Set, error) {
		return l.CutEdges(across)
	}) {
		g.Said(fmt.Sprintf("%d edges cut", len(across)))
	}
	g.look()
}

// JoinEdge puts an edge into the graph, whatever kind of graph is chosen.
func (g *Hand) JoinEdge(p Pair) {
	g.markEdge("Join landmarks", p, func(m landmark.EdgeMark) landmark.EdgeMark {
		return m&^landmark.EdgeCut | landmark.EdgeJoined
	})
}

// LockEdge keeps an edge in the graph and, in layouts, its length on the map; or lets go of it.
func (g *Hand) LockEdge(p Pair, on bool) {
	if on {
		g.markEdge("Lock edge", p, func(m landmark.EdgeMark) landmark.EdgeMark {
			return m&^landmark.EdgeCut | landmark.EdgeLocked
		})
		return
	}
	g.markEdge("Unlock edge", p, func(m landmark.EdgeMark) landmark.EdgeMark { return m &^ landmark.EdgeLocked })
}

// markEdge makes one entry of the history from a change of what was done to an edge.
func (g *Hand) markEdge(name string, p Pair, change func(landmark.EdgeMark) landmark.EdgeMark) {
	if !p.Some() {
		return
	}
	g.edit(name, false, func(l *landmark.Set) (*landmark.Set, error) {
		return l.EditEdge(int(p.A), int(p.B), change(l.EditOf(int(p.A), int(p.B))))
	})
	g.look()
}
