package legend

import (
	"image/color"
	"math"
	"strconv"

	"blossom/render/pen"
	"blossom/render/text"
)

// Look is how a legend is painted. Lengths are in points; Scale is pixels per point.
type Look struct {
	Fonts         *text.Fonts
	Scale         float64
	Text, TextDim color.NRGBA
	MaxW, MaxH    float64 // room, in points; more labels than fit are counted in a last line
}

// In points; text sizes as in the window.
const (
	titleSize = 13.0
	smallSize = 11.5
	tickSize  = 10.5
	entrySize = 13.0
	barW      = 220.0
	barH      = 9.0
	lineH     = 19.0
	swatch    = 10.0
	columnGap = 22.0
	maxName   = 220.0
)

// layout is where things are, in points from the top left corner.
type layout struct {
	w, h    float64
	columns []column
	more    int // labels that are left out
	moreAt  [2]float64
	top     float64 // below the title
	barW    float64
}

type column struct {
	x, w        float64
	first, last int     // entries
	counts      float64 // right end of the counts
}

// Size returns the width and height in points.
func (l *Legend) Size(k Look) (w, h float64) {
	a := l.arrange(k)
	return a.w, a.h
}

// Low is the look of the least height in which all labels stand, in as many columns as there is room for; k itself
// where there is none.
func (l *Legend) Low(k Look) Look {
	if len(l.Entries) == 0 {
		return k
	}
	low := k
	for low.MaxH = 21 + lineH; low.MaxH < k.MaxH; low.MaxH += lineH {
		if l.arrange(low).more == 0 {
			return low
		}
	}
	return k
}

func (k Look) width(size float64, bold bool, s string) float64 {
	return k.Fonts.Width(text.Line{Size: size * k.Scale, Bold: bold}, s) / k.Scale
}

func (l *Legend) titleWidth(k Look) float64 {
	w := 0.0
	if l.Title != "" {
		w = k.width(titleSize, true, l.Title)
	}
	if l.Subtitle != "" {
		w += 5 + k.width(smallSize, false, l.Subtitle)
	}
	return w
}

func (l *Legend) arrange(k Look) (a layout) {
	if l.Title != "" || l.Subtitle != "" {
		a.w, a.top = math.Min(l.titleWidth(k), math.Max(k.MaxW, 40)), 21
	}
	if l.Square != nil {
		w, h := l.Square.size(k.pen())
		a.w, a.h = math.Max(a.w, w/k.Scale), a.top+h/k.Scale
		return a
	}
	if len(l.Entries) == 0 {
		a.barW = math.Max(math.Min(barW, k.MaxW), 40)
		a.w = math.Max(a.w, a.barW)
		a.h = a.top + barH + 16
		return a
	}
	rows := max(int((k.MaxH-a.top)/lineH), 1)
	x := 0.0
	for first := 0; first < len(l.Entries); {
		last := min(first+rows, len(l.Entries))
		c := column{x: x, first: first, last: last}
		name, count := 0.0, 0.0
		for i, e := range l.Entries[first:last] {
			name = math.Max(name, math.Min(k.width(entrySize, false, e.Name), maxName))
			count = math.Max(count, k.width(smallSize, false, l.count(first+i)))
		}
		c.w = swatch + 7 + name
		if count > 0 {
			c.w += 12 + count
		}
		c.counts = x + c.w
		if x > 0 && x+c.w > k.MaxW {
			break
		}
		a.columns = append(a.columns, c)
		a.w = math.Max(a.w, x+c.w)
		x += c.w + columnGap
		first = last
	}
	final := &a.columns[len(a.columns)-1]
	if a.more = len(l.Entries) - final.last; a.more > 0 {
		// The last line of the last column is for the number of those that are missing.
		if final.last-final.first > 1 {
			final.last--
			a.more++
		}
		a.moreAt = [2]float64{final.x, a.top + float64(final.last-final.first)*lineH}
	}
	tallest := a.columns[0].last - a.columns[0].first
	if a.more > 0 && len(a.columns) == 1 {
		tallest++
	}
	a.h = a.top + float64(tallest)*lineH
	return a
}

func countText(n int) string { return Group(strconv.Itoa(n)) }

// Draw paints the legend with its top left corner at (x, y), pixels.
func (l *Legend) Draw(c pen.Canvas, k Look, x, y float64) {
	a := l.arrange(k)
	at := func(px, py float64) (float64, float64) { return x + px*k.Scale, y + py*k.Scale }
	write := func(px, py, size float64, bold bool, s string, ink color.NRGBA) {
		tx, ty := at(px, py)
		c.Write(text.Line{Size: size * k.Scale, Bold: bold}, tx, ty, ink, pen.Rim{}, s)
	}
	short := func(size float64, bold bool, s string, w float64) string {
		return k.Fonts.Shorten(text.Line{Size: size * k.Scale, Bold: bold}, s, math.Max(w, 0)*k.Scale)
	}
	left := 0.0
	if l.Title != "" {
		s := short(titleSize, true, l.Title, a.w)
		write(0, 11, titleSize, true, s, k.Text)
		left = k.width(titleSize, true, s) + 5
	}
	if l.Subtitle != "" && left+20 < a.w {
		write(left, 11, smallSize, false, short(smallSize, false, l.Subtitle, a.w-left+0.5), k.TextDim)
	}
	if l.Square != nil {
		sx, sy := at(0, a.top)
		l.Square.paint(c, &l.Colouring, sx, sy, Ink{Text: k.Text, Dim: k.TextDim})
		return
	}
	if len(l.Entries) == 0 {
		bx, by := at(0, a.top)
		c.Gradient(pen.Box(bx, by, bx+a.barW*k.Scale, by+barH*k.Scale), barH/4*k.Scale, l.at)
		for _, m := range l.visibleMarks(k, a.barW) {
			write(m.left, a.top+barH+13, tickSize, false, m.Text, k.TextDim)
		}
		return
	}
	for _, col := range a.columns {
		for i, e := range l.Entries[col.first:col.last] {
			top := a.top + float64(i)*lineH
			sx, sy := at(col.x, top+(lineH-swatch)/2)
			side := swatch * k.Scale
			c.Fill(pen.Box(sx, sy, sx+side, sy+side), 3*k.Scale, e.Colour)
			room := maxName
			if s := l.count(col.first + i); s != "" {
				w := k.width(smallSize, false, s)
				write(col.counts-w, top+lineH/2+4, smallSize, false, s, k.TextDim)
				room = math.Min(room, col.w-swatch-7-12-w+0.5)
			}
			write(col.x+swatch+7, top+lineH/2+4.2, entrySize, false, short(entrySize, false, e.Name, room), k.Text)
		}
	}
	if a.more > 0 {
		write(a.moreAt[0], a.moreAt[1]+lineH/2+4.2, entrySize, false, "+ "+countText(a.more)+" more", k.TextDim)
	}
}

// pen is a pen that measures.
func (k Look) pen() pen.Pen { return &pen.Image{Fonts: k.Fonts, Points: k.Scale} }

type placedMark struct {
	Mark
	left float64
}

// visibleMarks places the marks under a bar of width w: the ends flush with it, the others centred,
// and only those that stay clear of their neighbours.
func (l *Legend) visibleMarks(k Look, w float64) []placedMark {
	const gap = 8
	marks := l.Marks(3)
	var out []placedMark
	place := func(m Mark) placedMark {
		tw := k.width(tickSize, false, m.Text)
		return placedMark{m, math.Min(math.Max(m.At*w-m.At*tw, 0), math.Max(w-tw, 0))}
	}
	last := place(marks[len(marks)-1])
	free := 0.0
	for i, m := range marks[:len(marks)-1] {
		p := place(m)
		tw := k.width(tickSize, false, m.Text)
		if i > 0 {
			p.left = m.At*w - tw/2
		}
		if p.left < free || p.left+tw+gap > last.left {
			continue
		}
		out = append(out, p)
		free = p.left + tw + gap
	}
	return append(out, last)
}
