package widget

import (
	"github.com/AllenDang/cimgui-go/imgui"
)

// ButtonKind is how loud a button is.
type ButtonKind uint8

// The kinds of buttons. One Primary at most in a group.
const (
	Secondary ButtonKind = iota
	Primary
	Ghost // no fill at rest
	Danger
)

// buttonHeight is the height of a button, in points.
const buttonHeight = 28

// ButtonOpts are the details of a button.
type ButtonOpts struct {
	Kind     ButtonKind
	Icon     string // from package assets, left of the label
	Tip      string
	Disabled bool
	Width    float32 // points; 0: as wide as the text, negative: all that is left
	Small    bool
	Height   float32 // points; 0: 28, or 22 if Small
}

// Button draws a button and reports whether it was clicked.
func (u *UI) Button(label string, o ButtonOpts) bool {
	shown, _ := split(label)
	face, h, pad := Body, u.Pt(buttonHeight), u.Pt(11)
	if o.Small {
		face, h, pad = Small, u.Pt(22), u.Pt(8)
	}
	if o.Height > 0 {
		h = u.Pt(o.Height)
	}
	iconSize, gap := float32(14), u.Pt(6)
	w := u.Width(face, shown) + 2*pad
	if o.Icon != "" {
		w += u.Pt(iconSize)
		if shown != "" {
			w += gap
		}
	}
	switch {
	case o.Width > 0:
		w = u.Pt(o.Width)
	case o.Width < 0:
		w = u.avail()
	}
	x := u.hit(label, min(w, max(u.avail(), u.Pt(24))), h, o.Tip, o.Disabled)
	t := &u.theme
	fill, text := x.tone(t.Control, t.Hover, t.Press), t.Text
	switch o.Kind {
	case Primary:
		fill, text = x.tone(t.Accent, t.AccentHover, t.AccentPress), t.AccentText
	case Danger:
		fill, text = x.tone(t.Danger, t.Danger.Mix(t.Text, 0.12), t.Danger.Mix(t.Text, 0.24)), t.DangerText
	case Ghost:
		fill = x.tone(0, t.Control, t.Hover)
	}
	if x.off { // all kinds alike: what cannot be pressed does not shout
		text = t.Faint
		if o.Kind != Ghost {
			fill = t.Control
		}
	}
	dl, round := u.dl(), u.Pt(6)
	u.fill(dl, x.Rect, fill, round)
	in := x.Inset(min(pad, x.W()/6), 0)
	if o.Icon != "" {
		full := u.Pt(iconSize)
		if shown != "" {
			full += gap + u.Width(face, shown)
		}
		left := x.X0 + max((x.W()-full)/2, u.Pt(4))
		u.icon(dl, left+u.Pt(iconSize)/2, x.Center().Y, iconSize, text, o.Icon)
		in = Rect{left + u.Pt(iconSize) + gap, x.Y0, x.X1 - u.Pt(4), x.Y1}
		u.textIn(dl, face, in, 0, text, shown)
	} else {
		u.textIn(dl, face, in, 0.5, text, shown)
	}
	if x.focused {
		u.ring(dl, x.Rect, round)
	}
	return x.pressed
}

// Middle has the next buttons, with icons and these words, stand in the middle of their line, if they fit into it.
func (u *UI) Middle(words ...string) {
	w := -u.Pt(6)
	for _, s := range words {
		w += u.Width(Body, s) + u.Pt(2*11+14+6+6)
	}
	if free := u.avail() - w; free > 0 {
		p := imgui.CursorScreenPos()
		place(u.snap(p.X+free/2), p.Y)
	}
}

// Tool draws a button of the tool strip: a square icon, filled when it is the active one. Its name for
// tests is name; the hit area is 44 x 38 points.
func (u *UI) Tool(name, icon, tip string, active, disabled bool) bool {
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	x := u.hit(name, u.Pt(44), u.Pt(38), tip, disabled)
	imgui.PopStyleVar()
	t := &u.theme
	fill, ink := x.tone(0, t.Control, t.Hover), x.tone(t.Muted, t.Text, t.Text)
	if active {
		fill, ink = x.tone(t.Accent, t.AccentHover, t.AccentPress), t.AccentText
	}
	s := u.Pt(32)
	c := x.Center()
	box := R(u.snap(c.X-s/2), u.snap(c.Y-s/2), s, s)
	dl := u.dl()
	u.fill(dl, box, x.fade(fill), u.Pt(7))
	u.icon(dl, box.Center().X, box.Center().Y, 17, x.fade(ink), icon)
	if x.focused {
		u.ring(dl, box, u.Pt(7))
	}
	return x.pressed
}

// IconButton draws a small borderless icon button (24 points).
func (u *UI) IconButton(name, icon, tip string, disabled bool) bool {
	return u.iconButton(name, icon, tip, 24, disabled).pressed
}

func (u *UI) iconButton(name, icon, tip string, size float32, disabled bool) hit {
	x := u.hit(name, u.Pt(size), u.Pt(size), tip, disabled)
	t := &u.theme
	dl := u.dl()
	u.fill(dl, x.Rect, x.fade(x.tone(0, t.Control, t.Hover)), u.Pt(5))
	u.icon(dl, x.Center().X, x.Center().Y, 15*size/24, x.fade(x.tone(t.Muted, t.Text, t.Text)), icon)
	if x.focused {
		u.ring(dl, x.Rect, u.Pt(5))
	}
	return x
}

// Link draws clickable text in the accent colour.
func (u *UI) Link(label, tip string) bool {
	shown, _ := split(label)
	x := u.hit(label, min(u.Width(Body, shown), max(u.avail(), 1)), u.Line(Body)+u.Pt(4), tip, false)
	t := &u.theme
	dl := u.dl()
	w := u.textIn(dl, Body, x.Rect, 0, x.tone(t.Accent, t.AccentHover, t.AccentPress), shown)
	if x.hovered {
		imgui.SetMouseCursor(imgui.MouseCursorHand)
		y := u.snap(x.Center().Y + u.Pt(6))
		dl.AddLineV(imgui.Vec2{X: x.X0, Y: y}, imgui.Vec2{X: x.X0 + w, Y: y}, uint32(t.Accent), u.hair())
	}
	if x.focused {
		u.ring(dl, x.Rect, u.Pt(3))
	}
	return x.pressed
}

// Segmented draws a choice of a few as one control of joined buttons, all of one width; *chosen is the
// index. It reports whether the choice changed.
func (u *UI) Segmented(label string, items []string, chosen *int, tip string) bool {
	if len(items) == 0 {
		return false
	}
	_, name := split(label)
	t := &u.theme
	changed := false
	p := imgui.CursorScreenPos()
	full, h := u.avail(), u.Pt(26)
	dl := u.dl()
	u.fill(dl, R(p.X, p.Y, full, h), t.Control, u.Pt(6))
	u.Group(name, func() {
		g := u.Pt(2)
		w := (full - 2*g) / float32(len(items))
		for i, s := range items {
			x0, x1 := u.snap(p.X+g+w*float32(i)), u.snap(p.X+g+w*float32(i+1))
			place(x0, p.Y)
			x := u.hit(s, x1-x0, h, tip, false)
			box := x.Inset(0, g)
			ink := t.Muted
			switch {
			case i == *chosen:
				ink = t.Text
				sel := t.Panel
				if t.Dark {
					sel = t.Press
				}
				u.fill(dl, box, sel, u.Pt(5))
				if !t.Dark {
					u.stroke(dl, box, t.Border, u.Pt(5), u.hair())
				}
			case x.hovered:
				ink = t.Text
			}
			shown, _ := split(s)
			u.textIn(dl, Body, box.Inset(u.Pt(4), 0), 0.5, ink, shown)
			if x.focused {
				u.ring(dl, box, u.Pt(5))
			}
			if x.pressed && *chosen != i {
				*chosen, changed = i, true
			}
		}
	})
	return changed
}
