package widget

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/render/pen/skyscale"
)

// SkylineOpts are the details of a skyline.
type SkylineOpts struct {
	// Heights are the heights of the columns of the picture, as many as SkylineColumns says; negative: there is none.
	// Inks are the colours of the columns below the cut; 0 is of no cluster.
	Heights []float64
	Inks    []Color
	Low     float64 // the height at the foot, above 0
	Top     float64 // and at the head
	Cut     float64 // where the line is; NaN: there is none
	Text    string  // the cut in words: "18 clusters", bold
	Note    string  // at the foot
	Hatched bool    // heights are not proven yet
	// Lit is what is under the mouse or chosen, as parts of the width; equal: nothing.
	Lit  [2]float32
	Axis bool // heights are written at the left
	Unit string
}

// SkylineHit is what the user does to a skyline.
type SkylineHit struct {
	Edit            // the line of the cut
	Cut     float64 // where it is wanted
	Hovered bool    // the mouse is over the picture, at:
	At      float32 // a part of the width
	Height  float64
	OnLine  bool // it is on the line
	Strip   bool // it is on the coloured strip below the columns
	Clicked bool // there, and not on the line
	Double  bool
	Wheel   float32 // turned
	Side    float32 // or sidewise
	Step    int     // up and down keys: so many merges
	Under   Rect
}

// Lengths of a skyline in points.
const (
	skylineAxis = 40
	skylineGrab = 8
	skylineBar  = 6  // the clusters below the foot
	skylineFoot = 16 // height of the words there
	skylinePad  = 8
)

// skylineRect is the place of the columns in r.
func (u *UI) skylineRect(r Rect, o *SkylineOpts) Rect {
	in := Rect{u.snap(r.X0 + u.Pt(skylinePad)), u.snap(r.Y0 + u.Pt(6)), u.snap(r.X1 - u.Pt(skylinePad)),
		u.snap(r.Y1 - u.Pt(skylineBar+5))}
	if o.Axis {
		in.X0 += u.snap(u.Pt(skylineAxis - skylinePad))
	}
	if o.Note != "" {
		in.Y1 -= u.snap(u.Pt(skylineFoot))
	}
	return in
}

// SkylineColumns is how many columns a skyline in r has: one for each pixel.
func (u *UI) SkylineColumns(r Rect, o SkylineOpts) int {
	return max(int(u.skylineRect(r, &o).W()*u.pixel), 1)
}

// skyScale is where heights stand on the screen.
type skyScale struct {
	skyscale.Scale
	in Rect
}

func (s *skyScale) y(h float64) float32 { return s.in.Y1 - float32(s.Share(h))*s.in.H() }

func (s *skyScale) height(y float32) float64 { return s.Height(float64((s.in.Y1 - y) / s.in.H())) }

// Skyline draws a hierarchy as the heights between neighbours, one column for each pixel, and a line across it that is
// dragged up and down: what lies below is coloured, what rises above it parts the clusters. With the focus the up and
// down arrows are reported as steps.
func (u *UI) Skyline(name string, r Rect, o SkylineOpts) SkylineHit {
	in := u.skylineRect(r, &o)
	out := SkylineHit{Cut: o.Cut, Under: in}
	if in.H() < u.Pt(16) || in.W() < u.Pt(40) {
		return out
	}
	s := skyScale{skyscale.Of(o.Low, o.Top), in}
	place(r.X0, r.Y0)
	x := u.hit(name, r.W(), r.H(), "", false)
	grabbed := u.skyHold(x, s, o.Cut, &out)
	u.skyUnder(x, s, &out)
	if grabbed {
		imgui.SetMouseCursor(imgui.MouseCursorResizeNS)
	}
	if imgui.IsItemFocused() {
		out.Step = arrowSteps(imgui.KeyDownArrow, imgui.KeyUpArrow)
	}
	dl, line, has := u.dl(), s.y(out.Cut), o.Cut == o.Cut
	dl.PushClipRectV(r.Min(), r.Max(), true)
	u.skyline(dl, in, s, &o, out.Cut)
	if has {
		u.skyLine(dl, in, line, grabbed)
		u.mark(name+"/line", Rect{in.X0, line - u.Pt(2), in.X1, line + u.Pt(2)})
	}
	if x.focused {
		u.ring(dl, r.Inset(u.Pt(3), u.Pt(3)), u.Pt(5))
	}
	dl.PopClipRect()
	u.mark(name+"/columns", in)
	if has && grabbed && o.Text != "" {
		u.skyCard(dl, in, imgui.MousePos().X, line, o.Text, o.Unit+" "+FigureOf(out.Cut, 3))
	}
	return out
}

// skyHold tells of the line of a skyline, at cut, that is taken hold of, dragged and let go, and of clicks beside it.
// It says whether the mouse has the line, or could take it.
func (u *UI) skyHold(x hit, s skyScale, cut float64, out *SkylineHit) (grabbed bool) {
	mouse, line, d := imgui.MousePos(), s.y(cut), &u.drag
	has := cut == cut
	near := has && mouse.Y <= s.in.Y1 && float32(math.Abs(float64(mouse.Y-line))) <= u.Pt(skylineGrab)
	if u.grab(x, cut) {
		d.grip, d.over = mouse.Y-line, d.over || !has
		if near {
			d.knob = 1
		}
	}
	held := u.holds(x) && d.knob == 1
	switch {
	case held && u.cancelled(x):
		out.Cut = d.start[0]
	case held && x.active:
		if y := mouse.Y - d.grip; float32(math.Abs(float64(y-line))) >= 0.5/u.pixel {
			out.Cut = s.height(y)
		}
	}
	out.Changed = has && out.Cut != cut
	out.Active, out.OnLine = held && x.active, near || held
	if was, dropped := u.drop(x); dropped {
		out.Committed = was.knob == 1 && out.Cut != was.start[0]
		out.Clicked = was.knob == 0 && x.hovered && !was.over
	}
	return held || near && x.hovered
}

// skyUnder tells where on a skyline the mouse is, and what it turns.
func (u *UI) skyUnder(x hit, s skyScale, out *SkylineHit) {
	mouse, in := imgui.MousePos(), s.in
	strip := Rect{in.X0, in.Y1, in.X1, in.Y1 + u.Pt(skylineBar+4)}
	out.Strip = x.hovered && strip.Has(mouse) && !out.Active
	out.Hovered = x.hovered && in.Has(mouse) || out.Strip || out.Active
	out.At, out.Height = (mouse.X-in.X0)/in.W(), s.height(mouse.Y)
	out.Double = x.double && !out.OnLine
	if x.hovered {
		io := imgui.CurrentIO()
		out.Wheel, out.Side = io.MouseWheel(), io.MouseWheelH()
	}
}

// skyline draws the columns, what they stand on, and the axis.
func (u *UI) skyline(dl *imgui.DrawList, in Rect, s skyScale, o *SkylineOpts, cut float64) {
	t := &u.theme
	if o.Axis {
		u.skyAxis(dl, in, s, o.Unit)
	}
	if o.Lit[1] > o.Lit[0] {
		u.fill(dl, Rect{in.X0 + o.Lit[0]*in.W(), in.Y0, in.X0 + o.Lit[1]*in.W(), in.Y1 + u.Pt(skylineBar+3)},
			t.AccentSoft, 0)
	}
	step := 1 / u.pixel
	line := in.Y0 - 1
	if cut == cut {
		line = s.y(cut)
	}
	above, none := t.Muted.Mix(t.Panel, 0.25), t.Press
	bar := Rect{Y0: in.Y1 + u.snap(u.Pt(3)), Y1: in.Y1 + u.snap(u.Pt(3+skylineBar))}
	run := func(from, to int) { // columns that look alike
		x0, x1 := in.X0+float32(from)*step, in.X0+float32(to)*step
		h, ink := o.Heights[from], o.Inks[from]
		if h < 0 {
			h = 0
		}
		y := s.y(h)
		body := none
		if ink != 0 {
			body = ink.Mix(t.Panel, 0.3)
			dl.AddRectFilled(imgui.Vec2{X: x0, Y: bar.Y0}, imgui.Vec2{X: x1, Y: bar.Y1}, uint32(ink))
		}
		if y < line {
			dl.AddRectFilled(imgui.Vec2{X: x0, Y: y}, imgui.Vec2{X: x1, Y: line}, uint32(above))
		}
		dl.AddRectFilled(imgui.Vec2{X: x0, Y: max(y, line)}, imgui.Vec2{X: x1, Y: in.Y1}, uint32(body))
	}
	n := min(len(o.Heights), len(o.Inks))
	for from := 0; from < n; {
		to := from + 1
		for to < n && o.Heights[to] == o.Heights[from] && o.Inks[to] == o.Inks[from] {
			to++
		}
		run(from, to)
		from = to
	}
	u.fill(dl, Rect{in.X0, in.Y1, in.X1, in.Y1 + u.hair()}, t.Border, 0)
	if o.Hatched {
		ink, gap := t.Panel.Alpha(0.55), u.Pt(6)
		dl.PushClipRectV(in.Min(), in.Max(), true)
		for x := in.X0 - in.H(); x < in.X1; x += gap {
			dl.AddLineV(imgui.Vec2{X: x, Y: in.Y1}, imgui.Vec2{X: x + in.H(), Y: in.Y0}, uint32(ink), u.Pt(1.6))
		}
		dl.PopClipRect()
	}
	if o.Note != "" {
		u.textIn(dl, Caption, Rect{in.X0, bar.Y1 + u.Pt(1), in.X1, bar.Y1 + u.Pt(skylineFoot)}, 0, t.Muted, o.Note)
	}
}

// skyAxis writes heights at the left: a few round ones.
func (u *UI) skyAxis(dl *imgui.DrawList, in Rect, s skyScale, unit string) {
	t, last := &u.theme, in.Y1+u.Pt(20)
	for _, h := range s.Ticks() {
		y := u.snap(s.y(h))
		if last-y < u.Pt(18) || y < in.Y0+u.Pt(12) || h <= s.Low {
			continue
		}
		last = y
		u.fill(dl, Rect{in.X0, y, in.X1, y + u.hair()}, t.Border, 0)
		u.textIn(dl, Caption, Rect{in.X0 - u.Pt(skylineAxis-2), y - u.Pt(8), in.X0 - u.Pt(5), y + u.Pt(8)}, 1, t.Muted,
			FigureOf(h, 3))
	}
	u.textIn(dl, Caption, Rect{in.X0 - u.Pt(skylineAxis-4), in.Y0 - u.Pt(5), in.X0 + u.Pt(30), in.Y0 + u.Pt(7)}, 0,
		t.Muted, unit)
}

// skyLine draws the line of the cut.
func (u *UI) skyLine(dl *imgui.DrawList, in Rect, y float32, lit bool) {
	t := &u.theme
	width := u.Pt(1.5)
	if lit {
		width = u.Pt(2)
	}
	y = u.snap(y)
	u.fill(dl, Rect{in.X0, y - width/2, in.X1, y + width/2}, t.Accent, 0)
	at := imgui.Vec2{X: in.X1 - u.Pt(7), Y: y}
	if lit {
		at.X = min(max(imgui.MousePos().X, in.X0+u.Pt(7)), in.X1-u.Pt(7))
	}
	dl.AddCircleFilledV(at, u.Pt(5.5), uint32(t.Panel), 0)
	dl.AddCircleV(at, u.Pt(5), uint32(t.Accent), 0, u.Pt(2))
}

// skyCard says beside the mouse what the line cuts into.
func (u *UI) skyCard(dl *imgui.DrawList, in Rect, x, y float32, text, more string) {
	t := &u.theme
	w := u.Width(Strong, text) + u.Width(Body, more) + u.Pt(28)
	r := R(x+u.Pt(12), y-u.Pt(32), w, u.Pt(24))
	if r.X1 > in.X1 {
		r.X0, r.X1 = x-u.Pt(12)-w, x-u.Pt(12)
	}
	if r.Y0 < in.Y0-u.Pt(4) {
		r.Y0, r.Y1 = y+u.Pt(10), y+u.Pt(34)
	}
	dl.PushClipRectFullScreen()
	u.shadow(dl, r, u.Pt(6), u.Pt(8))
	u.fill(dl, r, t.Panel, u.Pt(6))
	u.stroke(dl, r, t.Border, u.Pt(6), u.hair())
	row := r.Inset(u.Pt(9), 0)
	row.X0 += u.textIn(dl, Strong, row, 0, t.Text, text) + u.Pt(9)
	u.textIn(dl, Body, row, 0, t.Muted, more)
	dl.PopClipRect()
}

// ClusterRow draws a row of a list of clusters: colour, number, a bar of its size against the largest, count and share.
func (u *UI) ClusterRow(label string, ink Color, part float32, count, share, tip string, selected bool) RowHit {
	shown, _ := split(label)
	t := &u.theme
	x := u.rowHit(label, 22, tip, false)
	l := u.lineIn(x.Inset(u.Pt(6), 0))
	switch {
	case selected:
		u.fill(l.dl, x.Rect, t.AccentSoft, u.Pt(5))
	case x.hovered || x.focused:
		u.fill(l.dl, x.Rect, t.Row, u.Pt(5))
	}
	l.square(ink, 9, 15)
	right := u.textIn(l.dl, Number, l.Rect, 1, t.Muted, share)
	l.X1 -= max(right, u.Pt(46)) + u.Pt(4)
	right = u.textIn(l.dl, Number, l.Rect, 1, t.Text, count)
	if part < 0 {
		l.X1 -= right + u.Pt(6)
		l.names(shown, t.Muted, 0, "", 0)
		return x.row()
	}
	l.X1 -= max(right, u.Pt(50)) + u.Pt(8)
	u.textIn(l.dl, Number, Rect{l.X0, l.Y0, l.X0 + u.Pt(26), l.Y1}, 1, t.Text, shown)
	l.X0 += u.Pt(34)
	if y, h := l.Center().Y, u.Pt(4); l.W() > u.Pt(12) {
		u.fill(l.dl, Rect{l.X0, y - h/2, l.X1, y + h/2}, t.Control, h/2)
		u.fill(l.dl, Rect{l.X0, y - h/2, l.X0 + max(l.W()*min(part, 1), h), y + h/2}, ink, h/2)
	}
	return x.row()
}
