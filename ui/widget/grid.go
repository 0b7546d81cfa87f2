package widget

import (
	"strconv"

	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// GridCell is a cell of a GridRow.
type GridCell struct {
	Text      string
	Secondary string // smaller, after the text
	Menu      bool   // a click on it opens one
	Button    bool   // it looks as if
	Strong    bool
	Small     bool // small and muted
	Tip       string
}

// GridOpts are the details of a row of a grid.
type GridOpts struct {
	Widths []float32 // widths of the cells, points
	Cells  []GridCell
	Box    bool // there is a box before the cells
	BoxTip string
	Doubt  string // why the row is doubtful: a line below it, on a warm ground
	Dim    bool
}

// GridHit is what the user did to a row of a grid.
type GridHit struct {
	Toggled bool // the box was clicked; *on is changed
	Cell    int  // index of the cell that was clicked, -1 for none
	Rect    Rect // the place of that cell
}

// gridBox is the room of the box of a row, points.
const gridBox = 34

// GridHead draws the headings of a grid: a title, and below it in small what else there is to say.
func (u *UI) GridHead(widths []float32, heads [][2]string) {
	p, h := imgui.CursorScreenPos(), u.Pt(38)
	dl, t := u.dl(), &u.theme
	r := R(p.X, p.Y, u.avail(), h)
	u.fill(dl, r, t.Row, 0)
	u.fill(dl, R(r.X0, u.snap(r.Y1), r.W(), u.hair()), t.Border, 0)
	u.textIn(dl, Small, Rect{p.X + u.Pt(2), p.Y, p.X + u.Pt(gridBox), p.Y + h}, 0, t.Muted, "Map")
	x := p.X + u.Pt(gridBox)
	for i, head := range heads {
		w := u.Pt(widths[i])
		in := Rect{x + u.Pt(6), p.Y, x + w - u.Pt(6), p.Y + h}
		if head[1] == "" {
			u.textIn(dl, Small, in, 0, t.Muted, head[0])
		} else {
			u.textIn(dl, Small, Rect{in.X0, p.Y + u.Pt(3), in.X1, p.Y + u.Pt(20)}, 0, t.Text, head[0])
			u.textIn(dl, Small, Rect{in.X0, p.Y + u.Pt(18), in.X1, p.Y + u.Pt(35)}, 0, t.Muted, head[1])
		}
		x += w
	}
	imgui.Dummy(imgui.Vec2{X: 1, Y: h})
}

// GridGroup draws a heading between rows, or above the first.
func (u *UI) GridGroup(title, note string, first bool) {
	p, h := imgui.CursorScreenPos(), u.Pt(26)
	dl, t := u.dl(), &u.theme
	if !first {
		u.fill(dl, R(p.X, u.snap(p.Y), u.avail(), u.hair()), t.Border, 0)
	}
	in := Rect{p.X + u.Pt(2), p.Y, p.X + u.avail(), p.Y + h}
	in.X0 += u.textIn(dl, Small, in, 0, t.Text, title) + u.Pt(8)
	u.textIn(dl, Small, in, 0, t.Muted, note)
	imgui.Dummy(imgui.Vec2{X: 1, Y: h})
}

// GridRow draws a row of a grid, whose name for tests is name; its cells are "cell0" and so on in it. What is not in
// sight costs nothing.
func (u *UI) GridRow(name string, on *bool, o GridOpts) GridHit {
	out := GridHit{Cell: -1}
	t := &u.theme
	p, w := imgui.CursorScreenPos(), u.avail()
	h, line := u.snap(u.Pt(23)), u.snap(u.Pt(23))
	if o.Doubt != "" {
		line = u.snap(u.Pt(28))
		h = line + u.snap(u.Pt(19))
	}
	top := imgui.WindowPos().Y
	if p.Y+h < top || p.Y > top+imgui.WindowSize().Y {
		imgui.Dummy(imgui.Vec2{X: w, Y: h})
		return out
	}
	dl := u.dl()
	if o.Doubt != "" {
		u.fill(dl, R(p.X, p.Y, w, h-u.hair()), t.Panel.Mix(t.Warning, 0.13), 0)
	}
	u.Group(name, func() {
		x := p.X
		if o.Box {
			place(x, p.Y)
			b := u.hit("box", u.Pt(gridBox-6), line, o.BoxTip, false)
			if b.pressed {
				*on, out.Toggled = !*on, true
			}
			u.checkBox(dl, x+u.Pt(4), b.Center().Y, *on, false, b)
			if b.focused {
				u.ring(dl, b.Rect, u.Pt(4))
			}
		}
		x += u.Pt(gridBox)
		for i, c := range o.Cells {
			cw := u.Pt(o.Widths[i])
			if u.gridCell(i, Rect{x, p.Y, x + cw, p.Y + line}, c, o) {
				out.Cell, out.Rect = i, Rect{x, p.Y, x + cw, p.Y + line}
			}
			x += cw
		}
	})
	if o.Doubt != "" {
		y := p.Y + line + u.Pt(8)
		u.icon(dl, p.X+u.Pt(gridBox+13), y, 12, t.Warning, assets.IconCircleAlert)
		u.textIn(dl, Small, Rect{p.X + u.Pt(gridBox+24), y - u.Pt(9), p.X + w - u.Pt(6), y + u.Pt(9)}, 0, t.Warning,
			o.Doubt)
	}
	place(p.X, p.Y)
	imgui.Dummy(imgui.Vec2{X: w, Y: h})
	return out
}

// gridCell draws a cell and reports a click on it.
func (u *UI) gridCell(i int, r Rect, c GridCell, o GridOpts) bool {
	t, dl := &u.theme, u.dl()
	in, pressed := r.Inset(u.Pt(6), 0), false
	face, ink, quiet := Body, t.Text, t.Muted
	switch {
	case c.Small && o.Doubt != "":
		face, ink = Small, t.Warning
	case c.Small:
		face, ink = Small, t.Muted
	case c.Strong && !o.Dim:
		face = Strong
	case o.Dim && c.Strong:
		ink = t.Muted
	}
	if c.Menu {
		width := u.Width(face, c.Text) + u.Pt(24)
		if c.Secondary != "" {
			width += u.Width(Small, c.Secondary) + u.Pt(6)
		}
		box := Rect{in.X0 - u.Pt(6), r.Y0 + u.Pt(1), min(in.X0-u.Pt(6)+width+u.Pt(8), r.X1-u.Pt(2)), r.Y1 - u.Pt(1)}
		place(box.X0, box.Y0)
		x := u.hit("cell"+strconv.Itoa(i), box.W(), box.H(), c.Tip, false)
		pressed = x.pressed
		if c.Button || x.hovered || x.active || x.focused {
			fill := x.tone(t.Control, t.Hover, t.Press)
			if c.Button && o.Doubt != "" && !x.hovered && !x.active {
				fill = t.Panel
			}
			u.fill(dl, x.Rect, fill, u.Pt(5))
			u.chevron(dl, x.X1-u.Pt(10), x)
		}
		if x.focused {
			u.ring(dl, x.Rect, u.Pt(5))
		}
		in.X1 = x.X1 - u.Pt(18)
	} else if c.Tip != "" {
		place(r.X0, r.Y0)
		u.still("cell"+strconv.Itoa(i), r.W(), r.H(), c.Tip, false)
	}
	used := u.textIn(dl, face, in, 0, ink, c.Text)
	if c.Secondary != "" && in.W()-used > u.Pt(16) {
		in.X0 += used + u.Pt(6)
		u.textIn(dl, Small, u.beside(in, Small, Body), 0, quiet, c.Secondary)
	}
	return pressed
}
