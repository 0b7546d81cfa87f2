package widget

import "github.com/AllenDang/cimgui-go/imgui"

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

// Choice draws one control of joined buttons; *chosen is the index. It reports a change. With fold they show their
// icons, and the label of the chosen one stands behind them where they are few, in a room that is wide enough for each:
// no button moves when another is chosen.
func (o *Options) Choice(name string, items []Option, chosen *int, fold bool) bool {
	u := o.u
	h, g := u.snap(u.Pt(optionsControl)), u.snap(u.Pt(2))
	o.next(h)
	p := imgui.CursorScreenPos()
	c := choice{u: u, chosen: *chosen, fold: fold}
	full, longest := 2*g, float32(0)
	for i := range items {
		full += c.width(i, &items[i])
		if !c.labelled(&items[i]) && items[i].Label != "" {
			longest = max(longest, u.Width(Body, shownOf(items[i].Label)))
		}
	}
	u.fill(u.dl(), R(p.X, p.Y, full, h), u.theme.Control, u.Pt(6))
	o.x = p.X + full
	if it := &items[max(min(*chosen, len(items)-1), 0)]; longest > 0 && len(items) <= mostNamed {
		u.textIn(u.dl(), Body, R(o.x+u.Pt(6), p.Y, longest, h), 0, u.theme.Muted, shownOf(it.Label))
		o.x += u.Pt(6) + u.snap(longest)
	}
	u.Group(name, func() {
		x0 := p.X + g
		for i := range items {
			place(x0, p.Y)
			w := c.width(i, &items[i])
			if c.button(i, &items[i], w, h) {
				*chosen = i
			}
			x0 += w
		}
	})
	return *chosen != c.chosen
}

// mostNamed is of how many options the chosen one is named beside their icons.
const mostNamed = 6

// choice is a control of joined buttons while it is drawn.
type choice struct {
	u      *UI
	chosen int
	fold   bool // options with icons show no labels
}

func (c *choice) labelled(it *Option) bool { return it.Label != "" && (!c.fold || !it.marked()) }

// width is that of a button.
func (c *choice) width(i int, it *Option) float32 {
	u := c.u
	w, label := u.Pt(8), c.labelled(it)
	if it.marked() {
		w += u.Pt(16)
		if label {
			w += u.Pt(2)
		}
	}
	if label {
		w += u.Width(Body, shownOf(it.Label)) + u.Pt(6)
	}
	return u.snap(w)
}

// button draws a button and says whether it was pressed.
func (c *choice) button(i int, it *Option, w, h float32) bool {
	u, t := c.u, &c.u.theme
	tip := it.Tip
	if tip == "" {
		tip = shownOf(it.Label)
	}
	_, id := split(it.Label)
	if id == "" {
		id = it.Tip
	}
	x := u.hit("##"+id, w, h, tip, it.Disabled)
	box := x.Inset(0, u.snap(u.Pt(2)))
	ink, mark := t.Muted, t.Muted
	switch {
	case i == c.chosen:
		if t.Dark {
			u.fill(u.dl(), box, t.Press, u.Pt(5))
		} else {
			u.fill(u.dl(), box, t.Panel, u.Pt(5))
			u.stroke(u.dl(), box, t.Border, u.Pt(5), u.hair())
		}
		ink, mark = t.Text, t.Accent
	case x.hovered:
		ink, mark = t.Text, t.Text
	}
	c.face(x, i, it, x.fade(ink), x.fade(mark))
	if x.focused {
		u.ring(u.dl(), box, u.Pt(5))
	}
	return x.pressed
}

// face draws the sign of a button and what stands beside it.
func (c *choice) face(x hit, i int, it *Option, ink, mark Color) {
	u, left, label := c.u, x.X0+c.u.Pt(7), c.labelled(it)
	if it.marked() {
		at := x.Center().X
		if label {
			at = left + u.Pt(7)
		}
		if it.Draw != nil {
			it.Draw(u.dl(), at, x.Center().Y, u.Pt(14), mark)
		} else {
			u.icon(u.dl(), at, x.Center().Y, 14, mark, it.Icon)
		}
		left += u.Pt(18)
	}
	if label {
		u.text(u.dl(), Body, left, x.Center().Y, ink, shownOf(it.Label))
	}
}
