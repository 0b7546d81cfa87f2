package widget

import "github.com/AllenDang/cimgui-go/imgui"

// sweepStep is how far an arrow key moves the line of a plot.
const sweepStep = 0.02

// Sweep is Curve whose line at the cursor can be taken and dragged: *at is its place, 0 to 1, negative where there is
// none yet, and then a press anywhere makes it. Esc takes a drag back; with the keyboard focus the arrows move the
// line. Edit.Active says that it is held.
func (u *UI) Sweep(label string, lines []CurveLine, o CurveOpts, at *float64) Edit {
	h := u.Pt(56)
	if o.Height > 0 {
		h = u.Pt(o.Height)
	}
	var e Edit
	x := u.hit(label, u.avail(), h, o.Tip, false)
	in := x.Inset(u.Pt(curvePad), 0)
	if u.grab(x, *at) && *at >= 0 {
		u.grip(in.X0 + float32(*at)*in.W() - imgui.MousePos().X)
	}
	set := func(t float64) {
		if t = min(t, 1); t != *at {
			*at, e.Changed = t, true
		}
	}
	switch {
	case u.cancelled(x):
		set(u.drag.start[0])
	case u.holds(x) && in.W() > 0:
		set(max(0, float64((u.fine(in.X0+float32(max(0, *at))*in.W())-in.X0)/in.W())))
	}
	_, e.Committed = u.drop(x)
	e.Active = x.active && !u.drag.over
	if x.focused {
		u.taken.now.arrows = true
		if dir := arrowSteps(imgui.KeyLeftArrow, imgui.KeyRightArrow); dir != 0 {
			set(max(0, max(0, *at)+sweepStep*float64(dir)))
			e.Committed = true
		}
		u.ring(u.dl(), x.Rect, u.Pt(4))
	}
	o.Cursor = float32(*at)
	u.curve(x.Rect, lines, o)
	if *at < 0 {
		return e
	}
	u.sweepLine(x, u.snap(in.X0+float32(*at)*in.W()), e.Active)
	return e
}

// sweepLine draws the moment of a sweep, a line with a knob at its top.
func (u *UI) sweepLine(x hit, k float32, held bool) {
	t, dl := &u.theme, u.dl()
	w := max(u.Pt(1.5), 1)
	ink := x.tone(t.Text.Alpha(0.6), t.Accent, t.Accent)
	u.fill(dl, Rect{k, x.Y0, k + w, x.Y1}, ink, 0)
	c := imgui.Vec2{X: k + w/2, Y: x.Y0 + u.Pt(5)}
	dl.AddCircleFilledV(c, u.Pt(5), uint32(t.Panel), 24)
	dl.AddCircleFilledV(c, u.Pt(4.5), uint32(ink), 24)
	if !held {
		dl.AddCircleFilledV(c, u.Pt(2.8), uint32(t.Panel), 24)
	}
}
