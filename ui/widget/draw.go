package widget

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Text at a place: x is the left end, y the middle of the line.
func (u *UI) text(dl *imgui.DrawList, f Face, x, y float32, c Color, s string) {
	if s == "" {
		return
	}
	font, px := u.font(f)
	dl.AddTextFontPtr(font, px, imgui.Vec2{X: u.snap(x), Y: u.snap(y - px/2)}, uint32(c), u.shown(f, s))
}

// everywhere is a clip rectangle that clips nothing.
var everywhere = imgui.Vec4{X: -1e9, Y: -1e9, Z: 1e9, W: 1e9}

// addWrapped draws text in lines of at most wrap screen units.
func addWrapped(dl *imgui.DrawList, font *imgui.Font, px float32, pos imgui.Vec2, c uint32, s string, wrap float32) {
	dl.AddTextFontPtrV(font, px, pos, c, s, wrap, &everywhere)
}

// textIn draws text in r, cut with an ellipsis if it is too long: align 0 left, 0.5 centre, 1 right.
// It returns the width drawn.
func (u *UI) textIn(dl *imgui.DrawList, f Face, r Rect, align float32, c Color, s string) float32 {
	s = u.Fit(f, s, r.W())
	w := u.Width(f, s)
	u.text(dl, f, r.X0+(r.W()-w)*align, (r.Y0+r.Y1)/2, c, s)
	return w
}

// baseline returns how far the baseline of a face is below the top of its line; whole pixels, as ImGui
// rounds it.
func (u *UI) baseline(f Face) float32 {
	s := faces[f]
	if s.file == icons {
		return u.Line(f)
	}
	return float32(math.Ceil(float64(interAscent * s.pixels(u.scale))))
}

// beside returns r moved so that text of face f centred in it stands on one baseline with text of face
// g centred in r.
func (u *UI) beside(r Rect, f, g Face) Rect {
	mid := r.Center().Y
	d := u.snap(mid-u.Line(g)/2) + u.baseline(g) - u.snap(mid-u.Line(f)/2) - u.baseline(f)
	r.Y0, r.Y1 = r.Y0+d, r.Y1+d
	return r
}

// icon draws an icon with its centre at a place; size in points, 0: the face's own.
func (u *UI) icon(dl *imgui.DrawList, x, y float32, size float32, c Color, s string) {
	font, px := u.font(Icon)
	if size > 0 {
		px = float32(int(u.Pt(size) + 0.5))
	}
	dl.AddTextFontPtr(font, px, imgui.Vec2{X: u.snap(x - px/2), Y: u.snap(y - px/2)}, uint32(c), s)
}

func (u *UI) fill(dl *imgui.DrawList, r Rect, c Color, round float32) {
	if !r.Empty() {
		dl.AddRectFilledV(r.Min(), r.Max(), uint32(c), round, 0)
	}
}

func (u *UI) stroke(dl *imgui.DrawList, r Rect, c Color, round, width float32) {
	dl.AddRectV(r.Min(), r.Max(), uint32(c), round, 0, width)
}

// shadow draws a soft shadow around r and a little below: rings whose alphas add up to a parabola that
// ends at reach.
func (u *UI) shadow(dl *imgui.DrawList, r Rect, round, reach float32) {
	const rings = 12
	down := reach / 8
	fade := func(i int) float32 { f := 1 - float32(i)/rings; return f * f }
	for i := rings; i > 0; i-- {
		d := reach * float32(i) / rings
		c := u.theme.Shadow.Alpha(fade(i-1) - fade(i))
		u.fill(dl, Rect{r.X0 - d, r.Y0 - d + down, r.X1 + d, r.Y1 + d + down}, c, round+d)
	}
}

// ring draws the keyboard focus ring around r.
func (u *UI) ring(dl *imgui.DrawList, r Rect, round float32) {
	g := u.Pt(2)
	u.stroke(dl, r.Inset(-g, -g), u.theme.Accent.Alpha(0.65), round+g, u.Pt(1.5))
}

// line draws a polyline, dashed if dash > 0 (screen units on and off).
func (u *UI) line(dl *imgui.DrawList, p []imgui.Vec2, c Color, width, dash float32) {
	if len(p) < 2 {
		return
	}
	if dash <= 0 {
		for _, q := range p {
			dl.PathLineTo(q)
		}
		dl.PathStrokeV(uint32(c), 0, width)
		return
	}
	at, on := float32(0), true // length gone in the present dash or gap
	for i := 1; i < len(p); i++ {
		a, b := p[i-1], p[i]
		l := float32(math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)))
		for done := float32(0); done < l; {
			s := min(dash-at, l-done)
			if on {
				t0, t1 := done/l, (done+s)/l
				dl.AddLineV(a.Add(b.Sub(a).Mul(t0)), a.Add(b.Sub(a).Mul(t1)), uint32(c), width)
			}
			done += s
			if at += s; at >= dash-1e-3 {
				at, on = 0, !on
			}
		}
	}
}

func (u *UI) dl() *imgui.DrawList { return imgui.WindowDrawList() }

// avail returns the width that is left on this line.
func (u *UI) avail() float32 { return imgui.ContentRegionAvail().X }

// hit is what the user does to a place.
type hit struct {
	Rect
	id      imgui.ID
	hovered bool
	active  bool // held with the left button, or by the keyboard
	pressed bool // clicked
	right   bool // clicked with the right button
	double  bool
	focused bool // has the keyboard focus, visibly
	off     bool
	pale    bool // drawn like what is off, though it can be used
}

// hit reserves w x h screen units at the cursor for a control.
func (u *UI) hit(label string, w, h float32, tip string, disabled bool) hit {
	return u.hitWith(label, w, h, tip, disabled, imgui.ButtonFlagsEnableNav)
}

// still is hit for what the keyboard does not stop at: labels, plots.
func (u *UI) still(label string, w, h float32, tip string, disabled bool) hit {
	return u.hitWith(label, w, h, tip, disabled, 0)
}

func (u *UI) hitWith(label string, w, h float32, tip string, disabled bool, flags imgui.ButtonFlags) hit {
	p := imgui.CursorScreenPos()
	w, h = max(u.snap(w), 1), max(u.snap(h), 1)
	imgui.BeginDisabledV(disabled)
	pressed := imgui.InvisibleButtonV(label, imgui.Vec2{X: w, Y: h}, flags)
	x := hit{Rect: R(p.X, p.Y, w, h), pressed: pressed, off: disabled, id: imgui.ItemID()}
	x.hovered = imgui.IsItemHovered()
	x.active = imgui.IsItemActive()
	x.right = x.hovered && imgui.IsMouseReleased(imgui.MouseButtonRight)
	x.double = x.hovered && imgui.IsMouseDoubleClicked(imgui.MouseButtonLeft)
	x.focused = imgui.IsItemFocused() && imgui.CurrentContext().NavCursorVisible()
	imgui.EndDisabled()
	u.mark(label, x.Rect)
	u.tip(x, tip)
	return x
}

// place moves the cursor to a point of the window.
func place(x, y float32) { imgui.SetCursorScreenPos(imgui.Vec2{X: x, Y: y}) }

// tone picks a colour by what the user does.
func (x hit) tone(rest, hover, press Color) Color {
	switch {
	case x.off:
		return rest
	case x.active && x.hovered:
		return press
	case x.hovered || x.active:
		return hover
	}
	return rest
}

func (x hit) fade(c Color) Color {
	if x.off || x.pale {
		return c.Alpha(0.45)
	}
	return c
}

func sincos(a float32) (s, c float32) {
	x, y := math.Sincos(float64(a))
	return float32(x), float32(y)
}
