package view

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/embedding"
	"blossom/render"
	"blossom/render/axes"
	"blossom/render/camera"
	"blossom/ui/widget"
)

// axesOver is where the axes of a 3D box ended when it was drawn last.
type axesOver struct {
	lines []render.Segment
	ends  [3]render.AxisEnd
}

// axesShown says whether the view has axes and shows them.
func (v *View) axesShown() bool {
	if v.field == nil || !v.State().Axes {
		return false
	}
	return v.Solid() || len(v.field.Axes()) > 0
}

// Frame returns the place of the picture in the area of a view: numbers of flat axes stand outside of it.
func (v *View) Frame(area Box) Box {
	if !v.axesShown() || v.Solid() {
		return area
	}
	pt := func(x float64) float32 { return float32(math.Round(x * float64(v.scene.Scale))) }
	area.X0 = min(area.X0+pt(axes.Left), area.X1-1)
	area.Y1 = max(area.Y1-pt(axes.Bottom), area.Y0+1)
	return area
}

// axisOf is an axis of an embedding in the words of package axes.
func axisOf(a embedding.Axis) axes.Axis {
	return axes.Axis{Title: a.Title, Note: a.Note, Scale: a.Scale}
}

// Axes are the axes that are shown, for pictures; nil: none.
func (v *View) Axes() []axes.Axis {
	if !v.axesShown() {
		return nil
	}
	var out []axes.Axis
	for _, a := range v.field.Axes() {
		out = append(out, axisOf(a))
	}
	return out
}

// behind puts the box of a 3D view behind its points.
func (v *View) behind() {
	o := v.orbit()
	if o == nil || !v.axesShown() {
		return
	}
	b, ok := v.Extent()
	if !ok {
		return
	}
	v.axes.lines, v.axes.ends = render.Axes3D(v.axes.lines[:0], b, o, v.scene.Theme)
	v.picture.layer.Behind(v.axes.lines, float32(v.scene.pixels()))
}

func (v *View) drawAxes(dl *imgui.DrawList) {
	if !v.axesShown() {
		return
	}
	if v.Solid() {
		v.drawEnds(dl)
		return
	}
	v.drawTicks(dl)
}

// drawEnds writes the names of 3D axes at the ends of their lines.
func (v *View) drawEnds(dl *imgui.DrawList) {
	u, t := v.scene.UI, v.scene.UI.Theme()
	names := [3]string{"axis 1", "axis 2", "axis 3"}
	for i, a := range v.field.Axes() {
		names[i] = a.Title
	}
	for i, e := range v.axes.ends {
		if !e.Seen {
			continue
		}
		x, y := float32(float64(v.Box.X0)+e.X/v.Ratio), float32(float64(v.Box.Y0)+e.Y/v.Ratio)
		w := u.Width(widget.Caption, names[i])
		x += float32(e.DX)*(u.Pt(8)+w/2) - w/2
		y += float32(e.DY) * u.Pt(12)
		if v.Contains(float64(x), float64(y)) && v.Contains(float64(x+w), float64(y)) {
			u.HaloText(dl, widget.Caption, x, y, t.Text, t.Surface.Alpha(0.85), names[i])
		}
	}
}

// drawTicks draws flat axes: lines at the left and the bottom, numbers outside, titles inside.
func (v *View) drawTicks(dl *imgui.DrawList) {
	u, t, b := v.scene.UI, v.scene.UI.Theme(), v.Rect()
	line := uint32(t.Muted.Alpha(0.7))
	dl.AddLineV(imgui.Vec2{X: b.X0, Y: b.Y0}, imgui.Vec2{X: b.X0, Y: b.Y1}, line, 1)
	dl.AddLineV(imgui.Vec2{X: b.X0, Y: b.Y1}, imgui.Vec2{X: b.X1, Y: b.Y1}, line, 1)
	lo, hi := v.World(float64(b.X0), float64(b.Y1)), v.World(float64(b.X1), float64(b.Y0))
	all := v.field.Axes()
	x, y := axisOf(all[0]), axisOf(all[1])
	half := u.Pt(6)
	width := func(text string) float64 { return float64(u.Width(widget.Caption, text) + u.Pt(14)) }
	height := func(string) float64 { return float64(u.Pt(24)) }
	for _, tick := range x.Ticks(lo.X, hi.X, float64(b.W()), width) {
		sx, _, _ := v.Screen(camera.Vec{X: tick.At, Y: lo.Y})
		w := u.Width(widget.Caption, tick.Text)
		if at := float32(sx); at >= b.X0 && at <= b.X1 {
			dl.AddLineV(imgui.Vec2{X: at, Y: b.Y1}, imgui.Vec2{X: at, Y: b.Y1 + u.Pt(4)}, line, 1)
			if at+w/2 <= b.X1+u.Pt(2) {
				u.DrawText(dl, widget.Caption, at-w/2, b.Y1+u.Pt(13), t.Muted, tick.Text)
			}
		}
	}
	for _, tick := range y.Ticks(lo.Y, hi.Y, float64(b.H()), height) {
		_, sy, _ := v.Screen(camera.Vec{X: lo.X, Y: tick.At})
		if at := float32(sy); at >= b.Y0+half && at <= b.Y1-half/2 {
			dl.AddLineV(imgui.Vec2{X: b.X0 - u.Pt(4), Y: at}, imgui.Vec2{X: b.X0, Y: at}, line, 1)
			w := u.Width(widget.Caption, tick.Text)
			u.DrawText(dl, widget.Caption, b.X0-u.Pt(7)-w, at, t.Muted, tick.Text)
		}
	}
	title := func(a axes.Axis, left bool, y float32) {
		w := u.Width(widget.Small, a.Title)
		if a.Note != "" {
			w += u.Pt(5) + u.Width(widget.Small, a.Note)
		}
		at := b.X1 - u.Pt(10) - w
		if left {
			at = b.X0 + u.Pt(10)
		}
		ground := t.Surface.Alpha(0.8)
		used := u.Width(widget.Small, a.Title)
		u.HaloText(dl, widget.Small, at, y, t.Text, ground, a.Title)
		if a.Note != "" {
			u.HaloText(dl, widget.Small, at+used+u.Pt(5), y, t.Muted, ground, a.Note)
		}
	}
	title(y, true, b.Y0+u.Pt(12))
	title(x, false, b.Y1-u.Pt(12))
}
