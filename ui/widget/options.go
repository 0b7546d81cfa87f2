package widget

import (
	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// OptionsHeight is the height of a tool's options bar in points.
const OptionsHeight = 36

// Options lays the controls of a tool's options bar out from left to right.
type Options struct {
	u   *UI
	r   Rect    // the bar
	x   float32 // where the next control begins
	any bool
}

// barState is what an options bar keeps between frames, in screen units.
type barState struct {
	width float32 // width of all controls of the bar
	by    float32 // still to be scrolled
}

// Lengths in an options bar, in points.
const (
	optionsPad     = 8
	optionsGap     = 10
	optionsControl = 24
	optionsArrow   = 24
)

// OptionsBar draws a bar over the views with the options of a tool. Where it is too narrow, arrows at its ends and the
// wheel scroll it sideways.
func (u *UI) OptionsBar(name string, r Rect, body func(*Options)) {
	st := kept[barState](u, "bar "+name)
	in := r
	if st.width-(r.W()-u.Pt(2*optionsPad)) > 0.5 {
		in = r.Inset(u.Pt(optionsArrow), 0)
	}
	u.Area(name+" ground", r, AreaOpts{Border: SideBottom, Still: true}, func() {}) // the controls on it scroll
	imgui.SetNextWindowContentSize(imgui.Vec2{X: max(st.width, in.W()) + u.Pt(2*optionsPad+40), Y: 0})
	var back, on bool // it goes on at this end
	u.Area(name, in, AreaOpts{Border: SideBottom}, func() {
		scroll, most := st.scroll(u, in)
		back, on = scroll > 0.5, scroll < most-0.5
		o := &Options{u: u, r: r, x: in.X0 + u.Pt(optionsPad) - scroll}
		start := o.x
		body(o)
		imgui.Dummy(imgui.Vec2{}) // the last option may be a text, which is no item
		if in != r {
			u.fadeEnds(u.dl(), Rect{in.X0, in.Y0, in.X1, in.Y1 - u.hair()}, u.Pt(14), back, on)
		}
		if w := o.x - start; w != st.width {
			st.width = w
			u.env.Within(0)
		}
	})
	if in != r {
		if u.optionsArrow(name, "back", Rect{r.X0, r.Y0, in.X0, r.Y1}, assets.IconChevronLeft, !back) {
			st.by = -0.7 * in.W()
		}
		if u.optionsArrow(name, "on", Rect{in.X1, r.Y0, r.X1, r.Y1}, assets.IconChevronRight, !on) {
			st.by = 0.7 * in.W()
		}
	}
}

// scroll moves the bar that is drawn in r by what is left to scroll and by the wheel, and returns how far it is
// scrolled in this frame, and could be.
func (st *barState) scroll(u *UI, r Rect) (at, most float32) {
	at, most = imgui.ScrollX(), max(st.width+u.Pt(2*optionsPad)-r.W(), 0)
	want := at + st.by
	if imgui.IsWindowHovered() {
		io := imgui.CurrentIO()
		want -= (io.MouseWheel() + io.MouseWheelH()) * u.Pt(40)
	}
	if want = min(max(want, 0), most); want != at {
		imgui.SetScrollXFloat(want)
		u.env.Within(0)
	}
	st.by = 0
	return at, most
}

// fadeEnds shades, so wide, the left and the right end of what goes on beyond them.
func (u *UI) fadeEnds(dl *imgui.DrawList, r Rect, wide float32, left, right bool) {
	solid, clear := uint32(u.theme.Panel), uint32(u.theme.Panel.Alpha(0))
	if left {
		dl.AddRectFilledMultiColor(r.Min(), imgui.Vec2{X: r.X0 + wide, Y: r.Y1}, solid, clear, clear, solid)
	}
	if right {
		dl.AddRectFilledMultiColor(imgui.Vec2{X: r.X1 - wide, Y: r.Y0}, r.Max(), clear, solid, solid, clear)
	}
}

// optionsArrow draws the arrow at an end of a bar that scrolls it.
func (u *UI) optionsArrow(bar, label string, r Rect, icon string, off bool) (pressed bool) {
	u.Area(bar+" "+label, r, AreaOpts{Border: SideBottom}, func() {
		place(u.snap(r.Center().X-u.Pt(10)), u.snap(r.Center().Y-u.Pt(12)))
		pressed = u.iconToggle(label, icon, "More options: the wheel moves them, too", 20, 24, false, off).pressed
	})
	if pressed {
		u.env.Within(0)
	}
	return pressed
}

// next moves the cursor to where a control of a height begins.
func (o *Options) next(h float32) {
	if o.any {
		o.x += o.u.Pt(optionsGap)
	}
	o.any = true
	place(o.x, o.u.snap((o.r.Y0+o.r.Y1-h)/2))
}

// Toggle draws a chip that is on or off, and reports a change.
func (o *Options) Toggle(label, icon, tip string, on *bool) bool {
	u, t := o.u, &o.u.theme
	shown, _ := split(label)
	w := u.Width(Body, shown) + u.Pt(18)
	if icon != "" {
		w += u.Pt(18)
	}
	h := u.snap(u.Pt(optionsControl))
	o.next(h)
	x := u.hit(label, w, h, tip, false)
	if x.pressed {
		*on = !*on
	}
	fill, ink, mark := x.tone(t.Control, t.Hover, t.Press), x.tone(t.Muted, t.Text, t.Text), t.Muted
	if *on {
		fill, ink, mark = t.AccentSoft, t.Text, t.Accent
		if x.hovered {
			fill = t.AccentSoft.Mix(t.Accent, 0.1)
		}
	}
	dl := u.dl()
	u.fill(dl, x.Rect, fill, u.Pt(6))
	left := x.X0 + u.Pt(9)
	if icon != "" {
		u.icon(dl, left+u.Pt(6), x.Center().Y, 14, mark, icon)
		left += u.Pt(18)
	}
	u.text(dl, Body, left, x.Center().Y, ink, shown)
	if x.focused {
		u.ring(dl, x.Rect, u.Pt(6))
	}
	o.x = x.X1
	return x.pressed
}

// Menu draws a button with a muted word, a value and a chevron. It reports a click and where the button is: open a menu
// or a list under it.
func (o *Options) Menu(name, lead, value, tip string) (clicked bool, under Rect) {
	u, t := o.u, &o.u.theme
	if lead != "" {
		lead += " "
	}
	lw, vw := u.Width(Body, lead), u.Width(Body, value)
	h := u.snap(u.Pt(optionsControl))
	o.next(h)
	x := u.hit("##"+name, lw+vw+u.Pt(9+22), h, tip, false)
	dl := u.dl()
	u.fill(dl, x.Rect, x.tone(t.Control, t.Hover, t.Press), u.Pt(6))
	u.text(dl, Body, x.X0+u.Pt(9), x.Center().Y, t.Muted, lead)
	u.text(dl, Body, x.X0+u.Pt(9)+lw, x.Center().Y, t.Text, value)
	u.chevron(dl, x.X1-u.Pt(12), x)
	if x.focused {
		u.ring(dl, x.Rect, u.Pt(6))
	}
	o.x = x.X1
	return x.pressed, x.Rect
}

// Count writes a number in strong type and what belongs to it muted.
func (o *Options) Count(number, rest string) {
	u := o.u
	h := u.Line(Body)
	o.x += u.Pt(4)
	o.next(h)
	p := imgui.CursorScreenPos()
	y := (o.r.Y0 + o.r.Y1) / 2
	u.text(u.dl(), Strong, p.X, y, u.theme.Text, number)
	w := u.Width(Strong, number)
	if rest != "" {
		w += u.Width(Body, " ")
		u.text(u.dl(), Body, p.X+w, y, u.theme.Muted, rest)
		w += u.Width(Body, rest)
	}
	u.mark("count", R(p.X, p.Y, w, h))
	o.x = p.X + w + u.Pt(4)
}

// Button draws a button as high as the other controls of the bar.
func (o *Options) Button(label string, b ButtonOpts) bool {
	b.Height = optionsControl
	o.next(o.u.snap(o.u.Pt(optionsControl)))
	clicked := o.u.Button(label, b)
	o.x = imgui.ItemRectMax().X
	return clicked
}
