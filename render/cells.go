package render

import (
	"image/color"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// Cell is a patch of a flat map, behind its points.
type Cell struct {
	X, Y    float32   // its middle
	Outline []float32 // x and y of its corners, in order around the middle, which sees all of them
	Colour  color.NRGBA
}

// cellFloats is how many numbers of marks.data a corner has: place, colour, how far inside.
const cellFloats = 8

// cellGap is how far, in points, a patch stays clear of its outline, so that neighbours can be told apart.
const cellGap = 0.5

// BehindCells sets the patches that lie behind the points of the picture under construction, until the next Begin;
// scale is pixels per point of length. They show after Resolve.
func (l *Layer) BehindCells(cells []Cell, scale float32) {
	l.behind.cells, l.behind.scale, l.drawn = l.behind.cells[:0], scale, true
	for i := range cells {
		c := &cells[i]
		ink := vec(c.Colour, 1)
		put := func(x, y, inner float32) {
			l.behind.cells = append(l.behind.cells, x, y, 0, ink[0], ink[1], ink[2], ink[3], inner)
		}
		n := len(c.Outline)
		for j := 0; j+1 < n; j += 2 {
			// The middle comes last: its colour, as that of all corners, is the patch's.
			put(c.Outline[j], c.Outline[j+1], 0)
			put(c.Outline[(j+2)%n], c.Outline[(j+3)%n], 0)
			put(c.X, c.Y, 1)
		}
	}
}

// drawCells draws the patches into the framebuffer of the result.
func (l *Layer) drawCells() {
	if len(l.behind.cells) == 0 {
		return
	}
	m, p := &l.marks, &l.r.programs.cells
	m.data = append(m.data[:0], l.behind.cells...)
	l.beginMarks(p, m.cellVAO, m.cellVBO)
	gl.Uniform1f(p.at("gap"), cellGap*l.behind.scale)
	gl.DrawArrays(gl.TRIANGLES, 0, int32(len(m.data)/cellFloats))
	doneDrawing()
}

// makeCells makes what patches need on the way to OpenGL.
func (m *marks) makeCells() {
	gl.GenVertexArrays(1, &m.cellVAO)
	gl.GenBuffers(1, &m.cellVBO)
	gl.BindVertexArray(m.cellVAO)
	gl.BindBuffer(gl.ARRAY_BUFFER, m.cellVBO)
	at := uintptr(0)
	for i, n := range [...]int32{3, 4, 1} {
		gl.VertexAttribPointerWithOffset(uint32(i), n, gl.FLOAT, false, 4*cellFloats, at)
		gl.EnableVertexAttribArray(uint32(i))
		at += uintptr(4 * n)
	}
}
