package widget

import (
	"strconv"

	"github.com/AllenDang/cimgui-go/imgui"
)

// RowOpts are the details of a list row.
type RowOpts struct {
	Icon      string  // " " leaves the room of one free
	Swatch    Color   // a colour square before the name
	Colors    []Color // a strip of colours before the name
	Bands     bool    // they stand beside each other, not in between
	Secondary string  // smaller, after the name
	Note      string  // at the right end
	Shortcut  string  // key caps at the right end
	Tip       string
	Selected  bool
	Cursor    bool // the keyboard is on it
	Disabled  bool
	Dim       bool
	Height    float32 // points; 0: 27
}

// RowHit is what the user did to a row.
type RowHit struct {
	Clicked, Double, Right, Hovered bool
	Rect                            Rect
}

// Row draws a row of a list.
func (u *UI) Row(label string, o RowOpts) RowHit {
	shown, _ := split(label)
	t := &u.theme
	if o.Height <= 0 {
		o.Height = 27
	}
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	x := u.hit(label, u.avail(), u.Pt(o.Height), o.Tip, o.Disabled)
	imgui.PopStyleVar()
	dl := u.dl()
	switch {
	case o.Selected:
		u.fill(dl, x.Rect, t.AccentSoft, u.Pt(5))
	case o.Cursor || x.hovered || x.focused:
		u.fill(dl, x.Rect, t.Control, u.Pt(5))
	}
	quiet := t.Muted
	if o.Selected {
		quiet = t.Muted.Mix(t.Text, 0.3) // as readable there as on the panel
	}
	in := x.Inset(u.Pt(9), 0)
	y := x.Center().Y
	if o.Icon != "" {
		if o.Icon != " " {
			u.icon(dl, in.X0+u.Pt(7), y, 14, x.fade(t.Muted), o.Icon)
		}
		in.X0 += u.Pt(22)
	}
	if o.Swatch != 0 {
		s := u.Pt(11)
		u.fill(dl, R(u.snap(in.X0), u.snap(y-s/2), s, s), x.fade(o.Swatch), u.Pt(3))
		in.X0 += u.Pt(19)
	}
	if len(o.Colors) > 0 {
		in.X0 += u.strip(dl, in, o.Colors, o.Bands, x.fade)
	}
	if o.Shortcut != "" {
		w := u.keysWidth(o.Shortcut)
		fill := t.Control
		if o.Cursor || x.hovered {
			fill = t.Hover
		}
		u.keys(dl, in.X1-w, y, o.Shortcut, fill, t.Muted)
		in.X1 -= w + u.Pt(10)
	}
	if o.Note != "" {
		gap := u.Pt(10)
		w := min(u.Width(Small, o.Note), max(in.W()*0.45, in.W()-u.Width(Body, shown)-gap))
		u.textIn(dl, Small, u.beside(Rect{in.X1 - w, in.Y0, in.X1, in.Y1}, Small, Body), 1, x.fade(quiet), o.Note)
		in.X1 -= w + gap
	}
	ink := t.Text
	if o.Dim {
		ink = t.Muted
	}
	used := u.textIn(dl, Body, in, 0, x.fade(ink), shown)
	if o.Secondary != "" && in.W()-used > u.Pt(20) {
		in.X0 += used + u.Pt(6)
		u.textIn(dl, Small, u.beside(in, Small, Body), 0, x.fade(quiet), o.Secondary)
	}
	return RowHit{Clicked: x.pressed, Double: x.double, Right: x.right, Hovered: x.hovered, Rect: x.Rect}
}

// Column is a column of a table.
type Column struct {
	Title string
	Width float32 // share of the width that is left
	Right bool    // aligned to the right, with digits of one width
}

// Table draws n rows under a header; cell gives the text of each. It returns the row that was clicked,
// or -1. Only the rows in sight are asked for.
func (u *UI) Table(name string, cols []Column, n, selected int, cell func(row, col int) string) int {
	t := &u.theme
	clicked := -1
	total := float32(0)
	for _, c := range cols {
		total += max(c.Width, 0.01)
	}
	w, start := u.avail(), imgui.CursorScreenPos()
	each := func(r Rect, draw func(i int, c Column, r Rect)) {
		x := r.X0
		for i, c := range cols {
			cw := w * max(c.Width, 0.01) / total
			draw(i, c, Rect{x + u.Pt(6), r.Y0, x + cw - u.Pt(6), r.Y1})
			x += cw
		}
	}
	head := R(start.X, start.Y, w, u.Pt(24))
	each(head, func(_ int, c Column, r Rect) {
		a := float32(0)
		if c.Right {
			a = 1
		}
		u.textIn(u.dl(), Small, r, a, t.Muted, c.Title)
	})
	u.fill(u.dl(), R(head.X0, u.snap(head.Y1), w, u.hair()), t.Border, 0)
	u.space(25)
	u.Group(name, func() {
		clip := imgui.NewListClipper()
		defer clip.Destroy()
		h := u.snap(u.Pt(24))
		imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
		defer imgui.PopStyleVar()
		clip.BeginV(int32(n), h)
		for clip.Step() {
			for i := int(clip.DisplayStart()); i < int(clip.DisplayEnd()); i++ {
				x := u.hit(strconv.Itoa(i), w, h, "", false)
				switch {
				case i == selected:
					u.fill(u.dl(), x.Rect, t.AccentSoft, u.Pt(4))
				case x.hovered || x.focused:
					u.fill(u.dl(), x.Rect, t.Row, u.Pt(4))
				}
				each(x.Rect, func(k int, c Column, r Rect) {
					f, a := Body, float32(0)
					if c.Right {
						f, a = Number, 1
					}
					u.textIn(u.dl(), f, r, a, t.Text, cell(i, k))
				})
				if x.pressed {
					clicked = i
				}
			}
		}
		clip.End()
	})
	return clicked
}
