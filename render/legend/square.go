package legend

import (
	"image/color"
	"math"
	"slices"

	"blossom/render/palette"
	"blossom/render/pen"
)

// Square is a legend of two quantities at once: the first runs to the right, the second up.
type Square struct {
	Titles [2]string
	Marks  [2][]Mark // numbers along each, the ends first and last
}

// In points.
const (
	squareSide = 100.0
	squareGap  = 6.0
	squareLine = 15.0 // a line of text
)

// same says whether two squares tell the same.
func (q *Square) same(o *Square) bool {
	return q == nil && o == nil || q != nil && o != nil && q.Titles == o.Titles &&
		slices.Equal(q.Marks[0], o.Marks[0]) && slices.Equal(q.Marks[1], o.Marks[1])
}

// names are the lines that say which axis is which.
func (q *Square) names() (right, up string) { return "→ " + q.Titles[0], "↑ " + q.Titles[1] }

// size is the room of the square and what stands around it, in pixels.
func (q *Square) size(p pen.Pen) (w, h float64) {
	k := p.Scale()
	right, up := q.names()
	wide := 0.0
	for _, m := range q.Marks[1] {
		wide = max(wide, p.Width(pen.Caption, m.Text))
	}
	w = squareSide*k + squareGap*k + wide
	return max(w, p.Width(pen.Small, right), p.Width(pen.Small, up)), (squareSide + 3*squareLine + squareGap) * k
}

// paint paints the square with the upper left corner of its room at (x, y): the name of what runs up, the colours with
// numbers at their right and below, and the name of what runs to the right.
func (q *Square) paint(p pen.Pen, c *palette.Colouring, x, y float64, ink Ink) {
	k := p.Scale()
	x, y = math.Round(x), math.Round(y) // cells on whole pixels leave no seams
	right, up := q.names()
	p.Text(pen.Small, x, y+squareLine*k/2, ink.Text, up)
	top, side := math.Round(y+(squareLine+squareGap/2)*k), squareSide*k
	at := func(step int) float64 { return math.Round(side * float64(step) / palette.PairSteps) }
	for row := range palette.PairSteps {
		upper, lower := top+side-at(row+1), top+side-at(row)
		for col := range palette.PairSteps {
			cell := pen.Rect{X0: x + at(col), Y0: upper, X1: x + at(col+1), Y1: lower}
			p.Fill(cell, 0, c.LabelColour(row*palette.PairSteps+col))
		}
	}
	q.upright(p, x+side+squareGap*k, top, side, ink.Dim)
	q.level(p, x, top+side+squareLine*k*0.6, side, ink.Dim)
	p.Text(pen.Small, x, top+side+(squareLine*1.5+squareGap/2)*k, ink.Text, right)
}

// upright writes the numbers of what runs up at the right of a square.
func (q *Square) upright(p pen.Pen, x, top, side float64, ink color.NRGBA) {
	k, marks := p.Scale(), q.Marks[1]
	half := pen.Caption.Size() * k / 2
	for i, m := range marks {
		mid := top + side*(1-m.At)
		inner := i > 0 && i < len(marks)-1
		if mid = min(max(mid, top+half), top+side-half); inner && (mid < top+4*half || mid > top+side-4*half) {
			continue
		}
		p.Text(pen.Caption, x, mid, ink, m.Text)
	}
}

// level writes the numbers of what runs to the right below a square, the ends flush with it.
func (q *Square) level(p pen.Pen, x, mid, side float64, ink color.NRGBA) {
	marks, gap := q.Marks[0], 6*p.Scale()
	last := p.Width(pen.Caption, marks[len(marks)-1].Text)
	free := x
	for i, m := range marks {
		w := p.Width(pen.Caption, m.Text)
		left := min(max(x+m.At*side-w/2, x), max(x+side-w, x))
		if i < len(marks)-1 && i > 0 && (left < free || left+w+gap > x+side-last) ||
			i == len(marks)-1 && i > 0 && left < free {
			continue
		}
		p.Text(pen.Caption, left, mid, ink, m.Text)
		free = left + w + gap
	}
}
