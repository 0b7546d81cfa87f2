package wall

import (
	"image/color"
	"math"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/render"
	"blossom/render/axes"
	"blossom/render/camera"
	"blossom/render/pen"
)

// plot is what a small map shows in place of the embedding: points on two columns, or how often the values of one
// column are, with outlines over them.
type plot struct {
	rows     []int32   // the rows that its points are
	places   []float32 // two coordinates of each point
	axes     [2]axes.Axis
	single   bool // there is one column: its curve stands in the place of points
	curve    [][2]float64
	box      camera.Bounds // all that is seen
	outlines []outline
}

// outline is the region of a gate, in coordinates, with its name.
type outline struct {
	sides       [][2][2]float64
	name, share string
	at          [2]float64 // the middle of its upper end, where the name stands
}

// The room that ticks, their numbers and the name of the column take beside a plot, in points, and the side of the
// smallest plot that has it.
const (
	frameLeft   = axes.Left + frameTitle
	frameBottom = axes.Bottom + frameTitle
	frameTitle  = 14.0
	frameLeast  = 120.0
)

// inside is the place of a map's points within its area: beside the numbers of its axes, where it has some and room for
// them.
func (c *content) inside(t *tile, a area, scale float64) area {
	if t.plot == nil && len(c.points.Axes) != 2 || a.x1-a.x0 < frameLeast*scale || a.y1-a.y0 < frameLeast*scale {
		return a
	}
	a.y1 -= math.Round(frameBottom * scale)
	if left := frameLeft; t.plot != nil && t.plot.single {
		a.x0 += math.Round(8 * scale)
	} else {
		a.x0 += math.Round(left * scale)
	}
	return a
}

// camera looks at the whole of a plot.
func (p *plot) camera(w, h int) camera.Camera {
	cam := camera.NewFlat(w, h)
	cam.Free = true
	cam.SetLimits(p.box)
	cam.Fit(p.box, camera.Margins{})
	return cam
}

// lines are the curve of a plot and its outlines.
func (p *plot) lines(theme render.Theme) render.Lines {
	out := render.Lines{Places: matrix.Matrix32{Cols: 2}}
	add := func(a, b [2]float64, ink color.NRGBA, width float32) {
		n := int32(out.Places.Rows)
		out.Places.Data = append(out.Places.Data, float32(a[0]), float32(a[1]), float32(b[0]), float32(b[1]))
		out.Places.Rows += 2
		out.Edges = append(out.Edges, render.Edge{A: n, B: n + 1, Colour: ink, Width: width})
	}
	for i := 1; i < len(p.curve); i++ {
		add(p.curve[i-1], p.curve[i], theme.TextDim, 1.25)
	}
	for _, o := range p.outlines {
		for _, s := range o.sides {
			add(s[0], s[1], theme.Text, 1.25)
		}
	}
	return out
}

// paintAxes writes the ticks of axes beside a map and the names of their columns outside of them, in the place that
// inside gave it. Upright numbers are left out where the axis has none.
func paintAxes(ink pen.Pen, whole, in area, x, y axes.Axis, cam camera.Camera, numbers bool, theme render.Theme) {
	if in == whole {
		return
	}
	k := ink.Scale()
	name := func(a *axes.Axis, room float64) (title string, width float64) { // it stands outside of the points
		title = pen.Shorten(ink, pen.Small, a.Title, room)
		a.Title, a.Note = "", ""
		return title, ink.Width(pen.Small, title)
	}
	right, w := name(&x, in.x1-in.x0)
	ink.Text(pen.Small, math.Round((in.x0+in.x1-w)/2), whole.y1-8*k, theme.Text, right)
	up, w := name(&y, in.y1-in.y0)
	ink.Upright(pen.Small, whole.x0+9*k, math.Round((in.y0+in.y1+w)/2), theme.Text, up)
	low := cam.WorldFromScreen(0, float64(in.h()))
	high := cam.WorldFromScreen(float64(in.w()), 0)
	upright := axes.Span{Lo: low.Y, Hi: high.Y}
	if !numbers {
		upright = axes.Span{}
	}
	r := pen.Box(in.x0, in.y0, in.x1, in.y1)
	if f, ok := axes.Of(ink, r, x, y, axes.Span{Lo: low.X, Hi: high.X}, upright); ok {
		f.Paint(ink, axes.Ink{Line: theme.Line, Text: theme.TextDim, Dim: theme.TextDim, Halo: theme.Background}, x, y)
	}
}

// paint writes the names of a plot's outlines over it, in the place that inside gave it.
func (p *plot) paint(ink pen.Pen, in area, cam camera.Camera, theme render.Theme) {
	k := ink.Scale()
	for _, o := range p.outlines {
		sx, sy, ok := cam.ScreenFromWorld(camera.Vec{X: o.at[0], Y: o.at[1]})
		if !ok {
			continue
		}
		room := in.x1 - in.x0 - 8*k
		name := pen.Shorten(ink, pen.Small, o.name, room)
		w, ws := ink.Width(pen.Small, name), ink.Width(pen.Caption, o.share)
		place := func(width float64) float64 {
			return math.Round(min(max(in.x0+sx-width/2, in.x0+4*k), max(in.x1-4*k-width, in.x0+4*k)))
		}
		y := min(max(in.y0+sy+10*k, in.y0+9*k), in.y1-22*k)
		plate, wide := theme.Background, max(w, ws) // the name may lie over many points
		plate.A = 190
		left := place(wide)
		ink.Fill(pen.Box(left-3*k, y-8*k, left+wide+3*k, y+20*k), 3*k, plate)
		ink.Text(pen.Small, place(w), y, theme.Text, name)
		ink.Text(pen.Caption, place(ws), y+13*k, theme.Text, o.share)
	}
}

// chosen brings the states of a plot's points up to what is selected.
func (p *pane) chosen(c *content, t *tile) {
	state := c.Scene().Map.Doc.State()
	rev := parts.Selection.Rev(state)
	n := len(t.plot.rows)
	if p.states == nil {
		p.states, p.picked = c.Scene().Renderer.NewStateBuffer(n), revision.Revision(0)
	}
	if p.picked == rev && p.plot == t.plot {
		return
	}
	if p.states.Len() != n {
		p.states.Resize(n)
	}
	p.picked, p.plot = rev, t.plot
	set := parts.Selection.Of(state)
	for i, row := range t.plot.rows {
		p.states.Host()[i] = 0
		if set.Contains(int(row)) {
			p.states.Host()[i] = render.Selected
		}
	}
	p.states.Upload(0, n)
}
