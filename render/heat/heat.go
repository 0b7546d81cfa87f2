// Package heat lays out a heat map, rows of numbers as rows of coloured cells below the names of their columns, and
// paints it with a pen: the window's or that of pictures for files. Lengths are pixels.
package heat

import (
	"image/color"
	"math"

	"blossom/render/pen"
)

// Map is what is shown.
type Map struct {
	Rows, Cols int
	// Share is where a value lies in the palette, 0 to 1; NaN: there is none.
	Share   func(row, col int) float64
	Colour  func(share float64) color.NRGBA
	Columns []string
	Name    func(row int) string // "": it has none
	Marked  func(row int) bool   // it is selected
	Hover   int                  // the row under the mouse, here or elsewhere; -1: none
	Joins   []Join               // joins of the tree beside the rows; nil: none is drawn
	Low     string               // meaning of the palette's ends
	High    string
	Window  Window
}

// Join is two clusters of rows: the places of their middles, in rows from the top, their heights and that of the join,
// as shares of the highest.
type Join struct{ A, B, AtA, AtB, At float64 }

// Window is the rows that are in sight: from which, and how many. The zero one is all of them.
type Window struct{ Top, Span float64 }

// In returns the window within n rows.
func (w Window) In(n int) Window {
	if !(w.Span > 0) || w.Span > float64(n) {
		w.Span = float64(n)
	}
	if least := min(3, float64(n)); w.Span < least {
		w.Span = least
	}
	w.Top = min(max(w.Top, 0), float64(n)-w.Span)
	if w.Top != w.Top {
		w.Top = 0
	}
	return w
}

// Zoom returns the window with so many times fewer rows, the row at that share of its height staying where it is.
func (w Window) Zoom(factor, at float64, n int) Window {
	w = w.In(n)
	held := w.Top + at*w.Span
	w.Span = max(w.Span/factor, 1e-9)
	w = Window{0, w.Span}.In(n)
	w.Top = held - at*w.Span
	return w.In(n)
}

// Ink is the colours beside the cells.
type Ink struct{ Ground, Text, Dim, Line, Accent color.NRGBA }

// Layout is where things lie on a picture.
type Layout struct {
	Cells  pen.Rect // cells of the rows in sight
	tree   pen.Rect
	heads  pen.Rect
	names  pen.Rect
	legend pen.Rect
	bar    pen.Rect // which rows are in sight; empty: all
	window Window
	rows   int
	cols   int
}

// In points.
const (
	margin     = 12.0
	treeWide   = 64.0
	headsHigh  = 84.0
	namesWide  = 96.0
	legendHigh = 44.0
	barWide    = 6.0
	nameHigh   = 13.0 // height of a row that has room for its name
	cellMost   = 72.0 // the width of a column, at most
)

// Lay lays the map out on a picture of w x h pixels. ok is false where there is no room for a cell, or there is none.
func (m *Map) Lay(p pen.Pen, w, h float64) (l Layout, ok bool) {
	k := p.Scale()
	l.window, l.rows, l.cols = m.Window.In(m.Rows), m.Rows, m.Cols
	l.Cells = pen.Rect{X0: margin * k, Y0: margin * k, X1: w - margin*k, Y1: h - margin*k}
	if m.Rows < 1 || m.Cols < 1 || l.Cells.W() < 40*k || l.Cells.H() < 40*k {
		return l, false
	}
	longest := 0.0
	for _, c := range m.Columns {
		longest = max(longest, p.Width(pen.Small, c))
	}
	l.heads = pen.Rect{Y0: l.Cells.Y0, Y1: l.Cells.Y0 + min(longest+8*k, headsHigh*k, 0.3*l.Cells.H())}
	l.Cells.Y0 = l.heads.Y1
	if l.Cells.H() > 3*legendHigh*k && l.Cells.W() > 140*k {
		l.legend = pen.Rect{X0: l.Cells.X0, Y0: l.Cells.Y1 - (legendHigh-14)*k,
			X1: l.Cells.X0 + min(220*k, l.Cells.W()), Y1: l.Cells.Y1}
		l.Cells.Y1 -= legendHigh * k
	}
	if len(m.Joins) > 0 && l.Cells.W() > 4*treeWide*k {
		l.tree = pen.Rect{X0: l.Cells.X0, Y0: l.Cells.Y0, X1: l.Cells.X0 + treeWide*k, Y1: l.Cells.Y1}
		l.Cells.X0 = l.tree.X1 + 6*k
	}
	if l.window.Span < float64(m.Rows) {
		l.bar = pen.Rect{X0: l.Cells.X1 - barWide*k, Y0: l.Cells.Y0, X1: l.Cells.X1, Y1: l.Cells.Y1}
		l.Cells.X1 -= (barWide + 6) * k
	}
	if l.Cells.H()/l.window.Span >= nameHigh*k && l.Cells.W() > 3*namesWide*k {
		wide := min(max(m.longest(p)+4*k, namesWide*k), l.Cells.W()/4)
		l.names = pen.Rect{X0: l.Cells.X1 - wide, Y0: l.Cells.Y0, X1: l.Cells.X1, Y1: l.Cells.Y1}
		l.Cells.X1 -= wide + 6*k
	}
	if wide := cellMost * k * float64(m.Cols); wide < l.Cells.W() {
		spare := l.Cells.W() - wide
		l.Cells.X1 -= spare
		l.names.X0, l.names.X1 = l.names.X0-spare, l.names.X1-spare
		l.bar.X0, l.bar.X1 = l.bar.X0-spare, l.bar.X1-spare
	}
	l.heads.X0, l.heads.X1 = l.Cells.X0, l.Cells.X1
	return l, true
}

// namesLong is how wide names of rows may be in points, namesMany the rows up to which they may be wider than others.
const (
	namesLong = 180.0
	namesMany = 200
)

// longest is the width of the longest name of a row, within reason.
func (m *Map) longest(p pen.Pen) (w float64) {
	for row := range min(m.Rows, namesMany) {
		w = max(w, min(p.Width(pen.Small, m.Name(row)), namesLong*p.Scale()))
	}
	return w
}

// At returns the row and the column at a place; ok is false outside the cells.
func (l *Layout) At(x, y float64) (row, col int, ok bool) {
	row, inside := l.RowAt(y)
	c := l.Cells
	if !inside || x < c.X0 || x >= c.X1 {
		return 0, 0, false
	}
	return row, min(int((x-c.X0)/c.W()*float64(l.cols)), l.cols-1), true
}

// RowAt returns the row at a height, the first or the last in sight above and below.
func (l *Layout) RowAt(y float64) (row int, inside bool) {
	at := (y - l.Cells.Y0) / l.Cells.H()
	row = int(math.Floor(l.window.Top + min(max(at, 0), 1-1e-9)*l.window.Span))
	return min(max(row, 0), l.rows-1), at >= 0 && at < 1
}

// y is where a row begins.
func (l *Layout) y(row float64) float64 {
	return l.Cells.Y0 + (row-l.window.Top)/l.window.Span*l.Cells.H()
}

// Bar says where on the picture the rows in sight are marked among all; empty: all are in sight.
func (l *Layout) Bar() pen.Rect { return l.bar }

// Legend is where the legend lies.
func (l *Layout) Legend() pen.Rect { return l.legend }
