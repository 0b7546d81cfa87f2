package axes

import (
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"blossom/render/camera"
	"blossom/render/pen"
)

// In points: how far titles stand from the sides of the map, and their middles from its top and bottom.
const (
	titleSide = 10.0
	titleDeep = 12.0
	edge      = 2.0 // between the last number and the end of the axis, which may be that of the picture
)

// Label is a text: its left end, and the middle of its capitals.
type Label struct {
	X, Y float64
	Text string
}

// Frame is two axes at the left and the bottom of a map, as data that a window and a picture paint.
type Frame struct {
	Strips  [2]pen.Rect // beside the map, for the numbers; what is painted there is no data
	Lines   []pen.Rect  // without width or without height: the axes, and the marks of ticks
	Numbers []Label
	Titles  [2]Title // titles of x and y, inside
}

// Title is where the title of an axis is written: the left end and the middle of its capitals. Room is how wide it may
// be with its note, which is left out where it is wider.
type Title struct{ X, Y, Room float64 }

// Margins returns what a frame takes of a viewport, for a camera that is to show something clear of it.
func Margins(scale float64) camera.Margins {
	return camera.Margins{Left: Left * scale, Bottom: Bottom * scale}
}

// Of lays out the axes of the rectangle of a map, of which the spans are seen. ok is false for one that is too small.
func Of(p pen.Pen, inside pen.Rect, x, y Axis, seenX, seenY Span) (f Frame, ok bool) {
	k := p.Scale()
	number := func(s string) float64 { return p.Width(pen.Caption, s) }
	wide, tall := inside.X1-inside.X0, inside.Y1-inside.Y0
	if wide < 2*titleSize*k || tall < 2*titleSize*k {
		return Frame{}, false
	}
	f.Strips = [2]pen.Rect{pen.Box(inside.X0-Left*k, inside.Y0, inside.X0, inside.Y1+Bottom*k),
		pen.Box(inside.X0, inside.Y1, inside.X1, inside.Y1+Bottom*k)}
	f.Lines = append(f.Lines, pen.Box(inside.X0, inside.Y0, inside.X0, inside.Y1),
		pen.Box(inside.X0, inside.Y1, inside.X1, inside.Y1))
	level := x.Ticks(seenX.Lo, seenX.Hi, wide, number)
	upright := y.Ticks(seenY.Lo, seenY.Hi, tall, func(string) float64 { return tickSize * k })
	if brief(upright, func(s string) bool { return number(s) > (Left-tickMark-gap-1)*k }) {
		brief(level, func(string) bool { return true }) // both axes are written alike
	}
	for _, t := range level {
		at := inside.X0 + t.Pos
		f.Lines = append(f.Lines, pen.Box(at, inside.Y1, at, inside.Y1+tickMark*k))
		if t.Text == "" {
			continue
		}
		left := min(at-t.Wide/2, inside.X1-t.Wide-edge*k) // the label at the end stays on the picture
		f.Numbers = append(f.Numbers, Label{left, inside.Y1 + (tickMark+gap+0.36*tickSize)*k, t.Text})
	}
	for _, t := range upright {
		at := inside.Y1 - t.Pos
		if at < inside.Y0+tickSize/2*k {
			continue // half of it would be above the map
		}
		f.Lines = append(f.Lines, pen.Box(inside.X0-tickMark*k, at, inside.X0, at))
		if t.Text == "" {
			continue
		}
		f.Numbers = append(f.Numbers, Label{inside.X0 - (tickMark+gap)*k - number(t.Text), at, t.Text})
	}
	side, deep := titleSide*k, titleDeep*k
	room := wide - 2*side
	f.Titles[1] = Title{inside.X0 + side, inside.Y0 + deep, room}
	w := p.Width(pen.Small, x.Title)
	if x.Note != "" {
		if full := w + p.Width(pen.Small, between+x.Note); full <= room {
			w = full
		}
	}
	f.Titles[0] = Title{inside.X1 - side - min(w, room), inside.Y1 - deep, room}
	return f, true
}

// In points: room for the titles of a frame that has them outside, above the map and below the numbers.
const (
	Over  = 16.0
	Under = 14.0
)

// Outside moves the titles from the map to where nothing lies: that of y above its axis, from left on, that of x below
// the numbers at its right end.
func (f *Frame) Outside(scale float64, inside pen.Rect, left float64) {
	x, y := &f.Titles[0], &f.Titles[1]
	x.X, x.Y = x.X+titleSide*scale, inside.Y1+(Bottom+Under/2)*scale
	y.X, y.Y = left, inside.Y0-Over/2*scale
}

// between a title and its note.
const between = "  "

// Ink is the colours of axes.
type Ink struct{ Line, Text, Dim, Halo color.NRGBA }

// Paint paints lines, numbers and titles; the strips are the caller's.
func (f *Frame) Paint(p pen.Pen, ink Ink, x, y Axis) {
	for _, r := range f.Lines {
		p.Fill(r, 0, ink.Line)
	}
	for _, l := range f.Numbers {
		p.Text(pen.Caption, l.X, l.Y, ink.Dim, l.Text)
	}
	for i, t := range f.Titles {
		a := []Axis{x, y}[i]
		title := pen.Shorten(p, pen.Small, a.Title, t.Room)
		p.Haloed(pen.Small, t.X, t.Y, ink.Text, ink.Halo, title)
		w := p.Width(pen.Small, title)
		if a.Note != "" && w+p.Width(pen.Small, between+a.Note) <= t.Room {
			p.Haloed(pen.Small, t.X+w, t.Y, ink.Dim, ink.Halo, between+a.Note)
		}
	}
}

// brief writes numbers with thousands as k, or millions as M, where one of them has no room, and says whether it has.
func brief(ticks []Tick, wide func(text string) bool) bool {
	most := 0.0
	values := make([]float64, len(ticks))
	for i, t := range ticks {
		if t.Text == "" {
			continue
		}
		x, err := strconv.ParseFloat(strings.ReplaceAll(strings.ReplaceAll(t.Text, ",", ""), "−", "-"), 64)
		if err != nil {
			return false // powers are short
		}
		values[i], most = x, max(most, math.Abs(x))
	}
	if most < 1000 || !slices.ContainsFunc(ticks, func(t Tick) bool { return wide(t.Text) }) {
		return false
	}
	unit, sign := 1e3, "k"
	if most >= 1e6 {
		unit, sign = 1e6, "M"
	}
	for i, x := range values {
		if x != 0 && ticks[i].Text != "" {
			text := strconv.FormatFloat(x/unit, 'f', -1, 64)
			ticks[i].Text = strings.ReplaceAll(text, "-", "−") + sign
		}
	}
	return true
}
