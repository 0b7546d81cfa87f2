package render

import (
	"image/color"
	"slices"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/base/matrix"
)

// Mark is what distinguishes a landmark, bits of one byte.
type Mark uint8

const (
	Hovered Mark = 1 << iota
	MarkSelected
	Pinned

	markKinds = 8
)

// LandmarkStyle is how landmarks look. Sizes are in points; Scale is pixels per point.
type LandmarkStyle struct {
	Theme   Theme
	Radius  float32 // radius of a plain landmark
	Opacity float32 // opacity of a plain landmark; the others stand out
	Scale   float32
}

// QuietLandmarks are landmarks that are not being worked on: faint dots.
func QuietLandmarks(t Theme, scale float32) LandmarkStyle {
	return LandmarkStyle{Theme: t, Radius: 2, Opacity: 0.35, Scale: scale}
}

// ActiveLandmarks are landmarks that can be grabbed.
func ActiveLandmarks(t Theme, scale float32) LandmarkStyle {
	return LandmarkStyle{Theme: t, Radius: 4, Opacity: 0.9, Scale: scale}
}

// marks holds what edges and landmarks need on the way to OpenGL.
type marks struct {
	vao, vbo         uint32 // landmarks
	edgeVAO, edgeVBO uint32
	cellVAO, cellVBO uint32
	data             []float32
	looks            [markKinds][4][4]float32
	style            LandmarkStyle // style that looks were made for
}

func (m *marks) free() {
	if m.vao != 0 {
		gl.DeleteVertexArrays(1, &m.vao)
		gl.DeleteBuffers(1, &m.vbo)
		gl.DeleteVertexArrays(1, &m.edgeVAO)
		gl.DeleteBuffers(1, &m.edgeVBO)
		gl.DeleteVertexArrays(1, &m.cellVAO)
		gl.DeleteBuffers(1, &m.cellVBO)
	}
	*m = marks{}
}

func (m *marks) make() {
	if m.vao != 0 {
		return
	}
	gl.GenVertexArrays(1, &m.vao)
	gl.GenBuffers(1, &m.vbo)
	gl.BindVertexArray(m.vao)
	gl.BindBuffer(gl.ARRAY_BUFFER, m.vbo)
	gl.VertexAttribPointerWithOffset(0, 4, gl.FLOAT, false, 16, 0)
	gl.EnableVertexAttribArray(0)
	gl.VertexAttribDivisor(0, 1)
	gl.GenVertexArrays(1, &m.edgeVAO)
	gl.GenBuffers(1, &m.edgeVBO)
	gl.BindVertexArray(m.edgeVAO)
	gl.BindBuffer(gl.ARRAY_BUFFER, m.edgeVBO)
	at := uintptr(0)
	for i, n := range [...]int32{3, 3, 4, 1} { // its ends, its colour, its width
		gl.VertexAttribPointerWithOffset(uint32(i), n, gl.FLOAT, false, 4*lineFloats, at)
		gl.EnableVertexAttribArray(uint32(i))
		gl.VertexAttribDivisor(uint32(i), 1)
		at += uintptr(4 * n)
	}
	m.makeCells()
	gl.BindVertexArray(0)
	gl.BindBuffer(gl.ARRAY_BUFFER, 0)
}

func vec(c color.NRGBA, opacity float32) [4]float32 {
	return [4]float32{float32(c.R) / 255, float32(c.G) / 255, float32(c.B) / 255, float32(c.A) / 255 * opacity}
}

// makeLooks decides how each kind of landmark looks: fill, outline, mark, then radius, width of the
// outline, radius of the mark and radius of the halo. A selected one is larger and in the accent
// colour, a hovered one has a halo, a pinned one a dot in its middle.
func (m *marks) makeLooks(s LandmarkStyle) {
	if m.style == s {
		return
	}
	m.style = s
	t := s.Theme
	for i := range m.looks {
		kind := Mark(i)
		radius, fill, outline := s.Radius, vec(t.Landmark, s.Opacity), vec(t.LandmarkOutline, s.Opacity)
		dot, mark, halo := float32(0), vec(t.LandmarkOutline, 1), float32(0)
		width := min(s.Radius*0.35, 1.25)
		if kind != 0 {
			radius = max(s.Radius, 3)
			width = 1.25
			fill, outline = vec(t.Landmark, 1), vec(t.LandmarkOutline, 1)
		}
		if kind&MarkSelected != 0 {
			radius += 1
			fill = vec(t.Accent, 1)
		}
		if kind&Pinned != 0 {
			radius += 0.5
			dot = radius * 0.42
		}
		if kind&Hovered != 0 {
			radius += 1
			halo = radius + 5
			outline = vec(t.Accent, 1)
			if kind&MarkSelected != 0 {
				fill = vec(t.Accent, 1)
			}
		}
		m.looks[i] = [4][4]float32{fill, outline, mark,
			{radius * s.Scale, width * s.Scale, dot * s.Scale, halo * s.Scale}}
	}
}

// LandmarkReach returns how far from its middle a landmark of the style with those marks is painted,
// without its halo, in pixels; a caller places names beside it.
func LandmarkReach(s LandmarkStyle, kind Mark) float32 {
	var m marks
	m.makeLooks(s)
	shape := m.looks[kind%markKinds][3]
	return shape[0] + shape[1]
}

// DrawLandmarks draws landmarks over the picture of the last Resolve. pos is g x 2 or g x 3; kinds
// holds g marks, or is nil. Plain ones are drawn first, the hovered ones last. NaN positions are left out.
func (l *Layer) DrawLandmarks(pos matrix.Matrix32, kinds []Mark, s LandmarkStyle) {
	if l.result.tex == 0 || pos.Cols < 2 || pos.Rows == 0 {
		return
	}
	m := &l.marks
	m.make()
	m.makeLooks(s)
	m.data = m.data[:0]
	for pass := range 4 {
		for i := range pos.Rows {
			kind := Mark(0)
			if i < len(kinds) {
				kind = kinds[i] % markKinds
			}
			if kind.order() != pass {
				continue
			}
			row := pos.Row(i)
			z := float32(0)
			if len(row) > 2 {
				z = row[2]
			}
			if row[0] != row[0] || row[1] != row[1] || z != z {
				continue
			}
			m.data = append(m.data, row[0], row[1], z, float32(kind))
		}
	}
	if len(m.data) == 0 {
		return
	}
	p := &l.r.programs.landmarks
	l.beginMarks(p, m.vao, m.vbo)
	gl.Uniform4fv(p.at("looks"), 4*markKinds, &m.looks[0][0][0])
	gl.DrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, int32(len(m.data)/4))
	doneDrawing()
}

// order returns the pass in which landmarks of a kind are drawn.
func (k Mark) order() int {
	switch {
	case k&Hovered != 0:
		return 3
	case k&MarkSelected != 0:
		return 2
	case k&Pinned != 0:
		return 1
	}
	return 0
}

// Edge is a line between two landmarks. Width is in points.
type Edge struct {
	A, B   int32
	Colour color.NRGBA
	Width  float32
}

// Lines are lines over the points of a map.
type Lines struct {
	Places matrix.Matrix32 // n x 2 or n x 3
	Edges  []Edge          // between rows of Places; later ones lie on top
}

// And returns these lines and more, which lie on top. Lines of a flat map and of one in 3D do not go together: then
// they are the first.
func (l Lines) And(more Lines) Lines {
	switch {
	case len(l.Edges) == 0:
		return more
	case len(more.Edges) == 0 || l.Places.Cols != more.Places.Cols:
		return l
	}
	n := int32(l.Places.Rows)
	out := Lines{Edges: slices.Clone(l.Edges), Places: matrix.Matrix32{Rows: l.Places.Rows + more.Places.Rows,
		Cols: l.Places.Cols, Data: slices.Concat(l.Places.Data, more.Places.Data)}}
	for _, e := range more.Edges {
		e.A, e.B = e.A+n, e.B+n
		out.Edges = append(out.Edges, e)
	}
	return out
}

// PlainEdges are edges that say no more than what joins which.
func PlainEdges(pairs [][2]int32, t Theme) []Edge {
	out := make([]Edge, len(pairs))
	for i, p := range pairs {
		out[i] = Edge{A: p[0], B: p[1], Colour: t.Edge, Width: 1}
	}
	return out
}

// DrawEdges draws lines between landmarks over the picture of the last Resolve, later ones on top; call it before
// DrawLandmarks. Edges of landmarks that pos does not have are left out. scale is pixels per point.
func (l *Layer) DrawEdges(pos matrix.Matrix32, edges []Edge, scale float32) {
	if l.result.tex == 0 || pos.Cols < 2 || len(edges) == 0 {
		return
	}
	m := &l.marks
	m.make()
	m.data = m.data[:0]
	for _, e := range edges {
		if min(e.A, e.B) < 0 || int(max(e.A, e.B)) >= pos.Rows {
			continue
		}
		a, b := pos.Row(int(e.A)), pos.Row(int(e.B))
		var za, zb float32
		if pos.Cols > 2 {
			za, zb = a[2], b[2]
		}
		m.line(a[0], a[1], za, b[0], b[1], zb, e.Colour, e.Width*scale)
	}
	l.drawLines()
}

// line puts a line into m.data, unless an end has no place.
func (m *marks) line(x0, y0, z0, x1, y1, z1 float32, colour color.NRGBA, width float32) {
	if x0 != x0 || y0 != y0 || z0 != z0 || x1 != x1 || y1 != y1 || z1 != z1 {
		return
	}
	c := vec(colour, 1)
	m.data = append(m.data, x0, y0, z0, x1, y1, z1, c[0], c[1], c[2], c[3], width)
}

// lineFloats is how many numbers of marks.data a line has.
const lineFloats = 11

// drawLines draws the lines in marks.data.
func (l *Layer) drawLines() {
	m, p := &l.marks, &l.r.programs.edges
	if len(m.data) == 0 {
		return
	}
	l.beginMarks(p, m.edgeVAO, m.edgeVBO)
	gl.DrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, int32(len(m.data)/lineFloats))
	doneDrawing()
}

// beginMarks sends m.data and sets everything up to the draw call.
func (l *Layer) beginMarks(p *program, vao, vbo uint32) {
	l.marked = true
	gl.BindBuffer(gl.ARRAY_BUFFER, vbo)
	gl.BufferData(gl.ARRAY_BUFFER, 4*len(l.marks.data), unsafe.Pointer(&l.marks.data[0]), gl.STREAM_DRAW)
	gl.BindBuffer(gl.ARRAY_BUFFER, 0)
	gl.BindFramebuffer(gl.FRAMEBUFFER, l.result.fb)
	gl.Viewport(0, 0, int32(l.w), int32(l.h))
	stateForDrawing()
	gl.BlendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
	gl.UseProgram(p.id)
	setCamera(p, &l.proj, 0)
	gl.BindVertexArray(vao)
}
