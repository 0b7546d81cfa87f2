package axes

import (
	"math"

	"blossom/render/camera"
	"blossom/render/pen"
	"blossom/render/text"
)

// Place returns the pixel of a world point; ok is false where it has none.
type Place func(p camera.Vec) (x, y float64, ok bool)

// Edge is the side of a box that an axis is shown on: along one coordinate, from its low to its high end.
type Edge struct{ From, To camera.Vec }

// At returns the point of the edge at the share t of its way.
func (e Edge) At(t float64) camera.Vec {
	return camera.Vec{X: e.From.X + t*(e.To.X-e.From.X), Y: e.From.Y + t*(e.To.Y-e.From.Y),
		Z: e.From.Z + t*(e.To.Z-e.From.Z)}
}

// Edges chooses a side of the box for each of the three axes: of those at its outline, where they hide nothing that is
// in the box, the lowest on screen, and of upright ones the leftmost. Where the box is seen along an axis, none is at
// the outline, and it is the lowest of all. ok is false where a corner has no pixel: the eye is in the box.
func Edges(box camera.Bounds, place Place) (edges [3]Edge, ok bool) {
	var pixel [8][2]float64
	for i := range pixel {
		x, y, seen := place(corner(box, i))
		if !seen {
			return edges, false
		}
		pixel[i] = [2]float64{x, y}
	}
	for axis := range 3 {
		best, atOutline := math.Inf(-1), false
		for i := range 8 {
			if i>>axis&1 == 1 {
				continue
			}
			a, b := pixel[i], pixel[i|1<<axis]
			dx, dy := b[0]-a[0], b[1]-a[1]
			outline, length := true, math.Hypot(dx, dy)
			for side, j := 0.0, 0; j < 8 && outline; j++ {
				s := dx*(pixel[j][1]-a[1]) - dy*(pixel[j][0]-a[0])
				if math.Abs(s) <= 1e-6*length*length {
					continue
				}
				outline = side == 0 || side > 0 == (s > 0)
				side = s
			}
			if atOutline && !outline {
				continue
			}
			low := a[1] + b[1]
			if math.Abs(dy) > 2*math.Abs(dx) {
				low = -a[0] - b[0]
			}
			if low > best || outline && !atOutline {
				best, atOutline = low, outline
				edges[axis] = Edge{corner(box, i), corner(box, i|1<<axis)}
			}
		}
	}
	return edges, true
}

// corner returns a corner of the box: bit c of i chooses the high end of coordinate c.
func corner(b camera.Bounds, i int) camera.Vec {
	v := b.Min
	if i&1 != 0 {
		v.X = b.Max.X
	}
	if i&2 != 0 {
		v.Y = b.Max.Y
	}
	if i&4 != 0 {
		v.Z = b.Max.Z
	}
	return v
}

// Around is the room in points that numbers and titles take around a box.
const Around = 30.0

// DrawBox paints three axes at the outline of a box in a picture of a size, with numbers and titles on the outside.
func DrawBox(c pen.Canvas, size pen.Rect, k Look, axes [3]Axis, box camera.Bounds, place Place) {
	edges, ok := Edges(box, place)
	if !ok {
		return
	}
	mx, my, ok := place(camera.Vec{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2,
		Z: (box.Min.Z + box.Max.Z) / 2})
	if !ok {
		return
	}
	number := text.Line{Size: tickSize * k.Scale}
	above, _ := k.Fonts.Heights(number)
	for i, e := range edges {
		x0, y0, _ := place(e.From)
		x1, y1, _ := place(e.To)
		length := math.Hypot(x1-x0, y1-y0)
		if length < 3*titleSize*k.Scale {
			continue
		}
		c.Stroke([][]pen.Spot{{{X: x0, Y: y0}, {X: x1, Y: y1}}}, k.Scale, k.Line)
		// Outwards, square to the edge.
		ox, oy := (y1-y0)/length, (x0-x1)/length
		if ox*((x0+x1)/2-mx)+oy*((y0+y1)/2-my) < 0 {
			ox, oy = -ox, -oy
		}
		span := [3]Span{{box.Min.X, box.Max.X}, {box.Min.Y, box.Max.Y}, {box.Min.Z, box.Max.Z}}[i]
		widest := 0.0
		// Texts stand upright beside a slanting edge.
		along := func(s string) float64 {
			return (k.Fonts.Width(number, s)*math.Abs(oy) + 2*tickSize*k.Scale*math.Abs(ox))
		}
		for _, t := range axes[i].Ticks(span.Lo, span.Hi, length, along) {
			x, y, ok := place(e.At((t.At - span.Lo) / (span.Hi - span.Lo)))
			if !ok {
				continue
			}
			c.Stroke([][]pen.Spot{{{X: x, Y: y}, {X: x + ox*tickMark*k.Scale, Y: y + oy*tickMark*k.Scale}}}, k.Scale,
				k.Line)
			far := (tickMark + gap) * k.Scale
			w := k.Fonts.Width(number, t.Text)
			widest = max(widest, w)
			// The text stands clear of the edge on the side that it is on.
			c.Write(number, x+ox*far-w/2+ox*w/2, y+oy*far+above/2+oy*above/2, k.TextDim,
				pen.Rim{Ink: k.Halo, Width: 1.4 * k.Scale}, t.Text)
		}
		w := k.Width(axes[i])
		far := (tickMark+2*gap+tickSize*math.Abs(oy))*k.Scale + widest*math.Abs(ox)
		x, y := (x0+x1)/2+ox*(far+w/2*math.Abs(ox)), (y0+y1)/2+oy*far
		room := size.W() - 2*gap*k.Scale
		x = min(max(x-w/2, gap*k.Scale), max(gap*k.Scale, room-w))
		above, below := k.Fonts.Heights(text.Line{Size: titleSize * k.Scale})
		y = min(max(y+above, above+gap*k.Scale), size.H()-below-gap*k.Scale)
		k.Title(c, axes[i], x, y, room)
	}
}
