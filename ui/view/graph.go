package view

import (
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/landmark"
	"blossom/render"
	"blossom/render/legend"
	"blossom/render/scene"
)

// graphOver is the graph over the landmarks as a view shows it: lines over its points, patches behind them.
type graphOver struct {
	of    revision.Revision // revision of the graph whose edges these are
	dark  bool
	edges []render.Edge
	key   legend.Key
	keyed bool

	cells  scene.Cells
	shaded shadeKey
}

// shadeKey is what the patches depend on; zero: there are none.
type shadeKey struct {
	graph, pos revision.Revision
	dark       bool
}

// graphChoice is the graph that the document has chosen, and what of it is shown.
func (v *Scatter) graphChoice() parts.GraphChoice {
	return parts.Graph.Of(v.View.scene.Map.Doc.State())
}

// EdgesShown says whether edges between landmarks are drawn, and so can be taken by the hand.
func (v *Scatter) EdgesShown() bool {
	if !v.HasLandmarks() || !v.graph.fits(v) {
		return false
	}
	switch v.graphChoice().Edges {
	case parts.EdgesAlways:
		return true
	case parts.EdgesNever:
		return false
	}
	h := v.View.scene.Hand
	return h.Tool.Large || h.Dragging() || len(h.Landmarks.Selected) > 0
}

// fits says whether the landmarks that are shown are those that the graph joins: a preview may have others.
func (q *graphOver) fits(v *Scatter) bool {
	m := v.View.scene.Map
	return !m.Previewing() || m.Landmarks().Len() == parts.Landmarks.Of(m.Doc.State()).Len()
}

// update brings the edges up to the graph and returns its revision; 0: none are shown.
func (q *graphOver) update(v *Scatter) revision.Revision {
	if !v.EdgesShown() {
		return 0
	}
	g, rev, _ := v.View.scene.Map.Graph()
	if rev != q.of || q.dark != v.View.scene.Dark {
		look := scene.EdgesOf(g, v.View.scene.Theme)
		q.of, q.dark, q.edges = rev, v.View.scene.Dark, look.Append(q.edges[:0], g)
		q.key, q.keyed = look.Key()
	}
	return rev
}

// draw draws them over the points, that under the hand on top.
func (q *graphOver) draw(v *Scatter, l *landmark.Set, scale float32) {
	v.picture.layer.DrawEdges(l.Pos, v.graph.edges, scale)
	if e := v.View.scene.Hand.HoverEdge; e != noEdge {
		accent := v.View.scene.Theme.Accent
		v.picture.layer.DrawEdges(l.Pos, []render.Edge{{A: e.A, B: e.B, Colour: accent, Width: 3}}, scale)
	}
}

// updateCells brings the patches behind the points up to the graph and says whether they have to be drawn anew.
func (q *graphOver) updateCells(v *Scatter) bool {
	key := shadeKey{}
	if v.IsMap() && !v.Eye.Solid() && v.graphChoice().Shade && v.graph.fits(v) {
		g, rev, _ := v.View.scene.Map.Graph()
		l := v.View.scene.Map.Landmarks()
		key = shadeKey{rev, l.PosRev, v.View.scene.Dark}
		if key != q.shaded {
			q.cells = scene.CellsOf(g, l.Pos, v.View.scene.Theme)
		}
	}
	changed := key != q.shaded
	if q.shaded = key; key == (shadeKey{}) {
		q.cells = scene.Cells{}
	}
	return changed
}

// keys are what says over the view what its edges and patches mean.
func (q *graphOver) keys(v *Scatter) (keys []legend.Key) {
	if !v.View.State().Legend {
		return nil
	}
	if v.picture.marks.graph != 0 && v.graph.keyed {
		keys = append(keys, v.graph.key)
	}
	if key, ok := v.graph.cells.Key(); ok {
		keys = append(keys, key)
	}
	return keys
}

// shown is the graph for pictures of the view; nil: neither edges nor patches are shown.
func (q *graphOver) shown(v *Scatter) *graph.Graph {
	if !v.EdgesShown() && !v.graphChoice().Shade || !v.IsMap() || !v.graph.fits(v) {
		return nil
	}
	g, _, _ := v.View.scene.Map.Graph()
	return &g
}
