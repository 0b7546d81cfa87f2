package ui

import (
	"image/color"
	"math"
	"os"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/parts"
	"blossom/model/revision"
	"blossom/model/state"
	"blossom/render"
	"blossom/render/camera"
	"blossom/ui/shell"
)

// canvas draws the map into a texture and shows it. It draws only when something changed, and large
// maps in parts over several frames.
type canvas struct {
	r      *render.Renderer
	layer  *render.Layer
	points *render.PointBuffer
	values *render.ValueBuffer // of the colours, one per point

	moved      bool   // positions changed since the last picture
	changes    uint64 // of positions that the last picture has
	unfinished bool   // points of this picture are still to be drawn
	drawn      int    // points of this picture that are drawn
	picture    pictureKey
	marks      marksKey
	kinds      []render.Mark
	valued     revision.Revision // of the colours in the buffer
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
}

// marksKey is what the landmarks over it depend on.
type marksKey struct {
	pos    revision.Revision
	shown  bool
	active bool
	scale  float32
	theme  bool
}

func (c *canvas) init(r *render.Renderer) {
	c.r, c.layer, c.empty = r, r.NewLayer(), true
}

// take shows another buffer of points.
func (c *canvas) take(b *render.PointBuffer) {
	if c.points != nil {
		c.points.Free()
		c.values.Free()
	}
	c.points, c.values, c.valued = b, c.r.NewValueBuffer(b.Len()), 0
	c.moved, c.picture, c.marks, c.empty = true, pictureKey{}, marksKey{}, true
}

func (c *canvas) close() {
	if c.points != nil {
		c.points.Free()
		c.values.Free()
	}
	if c.layer != nil {
		c.layer.Free()
	}
}

// draw brings the picture up to date.
func (c *canvas) draw(a *App) {
	if a.m == nil {
		return
	}
	if reloaded, err := c.r.ReloadShaders(); err != nil {
		a.fail(err)
	} else if reloaded {
		c.moved = true
	}
	v := a.view
	if v.w < 1 || v.h < 1 {
		return
	}
	if a.colours.rev != c.valued {
		if v := a.colours.Values; v != nil {
			copy(c.values.Host(), v.Numbers)
		}
		c.values.Upload(0, c.values.Len())
		c.valued = a.colours.rev
	}
	s := a.m.Doc.State()
	theme := a.renderTheme()
	key := pictureKey{proj: v.cam.Projection(), shown: a.m.Shown(), values: c.valued, ground: theme.Background,
		path: c.r.Path()}
	key.style = c.style(a, a.lookNow(), key.shown)

	changed := false
	// An engine may write points that took it longer after the frame that asked for them.
	if n := c.points.Changes(); n != c.changes {
		c.moved, c.changes = true, n
	}
	if c.moved || key != c.picture {
		c.layer.Begin(key.proj, key.style)
		c.moved, c.picture, c.drawn, changed = false, key, 0, true
	}
	if c.drawn < key.shown || changed {
		to := min(key.shown, c.drawn+c.r.FramePoints())
		c.layer.DrawRange(c.points, c.values, nil, c.drawn, to)
		c.drawn, changed = to, true
	}
	c.unfinished = c.drawn < key.shown

	if c.markLandmarks(a, s) || changed {
		c.layer.Resolve(theme.Background)
		c.drawLandmarks(a, s, theme)
		c.empty = false
	}
}

// peekFrames is how often, in frames, the first points of a map that moves are brought from the card: the
// view follows them.
const peekFrames = 12

// fetch brings positions that only the card has to the host: all of them once the map rests, for exports
// and whatever else reads them, and a sample of them now and then while it moves. It never waits.
func (c *canvas) fetch(a *App) {
	if a.m == nil || c.points.Ready() {
		return
	}
	c.frames++
	switch {
	case !a.m.Busy():
		c.points.Fetch()
	case c.frames%peekFrames == 1:
		c.points.FetchFirst(boundsSample)
	}
}

// show puts the picture on the window.
func (c *canvas) show(a *App, dl *imgui.DrawList) {
	if c.empty || a.m == nil {
		return
	}
	r := a.regions.canvas
	dl.AddImageV(shell.TextureRef(c.layer.Texture()), r.Min(), r.Max(), imgui.Vec2{}, imgui.Vec2{X: 1, Y: 1},
		0xffffffff)
}

// style is how points look now: as the user set it, or adapted to how many there are.
func (c *canvas) style(a *App, look parts.Look, shown int) render.Style {
	w, h := a.view.cam.Viewport()
	scale := float64(a.ctx.Scale()) * a.view.ratio
	size, opacity := render.AutoStyle(shown, w, h, scale, a.cover())
	if look.Size > 0 {
		size = float32(look.Size * scale)
	}
	if look.Opacity > 0 {
		opacity = float32(look.Opacity)
	}
	return render.Style{Size: size, Opacity: opacity, Colouring: a.currentColouring()}
}

// cover returns the share of the canvas that the landmarks' box takes, in steps, so that zooming does
// not change the style in every frame.
func (a *App) cover() float64 {
	l := parts.Landmarks.Of(a.m.Doc.State())
	b, ok := camera.BoundsOf(l.Pos.Data, l.Pos.Cols)
	if !ok || a.view.w*a.view.h == 0 {
		return 0
	}
	s := a.view.cam.Scale / a.view.ratio
	return (b.Max.X - b.Min.X) * (b.Max.Y - b.Min.Y) * s * s / (a.view.w * a.view.h)
}

// markLandmarks brings the marks of landmarks up to date and says whether they have to be drawn anew.
func (c *canvas) markLandmarks(a *App, s state.State) bool {
	l := parts.Landmarks.Of(s)
	key := marksKey{pos: l.PosRev, shown: a.shown().Landmarks, active: a.hand.tool == landmarks || a.hand.Dragging() ||
		len(a.hand.selected) > 0,
		scale: a.ctx.Scale(), theme: a.settings.Theme == "dark"}
	changed := key != c.marks || len(c.kinds) != l.Len()
	c.marks = key
	c.kinds = slices.Grow(c.kinds[:0], l.Len())[:min(len(c.kinds), l.Len())]
	for len(c.kinds) < l.Len() {
		c.kinds = append(c.kinds, 0)
	}
	next := 0 // of the selection, which ascends
	for i := range c.kinds {
		var k render.Mark
		if l.Pinned != nil && l.Pinned[i] {
			k |= render.Pinned
		}
		if next < len(a.hand.selected) && a.hand.selected[next] == i {
			k |= render.MarkSelected
			next++
		}
		if i == a.hand.hover {
			k |= render.Hovered
		}
		if c.kinds[i] != k {
			c.kinds[i], changed = k, true
		}
	}
	return changed
}

func (c *canvas) drawLandmarks(a *App, s state.State, theme render.Theme) {
	if !a.shown().Landmarks {
		return
	}
	scale := a.ctx.Scale() * float32(a.view.ratio)
	if c.marks.active {
		c.layer.DrawEdges(parts.Landmarks.Of(s).Pos, parts.Landmarks.Of(s).Edges,
			render.EdgeStyle{Colour: theme.Edge, Width: 1, Scale: scale})
	}
	c.layer.DrawLandmarks(parts.Landmarks.Of(s).Pos, c.kinds, c.landmarkStyle(a, theme, scale))
}

func (c *canvas) landmarkStyle(a *App, theme render.Theme, scale float32) render.LandmarkStyle {
	style := render.QuietLandmarks(theme, scale)
	if c.marks.active {
		style = render.ActiveLandmarks(theme, scale)
	}
	// Landmarks that stand close are drawn smaller: they must not hide the points between them.
	if g := parts.Landmarks.Of(a.m.Doc.State()).Len(); g > 1 {
		spacing := math.Sqrt(a.cover()*a.view.w*a.view.h/float64(g)) / float64(a.ctx.Scale()) // points
		style.Radius = float32(min(float64(style.Radius), max(0.8, 0.24*spacing)))
	}
	return style
}

// asShown gives a picture for a file the points, landmarks and edges of the canvas, at its own scale. What the
// mouse hovers over is not marked.
func (c *canvas) asShown(a *App, o *render.PictureOptions) {
	style := c.style(a, a.lookNow(), a.m.Shown())
	style.Size *= float32(o.Scale) / (a.ctx.Scale() * float32(a.view.ratio))
	o.Style = style
	o.LandmarkStyle = c.landmarkStyle(a, o.Theme, float32(o.Scale))
	for _, k := range c.kinds {
		o.Marks = append(o.Marks, k&^render.Hovered)
	}
	if c.marks.active && !o.Landmarks.Empty() {
		o.Edges = parts.Landmarks.Of(a.m.Doc.State()).Edges
	}
}

// shaderDir is the folder that a debug run reads shaders from, or "".
func shaderDir() string { return os.Getenv(render.ShaderDirVariable) }
