package view

import (
	"math"

	"blossom/model/document/parts"
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
	if g.Hover < 0 && g.Tool.Large && g.keys == 0 && !g.Space.Held {
		g.HoverEdge = g.pickEdge(g.Cursor)
	}
}

// pickEdge returns the nearest edge within reach of a screen place; none where a landmark is.
func (g *Hand) pickEdge(at point) Pair {
	if g.Landmarks.Doc == nil || g.At == nil || g.Landmarks.Graph == nil || !g.At.EdgesShown() || !g.Tool.Large ||
		g.pick(at) >= 0 {
		return noEdge
	}
	l := parts.Landmarks.Of(g.Landmarks.Doc.State())
	best, found := g.Reach*edgeReach, noEdge
	for _, e := range g.Landmarks.Graph().Edges {
		if int(e.B) >= l.Len() {
			continue
		}
		ax, ay, ok := g.At.Lens().Screen(place(l.Pos.Row(int(e.A))))
		bx, by, also := g.At.Lens().Screen(place(l.Pos.Row(int(e.B))))
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
