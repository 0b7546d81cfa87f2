package render

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/render/camera"
	"blossom/render/palette"
	"blossom/render/pen"
	"blossom/render/splat"
)

// Patches, lines and landmarks, which OpenGL draws on a window, are painted with a pen in a picture for a file. They
// have the same places, sizes and colours.

// MostShapes is how many points a picture paints one by one at most.
const MostShapes = 50_000

// checkShapes says whether so many points, and those of each picture within it, can be painted one by one.
func (j *PictureJob) checkShapes(seen int) error {
	if !j.o.Bare && seen > MostShapes {
		return problem.New("", "draw the points as pixels, or fewer of them",
			"%d points are too many to be drawn as shapes: at most 50,000 are", seen)
	}
	for i := range j.o.Tiles {
		within := PictureJob{o: j.o.Tiles[i].Picture}
		if err := within.checkShapes(within.o.seen()); err != nil {
			return err
		}
	}
	return nil
}

// below paints the ground and what lies under the points.
func (j *PictureJob) below() {
	o, area := &j.o, rectOf(j.frame.area)
	if !o.Transparent {
		j.canvas.Fill(o.whole(), 0, o.Theme.Background)
	}
	cut := area
	if !j.frame.axes.Empty() { // beside the frame there is no data
		cut.X0, cut.Y1 = float64(j.frame.axes.Min.X), float64(j.frame.axes.Max.Y)
	}
	m := &j.mapped
	var end func()
	m.canvas, end = j.canvas.Part(pen.Spot{X: area.X0, Y: area.Y0}, cut)
	m.ends = append(m.ends, end)
	group(m.canvas, "density", o.Backdrop != nil, j.backdrop)
	group(m.canvas, "cells", len(o.Cells) > 0, j.cells)
	group(m.canvas, "box", len(j.cube) > 0, func() {
		s := strokes{job: j}
		for _, l := range j.cube {
			s.add(row(l.From), row(l.To), l.Colour, l.Width)
		}
		s.flush()
	})
	m.ends = append(m.ends, m.canvas.Group("points"))
}

// pointsOf takes the picture of points of a tile of the map.
func (j *PictureJob) pointsOf(x, y int, part *image.RGBA) {
	m, area := &j.mapped, j.frame.area
	at := image.Rectangle{Max: part.Rect.Size()}.Add(image.Pt(x, y))
	switch {
	case !m.canvas.Seams() || part.Rect.Size() == area.Size():
		m.canvas.Picture(rectOf(at), part)
		return
	case m.points == nil:
		m.points = image.NewRGBA(image.Rect(0, 0, area.Dx(), area.Dy()))
	}
	draw.Draw(m.points, at, part, part.Rect.Min, draw.Src)
	if at.Max == m.points.Rect.Max {
		m.canvas.Picture(rectOf(m.points.Rect), m.points)
		m.points = nil
	}
}

// above paints what lies over the points, and ends what is of the map.
func (j *PictureJob) above() {
	o, m := &j.o, &j.mapped
	if o.Shapes && o.Points != nil && !o.Bare && !j.counts.on {
		j.discs()
	}
	last := len(m.ends) - 1
	m.ends[last]()
	m.ends = m.ends[:last]
	group(m.canvas, "lines", len(o.Lines.Edges) > 0, func() { j.edges(o.Lines.Places, o.Lines.Edges) })
	if !o.Landmarks.Empty() {
		group(m.canvas, "edges", len(o.Edges) > 0, func() { j.edges(o.Landmarks, o.Edges) })
		group(m.canvas, "landmarks", true, j.landmarks)
	}
	for _, end := range m.ends {
		end()
	}
	m.ends = nil
}

// discs paints the points one by one.
func (j *PictureJob) discs() {
	o := &j.o
	var table palette.Table
	o.Style.Colouring.Fill(&table)
	p := o.Points.splatPoints(o.Values, o.States)
	for _, d := range splat.Discs(p, j.proj, splat.Style{Size: o.Style.Size, Opacity: o.Style.Opacity, Table: &table,
		Lookup: o.Style.Colouring.Lookup(), DimUnselected: o.Style.DimUnselected, Ground: o.Style.Ground}) {
		j.mapped.canvas.Ring(pen.Spot{X: d.X, Y: d.Y}, 0, d.Radius, d.Colour)
	}
}

// cells paints the patches, each clear of its outline.
func (j *PictureJob) cells() {
	gap := cellGap * j.o.Scale
	room := j.room(4)
	for i := range j.o.Cells {
		c := &j.o.Cells[i]
		var corners []pen.Spot
		for k := 0; k+1 < len(c.Outline); k += 2 {
			x, y, ok := pixelOf(&j.proj, c.Outline[k:k+2])
			if !ok {
				corners = nil
				break
			}
			corners = append(corners, pen.Spot{X: x, Y: y})
		}
		if corners = within(shrunk(corners, gap), room); len(corners) > 2 {
			j.mapped.canvas.Polygon(corners, c.Colour)
		}
	}
}

// room is the rectangle of the map, and so many pixels around it.
func (j *PictureJob) room(more float64) pen.Rect {
	return pen.Box(-more, -more, float64(j.frame.area.Dx())+more, float64(j.frame.area.Dy())+more)
}

// half is what of an outline lies on the side of a line through a place that n points to. The outline bends one way.
func half(corners []pen.Spot, at, n pen.Spot) (out []pen.Spot) {
	side := func(p pen.Spot) float64 { return (p.X-at.X)*n.X + (p.Y-at.Y)*n.Y }
	for i, p := range corners {
		q := corners[(i+1)%len(corners)]
		a, b := side(p), side(q)
		if a >= 0 {
			out = append(out, p)
		}
		if a > 0 && b < 0 || a < 0 && b > 0 {
			t := a / (a - b)
			out = append(out, pen.Spot{X: p.X + t*(q.X-p.X), Y: p.Y + t*(q.Y-p.Y)})
		}
	}
	return out
}

// shrunk is an outline that bends one way, with its sides moved inwards.
func shrunk(corners []pen.Spot, by float64) []pen.Spot {
	area := 0.0
	for i, p := range corners {
		q := corners[(i+1)%len(corners)]
		area += p.X*q.Y - q.X*p.Y
	}
	out := corners
	for i, p := range corners {
		q := corners[(i+1)%len(corners)]
		d := math.Hypot(q.X-p.X, q.Y-p.Y)
		if d < 1e-6 {
			continue
		}
		n := pen.Spot{X: -(q.Y - p.Y) / d, Y: (q.X - p.X) / d} // inwards where the area is positive
		if area < 0 {
			n.X, n.Y = -n.X, -n.Y
		}
		out = half(out, pen.Spot{X: p.X + by*n.X, Y: p.Y + by*n.Y}, n)
	}
	return out
}

// within is what of an outline lies in a rectangle.
func within(corners []pen.Spot, r pen.Rect) []pen.Spot {
	for _, side := range [4][2]pen.Spot{{{X: r.X0}, {X: 1}}, {{X: r.X1}, {X: -1}}, {{Y: r.Y0}, {Y: 1}},
		{{Y: r.Y1}, {Y: -1}}} {
		corners = half(corners, side[0], side[1])
	}
	return corners
}

// edges paints lines between places, later ones on top.
func (j *PictureJob) edges(places matrix.Matrix32, edges []Edge) {
	s := strokes{job: j}
	for _, e := range edges {
		if min(e.A, e.B) >= 0 && int(max(e.A, e.B)) < places.Rows {
			s.add(places.Row(int(e.A)), places.Row(int(e.B)), e.Colour, e.Width)
		}
	}
	s.flush()
}

// strokes gathers lines that follow each other and look alike into one. Translucent ones are painted one by one, as
// they show through each other.
type strokes struct {
	job    *PictureJob
	lines  [][]pen.Spot
	places int
	colour color.NRGBA
	width  float32 // points
}

// mostPlaces is how many places a line of a file has at most: some programs are slow at longer ones.
const mostPlaces = 4000

// add adds a line between two places of the map.
func (s *strokes) add(a, b []float32, colour color.NRGBA, width float32) {
	j := s.job
	p, q, ok := lineOn(&j.proj, a, b)
	if !ok {
		return
	}
	p, q, ok = cutLine(p, q, j.room(2*float64(width)*j.o.Scale+2))
	if !ok {
		return
	}
	if colour != s.colour || width != s.width || colour.A < 255 || s.places > mostPlaces {
		s.flush()
		s.colour, s.width = colour, width
	}
	s.places++
	if n := len(s.lines) - 1; n >= 0 {
		if l := s.lines[n]; l[len(l)-1] == p {
			s.lines[n] = append(l, q)
			return
		}
	}
	s.lines = append(s.lines, []pen.Spot{p, q})
}

// flush paints what has been gathered.
func (s *strokes) flush() {
	if len(s.lines) > 0 {
		s.job.mapped.canvas.Stroke(s.lines, float64(s.width)*s.job.o.Scale, s.colour)
	}
	s.lines, s.places = nil, 0
}

// lineOn is where drawing puts a line of the map; what of it lies behind the eye is left out.
func lineOn(p *camera.Projection, a, b []float32) (from, to pen.Spot, ok bool) {
	u, v := clipOf(p, a), clipOf(p, b)
	near := float64(p.Reference) * 1e-3
	if p.Reference > 0 {
		if !(u[3] > near) && !(v[3] > near) {
			return from, to, false
		}
		if !(u[3] > near) {
			u = towards(v, u, (v[3]-near)/(v[3]-u[3])*0.999)
		}
		if !(v[3] > near) {
			v = towards(u, v, (u[3]-near)/(u[3]-v[3])*0.999)
		}
	}
	place := func(c [4]float64) pen.Spot {
		return pen.Spot{X: (c[0]/c[3] + 1) / 2 * float64(p.W), Y: (c[1]/c[3] + 1) / 2 * float64(p.H)}
	}
	from, to = place(u), place(v)
	return from, to, from.X-from.X+from.Y-from.Y+to.X-to.X+to.Y-to.Y == 0
}

// towards is the place at a share of the way from one to another.
func towards(a, b [4]float64, t float64) (c [4]float64) {
	for i := range c {
		c[i] = a[i] + t*(b[i]-a[i])
	}
	return c
}

// cutLine is what of a line lies in a rectangle.
func cutLine(p, q pen.Spot, r pen.Rect) (pen.Spot, pen.Spot, bool) {
	t0, t1 := 0.0, 1.0
	dx, dy := q.X-p.X, q.Y-p.Y
	for _, side := range [4][2]float64{{-dx, p.X - r.X0}, {dx, r.X1 - p.X}, {-dy, p.Y - r.Y0}, {dy, r.Y1 - p.Y}} {
		d, room := side[0], side[1]
		switch {
		case d == 0 && room < 0:
			return p, q, false
		case d < 0:
			t0 = max(t0, room/d)
		case d > 0:
			t1 = min(t1, room/d)
		}
	}
	if t0 > t1 {
		return p, q, false
	}
	from, to := p, q
	if t0 > 0 {
		from = pen.Spot{X: p.X + t0*dx, Y: p.Y + t0*dy}
	}
	if t1 < 1 {
		to = pen.Spot{X: p.X + t1*dx, Y: p.Y + t1*dy}
	}
	return from, to, true
}

// landmarks paints the landmarks, plain ones first and hovered ones last.
func (j *PictureJob) landmarks() {
	o, c := &j.o, j.mapped.canvas
	var m marks
	m.makeLooks(o.LandmarkStyle)
	ink := func(v [4]float32) color.NRGBA {
		b := func(x float32) uint8 { return uint8(x*255 + 0.5) }
		return color.NRGBA{b(v[0]), b(v[1]), b(v[2]), b(v[3])}
	}
	for pass := range 4 {
		for i := range o.Landmarks.Rows {
			kind := Mark(0)
			if i < len(o.Marks) {
				kind = o.Marks[i] % markKinds
			}
			if kind.order() != pass {
				continue
			}
			x, y, ok := pixelOf(&j.proj, o.Landmarks.Row(i))
			look := &m.looks[kind]
			radius, line := float64(look[3][0]), float64(look[3][1])
			dot, halo := float64(look[3][2]), float64(look[3][3])
			if r := j.room(radius + line + halo); !ok || x < r.X0 || x > r.X1 || y < r.Y0 || y > r.Y1 {
				continue
			}
			at := pen.Spot{X: x, Y: y}
			if halo > 0 {
				faint := look[1]
				faint[3] *= 0.25
				c.Ring(at, 0, halo, ink(faint))
			}
			if line > 0 {
				c.Ring(at, radius, radius+line, ink(look[1]))
			}
			c.Ring(at, 0, radius, ink(look[0]))
			if dot > 0 {
				c.Ring(at, 0, dot, ink(look[2]))
			}
		}
	}
}

// row is a place of the world as positions have it.
func row(v camera.Vec) []float32 { return []float32{float32(v.X), float32(v.Y), float32(v.Z)} }
