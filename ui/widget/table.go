package widget

import (
	"strconv"

	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Column is a column of a table.
type Column struct {
	Title string
	Width float32 // share of the width that is left
	Right bool    // aligned to the right, with digits of one width
}

// TableOpts are the details of a table.
type TableOpts struct {
	Selected func(row int) bool   // may be nil
	Icon     func(row int) string // before the first cell; may be nil
	Cursor   int                  // the row that the keyboard is on, where Follow is set
	Follow   bool                 // scroll to it
	Sort     int                  // the column, from 1, that rows are sorted by; 0: columns are not clicked
	Down     bool                 // the largest first
	Empty    string               // said where there are no rows
}

// TableHit is what the user did to a table. -1 is none.
type TableHit struct {
	Row    int // was clicked
	Head   int // the title of this column was
	Double bool
}

// Table draws n rows under a header; cell gives the text of each. It returns the row that was clicked,
// or -1. Only the rows in sight are asked for.
func (u *UI) Table(name string, cols []Column, n, selected int, cell func(row, col int) string) int {
	return u.TableWith(name, cols, n, TableOpts{Selected: func(i int) bool { return i == selected }}, cell).Row
}

// TableIn is TableWith in r, where its rows scroll under their titles.
func (u *UI) TableIn(name string, r Rect, cols []Column, n int, o TableOpts, cell func(row, col int) string) TableHit {
	out := TableHit{Row: -1, Head: -1}
	if r.Empty() {
		return out
	}
	place(r.X0, r.Y0)
	imgui.PushStyleVarVec2(imgui.StyleVarWindowPadding, imgui.Vec2{})
	imgui.BeginChildStrV("##"+name, imgui.Vec2{X: r.W(), Y: r.H()}, 0,
		imgui.WindowFlagsNoBackground|imgui.WindowFlagsNoScrollbar|imgui.WindowFlagsNoScrollWithMouse)
	imgui.PopStyleVar()
	out = u.TableWith(name, cols, n, o, cell)
	imgui.EndChild()
	u.mark(name, r)
	return out
}

// tableRow is the height of a row, in points.
const tableRow = 24

// table is a table while it is drawn.
type table struct {
	u     *UI
	cols  []Column
	o     TableOpts
	cell  func(row, col int) string
	w     float32 // width of a row
	total float32 // sum of the shares of the columns
	out   TableHit
}

// TableWith is Table with more.
func (u *UI) TableWith(name string, cols []Column, n int, o TableOpts, cell func(row, col int) string) TableHit {
	t := table{u: u, cols: cols, o: o, cell: cell, w: u.avail(), out: TableHit{Row: -1, Head: -1}}
	for _, c := range cols {
		t.total += max(c.Width, 0.01)
	}
	if room := imgui.ContentRegionAvail().Y - u.Pt(tableRow+1); o.Sort > 0 && u.snap(u.Pt(tableRow))*float32(n) > room {
		t.w -= imgui.CurrentStyle().ScrollbarSize() // which would lie over the last column
	}
	u.Group(name, func() {
		t.head()
		if o.Sort > 0 { // the rows scroll under their titles
			imgui.BeginChildStrV("##rows", imgui.Vec2{}, 0, 0)
			defer imgui.EndChild()
		}
		t.rows(n)
	})
	return t.out
}

// each calls draw for the place of every column in a row.
func (t *table) each(r Rect, draw func(i int, c Column, r Rect)) {
	x, pad := r.X0, t.u.Pt(6)
	for i, c := range t.cols {
		w := t.w * max(c.Width, 0.01) / t.total
		draw(i, c, Rect{x + pad, r.Y0, x + w - pad, r.Y1})
		x += w
	}
}

// head draws the titles, and the line below them.
func (t *table) head() {
	u, p := t.u, imgui.CursorScreenPos()
	r := R(p.X, p.Y, t.w, u.Pt(tableRow))
	t.each(r, t.title)
	place(p.X, p.Y)
	u.fill(u.dl(), R(r.X0, u.snap(r.Y1), t.w, u.hair()), u.theme.Border, 0)
	u.space(tableRow + 1)
}

// rows draws the rows that are in sight.
func (t *table) rows(n int) {
	h := t.u.snap(t.u.Pt(tableRow))
	if t.o.Follow && t.o.Cursor >= 0 {
		top, seen := float32(t.o.Cursor)*h, imgui.WindowSize().Y
		if at := imgui.ScrollY(); top < at {
			imgui.SetScrollYFloat(top)
		} else if top+h > at+seen {
			imgui.SetScrollYFloat(top + h - seen)
		}
	}
	if n == 0 && t.o.Empty != "" {
		t.u.Note(t.o.Empty)
	}
	clip := imgui.NewListClipper()
	defer clip.Destroy()
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	defer imgui.PopStyleVar()
	clip.BeginV(int32(n), h)
	for clip.Step() {
		for i := int(clip.DisplayStart()); i < int(clip.DisplayEnd()); i++ {
			t.row(i, h)
		}
	}
	clip.End()
}

func (t *table) row(i int, h float32) {
	u, ink := t.u, &t.u.theme
	x := u.hit(strconv.Itoa(i), t.w, h, "", false)
	switch {
	case t.o.Selected != nil && t.o.Selected(i):
		u.fill(u.dl(), x.Rect, ink.AccentSoft, u.Pt(4))
	case x.hovered || x.focused:
		u.fill(u.dl(), x.Rect, ink.Row, u.Pt(4))
	}
	t.each(x.Rect, func(k int, c Column, r Rect) {
		f, a := Body, float32(0)
		if c.Right {
			f, a = Number, 1
		}
		if k == 0 && t.o.Icon != nil {
			u.icon(u.dl(), r.X0+u.Pt(7), r.Center().Y, 14, ink.Muted, t.o.Icon(i))
			r.X0 += u.Pt(22)
		}
		u.textIn(u.dl(), f, r, a, ink.Text, t.cell(i, k))
	})
	if x.pressed {
		t.out.Row = i
	}
	t.out.Double = t.out.Double || x.double
}

// title draws the title of a column, which sorts by it where the table can.
func (t *table) title(i int, c Column, r Rect) {
	u := t.u
	a, ink := float32(0), u.theme.Muted
	if c.Right {
		a = 1
	}
	if t.o.Sort > 0 {
		place(r.X0, r.Y0)
		x := u.hit("head"+strconv.Itoa(i), r.W(), r.H(), "Sort by it; once more, the other way round", false)
		if ink = x.tone(ink, u.theme.Text, u.theme.Text); x.pressed {
			t.out.Head = i
		}
		if t.o.Sort == i+1 {
			sign := assets.IconChevronUp
			if t.o.Down {
				sign = assets.IconChevronDown
			}
			used := u.Width(Small, c.Title) + u.Pt(9)
			at := r.X0 + used
			if c.Right {
				at = r.X1 - used
			}
			u.icon(u.dl(), at, r.Center().Y, 12, ink, sign)
		}
	}
	u.textIn(u.dl(), Small, r, a, ink, c.Title)
}
