package widget

import (
	"time"

	"github.com/AllenDang/cimgui-go/imgui"
)

// LegendHit is a place of a legend that answers to the mouse: a veil under the cursor, and an icon at its right end
// while it is there. What it says is painted elsewhere.
func (u *UI) LegendHit(name string, r Rect, icon, tip string) RowHit {
	x := u.legendHit(name, r, icon, tip)
	return x.row()
}

func (u *UI) legendHit(name string, r Rect, icon, tip string) hit {
	place(r.X0, r.Y0)
	u.hover.beside = true // below are the other names
	x := u.hit("##"+name, r.W(), r.H(), tip, false)
	u.hover.beside = false
	x.Rect = r
	t, dl := &u.theme, u.dl()
	if x.hovered || x.focused || x.active {
		u.fill(dl, r.Inset(u.Pt(2), 0), t.Text.Alpha(0.07), u.Pt(4))
		if icon != "" {
			c := r.Center()
			u.icon(dl, r.X1-u.Pt(9), c.Y, 13, t.Muted, icon)
		}
	}
	if x.focused {
		u.ring(dl, r.Inset(u.Pt(3), u.Pt(2)), u.Pt(4))
	}
	return x
}

// Carry is what the user does to something that is moved by its title.
type Carry struct {
	RowHit
	Active  bool       // it is held, and has moved
	Dropped bool       // it was let go
	To      imgui.Vec2 // where its upper left corner is wanted then
}

// LegendTitle is a LegendHit by which the legend is moved too; corner is its upper left one. Esc takes a move back.
func (u *UI) LegendTitle(name string, r Rect, corner imgui.Vec2, icon, tip string) Carry {
	x, m, d := u.legendHit(name, r, icon, tip), imgui.MousePos(), &u.drag
	out := Carry{RowHit: x.row()}
	u.grab(x, float64(corner.X-m.X), float64(corner.Y-m.Y))
	if d.id != x.id {
		return out
	}
	if !u.cancelled(x) && u.holds(x) && imgui.IsMouseDragging(imgui.MouseButtonLeft) {
		d.knob = 1
	}
	held := u.holds(x) && d.knob == 1
	out.Clicked = out.Clicked && d.knob == 0
	out.To = imgui.Vec2{X: m.X + float32(d.start[0]), Y: m.Y + float32(d.start[1])}
	out.Active, out.Dropped = held && x.active, held && !x.active
	if out.Active {
		imgui.SetMouseCursor(imgui.MouseCursorResizeAll)
	}
	u.drop(x)
	return out
}

// Refresh asks for another frame at once.
func (u *UI) Refresh() { u.env.Within(0) }

// RefreshIn asks for another frame after some time.
func (u *UI) RefreshIn(d time.Duration) { u.env.Within(d) }
