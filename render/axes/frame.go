package axes

import "blossom/render/camera"

// Rect is a rectangle in pixels.
type Rect struct{ X0, Y0, X1, Y1 float64 }

// Measure is how wide texts are, in pixels.
type Measure struct {
	Scale         float64 // pixels per point of length
	Number, Title func(text string) float64
}

// Label is a text: its left end, and the middle of its capitals.
type Label struct {
	X, Y float64
	Text string
}

// Frame is two axes at the left and the bottom of a map, as data that a window and a picture paint.
type Frame struct {
	Strips  [2]Rect // beside the map, for the numbers; what is painted there is no data
	Lines   []Rect  // without width or without height: the axes, and the marks of ticks
	Numbers []Label
	Titles  [2]Title // of x and y, inside
}

// Title is where the title of an axis is written: the left end and the middle of its capitals. Room is how wide it may
// be with its note, which is left out where it is wider.
type Title struct{ X, Y, Room float64 }

// Margins returns what a frame takes of a viewport, for a camera that is to show something clear of it.
func Margins(scale float64) camera.Margins {
	return camera.Margins{Left: Left * scale, Bottom: Bottom * scale}
}

// Of lays out the axes of the rectangle of a map, of which the spans are seen. ok is false for one that is too small.
func Of(inside Rect, x, y Axis, seenX, seenY Span, m Measure) (f Frame, ok bool) {
	k := m.Scale
	wide, tall := inside.X1-inside.X0, inside.Y1-inside.Y0
	if wide < 2*titleSize*k || tall < 2*titleSize*k {
		return Frame{}, false
	}
	f.Strips = [2]Rect{{inside.X0 - Left*k, inside.Y0, inside.X0, inside.Y1 + Bottom*k},
		{inside.X0, inside.Y1, inside.X1, inside.Y1 + Bottom*k}}
	f.Lines = append(f.Lines, Rect{inside.X0, inside.Y0, inside.X0, inside.Y1},
		Rect{inside.X0, inside.Y1, inside.X1, inside.Y1})
	for _, t := range x.Ticks(seenX.Lo, seenX.Hi, wide, m.Number) {
		at := inside.X0 + t.Pos
		f.Lines = append(f.Lines, Rect{at, inside.Y1, at, inside.Y1 + tickMark*k})
		left := min(at-t.Wide/2, inside.X1-t.Wide) // that at the end stays on the picture
		f.Numbers = append(f.Numbers, Label{left, inside.Y1 + (tickMark+gap+0.36*tickSize)*k, t.Text})
	}
	for _, t := range y.Ticks(seenY.Lo, seenY.Hi, tall, func(string) float64 { return tickSize * k }) {
		at := inside.Y1 - t.Pos
		if at < inside.Y0+tickSize/2*k {
			continue // half of it would be above the map
		}
		f.Lines = append(f.Lines, Rect{inside.X0 - tickMark*k, at, inside.X0, at})
		f.Numbers = append(f.Numbers, Label{inside.X0 - (tickMark+gap)*k - m.Number(t.Text), at, t.Text})
	}
	room := wide - 2*gap*k
	half := 0.36 * titleSize * k
	f.Titles[1] = Title{inside.X0 + 2*gap*k, inside.Y0 + gap*k + half, room}
	w := m.Title(x.Title)
	if x.Note != "" {
		if full := w + m.Title(between+x.Note); full <= room {
			w = full
		}
	}
	f.Titles[0] = Title{inside.X1 - gap*k - min(w, room), inside.Y1 - 1.5*gap*k - half, room}
	return f, true
}

// between a title and its note.
const between = "  "
