package render

import (
	"image/color"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/matrix"
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
	Radius  float32 // of a plain landmark
	Opacity float32 // of a plain landmark; the others stand out
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
	data             []float32
	looks            [markKinds][4][4]float32
	style            LandmarkStyle // that looks were made for
}

func (m *marks) free() {
	if m.vao != 0 {
		gl.DeleteVertexArrays(1, &m.vao)
		gl.DeleteBuffers(1, &m.vbo)
		gl.DeleteVertexArrays(1, &m.edgeVAO)
		gl.DeleteBuffers(1, &m.edgeVBO)
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
	for i := range uint32(2) {
		gl.VertexAttribPointerWithOffset(i, 3, gl.FLOAT, false, 24, uintptr(12*i))
		gl.EnableVertexAttribArray(i)
		gl.VertexAttribDivisor(i, 1)
	}
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

// EdgeStyle is how edges look. Width is in points; Scale is pixels per point.
type EdgeStyle struct {
	Colour color.NRGBA
	Width  float32
	Scale  float32
}

// DrawEdges draws lines between landmarks, given by their indexes, over the picture of the last
// Resolve; call it before DrawLandmarks. Edges with an index that pos does not have are left out.
func (l *Layer) DrawEdges(pos matrix.Matrix32, edges [][2]int32, s EdgeStyle) {
	if l.result.tex == 0 || pos.Cols < 2 || len(edges) == 0 {
		return
	}
	m := &l.marks
	m.make()
	m.data = m.data[:0]
	for _, e := range edges {
		if min(e[0], e[1]) < 0 || int(max(e[0], e[1])) >= pos.Rows {
			continue
		}
		start := len(m.data)
		for _, i := range e {
			row := pos.Row(int(i))
			z := float32(0)
			if len(row) > 2 {
				z = row[2]
			}
			m.data = append(m.data, row[0], row[1], z)
		}
		for _, x := range m.data[start:] {
			if x != x {
				m.data = m.data[:start]
				break
			}
		}
	}
	if len(m.data) == 0 {
		return
	}
	l.drawLines(s.Colour, s.Width*s.Scale)
}

// drawLines draws lines between the pairs of places in marks.data, width pixels wide.
func (l *Layer) drawLines(colour color.NRGBA, width float32) {
	m, p := &l.marks, &l.r.programs.edges
	l.beginMarks(p, m.edgeVAO, m.edgeVBO)
	c := vec(colour, 1)
	gl.Uniform4f(p.at("colour"), c[0], c[1], c[2], c[3])
	gl.Uniform1f(p.at("width"), width)
	gl.DrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, int32(len(m.data)/6))
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
