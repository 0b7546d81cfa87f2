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
	d := &u.drag
	if x.active && d.id != x.id {
		*d = drag{id: x.id, start: [2]float64{*at}, moved: !imgui.IsMouseDown(imgui.MouseButtonLeft)}
		if k := in.X0 + float32(*at)*in.W(); *at >= 0 {
			if g := k - imgui.MousePos().X; g > -u.Pt(9) && g < u.Pt(9) {
				d.grip = g
			}
		}
	}
	set := func(t float64) {
		if t = min(t, 1); t != *at {
			*at, e.Changed = t, true
		}
	}
	switch {
	case u.cancelled(x):
		set(d.start[0])
	case d.id == x.id && !d.moved && in.W() > 0:
		set(max(0, float64((u.fine(in.X0+float32(max(0, *at))*in.W())-in.X0)/in.W())))
	}
	if !x.active && d.id == x.id {
		e.Committed = true
		*d = drag{}
	}
	e.Active = x.active && !d.moved
	if x.focused {
		u.taken.now.arrows = true
		dir := 0.0
		if imgui.IsKeyPressedBool(imgui.KeyLeftArrow) {
			dir = -sweepStep
		}
		if imgui.IsKeyPressedBool(imgui.KeyRightArrow) {
			dir = sweepStep
		}
		if dir != 0 {
			imgui.InternalNavMoveRequestCancel()
			set(max(0, max(0, *at)+dir))
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
