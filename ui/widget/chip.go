package widget

import (
	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// ChipOpts are the details of a chip.
type ChipOpts struct {
	Selected bool
	Remove   bool  // has a cross
	Swatch   Color // a dot before the label
	Tip      string
}

// Chip draws a small rounded tag. It reports a click on it and one on its cross.
func (u *UI) Chip(label string, o ChipOpts) (clicked, removed bool) {
	shown, name := split(label)
	t := &u.theme
	h := u.snap(u.Pt(24))
	pad, dot, cross := u.Pt(9), float32(0), float32(0)
	if o.Swatch != 0 {
		dot = u.Pt(14)
	}
	if o.Remove {
		cross = u.Pt(18)
	}
	w := min(u.Width(Small, shown)+2*pad+dot+cross, max(u.avail(), u.Pt(30)))
	p := imgui.CursorScreenPos()
	x := u.hit(label, max(w-cross, 1), h, o.Tip, false)
	var c hit
	if o.Remove {
		imgui.SameLineV(0, 0)
		u.Group(name, func() { c = u.hit("remove", cross, h, "Remove", false) })
	}
	box := R(p.X, p.Y, w, h)
	fill, ink := x.tone(t.Control, t.Hover, t.Press), t.Text
	if o.Selected {
		fill, ink = t.AccentSoft, t.Accent
		if t.Dark {
			ink = t.AccentHover
		}
	}
	dl := u.dl()
	u.fill(dl, box, fill, h/2)
	left := box.X0 + pad
	if dot > 0 {
		dl.AddCircleFilledV(imgui.Vec2{X: left + u.Pt(4), Y: box.Center().Y}, u.Pt(4), uint32(o.Swatch), 24)
		left += dot
	}
	u.textIn(dl, Small, Rect{left, box.Y0, box.X1 - pad - cross + u.Pt(2), box.Y1}, 0, ink, shown)
	if o.Remove {
		u.icon(dl, box.X1-u.Pt(13), box.Center().Y, 11, c.tone(t.Muted, t.Text, t.Text), assets.IconX)
	}
	if x.focused || c.focused {
		u.ring(dl, box, h/2)
	}
	return x.pressed, c.pressed
}
