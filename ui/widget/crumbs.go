package widget

import (
	"strconv"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Crumbs draws a path as its parts in a line, each to be clicked; where there is no room the first are left out. It
// returns the part that was clicked, or -1.
func (u *UI) Crumbs(name string, parts []string) int {
	const gap = 16
	clicked, room, first := -1, u.avail(), len(parts)
	for used := float32(0); first > 0; first-- {
		if used += u.Width(Body, parts[first-1]) + u.Pt(gap); used > room && first < len(parts) {
			break
		}
	}
	p, h, t := imgui.CursorScreenPos(), u.Pt(26), &u.theme
	x := p.X
	u.Group(name, func() {
		for i := first; i < len(parts); i++ {
			if i > first {
				u.text(u.dl(), Body, x+u.Pt(gap)/2-u.Width(Body, "›")/2, p.Y+h/2, t.Muted, "›")
				x += u.Pt(gap)
			}
			s := u.Fit(Body, parts[i], room)
			place(x, p.Y)
			hit := u.hit(strconv.Itoa(i), u.Width(Body, s), h, "", false)
			ink, face := hit.tone(t.Accent, t.AccentHover, t.AccentPress), Body
			if i == len(parts)-1 {
				ink, face = t.Text, Strong
			}
			u.text(u.dl(), face, x, p.Y+h/2, ink, s)
			if hit.focused {
				u.ring(u.dl(), hit.Rect, u.Pt(4))
			}
			if hit.pressed {
				clicked = i
			}
			x += hit.W()
		}
	})
	return clicked
}
