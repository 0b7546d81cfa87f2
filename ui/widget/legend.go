package widget

import "time"

// LegendHit is a place of a legend that answers to the mouse: a veil under the cursor, and an icon at its right end
// while it is there. What it says is painted elsewhere.
func (u *UI) LegendHit(name string, r Rect, icon, tip string) RowHit {
	place(r.X0, r.Y0)
	u.hover.beside = true // below are the other names
	x := u.hit("##"+name, r.W(), r.H(), tip, false)
	u.hover.beside = false
	t, dl := &u.theme, u.dl()
	if x.hovered || x.focused {
		u.fill(dl, r.Inset(u.Pt(2), 0), t.Text.Alpha(0.07), u.Pt(4))
		if icon != "" {
			c := r.Center()
			u.icon(dl, r.X1-u.Pt(9), c.Y, 13, t.Muted, icon)
		}
	}
	if x.focused {
		u.ring(dl, r.Inset(u.Pt(3), u.Pt(2)), u.Pt(4))
	}
	return RowHit{Clicked: x.pressed, Double: x.double, Right: x.right, Hovered: x.hovered, Rect: r}
}

// Refresh asks for another frame at once.
func (u *UI) Refresh() { u.env.Within(0) }

// RefreshIn asks for another frame after some time.
func (u *UI) RefreshIn(d time.Duration) { u.env.Within(d) }
