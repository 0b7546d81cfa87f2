package render

import (
	"math"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// combination is the buffers that a vertex array reads, by their storage; 0: none.
type combination struct{ points, values, states uint64 }

// arrays are the vertex arrays of the combinations of buffers that have been drawn. One that reads a buffer
// keeps its memory alive, so each ends with the first of its buffers.
type arrays map[combination]uint32

func (a arrays) forget(storage uint64) {
	if storage == 0 {
		return
	}
	for c, vao := range a {
		if c.points == storage || c.values == storage || c.states == storage {
			gl.DeleteVertexArrays(1, &vao)
			delete(a, c)
		}
	}
}

func (a arrays) free() {
	for c, vao := range a {
		gl.DeleteVertexArrays(1, &vao)
		delete(a, c)
	}
}

// array returns the vertex array of points with their values and states, either of which may be nil, with
// all that has changed in them sent. It is to be drawn before another is asked for.
func (r *Renderer) array(b *PointBuffer, v *ValueBuffer, s *StateBuffer) uint32 {
	b.flush()
	c := combination{points: b.storage}
	if v != nil {
		v.flush()
		c.values = v.storage
	}
	if s != nil {
		s.flush()
		c.states = s.storage
	}
	b.giveBack()
	vao, made := r.arrays[c]
	if !made {
		vao = newArray(b, v, s)
		r.arrays[c] = vao
	}
	// An attribute without a buffer reads a value of the context, not of the vertex array.
	if v == nil {
		gl.VertexAttrib1f(1, float32(math.NaN()))
	}
	if s == nil {
		gl.VertexAttribI1ui(2, 0)
	}
	return vao
}

func newArray(b *PointBuffer, v *ValueBuffer, s *StateBuffer) uint32 {
	var vao uint32
	gl.GenVertexArrays(1, &vao)
	gl.BindVertexArray(vao)
	gl.BindBuffer(gl.ARRAY_BUFFER, b.buffer())
	gl.VertexAttribPointerWithOffset(0, int32(b.dims), gl.FLOAT, false, int32(b.stride()), 0)
	gl.EnableVertexAttribArray(0)
	if v != nil {
		gl.BindBuffer(gl.ARRAY_BUFFER, v.name)
		gl.VertexAttribPointerWithOffset(1, 1, gl.FLOAT, false, 4, 0)
		gl.EnableVertexAttribArray(1)
	}
	if s != nil {
		gl.BindBuffer(gl.ARRAY_BUFFER, s.name)
		gl.VertexAttribIPointerWithOffset(2, 1, gl.UNSIGNED_BYTE, 1, 0)
		gl.EnableVertexAttribArray(2)
	}
	gl.BindBuffer(gl.ARRAY_BUFFER, 0)
	gl.BindVertexArray(0)
	return vao
}
