package render

import (
	"image/color"
	"math"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/render/camera"
)

// Segment is a line in the world that lies behind the points. Width is in points of length.
type Segment struct {
	From, To camera.Vec
	Colour   color.NRGBA
	Width    float32
}

// AxisEnd is where the name of an axis of a box belongs: the pixel of its end, and the direction on the screen,
// of length 1, that leads away from the box.
type AxisEnd struct {
	X, Y, DX, DY float64
	Seen         bool
}

// Axes3D appends the lines of the box around a cloud to dst, and returns where its axes end. The axes are the
// three edges that meet in the corner farthest from the eye. Edges between two sides that face the eye are left
// out: they would seem to lie on the points.
func Axes3D(dst []Segment, b camera.Bounds, cam *camera.Orbit, t Theme) (lines []Segment, ends [3]AxisEnd) {
	eye := cam.Eye().At
	lo, hi := [3]float64{b.Min.X, b.Min.Y, b.Min.Z}, [3]float64{b.Max.X, b.Max.Y, b.Max.Z}
	at := [3]float64{eye.X, eye.Y, eye.Z}
	corner := func(sides [3]bool) camera.Vec {
		var p [3]float64
		for k := range p {
			if p[k] = lo[k]; sides[k] {
				p[k] = hi[k]
			}
		}
		return camera.Vec{X: p[0], Y: p[1], Z: p[2]}
	}
	var far [3]bool // the side of each pair that is farther from the eye
	for k := range far {
		far[k] = at[k] < lo[k]/2+hi[k]/2
	}
	faces := func(k int, upper bool) bool { // the side looks towards the eye
		if upper {
			return at[k] > hi[k]
		}
		return at[k] < lo[k]
	}
	for k := range 3 {
		if !(hi[k] > lo[k]) {
			continue
		}
		i, j := (k+1)%3, (k+2)%3
		for n := range 4 {
			var sides [3]bool
			sides[i], sides[j] = n&1 != 0, n&2 != 0
			if faces(i, sides[i]) && faces(j, sides[j]) {
				continue
			}
			s := Segment{Colour: t.Line, Width: 1}
			if sides[i] == far[i] && sides[j] == far[j] {
				s.Colour, s.Width = t.TextDim, 1.25
			}
			s.From = corner(sides)
			sides[k] = true
			s.To = corner(sides)
			dst = append(dst, s)
		}
	}
	start := corner(far)
	x0, y0, ok := cam.ScreenFromWorld(start)
	for k := range ends {
		sides := far
		sides[k] = !far[k]
		x, y, seen := cam.ScreenFromWorld(corner(sides))
		d := math.Hypot(x-x0, y-y0)
		if !seen || !ok || !(d > 0.5) {
			continue // it points at the eye
		}
		ends[k] = AxisEnd{X: x, Y: y, DX: (x - x0) / d, DY: (y - y0) / d, Seen: true}
	}
	return dst, ends
}

// Behind sets the lines that lie behind the points of the picture under construction, until the next Begin;
// scale is pixels per point of length. They show after Resolve.
func (l *Layer) Behind(lines []Segment, scale float32) {
	l.behind.segments, l.behind.scale = append(l.behind.segments[:0], lines...), scale
	l.drawn = true
}

// drawBehind draws what lies behind the points on the ground of the result.
func (l *Layer) drawBehind(ground color.NRGBA) {
	gl.BindFramebuffer(gl.FRAMEBUFFER, l.result.fb)
	gl.Disable(gl.SCISSOR_TEST)
	gl.ColorMask(true, true, true, true)
	g := premultiplied(ground)
	gl.ClearColor(g[0], g[1], g[2], g[3])
	gl.Clear(gl.COLOR_BUFFER_BIT)
	l.drawBackdrop()
	m := &l.marks
	m.make()
	l.drawCells()
	m.data = m.data[:0]
	for i := range l.behind.segments {
		s := &l.behind.segments[i]
		m.line(float32(s.From.X), float32(s.From.Y), float32(s.From.Z), float32(s.To.X), float32(s.To.Y),
			float32(s.To.Z), s.Colour, s.Width*l.behind.scale)
	}
	l.drawLines()
}
