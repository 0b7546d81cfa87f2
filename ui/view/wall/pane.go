package wall

import (
	"image"
	"image/color"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/space/transform"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/colour"
	"blossom/render/palette"
	"blossom/render/pen"
	"blossom/render/scene"
	"blossom/ui/shell"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// pane is the picture of a map in sight.
type pane struct {
	layer  *render.Layer
	points *render.PointBuffer // its map's own; nil: those of the embedding
	values *render.ValueBuffer
	states *render.StateBuffer // its map's own; nil: those of the view
	picked revision.Revision   // the selection that the states of a plot have, and the plot
	plot   *plot
	of     loaded
	key    paneKey
	stale  bool // the picture is to be drawn anew
	cam    camera.Camera
	style  render.Style
}

// loaded is what the numbers of a pane are of.
type loaded struct {
	made   revision.Revision
	tile   int
	values *colour.Values
	n      int
}

// paneKey is what the picture of a pane depends on.
type paneKey struct {
	proj    camera.Projection
	style   render.Style
	n       int
	moved   uint64
	states  *render.StateBuffer
	changes uint64
	ground  color.NRGBA
	of      loaded
}

func (p *pane) free() {
	if p.layer != nil {
		p.layer.Free()
	}
	if p.values != nil {
		p.values.Free()
	}
	if p.states != nil {
		p.states.Free()
	}
	if p.points != nil {
		p.points.Free()
	}
	*p = pane{}
}

// Draw draws the maps that are not what they should be, a few in each frame, the others in the next.
func (c *content) Draw(busy bool) {
	if c.now == nil {
		return
	}
	if c.points, c.placed = c.Embedded(busy); !c.placed {
		return
	}
	w, h := c.PictureSize()
	areas := c.areas(w, h, c.pixels())
	for len(c.panes) > len(areas) {
		c.panes[len(c.panes)-1].free()
		c.panes = c.panes[:len(c.panes)-1]
	}
	for len(c.panes) < len(areas) {
		c.panes = append(c.panes, pane{layer: c.Scene().Renderer.NewLayer()})
	}
	if len(areas) == 0 {
		return
	}
	room, next := c.panes[0].layer.FramePoints(0), -1
	for i := range c.panes {
		k := (c.turn + i) % len(c.panes)
		p := &c.panes[k]
		key := c.aim(p, k, areas[k])
		if p.stale = key != p.key; !p.stale {
			continue
		}
		if room <= 0 {
			if next < 0 {
				next = k
			}
			continue
		}
		p.layer.Begin(key.proj, key.style)
		p.layer.DrawRange(c.pointsOf(p), p.values, key.states, 0, key.n)
		p.layer.Resolve(key.ground)
		if plot := c.shown()[k].plot; plot != nil {
			lines := plot.lines(c.Scene().Theme)
			p.layer.DrawEdges(lines.Places, lines.Edges, float32(c.pixels()))
		}
		p.key, p.stale = key, false
		room -= key.n
	}
	c.turn = max(next, 0)
}

// pixels is pixels per point.
func (c *content) pixels() float64 { return float64(c.Scene().Scale) * c.ratio }

// aim brings what a pane is drawn with up to the document, and says what its picture depends on then.
func (c *content) aim(p *pane, i int, a area) paneKey {
	t := &c.shown()[i]
	n := c.count(t)
	values := t.values
	if values == nil {
		values = c.points.Colours
	}
	of := loaded{c.now.rev, c.first() + i, values, n}
	if of != p.of {
		p.load(c, t, of)
	}
	a = c.inside(t, a, c.pixels())
	p.cam = c.camera(t, a.w(), a.h(), c.pixels())
	p.style = c.style(t, c.Scene().Dark, a.w(), a.h(), c.pixels(), p.cam, c.Scene().Theme)
	states := c.statesOf(p, t)
	key := paneKey{proj: p.cam.Projection(), style: p.style, n: n, moved: c.pointsOf(p).Changes(), states: states,
		ground: c.Scene().Theme.Background, of: of}
	if states != nil {
		key.changes = states.Changes()
	}
	return key
}

// count is how many points a map has.
func (c *content) count(t *tile) int {
	if t.plot != nil {
		return len(t.plot.rows)
	}
	return c.each()
}

// pointsOf are the points of a pane.
func (c *content) pointsOf(p *pane) *render.PointBuffer {
	if p.points != nil {
		return p.points
	}
	return c.points.Points
}

// statesOf are the states of the points of a pane.
func (c *content) statesOf(p *pane, t *tile) *render.StateBuffer {
	if t.plot != nil {
		p.chosen(c, t)
	}
	if t.inside == nil && t.plot == nil {
		return c.points.States
	}
	return p.states
}

// extent is what a map shows all of.
func (c *content) extent(t *tile) camera.Bounds {
	if t.plot != nil {
		return t.plot.box
	}
	return c.points.Box
}

// load gives a pane the points, numbers and states of its map.
func (p *pane) load(c *content, t *tile, of loaded) {
	r := c.Scene().Renderer
	switch {
	case t.plot == nil && p.points != nil:
		p.points.Free()
		p.points = nil
	case t.plot != nil:
		if p.points == nil || p.points.Len() != of.n {
			if p.points != nil {
				p.points.Free()
			}
			p.points = r.NewPointBuffer(of.n, 2)
		}
		copy(p.points.Host(), t.plot.places)
		p.points.Upload(0, of.n)
	}
	if p.values == nil || p.values.Len() != of.n {
		if p.values != nil {
			p.values.Free()
		}
		p.values = r.NewValueBuffer(of.n)
	}
	values := t.values
	if values == nil {
		values = c.points.Colours
	}
	if values != nil {
		scene.PutValues(p.values, values)
	}
	p.values.Upload(0, of.n)
	if t.inside != nil {
		if p.states == nil {
			p.states = r.NewStateBuffer(of.n)
		} else if p.states.Len() != of.n {
			p.states.Resize(of.n)
		}
		copy(p.states.Host(), t.inside)
		p.states.Upload(0, of.n)
	}
	p.of = of
}

// camera looks at all points of a map.
func (c *content) camera(t *tile, w, h int, scale float64) camera.Camera {
	if t.plot != nil {
		return t.plot.camera(w, h)
	}
	m := 4 * scale
	margins := camera.Margins{Left: m, Top: m, Right: m, Bottom: m}
	if c.points.Points.Dims() == 3 {
		cam := camera.NewOrbit(w, h)
		cam.Fit(c.points.Box, margins)
		return cam
	}
	cam := camera.NewFlat(w, h)
	cam.Free = c.points.Free
	cam.SetLimits(c.points.Box)
	cam.Fit(c.points.Box, margins)
	return cam
}

// style is how the points of a map look, in a picture of w x h pixels.
func (c *content) style(t *tile, dark bool, w, h int, scale float64, cam camera.Camera,
	theme render.Theme) render.Style {
	size, opacity := render.AutoStyle(c.count(t), w, h, scale, render.Cover(cam, c.extent(t)))
	colouring, values, look := c.colouring(t, dark), t.values, c.Look()
	if values == nil {
		values = c.points.Colours
	}
	cells := scene.Look{Tally: view.Tally(look.Drawing)}.Cells(values, scale)
	if cells.Cells() {
		if opacity = float32(look.Opacity); !(cells.Size > 0) {
			cells.Size = render.AutoCell(cells, c.count(t), w, h, scale, render.Cover(cam, c.extent(t)))
		}
	}
	return render.Style{Size: size, Opacity: opacity, Colouring: colouring, Tally: cells,
		DimUnselected: t.inside != nil || c.Scene().Dim, Ground: render.Haze(colouring, theme)}
}

// colouring is how the points of a map are coloured: as the look of the view says, each in a range of its own or all in
// the same.
func (c *content) colouring(t *tile, dark bool) palette.Colouring {
	look := c.Look()
	values := t.values
	s := scene.Look{Palette: look.Palette, Reverse: look.Reverse, Low: look.Low, High: look.High,
		Tally: view.Tally(look.Drawing)}
	if values == nil || t.column == look.Column { // a centre is a value of one column
		s.Centred, s.Centre, s.Inks = look.Centred, look.Centre, look.Inks
	}
	if values == nil {
		if values = c.points.Colours; look.ByValue() {
			s.From, s.To, s.Raw = look.From, look.To, look.Spread != transform.SpreadMap
		}
	} else if c.settings.Common {
		s.From, s.To = c.common(look.Low, look.High)
	}
	return scene.Colouring(values, s, dark, color.NRGBA{})
}

// common are the ends of the colours of all maps, where they have the same: of the lowest and the highest of them.
func (c *content) common(low, high float64) (from, to float64) {
	first := true
	for i := range c.now.tiles {
		v := c.now.tiles[i].values
		if v == nil {
			continue
		}
		lo, hi := v.Range(low, high)
		if first {
			from, to, first = float64(lo), float64(hi), false
		}
		from, to = min(from, float64(lo)), max(to, float64(hi))
	}
	return from, to
}

// note is what stands at the right of a map's name: how many points it has, or the ends of its colours.
func (c *content) note(t *tile, colouring palette.Colouring) string {
	if t.note != "" || t.values == nil {
		return t.note
	}
	if l := t.values.Legend(colouring); l != nil && len(l.Numbers) > 1 {
		return l.Numbers[0].Text + " … " + l.Numbers[len(l.Numbers)-1].Text
	}
	return ""
}

// Present puts the maps on the window, and lets the mouse work on them.
func (c *content) Present(dl *imgui.DrawList) {
	s := c.Scene()
	if c.now == nil || len(c.now.tiles) == 0 || !c.placed {
		text := c.subject.empty()
		if c.made.Err() != nil {
			text = c.made.Err().Error()
		}
		s.UI.Centred(dl, widget.Rect(c.box), text)
		return
	}
	w, h := c.PictureSize()
	areas := c.areas(w, h, c.pixels())
	if len(areas) == 0 || len(areas) != len(c.panes) {
		s.UI.Centred(dl, widget.Rect(c.box), "There is no room for so many maps here.")
		return
	}
	c.mouse(areas)
	for i, a := range areas {
		if c.panes[i].layer.Texture() == 0 {
			continue
		}
		at := func(x, y float64) imgui.Vec2 {
			return imgui.Vec2{X: c.box.X0 + float32(x/c.ratio), Y: c.box.Y0 + float32(y/c.ratio)}
		}
		in := c.inside(&c.shown()[i], a, c.pixels())
		dl.AddImageV(shell.TextureRef(c.panes[i].layer.Texture()), at(in.x0, in.y0), at(in.x1, in.y1), imgui.Vec2{},
			imgui.Vec2{X: 1, Y: 1}, 0xffffffff)
	}
	c.paint(view.NewPen(s.UI, dl, c.box, c.ratio, c.pixels()), areas, s.Theme, s.Dark)
}

// paint writes the names over the maps, and frames the one under the mouse.
func (c *content) paint(p pen.Pen, areas []area, theme render.Theme, dark bool) {
	k := p.Scale()
	for i, a := range areas {
		t := &c.shown()[i]
		y := a.y0 - a.line/2
		note := c.note(t, c.colouring(t, dark))
		used, room := p.Width(pen.Caption, note), a.x1-a.x0-4*k
		if used > room/2 && used+p.Width(pen.Small, t.name)+8*k > room { // then the name is what is to be read
			note, used = "", 0
		}
		name := pen.Shorten(p, pen.Small, t.name, room-used-8*k)
		p.Text(pen.Small, a.x0+2*k, y, theme.Text, name)
		if note != "" {
			p.Text(pen.Caption, a.x1-2*k-used, y, theme.TextDim, note)
		}
		ink := theme.Line
		if i == c.over {
			ink = theme.Accent
		}
		for _, r := range []pen.Rect{pen.Box(a.x0, a.y0, a.x1, a.y0), pen.Box(a.x0, a.y1, a.x1, a.y1),
			pen.Box(a.x0, a.y0, a.x0, a.y1), pen.Box(a.x1, a.y0, a.x1, a.y1)} {
			p.Fill(r, 0, ink)
		}
		in := c.inside(t, a, k)
		switch cam := c.camera(t, in.w(), in.h(), k); {
		case t.plot != nil:
			paintAxes(p, a, in, t.plot.axes[0], t.plot.axes[1], cam, !t.plot.single, theme)
			t.plot.paint(p, in, cam, theme)
		case in != a:
			paintAxes(p, a, in, c.points.Axes[0], c.points.Axes[1], cam, true, theme)
		}
	}
}

// Picture says how a picture for a file shows the wall: as the window does.
func (c *content) Picture(o scene.Options) (render.PictureOptions, error) {
	fonts, err := scene.Fonts()
	out := render.PictureOptions{Width: o.Width, Height: o.Height, Scale: o.Scale, Theme: o.Theme(),
		Transparent: o.Transparent, Title: o.Title, Fonts: fonts, View: camera.NewFlat(o.Width, o.Height)}
	if err != nil {
		return out, err
	}
	if c.now == nil || len(c.now.tiles) == 0 || !c.placed || len(c.panes) == 0 {
		return out, problem.New("", "show something else in its view", "there are no small maps")
	}
	over := c.over
	areas := c.areas(o.Width, o.Height, o.Scale)
	for i, a := range areas {
		if i >= len(c.panes) {
			break
		}
		p, t := &c.panes[i], &c.shown()[i]
		a = c.inside(t, a, o.Scale)
		cam := c.camera(t, a.w(), a.h(), o.Scale)
		picture := render.PictureOptions{Points: c.pointsOf(p), Values: p.values, States: c.statesOf(p, t), View: cam,
			Style: c.style(t, o.Dark, a.w(), a.h(), o.Scale, cam, out.Theme)}
		if t.plot != nil {
			picture.Lines = t.plot.lines(out.Theme)
		}
		out.Tiles = append(out.Tiles, render.SheetCell{
			Rect: image.Rect(int(a.x0), int(a.y0), int(a.x1), int(a.y1)), Picture: picture})
	}
	out.Over = append(out.Over, func(p pen.Pen, _, _ float64) {
		c.over = -1
		c.paint(p, areas, out.Theme, o.Dark)
		c.over = over
	})
	return out, nil
}
