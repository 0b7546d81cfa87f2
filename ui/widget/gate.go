package widget

import "github.com/AllenDang/cimgui-go/imgui"

// Gate draws the outline of a gate by the places of its corners, within a picture; a chosen one stands out, and has
// handles where its corners can be moved.
func (u *UI) Gate(dl *imgui.DrawList, corners []imgui.Vec2, in Rect, chosen, handles bool) {
	t := &u.theme
	dl.PushClipRectV(in.Min(), in.Max(), true)
	defer dl.PopClipRect()
	u.scratch.lasso = append(append(u.scratch.lasso[:0], corners...), corners[0])
	if !chosen {
		u.line(dl, u.scratch.lasso, t.Panel.Alpha(0.7), u.Pt(3), 0)
		u.line(dl, u.scratch.lasso, t.Text, u.Pt(1.25), 0)
		return
	}
	u.line(dl, u.scratch.lasso, t.Panel.Alpha(0.8), u.Pt(3.5), 0)
	u.line(dl, u.scratch.lasso, t.Accent, u.Pt(1.5), 0)
	if !handles {
		return
	}
	side := u.Pt(7)
	for _, p := range corners {
		r := R(u.snap(p.X-side/2), u.snap(p.Y-side/2), side, side)
		u.fill(dl, r, t.Panel, u.Pt(1))
		u.stroke(dl, r, t.Accent, u.Pt(1), u.Pt(1.5))
	}
}

// GateName writes the name of a gate, and below it how many it has, at the right of its outline: above it where there
// is no room, or else in it.
func (u *UI) GateName(dl *imgui.DrawList, corners []imgui.Vec2, in Rect, name, share string, chosen bool) {
	t := &u.theme
	low, high := corners[0], corners[0]
	for _, p := range corners {
		low = imgui.Vec2{X: min(low.X, p.X), Y: min(low.Y, p.Y)}
		high = imgui.Vec2{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	if high.X < in.X0 || low.X > in.X1 || high.Y < in.Y0 || low.Y > in.Y1 {
		return
	}
	dl.PushClipRectV(in.Min(), in.Max(), true)
	defer dl.PopClipRect()
	name = u.Fit(Strong, name, min(in.W()/2, u.Pt(180)))
	w, h := max(u.Width(Strong, name), u.Width(Small, share)), u.Line(Strong)+u.Line(Small)
	gap := u.Pt(8)
	x, y := high.X+gap, max((low.Y+high.Y-h)/2, in.Y0+gap)
	switch {
	case x+w+gap <= in.X1 && y+h+gap <= in.Y1:
	case low.Y-h-gap/2 >= in.Y0:
		x, y = min(max(low.X, in.X0+gap), in.X1-w-gap), low.Y-h-gap/2
	default:
		x, y = min(max(low.X, in.X0)+gap, in.X1-w-gap), max(low.Y, in.Y0)+gap
	}
	ink := t.Text
	if chosen {
		ink = t.Accent
	}
	u.HaloText(dl, Strong, x, y, ink, t.Panel.Alpha(0.85), name)
	u.HaloText(dl, Small, x, y+u.Line(Strong), t.Muted, t.Panel.Alpha(0.85), share)
}
