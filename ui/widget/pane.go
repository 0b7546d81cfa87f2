package widget

import "github.com/AllenDang/cimgui-go/imgui"

// Pane draws rows of one height within r, which scrolls where they are higher; only those in sight are asked for.
func (u *UI) Pane(name string, r Rect, rows int, height float32, row func(i int)) {
	if r.Empty() {
		return
	}
	place(r.X0, r.Y0)
	imgui.PushStyleVarVec2(imgui.StyleVarWindowPadding, imgui.Vec2{})
	imgui.BeginChildStrV("##"+name, imgui.Vec2{X: r.W(), Y: r.H()}, 0,
		imgui.WindowFlagsNoBackground|imgui.WindowFlagsNoScrollbar)
	imgui.PopStyleVar()
	u.Group(name, func() {
		clip := imgui.NewListClipper()
		defer clip.Destroy()
		imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
		defer imgui.PopStyleVar()
		clip.BeginV(int32(rows), u.snap(u.Pt(height)))
		for clip.Step() {
			for i := int(clip.DisplayStart()); i < int(clip.DisplayEnd()); i++ {
				row(i)
			}
		}
		clip.End()
	})
	u.scrollBar(r, false)
	imgui.EndChild()
	u.mark(name, r)
}

// In draws controls within r, one below the other.
func (u *UI) In(r Rect, name string, body func()) {
	if r.Empty() {
		return
	}
	place(r.X0, r.Y0)
	imgui.PushStyleVarVec2(imgui.StyleVarWindowPadding, imgui.Vec2{})
	imgui.BeginChildStrV("##"+name, imgui.Vec2{X: r.W(), Y: r.H()}, 0,
		imgui.WindowFlagsNoBackground|imgui.WindowFlagsNoScrollbar|imgui.WindowFlagsNoScrollWithMouse)
	imgui.PopStyleVar()
	u.Group(name, body)
	imgui.EndChild()
}

// Fill fills r with a colour.
func (u *UI) Fill(r Rect, c Color) { u.fill(u.dl(), r, c, 0) }

// Vacant says in the middle of r what would be there, over a button that brings it about; "" is no button.
func (u *UI) Vacant(r Rect, text, button string, off bool, press func()) {
	mid := r.Center()
	u.textIn(u.dl(), Body, Rect{r.X0 + u.Pt(8), mid.Y - u.Pt(34), r.X1 - u.Pt(8), mid.Y - u.Pt(10)}, 0.5, u.theme.Muted,
		text)
	if button == "" {
		return
	}
	shown, _ := split(button)
	w := u.Width(Body, shown) + u.Pt(22)
	place(mid.X-w/2, mid.Y-u.Pt(4))
	if u.Button(button, ButtonOpts{Kind: Primary, Disabled: off}) {
		press()
	}
}

// NumberAt draws a number with its name at a place of a line, in a box of so many points; right is where it ends.
func (u *UI) NumberAt(label string, x, y, width float32, v *float64, p Param, tip string) (e Edit, right float32) {
	*v = p.Clamp(*v)
	shown, name := split(label)
	h := u.snap(u.Pt(rowHeight))
	place(x, y)
	u.Group(name, func() {
		w := u.Width(Body, shown)
		l := u.still("label", w, h, tip, p.Disabled)
		u.textIn(u.dl(), Body, l.Rect, 0, l.fade(u.theme.Muted), shown)
		right = x + w + u.Pt(6)
		box := R(right, y, u.Pt(width), h)
		place(box.X0, box.Y0)
		u.valueBox(box, v, p, tip, &e)
		right = box.X1
	})
	u.mark(label, R(x, y, right-x, h))
	return e, right
}

// Room takes the width that is left and so many points of height, for what is drawn into a place of its own. What
// follows is below it.
func (u *UI) Room(height float32) Rect {
	p := imgui.CursorScreenPos()
	return R(p.X, p.Y, u.avail(), u.snap(u.Pt(height)))
}
