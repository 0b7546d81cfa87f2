package view

import (
	"fmt"
	"image/color"
	"math"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/live"
	"blossom/render"
	"blossom/render/legend"
)

// treeOver is the spanning tree of what is clustered, as lines over the points of a view.
type treeOver struct {
	of    revision.Revision // the tree whose lines these are; 0: none are shown
	dark  bool
	lines []render.Edge
	key   legend.Key
	marks bool // it is of landmarks
}

// update brings the lines up to the tree and says whether they have to be drawn anew.
func (t *treeOver) update(v *Scatter) bool {
	if !v.View.State().Tree {
		was := t.of != 0
		t.of = 0
		return was
	}
	lines, all, marks, rev := v.View.scene.Map.Clusters().Tree()
	if points := v.Points(); rev != 0 && (marks && !v.IsMap() || !marks && (points == nil || !points.Ready())) {
		rev = 0 // there are no landmarks here, or the points are still on their way
	}
	if rev == t.of && (rev == 0 || t.dark == v.View.scene.Dark) {
		return false
	}
	t.of, t.dark, t.marks, t.lines = rev, v.View.scene.Dark, marks, t.lines[:0]
	if rev == 0 {
		return true
	}
	t.lines = treeEdges(t.lines, lines, v.View.scene.Theme)
	t.key = t.keyOf(lines, all, v.View.scene.Theme)
	return true
}

// treeEdges appends lines in the colours of a theme to dst.
func treeEdges(dst []render.Edge, lines []live.TreeLine, theme render.Theme) []render.Edge {
	looks := treeLooks(theme, len(lines))
	for _, l := range lines {
		x := looks[l.Kind]
		dst = append(dst, render.Edge{A: l.A, B: l.B, Colour: x.Colour, Width: float32(x.Width)})
	}
	return dst
}

// keyOf says what the lines mean, of which these are some of all.
func (t *treeOver) keyOf(lines []live.TreeLine, all int, theme render.Theme) legend.Key {
	title := "spanning tree"
	if all > len(lines) {
		title = fmt.Sprintf("spanning tree: the %s longest of %s", grouped(len(lines)), grouped(all))
	}
	return legend.Key{Title: title, Lines: treeKey(treeLooks(theme, len(lines)), lines)}
}

// print adds the lines to a picture, in its own theme, and what they mean.
func (t *treeOver) print(v *Scatter, o *render.PictureOptions) {
	if t.of == 0 {
		return
	}
	lines, all, _, _ := v.View.scene.Map.Clusters().Tree()
	o.Lines = o.Lines.And(render.Lines{Places: t.places(v), Edges: treeEdges(nil, lines, o.Theme)})
	if v.View.State().Legend {
		o.Keys = append(o.Keys, t.keyOf(lines, all, o.Theme))
	}
}

// treeKey names the kinds of lines: those to points in no cluster only where there are some.
func treeKey(looks [live.TreeBridge + 1]legend.Line, lines []live.TreeLine) []legend.Line {
	out := []legend.Line{sample(looks[live.TreeInside]), sample(looks[live.TreeBridge])}
	if len(lines) > 0 && lines[0].Kind == live.TreeStray { // they come first
		out = append(out, sample(looks[live.TreeStray]))
	}
	return out
}

// sample is a line as a legend shows it: alone on the window's ground, where one as faint as those of thousands is not
// seen.
func sample(l legend.Line) legend.Line {
	l.Colour.A, l.Width = max(l.Colour.A, 150), max(l.Width, 1.2)
	return l
}

// treeLooks is how edges look, by what they join: of many they are finer.
func treeLooks(t render.Theme, lines int) (out [live.TreeBridge + 1]legend.Line) {
	fine := min(1, math.Sqrt(2500/float64(max(lines, 1)))) // so that points are seen through them
	pale := func(c color.NRGBA, a float64) color.NRGBA {
		c.A = uint8(255 * a)
		return c
	}
	out[live.TreeStray] = legend.Line{Text: "to points in no cluster", Width: 0.7,
		Colour: pale(t.TextDim, 0.12+0.2*fine)}
	out[live.TreeInside] = legend.Line{Text: "in a cluster", Width: 0.8, Colour: pale(t.Text, 0.32*fine)}
	out[live.TreeBridge] = legend.Line{Text: "bridge", Width: 2, Colour: t.Accent}
	return out
}

// places are the places between which lines go: of points as far as they are shown, or of landmarks.
func (q *treeOver) places(v *Scatter) matrix.Matrix32 {
	if v.tree.marks {
		return v.View.scene.Map.Landmarks().Pos
	}
	points := v.Points()
	if points == nil || !points.Ready() {
		return matrix.Matrix32{}
	}
	d := points.Dims()
	shown := min(v.field.Shown(), points.Len())
	return matrix.Matrix32{Rows: shown, Cols: d, Data: points.Host()[:shown*d]}
}

// draw draws the lines over the points.
func (q *treeOver) draw(v *Scatter) {
	if v.tree.of == 0 {
		return
	}
	v.picture.layer.DrawEdges(v.tree.places(v), v.tree.lines, float32(v.View.scene.pixels()))
}
