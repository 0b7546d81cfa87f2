package view

import (
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/revision"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/scene"
	"blossom/ui/shell"
)

// picture draws the points of a view into a texture. It draws only when something changed, and large maps in
// parts over several frames.
type picture struct {
	layer  *render.Layer
	values *render.ValueBuffer // values that colours are looked up by, one per point

	moved      bool   // positions changed since the last picture
	changes    uint64 // change number of the positions that the last picture has
	states     *render.StateBuffer
	selected   uint64 // changes of states that it has
	unfinished bool   // points of this picture are still to be drawn
	drawn      int    // points of this picture that are drawn
	key        pictureKey
	marks      marksKey
	kinds      []render.Mark
	valued     revision.Revision // revision of the colours in the buffer
	empty      bool              // nothing has been drawn yet
	frames     int
}

// pictureKey is what a picture of the points depends on, besides their positions.
type pictureKey struct {
	proj   camera.Projection
	style  render.Style
	shown  int
	values revision.Revision
	ground color.NRGBA
	path   render.Path
	box    bool
	all    allRowsKey
}

// marksKey is what the landmarks over it depend on.
type marksKey struct {
	pos    revision.Revision
	graph  revision.Revision // revision of the graph whose edges are shown
	hover  Pair              // the edge under the mouse
	shown  bool
	active bool
	scale  float32
	dark   bool
}

// renew forgets the picture: another embedding is to be shown.
func (p *picture) renew() {
	if p.values != nil {
		p.values.Free()
	}
	p.values, p.valued = nil, 0
	p.moved, p.key, p.marks, p.empty = true, pictureKey{}, marksKey{}, true
}

func (p *picture) free() {
	p.renew()
	if p.layer != nil {
		p.layer.Free()
		p.layer = nil
	}
}

// Redraw draws all anew, as when shaders have changed.
func (v *Scatter) Redraw() { v.picture.moved = true }

// PointsDrawn is how many points the picture shows.
func (v *Scatter) PointsDrawn() int {
	if v.picture.layer == nil {
		return 0
	}
	return v.picture.layer.Shown(v.picture.drawn)
}

// Draw brings the picture up to date.
func (v *Scatter) Draw(busy bool) {
	v.picture.paint(v)
	v.Fetch(busy)
}

func (p *picture) paint(v *Scatter) {
	s, points := v.View.scene, v.Points()
	if points == nil || v.Eye.Box.W() < 1 || v.Eye.Box.H() < 1 {
		return
	}
	if p.values == nil || p.values.Len() != points.Len() {
		if p.values != nil {
			p.values.Free()
		}
		p.values, p.valued = s.Renderer.NewValueBuffer(points.Len()), 0
	}
	if v.Colours.Rev != p.valued {
		if v.Colours.Values != nil {
			scene.PutValues(p.values, v.Colours.Values)
		}
		p.values.Upload(0, p.values.Len())
		p.valued = v.Colours.Rev
	}
	contours := v.contours.update(v)
	shown := v.field.Shown()
	v.allRows.update(v)
	if v.contours.alone(v) || v.allRows.alone() {
		shown = 0
	}
	key := pictureKey{proj: v.Eye.Cam.Projection(), style: v.Style(), shown: shown, values: p.valued,
		ground: s.Theme.Background, path: s.Renderer.Path(), box: v.axesShown(), all: v.allRows.now}
	changed := false
	// An engine may write points that took it longer after the frame that asked for them.
	if n := points.Changes(); n != p.changes {
		p.moved, p.changes = true, n
	}
	if states := v.among.in(v.View.scene); states != p.states || states.Changes() != p.selected {
		p.moved, p.states, p.selected = true, states, states.Changes()
	}
	if v.graph.updateCells(v) || p.moved || key != p.key {
		p.layer.Begin(key.proj, key.style)
		p.behind(v)
		p.moved, p.key, p.drawn, changed = false, key, 0, true
	}
	if p.drawn < key.shown || changed {
		p.drawn, changed = p.layer.DrawNext(points, p.values, p.states, p.drawn, key.shown), true
	}
	p.unfinished = p.drawn < key.shown
	tree := v.tree.update(v)
	if p.markLandmarks(v) || tree || contours || changed {
		p.layer.Resolve(s.Theme.Background)
		v.contours.draw(v)
		v.tree.draw(v)
		p.drawLandmarks(v)
		p.empty = false
	}
}

// peekFrames is how often, in frames, the first points of a map that moves are brought from the card: the
// view follows them.
const peekFrames = 12

// Fetch brings positions that only the card has to the host: all of them once the map rests, for exports
// and whatever else reads them, and a sample of them now and then while it moves. It never waits.
func (v *Scatter) Fetch(busy bool) {
	points := v.Points()
	if points == nil || points.Ready() {
		return
	}
	v.picture.frames++
	switch {
	case !busy:
		points.Fetch()
	case v.picture.frames%peekFrames == 1:
		points.FetchFirst(BoundsSample)
	}
}

// Present puts the picture on the window, and what lies over it.
func (v *Scatter) Present(dl *imgui.DrawList) {
	if v.field == nil {
		return
	}
	v.picture.show(v, dl)
	v.Over(dl)
}

func (p *picture) show(v *Scatter, dl *imgui.DrawList) {
	if p.empty {
		return
	}
	b := v.Eye.Box
	dl.AddImageV(shell.TextureRef(p.layer.Texture()), imgui.Vec2{X: b.X0, Y: b.Y0},
		imgui.Vec2{X: b.X1, Y: b.Y1}, imgui.Vec2{}, imgui.Vec2{X: 1, Y: 1}, 0xffffffff)
}

// markLandmarks brings the marks of landmarks up to date and says whether they have to be drawn anew.
func (p *picture) markLandmarks(v *Scatter) bool {
	h := v.View.scene.Hand
	if !v.HasLandmarks() {
		changed := p.marks.shown
		p.marks = marksKey{}
		return changed
	}
	l := v.View.scene.Map.Landmarks()
	key := marksKey{pos: l.PosRev, graph: v.graph.update(v), hover: h.HoverEdge, shown: true,
		active: h.Tool.Large || h.Dragging() || len(h.Landmarks.Selected) > 0, scale: v.View.scene.Scale,
		dark: v.View.scene.Dark}
	changed := key != p.marks || len(p.kinds) != l.Len()
	p.marks = key
	p.kinds = slices.Grow(p.kinds[:0], l.Len())[:min(len(p.kinds), l.Len())]
	for len(p.kinds) < l.Len() {
		p.kinds = append(p.kinds, 0)
	}
	next := 0 // index of the next selected landmark; the selection ascends
	together := slices.Contains(h.Landmarks.Selected, h.Hover)
	for i := range p.kinds {
		var k render.Mark
		if l.Pinned != nil && l.Pinned[i] {
			k |= render.Pinned
		}
		if next < len(h.Landmarks.Selected) && h.Landmarks.Selected[next] == i {
			k |= render.MarkSelected
			next++
		}
		if i == h.Hover || together && k&render.MarkSelected != 0 {
			k |= render.Hovered
		}
		if p.kinds[i] != k {
			p.kinds[i], changed = k, true
		}
	}
	return changed
}

func (p *picture) drawLandmarks(v *Scatter) {
	if !v.HasLandmarks() {
		return
	}
	l := v.View.scene.Map.Landmarks()
	scale := float32(v.View.scene.pixels())
	style := p.landmarkStyle(v, v.View.scene.Theme, scale)
	if p.marks.graph != 0 {
		v.graph.draw(v, l, scale)
	}
	p.layer.DrawLandmarks(l.Pos, p.kinds, style)
}

// landmarkStyle is how landmarks look now, at so many pixels per point.
func (p *picture) landmarkStyle(v *Scatter, theme render.Theme, scale float32) render.LandmarkStyle {
	style := render.QuietLandmarks(theme, scale)
	if p.marks.active {
		style = render.ActiveLandmarks(theme, scale)
	}
	if v.Eye.Solid() {
		style.Radius *= 0.6 // there are many behind each other
	}
	// Landmarks that stand close are drawn smaller: they must not hide the points between them.
	if g := v.View.scene.Map.Landmarks().Len(); g > 1 && !v.Eye.Solid() {
		area := v.cover() * float64(v.Eye.Box.W()) * float64(v.Eye.Box.H())
		spacing := math.Sqrt(area/float64(g)) / float64(v.View.scene.Scale) // points
		style.Radius = float32(min(float64(style.Radius), max(0.8, 0.24*spacing)))
	}
	return style
}

// Waiting says whether positions have changed that the picture does not show yet.
func (v *Scatter) Waiting() bool { return v.picture.moved }

// Image returns the picture as it is now, for tests. It waits for the card.
func (v *Scatter) Image() *image.RGBA { return v.picture.layer.Read() }
