package legend

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"blossom/render/pen"
)

// Over is a legend laid out over a view, as a window shows it and pictures of it. Pixels.
type Over struct {
	Box   pen.Rect // all that it covers
	Head  pen.Rect // its title, to be clicked
	Rows  []Row    // the labels that are shown
	First int      // label of the first row
	Most  int      // the largest First that there is
	// Chosen is how much wider it is for the counts of what is selected.
	Chosen float64

	bar      pen.Rect
	square   pen.Rect // the room of a square
	ticks    []tick
	title    string
	subtitle string
	more     string
	moreAt   float64 // height of its middle
	k        float64
	room     float64 // for names
	at       Place
	play     pen.Rect // where the upper left corner of Box can be: from X0 to X1, and from Y0 down to Y1
}

// Row is a label that is shown.
type Row struct {
	Rect  pen.Rect
	Entry int // an index of Legend.Entries
}

// Place says where over a view a legend lies, and what of it is shown. Where it is put is kept as a share of the room
// that it can be moved in, so that it is in sight in a view of any size. The zero value is the lower left corner.
type Place struct {
	Folded bool    // its title alone
	First  int     // the label at the top
	X, Y   float64 // 0 to 1, from the left to the right and from the foot to the head
	Room   Room
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
	overTop    = 10.0
	overPad    = 8.0
	overNear   = 14.0 // a legend moved this near an end of its room goes there
	overBar    = 220.0
	overName   = 180.0
	// overShare is how much of a view's height a list of labels may take, and overArea how much of its area.
	overShare = 0.6
	overArea  = 0.12
	// overKeeps is how much of its size a map beside a list of labels keeps, where that has more than overFew.
	overKeeps = 0.75
	overFew   = 5
	// overLeast is the height of a view that has room for a legend.
	overLeast = 150.0
)

// Lay lays a legend out for a view of w x h pixels. ok is false where it has no room.
func (l *Legend) Lay(p pen.Pen, w, h float64, at Place) (o Over, ok bool) {
	k := p.Scale()
	o.k, o.at = k, at
	if l == nil || h < overLeast*k || w < overLeast*k {
		return o, false
	}
	o.title = pen.Shorten(p, pen.Strong, l.Title, min(190*k, 0.4*w))
	o.subtitle = pen.Shorten(p, pen.Small, l.Subtitle, max(min(150*k, 0.4*w), min(240*k, 0.3*w)))
	switch {
	case at.Folded:
		o.layTitle(p, l, w, h)
	case l.Square != nil:
		o.laySquare(p, l, w, h)
	case len(l.Entries) == 0:
		o.layBar(p, l, w, h)
	case !o.layNames(p, l, w, h): // they would hide the map
		o.layTitle(p, l, w, h)
	}
	return o, true
}

// Whole says whether more of it is shown than its title, or it is folded to that.
func (o *Over) Whole() bool {
	return o.at.Folded || len(o.Rows) > 0 || o.bar != pen.Rect{} || o.square != pen.Rect{}
}

// place gives the legend its box, so wide and high within its margins, in a view of w x h. It returns where its text
// begins, and where its first line is.
func (o *Over) place(p pen.Pen, w, h, wide, high float64) (x, top float64) {
	k := o.k
	wide = max(wide, o.titleWidth(p)) + 2*overPad*k
	high += (12 + overPad/2) * k
	foot := h - (overBottom-overPad/2)*k - high
	o.play = pen.Rect{X0: (overLeft - overPad) * k, Y0: min(overTop*k, foot), Y1: foot}
	o.play.X1 = max(w-o.play.X0-wide, o.play.X0)
	share := func(lo, hi, at float64) float64 { return math.Round(lo + (hi-lo)*min(max(at, 0), 1)) }
	left, head := o.play.X0, o.play.Y1
	if o.at.X > 0 {
		left = share(o.play.X0, o.play.X1, o.at.X)
	}
	if o.at.Y > 0 {
		head = share(o.play.Y1, o.play.Y0, o.at.Y)
	}
	o.Box = pen.Rect{X0: left, Y0: head, X1: left + wide, Y1: head + high}
	top = head + 12*k
	o.Head = pen.Rect{X0: o.Box.X0, Y0: o.Box.Y0, X1: o.Box.X1, Y1: top + 10*k}
	return left + overPad*k, top
}

// Moved is the place at which the upper left corner of the legend's box is nearest to a pixel of the view. Near an end
// of the room it goes there.
func (o *Over) Moved(x, y float64) Place {
	near := overNear * o.k
	share := func(lo, hi, at float64) float64 {
		switch span := math.Abs(hi - lo); {
		case span < 1 || math.Abs(at-lo) < near:
			return 0
		case math.Abs(at-hi) < near:
			return 1
		}
		return min(max((at-lo)/(hi-lo), 0), 1)
	}
	to := o.at
	to.X, to.Y = share(o.play.X0, o.play.X1, x), share(o.play.Y1, o.play.Y0, y)
	return to
}

func (o *Over) titleWidth(p pen.Pen) float64 {
	w := p.Width(pen.Strong, o.title)
	if o.subtitle != "" {
		w += 5*o.k + p.Width(pen.Small, o.subtitle)
	}
	return w
}

// layTitle lays out a folded legend.
func (o *Over) layTitle(p pen.Pen, l *Legend, w, h float64) {
	if n := len(l.Entries); n > 0 && o.subtitle == "" {
		o.subtitle = fmt.Sprintf("%d names", n)
	}
	o.place(p, w, h, 0, 8*o.k)
}

// layBar lays out a bar with numbers below it.
func (o *Over) layBar(p pen.Pen, l *Legend, w, h float64) {
	k := o.k
	side := min(overBar*k, w-36*k)
	if w < 500*k {
		side = min(side, 150*k)
	}
	x, top := o.place(p, w, h, side, 46*k)
	o.bar = pen.Rect{X0: x, Y0: top + 14*k, X1: x + side, Y1: top + 23*k}
	o.layMarks(p, l.Marks(3), x, side)
}

// laySquare lays out a square with what stands around it; where it would hide the map, its title.
func (o *Over) laySquare(p pen.Pen, l *Legend, w, h float64) {
	wide, high := l.Square.size(p)
	if high+60*o.k > h*overShare || wide+4*overLeft*o.k > w*overShare {
		o.layTitle(p, l, w, h)
		return
	}
	x, top := o.place(p, w, h, wide, high+10*o.k)
	o.square = pen.Rect{X0: x, Y0: top + 12*o.k, X1: x + wide, Y1: top + 12*o.k + high}
}

// layNames lays out a list of labels from the first one on that is wanted, as many as there is room for, and says
// whether there is room for at least a few.
func (o *Over) layNames(p pen.Pen, l *Legend, w, h float64) bool {
	k, line := o.k, lineH*o.k
	plain, counts, room := 0.0, 0.0, 0.0 // plain: the counts where nothing is selected, which say how long the list is
	for i, e := range l.Entries {
		plain, counts = max(plain, p.Width(pen.Small, countText(e.Count))), max(counts, p.Width(pen.Small, l.count(i)))
		room = max(room, min(p.Width(pen.Body, e.Name), min(overName*k, 0.24*w)))
	}
	wide := max(o.titleWidth(p), 18*k+room+14*k+plain)
	rows := int(min(h*overShare-line, overArea*w*h/wide-line) / line)
	// A map beside it keeps most of its size, and if need be by a shorter list above or below which it lies.
	if least := overKeeps * min(w, h); w-wide-2*overLeft*k < least {
		rows = min(rows, max(int((h-least-(overBottom+24)*k)/line)-1, overFew))
	}
	if rows < 3 && len(l.Entries) > rows {
		return false
	}
	o.room = room
	o.Chosen = max(0, 18*k+room+14*k+counts-wide)
	wide += o.Chosen
	shown := min(len(l.Entries), rows)
	lines := shown
	if o.Most = len(l.Entries) - shown; o.Most > 0 {
		o.First = min(max(o.at.First, 0), o.Most)
		lines++
	}
	_, top := o.place(p, w, h, wide, float64(lines)*line+12*k)
	y := top + 20*k
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

// Large says whether it is more than a bar or a title, so that a map goes aside for it.
func (o *Over) Large() bool { return len(o.Rows) > 0 || !o.square.Empty() }

// OnBar returns where along its bar a place of the view is, 0 to 1; ok is false beside it.
func (o *Over) OnBar(x, y float64) (at float64, ok bool) {
	b := o.bar
	return (x - b.X0) / max(b.W(), 1), !b.Empty() && x >= b.X0 && x <= b.X1 && y >= b.Y0-4*o.k && y <= b.Y1+4*o.k
}

// Paint paints the legend.
func (o *Over) Paint(p pen.Pen, l *Legend, ink Ink) {
	k := o.k
	p.Fill(o.Box, 6*k, ink.Ground)
	x, y := o.Box.X0+overPad*k, o.Head.Y0+12*k
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
	if !o.square.Empty() {
		l.Square.paint(p, &l.Colouring, o.square.X0, o.square.Y0, ink)
	}
	right := o.Box.X1 - overPad*k
	for _, r := range o.Rows {
		e, mid := l.Entries[r.Entry], (r.Rect.Y0+r.Rect.Y1)/2
		p.Fill(pen.Rect{X0: x, Y0: math.Round(mid - 5*k), X1: x + 10*k, Y1: math.Round(mid-5*k) + 10*k}, 3*k, e.Colour)
		p.Text(pen.Body, x+18*k, mid, ink.Text, pen.Shorten(p, pen.Body, e.Name, o.room))
		n := l.count(r.Entry)
		p.Text(pen.Small, right-p.Width(pen.Small, n), mid, ink.Dim, n)
	}
	if o.more != "" {
		p.Text(pen.Small, x+18*k, o.moreAt, ink.Dim, o.more)
	}
}

// at is the colour of the bar at a share of its length.
func (l *Legend) at(t float64) color.NRGBA { return l.Colouring.At(t) }

// Same says whether two legends tell the same: one is enough for two views beside each other.
func (l *Legend) Same(o *Legend) bool {
	return l != nil && o != nil && l.Title == o.Title && l.Subtitle == o.Subtitle && l.Colouring == o.Colouring &&
		l.BelowLo == o.BelowLo && l.AboveHi == o.AboveHi && slices.Equal(l.Numbers, o.Numbers) &&
		l.Square.same(o.Square) &&
		slices.EqualFunc(l.Entries, o.Entries, func(a, b Entry) bool {
			return a.Name == b.Name && a.Colour == b.Colour
		})
}
