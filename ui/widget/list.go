package widget

import (
	"strconv"

	"blossom/assets"

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

// TableOpts are the details of a table.
type TableOpts struct {
	Selected func(row int) bool   // may be nil
	Icon     func(row int) string // before the first cell; may be nil
	Cursor   int                  // the row that the keyboard is on, where Follow is set
	Follow   bool                 // scroll to it
	Sort     int                  // the column, from 1, that rows are sorted by; 0: columns are not clicked
	Down     bool                 // the largest first
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

// tableRow is the height of a row, in points.
const tableRow = 24

// TableWith is Table with more.
func (u *UI) TableWith(name string, cols []Column, n int, o TableOpts, cell func(row, col int) string) TableHit {
	t, out := &u.theme, TableHit{Row: -1, Head: -1}
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
	if room := imgui.ContentRegionAvail().Y - u.Pt(tableRow+1); o.Sort > 0 && u.snap(u.Pt(tableRow))*float32(n) > room {
		w -= imgui.CurrentStyle().ScrollbarSize() // which would lie over the last column
	}
	head := R(start.X, start.Y, w, u.Pt(tableRow))
	u.Group(name, func() {
		each(head, func(i int, c Column, r Rect) { u.tableHead(i, c, r, o, &out) })
		place(start.X, start.Y)
		u.fill(u.dl(), R(head.X0, u.snap(head.Y1), w, u.hair()), t.Border, 0)
		u.space(25)
		if o.Sort > 0 { // the rows scroll under their titles
			imgui.BeginChildStrV("##rows", imgui.Vec2{}, 0, 0)
			defer imgui.EndChild()
		}
		h := u.snap(u.Pt(tableRow))
		if o.Follow && o.Cursor >= 0 {
			top, seen := float32(o.Cursor)*h, imgui.WindowSize().Y
			if at := imgui.ScrollY(); top < at {
				imgui.SetScrollYFloat(top)
			} else if top+h > at+seen {
				imgui.SetScrollYFloat(top + h - seen)
			}
		}
		clip := imgui.NewListClipper()
		defer clip.Destroy()
		imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
		defer imgui.PopStyleVar()
		clip.BeginV(int32(n), h)
		for clip.Step() {
			for i := int(clip.DisplayStart()); i < int(clip.DisplayEnd()); i++ {
				x := u.hit(strconv.Itoa(i), w, h, "", false)
				switch {
				case o.Selected != nil && o.Selected(i):
					u.fill(u.dl(), x.Rect, t.AccentSoft, u.Pt(4))
				case x.hovered || x.focused:
					u.fill(u.dl(), x.Rect, t.Row, u.Pt(4))
				}
				each(x.Rect, func(k int, c Column, r Rect) {
					f, a := Body, float32(0)
					if c.Right {
						f, a = Number, 1
					}
					if k == 0 && o.Icon != nil {
						u.icon(u.dl(), r.X0+u.Pt(7), r.Center().Y, 14, t.Muted, o.Icon(i))
						r.X0 += u.Pt(22)
					}
					u.textIn(u.dl(), f, r, a, t.Text, cell(i, k))
				})
				if x.pressed {
					out.Row = i
				}
				out.Double = out.Double || x.double
			}
		}
		clip.End()
	})
	return out
}

// tableHead draws the title of a column, which sorts by it where the table can.
func (u *UI) tableHead(i int, c Column, r Rect, o TableOpts, out *TableHit) {
	a, ink := float32(0), u.theme.Muted
	if c.Right {
		a = 1
	}
	if o.Sort > 0 {
		place(r.X0, r.Y0)
		x := u.hit("head"+strconv.Itoa(i), r.W(), r.H(), "Sort by it; once more, the other way round", false)
		if ink = x.tone(ink, u.theme.Text, u.theme.Text); x.pressed {
			out.Head = i
		}
		if o.Sort == i+1 {
			sign := assets.IconChevronUp
			if o.Down {
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
