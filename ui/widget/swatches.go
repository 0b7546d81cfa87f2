package widget

import (
	"strconv"

	"github.com/AllenDang/cimgui-go/imgui"
)

// swatchesWide is how many colours stand in a row.
const swatchesWide = 8

// Swatches draws squares of colours to choose one from, eight in a row, and returns the one that was clicked, -1 for
// none. A click closes the menu that they stand in.
func (u *UI) Swatches(name string, colors []Color, chosen int) (clicked int) {
	clicked = -1
	side, gap := u.snap(u.Pt(20)), u.snap(u.Pt(4))
	p := imgui.CursorScreenPos()
	u.Group(name, func() {
		for i, c := range colors {
			place(p.X+float32(i%swatchesWide)*(side+gap), p.Y+float32(i/swatchesWide)*(side+gap))
			x := u.hit(strconv.Itoa(i), side, side, "", false)
			u.fill(u.dl(), x.Rect, c, u.Pt(4))
			if i == chosen || x.hovered || x.focused {
				u.ring(u.dl(), x.Rect, u.Pt(4))
			}
			if x.pressed {
				clicked = i
				imgui.CloseCurrentPopup()
			}
		}
	})
	rows := (len(colors) + swatchesWide - 1) / swatchesWide
	place(p.X, p.Y)
	imgui.Dummy(imgui.Vec2{X: swatchesWide*(side+gap) - gap, Y: float32(rows)*(side+gap) - gap})
	return clicked
}
