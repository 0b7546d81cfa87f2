package legend

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"blossom/render/pen"
)

// Over is a legend laid out in the lower left corner of a view, as a window shows it and pictures of it. Pixels.
type Over struct {
	Box   pen.Rect // all that it covers
	Head  pen.Rect // its title, to be clicked
	Rows  []Row    // the labels that are shown
	First int      // label of the first row
	Most  int      // the largest First that there is

	bar      pen.Rect
	ticks    []tick
	title    string
	subtitle string
	more     string
	moreAt   float64 // height of its middle
	k        float64
	room     float64 // for names
}

// Row is a label that is shown.
type Row struct {
	Rect  pen.Rect
	Entry int // an index of Legend.Entries
}

// Fold says what of a legend is shown.
type Fold struct {
	Closed bool // its title alone
	First  int  // the label at the top
}

type tick struct {
	x    float64
	text string
}

// Ink is the colours of what is written.
type Ink struct{ Text, Dim, Ground color.NRGBA }

// In points; text sizes are those of the pen's faces.
const (
	overLeft   = 18.0
	overBottom = 16.0
	overPad    = 8.0
	overBar    = 220.0
	overName   = 180.0
	// overShare is how much of a view's height a list of labels may take, and overArea how much of its area.
	overShare = 0.6
	overArea  = 0.12
	// overLeast is the height of a view that has room for a legend.
	overLeast = 150.0
)

// Lay lays a legend out for a view of w x h pixels. ok is false where it has no room.
func (l *Legend) Lay(p pen.Pen, w, h float64, f Fold) (o Over, ok bool) {
	k := p.Scale()
	o.k = k
	if l == nil || h < overLeast*k || w < overLeast*k {
		return o, false
	}
	o.title = pen.Shorten(p, pen.Strong, l.Title, min(190*k, 0.4*w))
	o.subtitle = pen.Shorten(p, pen.Small, l.Subtitle, min(150*k, 0.4*w))
	switch {
	case f.Closed:
		o.layTitle(p, l, h)
	case len(l.Entries) == 0:
		o.layBar(p, l, w, h)
	case !o.layNames(p, l, w, h, f.First): // they would hide the map
		o.layTitle(p, l, h)
	}
	return o, true
}

// place gives the legend its box: so wide and high within its margins, its foot on the lower margin of a view of height
// h. It returns where its first line is.
func (o *Over) place(p pen.Pen, h, wide, high float64) (top float64) {
	k := o.k
	wide = max(wide, o.titleWidth(p))
	bottom := h - overBottom*k
	top = bottom - high
	x := overLeft * k
	o.Box = pen.Rect{X0: x - overPad*k, Y0: top - 12*k, X1: x + wide + overPad*k, Y1: bottom + overPad*k/2}
	o.Head = pen.Rect{X0: o.Box.X0, Y0: o.Box.Y0, X1: o.Box.X1, Y1: top + 10*k}
	return top
}

func (o *Over) titleWidth(p pen.Pen) float64 {
	w := p.Width(pen.Strong, o.title)
	if o.subtitle != "" {
		w += 5*o.k + p.Width(pen.Small, o.subtitle)
	}
	return w
}

// layTitle lays out a folded legend.
func (o *Over) layTitle(p pen.Pen, l *Legend, h float64) {
	if n := len(l.Entries); n > 0 && o.subtitle == "" {
		o.subtitle = fmt.Sprintf("%d names", n)
	}
	o.place(p, h, 0, 8*o.k)
}

// layBar lays out a bar with numbers below it.
func (o *Over) layBar(p pen.Pen, l *Legend, w, h float64) {
	k := o.k
	side := min(overBar*k, w-36*k)
	if w < 500*k {
		side = min(side, 150*k)
	}
	x, top := overLeft*k, o.place(p, h, side, 46*k)
	o.bar = pen.Rect{X0: x, Y0: top + 14*k, X1: x + side, Y1: top + 23*k}
	o.layMarks(p, l.Marks(3), x, side)
}

// layNames lays out a list of labels from the first one on, as many as there is room for, and says whether there is
// room for at least a few.
func (o *Over) layNames(p pen.Pen, l *Legend, w, h float64, first int) bool {
	k, line := o.k, lineH*o.k
	counts, room := 0.0, 0.0
	for _, e := range l.Entries {
		counts = max(counts, p.Width(pen.Small, countText(e.Count)))
		room = max(room, min(p.Width(pen.Body, e.Name), min(overName*k, 0.24*w)))
	}
	wide := max(o.titleWidth(p), 18*k+room+14*k+counts)
	rows := int(min(h*overShare-line, overArea*w*h/wide-line) / line)
	if rows < 3 && len(l.Entries) > rows {
		return false
	}
	o.room = room
	shown := min(len(l.Entries), rows)
	lines := shown
	if o.Most = len(l.Entries) - shown; o.Most > 0 {
		o.First = min(max(first, 0), o.Most)
		lines++
	}
	y := o.place(p, h, wide, float64(lines)*line+12*k) + 20*k
	for i := range shown {
		o.Rows = append(o.Rows, Row{pen.Rect{X0: o.Box.X0, Y0: y - line/2, X1: o.Box.X1, Y1: y + line/2}, o.First + i})
		y += line
	}
	if o.moreAt = y; o.Most > 0 {
		o.more = countText(o.First) + " above"
		if after := o.Most - o.First; after > 0 {
			o.more = "+ " + countText(after) + " more"
		}
	}
	return true
}

// layMarks places the numbers under the bar: the ends always, those between where they leave room.
func (o *Over) layMarks(p pen.Pen, marks []Mark, x, w float64) {
	place := func(m Mark) (lo, hi float64) {
		tw := p.Width(pen.Caption, m.Text)
		lo = min(max(x+m.At*w-tw/2, x), x+w-tw)
		return lo, lo + tw
	}
	gap := 8 * o.k
	_, taken := place(marks[0])
	last, _ := place(marks[len(marks)-1])
	for i, m := range marks {
		lo, hi := place(m)
		if inner := i > 0 && i < len(marks)-1; inner {
			if lo < taken+gap || hi > last-gap {
				continue
			}
			taken = hi
		}
		o.ticks = append(o.ticks, tick{lo, m.Text})
	}
}

// Paint paints the legend.
func (o *Over) Paint(p pen.Pen, l *Legend, ink Ink) {
	k := o.k
	p.Fill(o.Box, 6*k, ink.Ground)
	x, y := overLeft*k, o.Head.Y0+12*k
	p.Text(pen.Strong, x, y, ink.Text, o.title)
	if o.subtitle != "" {
		p.Text(pen.Small, x+p.Width(pen.Strong, o.title)+5*k, y, ink.Dim, o.subtitle)
	}
	if !o.bar.Empty() {
		p.Gradient(o.bar, 3*k, l.at)
		for _, t := range o.ticks {
			p.Text(pen.Caption, t.x, o.bar.Y1+12*k, ink.Dim, t.text)
		}
	}
	right := o.Box.X1 - overPad*k
	for _, r := range o.Rows {
		e, mid := l.Entries[r.Entry], (r.Rect.Y0+r.Rect.Y1)/2
		p.Fill(pen.Rect{X0: x, Y0: math.Round(mid - 5*k), X1: x + 10*k, Y1: math.Round(mid-5*k) + 10*k}, 3*k, e.Colour)
		p.Text(pen.Body, x+18*k, mid, ink.Text, pen.Shorten(p, pen.Body, e.Name, o.room))
		if e.Count >= 0 {
			n := countText(e.Count)
			p.Text(pen.Small, right-p.Width(pen.Small, n), mid, ink.Dim, n)
		}
	}
	if o.more != "" {
		p.Text(pen.Small, x+18*k, o.moreAt, ink.Dim, o.more)
	}
}

// at is the colour of the bar at a share of its length.
func (l *Legend) at(t float64) color.NRGBA {
	c := l.Colouring
	switch {
	case c.Palette == nil:
		return c.Flat
	case c.Reversed:
		return c.Palette.At(1 - t)
	}
	return c.Palette.At(t)
}

// Same says whether two legends tell the same: one is enough for two views beside each other.
func (l *Legend) Same(o *Legend) bool {
	return l != nil && o != nil && l.Title == o.Title && l.Subtitle == o.Subtitle && l.Colouring == o.Colouring &&
		l.BelowLo == o.BelowLo && l.AboveHi == o.AboveHi && slices.Equal(l.Numbers, o.Numbers) &&
		slices.EqualFunc(l.Entries, o.Entries, func(a, b Entry) bool {
			return a.Name == b.Name && a.Colour == b.Colour
		})
}
