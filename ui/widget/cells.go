package widget

import (
	"strconv"

	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// CellsOpts are the details of a table of cells.
type CellsOpts struct {
	Still int    // so many columns at the left are only shown
	Tip   string // tooltip of the titles of the others, which are clicked
}

// CellsHit is what the user did to a table of cells. -1 is none.
type CellsHit struct {
	Head     int // the title of this column was clicked
	At       Rect
	Row, Col int // this cell has another text now
	Text     string
}

// cells is what a table of cells keeps between frames.
type cells struct {
	row, col int // the cell that is typed into, from 1; 0: none
	text     string
	before   string
	fresh    bool // it is to have the keyboard
}

// Cells draws a table of n rows in r, whose texts are typed over: a click on a cell begins, Tab and Shift+Tab go on to
// the cells beside it, Enter to the one below, Esc brings the old text back. cell gives the text of each.
func (u *UI) Cells(name string, r Rect, cols []Column, n int, o CellsOpts, cell func(row, col int) string) CellsHit {
	out := CellsHit{Head: -1, Row: -1}
	if r.Empty() {
		return out
	}
	place(r.X0, r.Y0)
	imgui.PushStyleVarVec2(imgui.StyleVarWindowPadding, imgui.Vec2{})
	imgui.BeginChildStrV("##"+name, imgui.Vec2{X: r.W(), Y: r.H()}, 0,
		imgui.WindowFlagsNoBackground|imgui.WindowFlagsNoScrollbar|imgui.WindowFlagsNoScrollWithMouse)
	imgui.PopStyleVar()
	u.Group(name, func() {
		t := cellTable{table: table{u: u, cols: cols, cell: cell, w: u.avail()}, at: kept[cells](u, name),
			opts: o, n: n, hit: &out}
		for _, c := range cols {
			t.total += max(c.Width, 0.01)
		}
		if u.snap(u.Pt(tableRow))*float32(n) > imgui.ContentRegionAvail().Y-u.Pt(tableRow+1) {
			t.w -= imgui.CurrentStyle().ScrollbarSize()
		}
		t.titles()
		imgui.BeginChildStrV("##rows", imgui.Vec2{}, 0, 0)
		t.body()
		imgui.EndChild()
	})
	imgui.EndChild()
	u.mark(name, r)
	return out
}

// cellTable is a table of cells while it is drawn.
type cellTable struct {
	table
	at   *cells
	opts CellsOpts
	n    int
	hit  *CellsHit
}

// titles draws the titles of the columns.
func (t *cellTable) titles() {
	u, p := t.u, imgui.CursorScreenPos()
	r := R(p.X, p.Y, t.w, u.Pt(tableRow))
	t.each(r, func(i int, c Column, r Rect) {
		ink := u.theme.Muted
		if i >= t.opts.Still {
			place(r.X0, r.Y0)
			x := u.hit("head"+strconv.Itoa(i), r.W(), r.H(), t.opts.Tip, false)
			if ink = x.tone(ink, u.theme.Text, u.theme.Text); x.pressed || x.right {
				t.hit.Head, t.hit.At = i, x.Rect
			}
			if x.focused {
				u.ring(u.dl(), x.Rect, u.Pt(4))
			}
		}
		used := u.textIn(u.dl(), Small, Rect{r.X0, r.Y0, r.X1 - u.Pt(16), r.Y1}, 0, ink, c.Title)
		if i >= t.opts.Still {
			u.icon(u.dl(), r.X0+used+u.Pt(9), r.Center().Y, 12, ink, assets.IconChevronDown)
		}
	})
	place(p.X, p.Y)
	u.fill(u.dl(), R(r.X0, u.snap(r.Y1), t.w, u.hair()), u.theme.Border, 0)
	u.space(tableRow + 1)
}

// body draws the rows that are in sight.
func (t *cellTable) body() {
	h := t.u.snap(t.u.Pt(tableRow))
	if t.at.row > t.n || t.at.col > len(t.cols) {
		t.at.row = 0 // it is gone
	}
	if t.at.fresh && t.at.row > 0 {
		top, seen, at := float32(t.at.row-1)*h, imgui.WindowSize().Y, imgui.ScrollY()
		if top < at {
			imgui.SetScrollYFloat(top)
		} else if top+h > at+seen {
			imgui.SetScrollYFloat(top + h - seen)
		}
	}
	clip := imgui.NewListClipper()
	defer clip.Destroy()
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	defer imgui.PopStyleVar()
	clip.BeginV(int32(t.n), h)
	if t.at.row > 0 {
		clip.IncludeItemByIndex(int32(t.at.row - 1))
	}
	for clip.Step() {
		for i := int(clip.DisplayStart()); i < int(clip.DisplayEnd()); i++ {
			p := imgui.CursorScreenPos()
			t.line(i, R(p.X, p.Y, t.w, h))
			place(p.X, p.Y)
			imgui.Dummy(imgui.Vec2{X: t.w, Y: h})
		}
	}
	clip.End()
}

// line draws a row of cells.
func (t *cellTable) line(row int, r Rect) {
	u, ink := t.u, &t.u.theme
	u.Group(strconv.Itoa(row), func() {
		t.each(r, func(i int, c Column, in Rect) {
			box := Rect{in.X0 - u.Pt(4), r.Y0 + u.hair(), in.X1 + u.Pt(4), r.Y1 - u.hair()}
			if i < t.opts.Still {
				u.textIn(u.dl(), Body, in, 0, ink.Text, t.cell(row, i))
				return
			}
			if t.at.row == row+1 && t.at.col == i+1 {
				t.typed(row, i, box)
				return
			}
			place(box.X0, box.Y0)
			x := u.hit(strconv.Itoa(i), box.W(), box.H(), "", false)
			u.fill(u.dl(), x.Rect, x.tone(ink.Row, ink.Control, ink.Control), u.Pt(4))
			if x.focused {
				u.ring(u.dl(), x.Rect, u.Pt(4))
			}
			if x.hovered {
				imgui.SetMouseCursor(imgui.MouseCursorTextInput)
			}
			u.textIn(u.dl(), Body, Rect{box.X0 + u.Pt(6), in.Y0, in.X1, in.Y1}, 0, ink.Text, t.cell(row, i))
			if x.pressed {
				t.begin(row, i)
			}
		})
	})
}

// begin has a cell typed into from the next frame on.
func (t *cellTable) begin(row, col int) {
	t.at.row, t.at.col, t.at.fresh = row+1, col+1, true
	t.at.text = t.cell(row, col)
	t.at.before = t.at.text
	t.u.typing.coming = fieldComes
	t.u.env.Within(0)
}

// typed draws the cell that is typed into, and goes on to the next where that is asked for.
func (t *cellTable) typed(row, col int, box Rect) {
	u := t.u
	fresh := t.at.fresh
	t.at.fresh = false
	_, done, cancelled := u.inputIn("##type"+strconv.Itoa(col), "", box, &t.at.text, Body, 6, fresh, nil)
	u.mark(strconv.Itoa(col), box)
	across, tab := 1, imgui.IsItemActive() && !fresh && imgui.IsKeyPressedBoolV(imgui.KeyTab, false) &&
		!imgui.CurrentIO().KeyCtrl()
	if imgui.CurrentIO().KeyShift() {
		across = -1
	}
	if !done && !tab {
		return
	}
	text, entered := t.at.text, done && u.Entered()
	t.at.row = 0
	u.env.Within(0)
	if text != t.at.before && !cancelled {
		t.hit.Row, t.hit.Col, t.hit.Text = row, col, text
	}
	switch first, last := t.opts.Still, len(t.cols)-1; {
	case cancelled:
	case entered && row+1 < t.n:
		t.begin(row+1, col)
	case tab && col+across >= first && col+across <= last:
		t.begin(row, col+across)
	case tab && across > 0 && row+1 < t.n:
		t.begin(row+1, first)
	case tab && across < 0 && row > 0:
		t.begin(row-1, last)
	}
}
