package widget

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Progress draws a thin bar in the middle of a line of the status bar, width points wide (0: all that is left); frac
// 0 to 1, NaN or negative: busy
// without an end in sight.
func (u *UI) Progress(frac, width float32) {
	w, h := u.avail(), u.Pt(4)
	if width > 0 {
		w = u.Pt(width)
	}
	p := imgui.CursorScreenPos()
	y := u.snap(p.Y + (u.Line(Status)-h)/2)
	r := R(p.X, y, w, h)
	dl := u.dl()
	u.fill(dl, r, u.theme.Control, h/2)
	if frac >= 0 {
		u.fill(dl, R(p.X, y, w*min(frac, 1), h), u.theme.Accent, h/2)
	} else {
		s := float32(math.Mod(float64(u.env.Now().UnixMilli())/1200, 1))
		a, b := s*1.3-0.3, s*1.3
		u.fill(dl, R(p.X+w*max(a, 0), y, w*(min(b, 1)-max(a, 0)), h), u.theme.Accent, h/2)
		u.env.Within(0)
	}
	imgui.Dummy(imgui.Vec2{X: w, Y: u.Line(Status)})
}

// Spinner draws a turning arc, size points wide.
func (u *UI) Spinner(size float32) {
	p := imgui.CursorScreenPos()
	r := u.Pt(size) / 2
	c := imgui.Vec2{X: p.X + r, Y: p.Y + r}
	a := float32(math.Mod(float64(u.env.Now().UnixMilli())/900, 1) * 2 * math.Pi)
	dl := u.dl()
	width := max(u.Pt(1.8), 1)
	dl.AddCircleV(c, r-width, uint32(u.theme.Control), 40, width)
	dl.PathArcToV(c, r-width, a, a+2, 24)
	dl.PathStrokeV(uint32(u.theme.Accent), 0, width)
	imgui.Dummy(imgui.Vec2{X: 2 * r, Y: 2 * r})
	u.env.Within(0)
}

// HistogramOpts are the details of a histogram.
type HistogramOpts struct {
	Height float32  // points; 0: 42
	Lo, Hi *float64 // handles, as fractions of the width; nil: none. Bars outside are paler
	Tip    string
	Colors []Color // colours of the bars, over the range from Lo to Hi; nil: the accent
}

// Histogram draws bars for counts. Where Lo and Hi are set, their handles can be dragged.
func (u *UI) Histogram(label string, counts []float32, o HistogramOpts) Edit {
	var e Edit
	h := u.Pt(42)
	if o.Height > 0 {
		h = u.Pt(o.Height)
	}
	x := u.still(label, u.avail(), h, o.Tip, false)
	t := &u.theme
	dl := u.dl()
	lo, hi := 0.0, 1.0
	handles := o.Lo != nil && o.Hi != nil
	if handles {
		e = u.histogramDrag(x, o)
		lo, hi = *o.Lo, *o.Hi
	}
	u.bins(x.Rect, counts, lo, hi, o.Colors)
	if len(counts) == 0 {
		u.fill(dl, Rect{x.X0, x.Y1 - u.hair(), x.X1, x.Y1}, t.Border, 0)
	}
	if handles {
		for i, f := range []float64{lo, hi} {
			k := u.snap(x.X0 + x.W()*float32(f))
			ink := t.Muted
			if (x.hovered || x.active) && i == u.nearer(x, lo, hi) {
				ink = t.Accent
			}
			w := max(u.Pt(1.5), 1)
			u.fill(dl, Rect{k - w/2, x.Y0, k + w/2, x.Y1}, ink, 0)
			g := u.Pt(5)
			u.fill(dl, Rect{k - g/2, x.Y0, k + g/2, x.Y0 + u.Pt(9)}, ink, u.Pt(2))
		}
	}
	return e
}

// bins draws the columns of a histogram, those between two shares of its width in colours.
func (u *UI) bins(r Rect, counts []float32, lo, hi float64, colors []Color) {
	t, dl := &u.theme, u.dl()
	top := float32(0)
	for _, c := range counts {
		if c > top && !math.IsInf(float64(c), 0) {
			top = c
		}
	}
	n := float32(len(counts))
	for i, c := range counts {
		mid := (float64(i) + 0.5) / float64(n)
		ink := t.Accent.Alpha(0.65)
		if k := len(colors); k > 0 {
			f := 0.0
			if hi > lo {
				f = min(max((mid-lo)/(hi-lo), 0), 1)
			}
			ink = colors[min(int(f*float64(k)), k-1)]
		}
		if mid < lo || mid > hi {
			ink = ink.Alpha(0.35)
		}
		a, b := r.X0+r.W()*float32(i)/n, r.X0+r.W()*float32(i+1)/n
		if b-a > u.Pt(4) {
			a, b = u.snap(a), u.snap(b)-u.hair()
		}
		v := float32(0)
		if top > 0 && c > 0 {
			v = min(c/top, 1)
		}
		bar := max(v*(r.H()-u.hair()), u.hair())
		u.fill(dl, Rect{a, u.snap(r.Y1 - bar), b, r.Y1}, ink, min(u.Pt(1.5), (b-a)/3))
	}
}

// nearer returns which handle the cursor would take, 0 or 1.
func (u *UI) nearer(x hit, lo, hi float64) int {
	if u.drag.id == x.id {
		return u.drag.knob
	}
	m := float64((imgui.MousePos().X - x.X0) / max(x.W(), 1))
	if math.Abs(m-hi) < math.Abs(m-lo) || (lo == hi && m > hi) {
		return 1
	}
	return 0
}

func (u *UI) histogramDrag(x hit, o HistogramOpts) (e Edit) {
	d, knob := &u.drag, u.nearer(x, *o.Lo, *o.Hi)
	if u.grab(x, *o.Lo, *o.Hi) {
		d.knob = knob
	}
	set := func(lo, hi float64) {
		e.Changed = e.Changed || *o.Lo != lo || *o.Hi != hi
		*o.Lo, *o.Hi = lo, hi
	}
	switch {
	case x.double:
		d.over = true
		set(0, 1)
	case u.cancelled(x):
		set(d.start[0], d.start[1])
	case u.holds(x) && x.W() > 0:
		f := float64((imgui.MousePos().X - x.X0) / x.W())
		f = min(max(f, 0), 1)
		if d.knob == 0 {
			set(min(f, *o.Hi), *o.Hi)
		} else {
			set(*o.Lo, max(f, *o.Lo))
		}
	}
	if was, dropped := u.drop(x); dropped {
		e.Committed = *o.Lo != was.start[0] || *o.Hi != was.start[1]
	}
	e.Active = x.active
	return e
}

// CurveLine is a line of a small plot.
type CurveLine struct {
	Y      []float32 // at even steps; what is not finite leaves a gap
	Color  Color     // 0: the accent
	Dashed bool
	Name   string // in the key above the plot; "": it is not in it
	Range  string // from where to where it goes, after its name
}

// CurveOpts are the details of a small plot.
type CurveOpts struct {
	Height  float32 // points; 0: 56
	Cursor  float32 // a vertical line at this fraction of the width; negative: none
	Caption string  // in the lower left corner
	Tip     string
	Lo, Hi  float32 // range of Y; equal: fitted, each line for itself
	// From and To are what the left and the right end of the plot stand for; "": there is no axis.
	From, To string
}

// curvePad is the room left and right of the lines of a small plot, in points.
const curvePad = 4

// Curve draws a small plot, with a key where its lines have names, and what its ends are where that is said.
func (u *UI) Curve(label string, lines []CurveLine, o CurveOpts) {
	h := u.Pt(56)
	if o.Height > 0 {
		h = u.Pt(o.Height)
	}
	key, axis := float32(0), float32(0)
	for _, l := range lines {
		if l.Name != "" {
			key += u.Pt(curveKey)
		}
	}
	if o.To != "" {
		axis = u.Pt(curveAxis)
	}
	x := u.still(label, u.avail(), h+key+axis, o.Tip, false).Rect
	u.curveKey(Rect{x.X0, x.Y0, x.X1, x.Y0 + key}, lines)
	in := Rect{x.X0, x.Y0 + key, x.X1, x.Y1 - axis}
	if axis > 0 {
		t, dl := &u.theme, u.dl()
		u.fill(dl, Rect{in.X0, u.snap(in.Y1), in.X1, u.snap(in.Y1) + u.hair()}, t.Border, 0)
		foot := Rect{in.X0, in.Y1, in.X1, x.Y1}
		u.textIn(dl, Caption, foot, 0, t.Muted, o.From)
		u.textIn(dl, Caption, foot, 1, t.Muted, o.To)
	}
	u.curve(in, lines, o)
}

// Lengths of a small plot with a key and an axis, in points.
const (
	curveKey  = 15 // a line of the key
	curveAxis = 15
)

// curveKey says what the lines of a plot are, and how far they go.
func (u *UI) curveKey(r Rect, lines []CurveLine) {
	t, dl := &u.theme, u.dl()
	y := r.Y0
	for _, l := range lines {
		if l.Name == "" {
			continue
		}
		row := Rect{r.X0, y, r.X1, y + u.Pt(curveKey)}
		ink, width, dash := l.ink(u)
		mid := u.snap((row.Y0 + row.Y1) / 2)
		sample := append(u.scratch.points[:0], imgui.Vec2{X: r.X0, Y: mid}, imgui.Vec2{X: r.X0 + u.Pt(16), Y: mid})
		u.line(dl, sample, ink, width, dash)
		used := u.textIn(dl, Caption, row, 1, t.Muted, l.Range)
		u.textIn(dl, Caption, Rect{r.X0 + u.Pt(22), row.Y0, row.X1 - used - u.Pt(6), row.Y1}, 0, t.Muted, l.Name)
		y = row.Y1
	}
}

// ink is how a line is drawn.
func (l *CurveLine) ink(u *UI) (ink Color, width, dash float32) {
	ink, width = l.Color, u.Pt(1.8)
	if ink == 0 {
		ink = u.theme.Accent
	}
	if l.Dashed {
		width, dash = u.Pt(1.3), u.Pt(4)
	}
	return ink, width, dash
}

// curve draws the plot into x.
func (u *UI) curve(x Rect, lines []CurveLine, o CurveOpts) {
	t := &u.theme
	dl := u.dl()
	in := x.Inset(u.Pt(curvePad), u.Pt(5))
	if o.Caption != "" {
		u.textIn(dl, Caption, Rect{in.X0 + u.Pt(4), in.Y1 - u.Pt(14), in.X1, in.Y1}, 0, t.Muted, o.Caption)
	}
	for _, l := range lines {
		lo, hi := o.Lo, o.Hi
		if lo == hi {
			lo, hi = bounds(l.Y)
		}
		ink, width, dash := l.ink(u)
		u.scratch.points = u.scratch.points[:0]
		for i, y := range l.Y {
			if v := float64(y); math.IsNaN(v) || math.IsInf(v, 0) {
				u.line(dl, u.scratch.points, ink, width, dash)
				u.scratch.points = u.scratch.points[:0]
				continue
			}
			f := float32(0.5)
			if hi > lo {
				f = min(max((y-lo)/(hi-lo), 0), 1)
			}
			a := float32(0)
			if len(l.Y) > 1 {
				a = float32(i) / float32(len(l.Y)-1)
			}
			u.scratch.points = append(u.scratch.points, imgui.Vec2{X: in.X0 + a*in.W(), Y: in.Y1 - f*in.H()})
		}
		u.line(dl, u.scratch.points, ink, width, dash)
	}
	if o.Cursor >= 0 {
		k := u.snap(in.X0 + min(o.Cursor, 1)*in.W())
		w := max(u.Pt(1.5), 1)
		u.fill(dl, Rect{k, x.Y0, k + w, x.Y1}, t.Text.Alpha(0.6), 0)
	}
}

// bounds returns the range of the finite values.
func bounds(y []float32) (lo, hi float32) {
	lo, hi = math.MaxFloat32, -math.MaxFloat32
	for _, v := range y {
		if !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// Gradient draws a bar of colours from left to right into r, with rounded ends: the bar of a legend.
func (u *UI) Gradient(dl *imgui.DrawList, r Rect, colors []Color) {
	if len(colors) == 0 || r.Empty() {
		return
	}
	round := min(u.Pt(3), r.H()/2, r.W()/2)
	u.fill(dl, Rect{r.X0, r.Y0, r.X0 + 2*round, r.Y1}, colors[0], round)
	u.fill(dl, Rect{r.X1 - 2*round, r.Y0, r.X1, r.Y1}, colors[len(colors)-1], round)
	in := Rect{r.X0 + round, r.Y0, r.X1 - round, r.Y1}
	if len(colors) == 1 {
		u.fill(dl, in, colors[0], 0)
		return
	}
	n := len(colors) - 1
	for i := range n {
		a, b := in.X0+in.W()*float32(i)/float32(n), in.X0+in.W()*float32(i+1)/float32(n)
		l, q := uint32(colors[i]), uint32(colors[i+1])
		dl.AddRectFilledMultiColor(imgui.Vec2{X: a, Y: in.Y0}, imgui.Vec2{X: b, Y: in.Y1}, l, q, q, l)
	}
}

// GradientBar draws a gradient, width x height points, at the cursor.
func (u *UI) GradientBar(colors []Color, width, height float32) {
	w := u.avail()
	if width > 0 {
		w = u.Pt(width)
	}
	p := imgui.CursorScreenPos()
	u.Gradient(u.dl(), R(p.X, p.Y, w, u.Pt(height)), colors)
	imgui.Dummy(imgui.Vec2{X: w, Y: u.Pt(height)})
}

// GradientPick draws a gradient as a button (to choose a palette); it reports a click.
func (u *UI) GradientPick(label string, colors []Color, selected bool, tip string) bool {
	shown, _ := split(label)
	x := u.hit(label, u.avail(), u.Pt(26), tip, false)
	t := &u.theme
	dl := u.dl()
	switch {
	case selected:
		u.fill(dl, x.Rect, t.AccentSoft, u.Pt(5))
	case x.hovered || x.focused:
		u.fill(dl, x.Rect, t.Control, u.Pt(5))
	}
	in := x.Inset(u.Pt(8), 0)
	u.textIn(dl, Body, Rect{in.X0, in.Y0, in.X0 + in.W()*0.4, in.Y1}, 0, t.Text, shown)
	u.Gradient(dl, Rect{in.X0 + in.W()*0.42, x.Center().Y - u.Pt(5), in.X1, x.Center().Y + u.Pt(5)}, colors)
	return x.pressed
}

// Swatch draws a square of a colour, size points wide; it reports a click.
func (u *UI) Swatch(name string, c Color, size float32, tip string) bool {
	x := u.hit(name, u.Pt(size), u.Pt(size), tip, false)
	dl := u.dl()
	u.fill(dl, x.Rect, c, u.Pt(4))
	u.stroke(dl, x.Inset(u.hair()/2, u.hair()/2), u.theme.Text.Alpha(x.alpha(0.12, 0.35)), u.Pt(4), u.hair())
	if x.focused {
		u.ring(dl, x.Rect, u.Pt(4))
	}
	return x.pressed
}

func (x hit) alpha(rest, hover float32) float32 {
	if x.hovered {
		return hover
	}
	return rest
}
