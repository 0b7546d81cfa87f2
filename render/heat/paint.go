package heat

import (
	"math"

	"blossom/render/pen"
)

// Paint paints the map as it was laid out.
func (m *Map) Paint(p pen.Pen, l Layout, ink Ink) {
	m.cells(p, &l)
	m.heads(p, &l, ink)
	m.tree(p, &l, ink)
	m.marks(p, &l, ink)
	m.names(p, &l, ink)
	m.legend(p, &l, ink)
	if !l.bar.Empty() {
		p.Fill(l.bar, barWide/2*p.Scale(), ink.Line)
		thumb := l.bar
		thumb.Y0 = l.bar.Y0 + l.window.Top/float64(m.Rows)*l.bar.H()
		thumb.Y1 = thumb.Y0 + max(l.window.Span/float64(m.Rows)*l.bar.H(), 8*p.Scale())
		p.Fill(thumb, barWide/2*p.Scale(), ink.Dim)
	}
}

// leastRow is the height of a line of cells in pixels, at least: of rows that are lower several make a line, in the
// colour of their mean.
const leastRow = 2.0

// lines calls f with each line of cells that is in sight, the rows from up to before to, and its edges.
func (l *Layout) lines(f func(from, to int, y0, y1 float64)) {
	from, last := int(l.window.Top), min(int(math.Ceil(l.window.Top+l.window.Span)), l.rows)
	each := max(1, int(math.Ceil(leastRow*l.window.Span/l.Cells.H())))
	for ; from < last; from += each {
		to := min(from+each, last)
		y0, y1 := max(math.Round(l.y(float64(from))), l.Cells.Y0), min(math.Round(l.y(float64(to))), l.Cells.Y1)
		if y1 > y0 {
			f(from, to, y0, y1)
		}
	}
}

func (m *Map) cells(p pen.Pen, l *Layout) {
	wide := l.Cells.W() / float64(m.Cols)
	gap := 0.0
	if wide > 6*p.Scale() {
		gap = pen.Hair(p.Scale())
	}
	l.lines(func(from, to int, y0, y1 float64) {
		if y1-y0 > 6*p.Scale() {
			y1 -= pen.Hair(p.Scale())
		}
		for c := range m.Cols {
			sum, n := 0.0, 0
			for r := from; r < to; r++ {
				if x := m.Share(r, c); x == x {
					sum, n = sum+x, n+1
				}
			}
			if n == 0 {
				continue
			}
			x0 := math.Round(l.Cells.X0 + float64(c)*wide)
			x1 := math.Round(l.Cells.X0+float64(c+1)*wide) - gap
			p.Fill(pen.Rect{X0: x0, Y0: y0, X1: x1, Y1: y1}, 0, m.Colour(sum/float64(n)))
		}
	})
}

// heads writes the names of columns upwards, those that have room.
func (m *Map) heads(p pen.Pen, l *Layout, ink Ink) {
	k := p.Scale()
	wide, taken := l.Cells.W()/float64(m.Cols), math.Inf(-1)
	for c, name := range m.Columns {
		x := l.Cells.X0 + (float64(c)+0.5)*wide
		if x-taken < 10*k {
			continue // a name that cannot be read is none; the mouse says it
		}
		taken = x
		p.Upright(pen.Small, x, l.heads.Y1-4*k, ink.Text, pen.Shorten(p, pen.Small, name, l.heads.H()-4*k))
	}
}

func (m *Map) names(p pen.Pen, l *Layout, ink Ink) {
	if l.names.Empty() {
		return
	}
	k := p.Scale()
	l.lines(func(from, to int, y0, y1 float64) {
		if name := m.Name(from); to-from == 1 && y1-y0 > 0.8*nameHigh*k {
			p.Text(pen.Small, l.names.X0+3*k, (y0+y1)/2, ink.Text, pen.Shorten(p, pen.Small, name, l.names.W()-3*k))
		}
	})
}

// marks shows which rows are selected, at both sides, and the row under the mouse.
func (m *Map) marks(p pen.Pen, l *Layout, ink Ink) {
	k := p.Scale()
	l.lines(func(from, to int, y0, y1 float64) {
		for r := from; r < to; r++ {
			if m.Marked(r) {
				p.Fill(pen.Rect{X0: l.Cells.X0 - 5*k, Y0: y0, X1: l.Cells.X0 - 1*k, Y1: y1}, 0, ink.Accent)
				p.Fill(pen.Rect{X0: l.Cells.X1 + 1*k, Y0: y0, X1: l.Cells.X1 + 5*k, Y1: y1}, 0, ink.Accent)
				break
			}
		}
		if m.Hover >= from && m.Hover < to {
			line := 1.5 * k
			x0, x1 := l.Cells.X0-1*k, l.Cells.X1+1*k
			p.Fill(pen.Rect{X0: x0, Y0: y0 - line, X1: x1, Y1: y0}, 0, ink.Text)
			p.Fill(pen.Rect{X0: x0, Y0: y1, X1: x1, Y1: y1 + line}, 0, ink.Text)
		}
	})
}

// treeMost is how many joins are drawn at most: of more, the highest.
const treeMost = 3000

// tree draws the joins whose rows are in sight, the highest at the left.
func (m *Map) tree(p pen.Pen, l *Layout, ink Ink) {
	if l.tree.Empty() {
		return
	}
	x := func(height float64) float64 { return math.Round(l.tree.X1 - height*l.tree.W()) }
	y := func(row float64) float64 { return math.Round(min(max(l.y(row), l.tree.Y0), l.tree.Y1)) }
	for i := len(m.Joins) - 1; i >= max(0, len(m.Joins)-treeMost); i-- {
		j := m.Joins[i]
		ya, yb := y(j.A), y(j.B)
		if math.Abs(ya-yb) < 1 { // out of sight, or too small to be seen
			continue
		}
		p.Fill(pen.Rect{X0: x(j.At), Y0: ya, X1: x(j.At), Y1: yb}, 0, ink.Dim)
		if ya > l.tree.Y0 && ya < l.tree.Y1 {
			p.Fill(pen.Rect{X0: x(j.At), Y0: ya, X1: x(j.AtA), Y1: ya}, 0, ink.Dim)
		}
		if yb > l.tree.Y0 && yb < l.tree.Y1 {
			p.Fill(pen.Rect{X0: x(j.At), Y0: yb, X1: x(j.AtB), Y1: yb}, 0, ink.Dim)
		}
	}
}

// legend draws the palette with what its ends mean.
func (m *Map) legend(p pen.Pen, l *Layout, ink Ink) {
	if l.legend.Empty() {
		return
	}
	k, bar := p.Scale(), l.legend
	bar.Y0, bar.Y1 = bar.Y0+2*k, bar.Y0+11*k
	p.Gradient(bar, 3*k, m.Colour)
	y := bar.Y1 + 11*k
	p.Text(pen.Caption, bar.X0, y, ink.Dim, m.Low)
	p.Text(pen.Caption, bar.X1-p.Width(pen.Caption, m.High), y, ink.Dim, m.High)
}
