package render

import (
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/render/palette"
	"blossom/render/splat"
	"blossom/render/splat/tally"
)

// States of a point, bits of one byte.
const (
	Hidden   = splat.Hidden   // not drawn
	Selected = splat.Selected // keeps its colour where Style.DimUnselected is set
)

// ValueBuffer is one number, or index of a label, per point, which colours are looked up for.
type ValueBuffer struct {
	attribute[float32]
	pair tally.Pair // two quantities that the numbers are steps of; of none where there is one
}

// Both says that the numbers are steps of two quantities, whose means are taken where points are counted in cells; nil:
// they are not. It belongs to the numbers of the next Upload.
func (b *ValueBuffer) Both(of [2][]float32, by [2]palette.Lookup) {
	b.pair = tally.Pair{Of: of, By: by}
}

// StateBuffer is a byte of flags per point: Hidden, Selected.
type StateBuffer struct{ attribute[uint8] }

// NewValueBuffer makes a buffer of n numbers, all zero.
func (r *Renderer) NewValueBuffer(n int) *ValueBuffer {
	b := &ValueBuffer{attribute: attribute[float32]{r: r}}
	b.init(n)
	return b
}

// NewStateBuffer makes a buffer of the states of n points, none set.
func (r *Renderer) NewStateBuffer(n int) *StateBuffer {
	b := &StateBuffer{attribute[uint8]{r: r}}
	b.init(n)
	return b
}

// attribute is one number per point where drawing can reach it.
type attribute[T float32 | uint8] struct {
	r       *Renderer
	host    []T
	name    uint32
	dirty   span   // part of host that OpenGL does not have yet
	sized   bool   // the buffer has been given its size
	storage uint64 // storage of the buffer, see Renderer.storages
	set     bool   // some number may be other than 0
	changes uint64
}

func (a *attribute[T]) init(n int) {
	gl.GenBuffers(1, &a.name)
	a.Resize(n)
}

// Resize changes the number of points. All numbers become zero.
func (a *attribute[T]) Resize(n int) {
	a.r.arrays.forget(a.storage)
	a.host = zeroed(a.host, max(n, 0))
	a.sized, a.set, a.dirty = false, false, span{}
	a.changes++
}

// Len returns the number of points.
func (a *attribute[T]) Len() int { return len(a.host) }

// Host returns the numbers, one per point. Writing them shows after Upload.
func (a *attribute[T]) Host() []T { return a.host }

// Changes counts the calls of Upload and Resize: another number asks for another picture.
func (a *attribute[T]) Changes() uint64 { return a.changes }

// Upload tells that the numbers of the points [from, to) in Host have changed.
func (a *attribute[T]) Upload(from, to int) {
	from, to = max(from, 0), min(to, len(a.host))
	if from >= to {
		return
	}
	if to-from == len(a.host) {
		a.set = false
	}
	for i := from; i < to && !a.set; i++ {
		a.set = a.host[i] != 0
	}
	a.changes++
	a.dirty.add(from, to)
	if a.r.path == OpenGL {
		a.flush()
	}
}

// flush sends what has changed to OpenGL.
func (a *attribute[T]) flush() {
	size := int(unsafe.Sizeof(T(0)))
	if !a.sized {
		a.sized = true
		a.storage = a.r.newStorage()
		gl.BindBuffer(gl.ARRAY_BUFFER, a.name)
		gl.BufferData(gl.ARRAY_BUFFER, max(len(a.host), 1)*size, nil, gl.DYNAMIC_DRAW)
		a.dirty = span{0, len(a.host)}
	}
	d := a.dirty
	a.dirty = span{}
	switch {
	case d.empty():
	case d.to-d.from == len(a.host):
		// New storage: the driver need not wait for drawing that still reads the old one.
		gl.BindBuffer(gl.ARRAY_BUFFER, a.name)
		gl.BufferData(gl.ARRAY_BUFFER, len(a.host)*size, unsafe.Pointer(&a.host[0]), gl.DYNAMIC_DRAW)
	default:
		gl.BindBuffer(gl.ARRAY_BUFFER, a.name)
		gl.BufferSubData(gl.ARRAY_BUFFER, d.from*size, (d.to-d.from)*size, unsafe.Pointer(&a.host[d.from]))
	}
	gl.BindBuffer(gl.ARRAY_BUFFER, 0)
}

// Free gives everything back.
func (a *attribute[T]) Free() {
	a.r.arrays.forget(a.storage)
	gl.DeleteBuffers(1, &a.name)
	*a = attribute[T]{r: a.r}
}
