package widget

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
)

// The columns of a parameter's row, in points: the label, the track between, and the value.
const (
	labelWidth = 92
	valueWidth = 54
	rowHeight  = 22
)

// Slider draws a parameter's row: label, track with a knob, and a box with the number, which can be
// typed into. A double click on the label or the track resets to the default; Shift while dragging is
// ten times finer; Esc takes a drag back; with the keyboard focus the left and right arrows move it. The value is
// always within
// the range, and what a drag sets is the number that is shown.
func (u *UI) Slider(label string, v *float64, p Param, tip string) Edit {
	var e Edit
	*v = p.Clamp(*v) // shown so; a change it is only when the user makes one
	chip := float32(0)
	if p.Zero != "" {
		chip = u.specialWidth(p.Zero)
	}
	u.row(label, tip, chip, func(track Rect) {
		if chip > 0 {
			u.special(R(track.X1-chip, track.Y0, chip, track.H()), v, p, tip, &e)
			track.X1 -= chip + u.Pt(8)
			place(track.X0, track.Y0)
		}
		if track.W() > u.Pt(16) {
			x := u.hit("track", track.W(), track.H(), tip, p.Disabled)
			u.slide(x, track, v, p, &e)
		}
	}, func(box Rect) {
		u.valueBox(box, v, p, tip, &e)
	}, func() { u.reset(v, p, &e) }, p.Disabled)
	return e
}

func (u *UI) specialWidth(word string) float32 { return u.snap(u.Width(Small, word) + u.Pt(14)) }

// special draws the chip of a slider's special value: lit while it holds; a click sets it, another one brings a number.
func (u *UI) special(r Rect, v *float64, p Param, tip string, e *Edit) {
	place(r.X0, r.Y0)
	x := u.hit("special", r.W(), r.H(), tip, p.Disabled)
	if x.pressed {
		next := p.Special
		if p.special(*v) {
			next = p.begin()
		}
		*v = next
		e.Changed, e.Committed = true, true
	}
	t := &u.theme
	fill, ink := x.tone(t.Control, t.Hover, t.Press), x.tone(t.Muted, t.Text, t.Text)
	if p.special(*v) {
		fill, ink = t.AccentSoft, t.Accent
		if t.Dark {
			ink = t.AccentHover
		}
		if x.hovered {
			fill = t.AccentSoft.Mix(t.Accent, 0.1)
		}
	}
	box := x.Inset(0, u.Pt(1.5))
	u.fill(u.dl(), box, x.fade(fill), box.H()/2)
	u.textIn(u.dl(), Small, box, 0.5, x.fade(ink), p.Zero)
	if x.focused {
		u.ring(u.dl(), box, box.H()/2)
	}
}

// row lays a label, a track and a value box out in one line. A double click on the label calls reset.
// least is what the track shares its room with.
func (u *UI) row(label, tip string, least float32, track, box func(Rect), reset func(), disabled bool) {
	u.rowWith(label, tip, 0, least, track, box, reset, disabled)
}

// rowWith is row with a label of another width; 0 is that of all others.
func (u *UI) rowWith(label, tip string, wide, least float32, track, box func(Rect), reset func(), disabled bool) {
	shown, name := split(label)
	start := imgui.CursorScreenPos()
	w, h := u.avail(), u.snap(u.Pt(rowHeight))
	lw, vw := u.Pt(labelWidth), u.Pt(valueWidth)
	if w < u.Pt(230) { // a narrow panel: the track keeps a third
		lw = w * 0.36
		vw = min(vw, w*0.28)
	}
	if wide > 0 {
		lw = wide
	} else { // a long name takes its room from the track
		lw = max(lw, min(u.Width(Body, shown)+u.Pt(8), w-vw-u.Pt(8)))
	}
	u.Group(name, func() {
		ink := u.theme.Muted
		x := u.still("label", lw-u.Pt(4), h, tip, disabled)
		u.textIn(u.dl(), Body, x.Rect, 0, x.fade(ink), shown)
		if x.double && reset != nil {
			reset()
		}
		tr := Rect{start.X + lw, start.Y, start.X + w - vw - u.Pt(8), start.Y + h}
		if tr.W() > u.Pt(16) && tr.W() >= least {
			place(tr.X0, tr.Y0)
			track(tr)
		}
		place(start.X+w-vw, start.Y)
		box(R(start.X+w-vw, start.Y, vw, h))
	})
	u.mark(label, R(start.X, start.Y, w, h))
}

func (u *UI) reset(v *float64, p Param, e *Edit) {
	if d := p.Clamp(p.Default); d != *v {
		*v = d
		e.Changed, e.Committed = true, true
	}
}

// rail is the part of a track on which the middle of the knob moves.
func (u *UI) rail(track Rect) (x0, x1 float32) {
	r := u.Pt(6)
	return track.X0 + r, track.X1 - r
}

func (u *UI) slide(x hit, track Rect, v *float64, p Param, e *Edit) {
	x0, x1 := u.rail(track)
	// With the special value the knob rests, paler, where the number would begin.
	at := func(v float64) float32 {
		if p.special(v) {
			v = p.begin()
		}
		return x0 + float32(p.Norm(v))*(x1-x0)
	}
	if u.grab(x, *v) {
		u.grip(at(*v) - imgui.MousePos().X)
	}
	set := func(nv float64) {
		if nv != *v {
			*v, e.Changed = nv, true
		}
	}
	switch {
	case x.double: // the press of the second click
		u.drag.over = true
		set(p.Clamp(p.Default))
	case u.cancelled(x):
		set(u.drag.start[0])
	case u.holds(x) && x1 > x0:
		set(p.quantize(p.Value(float64((u.fine(at(*v)) - x0) / (x1 - x0)))))
	}
	if was, dropped := u.drop(x); dropped {
		e.Committed = e.Committed || *v != was.start[0]
	}
	e.Active = e.Active || x.active
	if x.focused {
		u.arrows(v, p, e)
	}
	k := at(*v)
	if p.special(*v) {
		x.pale = true
	}
	u.track(track, track.X0, k, x)
	u.knob(k, track, x)
}

// arrows moves a value that has the keyboard focus.
func (u *UI) arrows(v *float64, p Param, e *Edit) {
	u.taken.now.number = true
	dir := float64(arrowSteps(imgui.KeyLeftArrow, imgui.KeyRightArrow))
	if dir == 0 {
		return
	}
	if imgui.CurrentIO().KeyShift() {
		dir *= 10
	}
	if nv := p.step(*v, dir); nv != *v {
		*v = nv
		e.Changed, e.Committed = true, true
	}
}

// track draws a thin track, filled from a to b.
func (u *UI) track(r Rect, a, b float32, x hit) {
	t := &u.theme
	y, h := u.snap(r.Center().Y-u.Pt(2)), u.Pt(4)
	dl := u.dl()
	u.fill(dl, Rect{r.X0, y, r.X1, y + h}, x.fade(t.Control), h/2)
	u.fill(dl, Rect{a, y, b, y + h}, x.fade(t.Accent), h/2)
}

// knob draws the ring that is dragged.
func (u *UI) knob(k float32, r Rect, x hit) {
	t := &u.theme
	dl := u.dl()
	c := imgui.Vec2{X: k, Y: u.snap(r.Center().Y-u.Pt(2)) + u.Pt(2)}
	radius := u.Pt(5.9)
	if !x.off && (x.active || x.hovered) {
		dl.AddCircleFilledV(c, radius+u.Pt(3.5), uint32(t.Accent.Alpha(0.16)), 32)
	}
	dl.AddCircleFilledV(c, radius, uint32(t.Panel), 32)
	dl.AddCircleFilledV(c, radius, uint32(x.fade(t.Accent)), 32)
	dl.AddCircleFilledV(c, radius-u.Pt(1.9), uint32(t.Panel), 32)
	if x.focused {
		dl.AddCircleV(c, radius+u.Pt(3), uint32(t.Accent.Alpha(0.65)), 32, u.Pt(1.5))
	}
}

// RangeSlider draws a row with two knobs; lo < hi always, by a hundredth of the range at least. text writes what is
// shown in the box, with so many digits (nil: lo–hi in the format of p). A double click resets to p.Default from either
// end of the range. NumberFields beside it let both be typed.
func (u *UI) RangeSlider(label string, lo, hi *float64, p Param, text func(digits int) string,
	tip string) Edit {
	var e Edit
	l, h := p.Clamp(*lo), p.Clamp(*hi)
	if l > h {
		l, h = h, l
	}
	e.Changed = l != *lo || h != *hi
	*lo, *hi = l, h
	reset := func() {
		if l, h := p.Default, p.Max-(p.Default-p.Min); *lo != l || *hi != h {
			*lo, *hi = l, h
			e.Changed, e.Committed = true, true
		}
	}
	u.row(label, tip, 0, func(track Rect) {
		x := u.hit("track", track.W(), track.H(), tip, p.Disabled)
		if x.double {
			reset()
			u.drag.over = true
		}
		u.slideRange(x, track, lo, hi, p, &e)
	}, func(box Rect) {
		room := box.Inset(u.Pt(5), 0)
		shown := ""
		if text == nil {
			half := func(s string) bool { return u.Width(Number, s+"–"+s) <= room.W() }
			shown = p.fit(*lo, half) + "–" + p.fit(*hi, half)
		} else {
			shown = fewer(text, func(s string) bool { return u.Width(Number, s) <= room.W() })
		}
		u.fill(u.dl(), box, u.theme.Control, u.Pt(5))
		u.textIn(u.dl(), Number, room, 1, u.theme.Text, shown)
		imgui.Dummy(imgui.Vec2{X: box.W(), Y: box.H()})
	}, reset, p.Disabled)
	return e
}

func (u *UI) slideRange(x hit, track Rect, lo, hi *float64, p Param, e *Edit) {
	x0, x1 := u.rail(track)
	at := func(v float64) float32 { return x0 + float32(p.Norm(v))*(x1-x0) }
	d := &u.drag
	if u.grab(x, *lo, *hi) {
		d.over = d.over || x.double
		m := imgui.MousePos().X
		a, b := at(*lo)-m, at(*hi)-m
		if math.Abs(float64(b)) < math.Abs(float64(a)) || (a == b && b <= 0) {
			d.knob = 1
			a = b
		}
		u.grip(a)
	}
	switch {
	case u.cancelled(x):
		e.Changed = e.Changed || *lo != d.start[0] || *hi != d.start[1]
		*lo, *hi = d.start[0], d.start[1]
	case u.holds(x) && x1 > x0:
		v := [2]*float64{lo, hi}[d.knob]
		nv := p.quantize(p.Value(float64((u.fine(at(*v)) - x0) / (x1 - x0))))
		if d.knob == 0 {
			nv = min(nv, *hi-(p.Max-p.Min)/100)
		} else {
			nv = max(nv, *lo+(p.Max-p.Min)/100)
		}
		nv = p.Clamp(nv)
		if nv != *v {
			*v, e.Changed = nv, true
		}
	}
	if was, dropped := u.drop(x); dropped {
		e.Committed = e.Committed || *lo != was.start[0] || *hi != was.start[1]
	}
	e.Active = e.Active || x.active
	if x.focused {
		u.arrows(hi, p, e)
		*hi = max(*hi, *lo)
	}
	a, b := at(*lo), at(*hi)
	u.track(track, a, b, x)
	u.knob(a, track, x)
	u.knob(b, track, x)
}
