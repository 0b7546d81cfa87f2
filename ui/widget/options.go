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
	r   Rect    // of the bar
	x   float32 // where the next control begins
	any bool
}

// barState is what an options bar keeps between frames, in screen units.
type barState struct {
	width float32 // of all its controls
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
	st := u.bars[name]
	if st == nil {
		st = &barState{}
		u.bars[name] = st
	}
	in := r
	over := st.width - (r.W() - u.Pt(2*optionsPad))
	if over > 0.5 {
		in = r.Inset(u.Pt(optionsArrow), 0)
	}
	scroll, most := float32(0), float32(0)
	u.Area(name+" ground", r, AreaOpts{Border: SideBottom, Still: true}, func() {}) // the ground; what is on it scrolls
	imgui.SetNextWindowContentSize(imgui.Vec2{X: max(st.width, in.W()) + u.Pt(2*optionsPad+40), Y: 0})
	u.Area(name, in, AreaOpts{Border: SideBottom}, func() {
		scroll = imgui.ScrollX()
		most = max(st.width+u.Pt(2*optionsPad)-in.W(), 0)
		want := scroll + st.by
		if imgui.IsWindowHovered() {
			io := imgui.CurrentIO()
			want -= (io.MouseWheel() + io.MouseWheelH()) * u.Pt(40)
		}
		if want = min(max(want, 0), most); want != scroll {
			imgui.SetScrollXFloat(want)
			u.env.Within(0)
		}
		st.by = 0
		o := &Options{u: u, r: r, x: in.X0 + u.Pt(optionsPad) - scroll}
		start := o.x
		body(o)
		imgui.Dummy(imgui.Vec2{}) // the last option may be a text, which is no item
		fade := u.Pt(14)          // what goes on beyond an end
		if solid, clear := uint32(u.theme.Panel), uint32(u.theme.Panel.Alpha(0)); in != r {
			top, bottom, dl := in.Y0, in.Y1-u.hair(), u.dl()
			if scroll > 0.5 {
				dl.AddRectFilledMultiColor(imgui.Vec2{X: in.X0, Y: top}, imgui.Vec2{X: in.X0 + fade, Y: bottom},
					solid, clear, clear, solid)
			}
			if scroll < most-0.5 {
				dl.AddRectFilledMultiColor(imgui.Vec2{X: in.X1 - fade, Y: top}, imgui.Vec2{X: in.X1, Y: bottom},
					clear, solid, solid, clear)
			}
		}
		if w := o.x - start; w != st.width {
			st.width = w
			u.env.Within(0)
		}
	})
	if in == r {
		return
	}
	for i, end := range []Rect{{r.X0, r.Y0, in.X0, r.Y1}, {in.X1, r.Y0, r.X1, r.Y1}} {
		label, icon, off := "back", assets.IconChevronLeft, scroll <= 0.5
		if i == 1 {
			label, icon, off = "on", assets.IconChevronRight, scroll >= most-0.5
		}
		u.Area(name+" "+label, end, AreaOpts{Border: SideBottom}, func() {
			place(u.snap(end.Center().X-u.Pt(10)), u.snap(end.Center().Y-u.Pt(12)))
			if u.iconToggle(label, icon, "More options: the wheel moves them, too", 20, 24, false, off).pressed {
				st.by = in.W() * 0.7 * float32(2*i-1)
				u.env.Within(0)
			}
		})
	}
}

// next moves the cursor to where a control of a height begins.
func (o *Options) next(h float32) {
	if o.any {
		o.x += o.u.Pt(optionsGap)
	}
	o.any = true
	place(o.x, o.u.snap((o.r.Y0+o.r.Y1-h)/2))
}

// Option is one of a few to choose from.
type Option struct {
	Label, Icon, Tip string
	Disabled         bool
	// Draw draws what no icon shows, around a place in a square of a side; it may be nil.
	Draw func(dl *imgui.DrawList, x, y, side float32, c Color)
}

// shownOf is what a label shows, without the name that may follow it.
func shownOf(label string) string {
	shown, _ := split(label)
	return shown
}

// marked says whether the option has an icon.
func (i Option) marked() bool { return i.Icon != "" || i.Draw != nil }

// Choice draws one control of joined buttons; *chosen is the index. It reports a change. With fold only the chosen one
// shows its label, the others their icons.
func (o *Options) Choice(name string, items []Option, chosen *int, fold bool) bool {
	u, t := o.u, &o.u.theme
	h, g := u.snap(u.Pt(optionsControl)), u.snap(u.Pt(2))
	o.next(h)
	p := imgui.CursorScreenPos()
	width := func(i int) float32 {
		w := u.Pt(8)
		label := items[i].Label != "" && (!fold || i == *chosen || !items[i].marked())
		if items[i].marked() {
			w += u.Pt(16)
			if label {
				w += u.Pt(2)
			}
		}
		if label {
			w += u.Width(Body, shownOf(items[i].Label)) + u.Pt(6)
		}
		return u.snap(w)
	}
	full := 2 * g
	for i := range items {
		full += width(i)
	}
	dl := u.dl()
	u.fill(dl, R(p.X, p.Y, full, h), t.Control, u.Pt(6))
	changed := false
	was := *chosen
	u.Group(name, func() {
		x0 := p.X + g
		for i, it := range items {
			*chosen = was // widths stay those of this frame
			w := width(i)
			place(x0, p.Y)
			tip := it.Tip
			if tip == "" {
				tip = shownOf(it.Label)
			}
			_, id := split(it.Label)
			if id == "" {
				id = it.Tip
			}
			x := u.hit("##"+id, w, h, tip, it.Disabled)
			box := x.Inset(0, g)
			ink, mark := t.Muted, t.Muted
			switch {
			case i == was:
				sel := t.Panel
				if t.Dark {
					sel = t.Press
				}
				u.fill(dl, box, sel, u.Pt(5))
				if !t.Dark {
					u.stroke(dl, box, t.Border, u.Pt(5), u.hair())
				}
				ink, mark = t.Text, t.Accent
			case x.hovered:
				ink, mark = t.Text, t.Text
			}
			left := x0 + u.Pt(7)
			if it.marked() {
				at := x.Center().X
				if w > u.Pt(26) {
					at = left + u.Pt(7)
				}
				if it.Draw != nil {
					it.Draw(dl, at, x.Center().Y, u.Pt(14), x.fade(mark))
				} else {
					u.icon(dl, at, x.Center().Y, 14, x.fade(mark), it.Icon)
				}
				left += u.Pt(18)
			}
			if w > u.Pt(26) || !it.marked() {
				u.text(dl, Body, left, x.Center().Y, x.fade(ink), shownOf(it.Label))
			}
			if x.focused {
				u.ring(dl, box, u.Pt(5))
			}
			if x.pressed && i != was {
				was, changed = i, true
			}
			x0 += w
		}
		*chosen = was
	})
	o.x = p.X + full
	return changed
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
