package render

import (
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/render/splat"
)

// States of a point, bits of one byte.
const (
	Hidden   = splat.Hidden   // not drawn
	Selected = splat.Selected // keeps its colour where Style.DimUnselected is set
)

// PointBuffer is the points of a map where drawing can reach them: positions, one number or label
// each, and a byte of states. It is an embedsom.Target: an engine writes Host and the owner calls
// Upload for what changed; an engine that can write GLBuffer itself calls Wrote. Host is then older than
// what is drawn, until Fetch or Sync.
//
// Points lie in the order they are drawn, the first on top. A caller who wants to draw them in parts
// keeps them in random order, so that every part is a fair sample.
type PointBuffer struct {
	r       *Renderer
	n, dims int
	pos     []float32
	values  []float32
	states  []uint8
	vao     uint32    // of all buffers: use bind
	names   [3]uint32 // of the buffers: use buffer
	dirty   [3]span   // host data that OpenGL does not have yet
	sized   bool      // the buffers have been given their size

	lent     []func() // that have the position buffer registered, see Lend
	borrowed []func() // that have it mapped, see Borrow

	storage uint64 // counts the allocations of the position buffer
	ahead   span   // outside of it pos holds what the GL buffer holds, or is to hold after flush
	changes uint64 // of positions
	known   int    // of the first so many points pos holds what was drawn at some moment
	fetch   fetch

	stateful bool // some state may be set
}

// span is a half-open range of points.
type span struct{ from, to int }

func (s span) empty() bool { return s.from >= s.to }

func (s span) meets(o span) bool { return !s.empty() && !o.empty() && s.from < o.to && o.from < s.to }

// remove takes points off the ends. A hole in the middle cannot be told: they stay.
func (s *span) remove(o span) {
	if !s.meets(o) {
		return
	}
	switch {
	case o.from <= s.from:
		s.from = min(o.to, s.to)
	case o.to >= s.to:
		s.to = o.from
	}
}

func (s *span) add(from, to int) {
	if s.from >= s.to {
		*s = span{from, to}
		return
	}
	s.from, s.to = min(s.from, from), max(s.to, to)
}

const (
	positions = iota
	values
	states
)

// NewPointBuffer makes a buffer of n points of dims (2 or 3) coordinates, all zero.
func (r *Renderer) NewPointBuffer(n, dims int) *PointBuffer {
	b := &PointBuffer{r: r}
	gl.GenVertexArrays(1, &b.vao)
	gl.GenBuffers(3, &b.names[0])
	b.Resize(n, dims)
	return b
}

// Resize changes the number of points and of coordinates. All contents become zero.
func (b *PointBuffer) Resize(n, dims int) {
	if dims != 3 {
		dims = 2
	}
	n = max(n, 0)
	b.recall()
	b.freeFetch()
	b.ahead, b.known = span{}, 0
	b.n, b.dims = n, dims
	b.pos = zeroed(b.pos, n*dims)
	b.values = zeroed(b.values, n)
	b.states = zeroed(b.states, n)
	b.sized, b.stateful, b.dirty = false, false, [3]span{}
}

// Lend implements embedsom.Lender.
func (b *PointBuffer) Lend(release func()) { b.lent = append(b.lent, release) }

// Borrow implements embedsom.Lender.
func (b *PointBuffer) Borrow(back func()) { b.borrowed = append(b.borrowed, back) }

// buffer returns a buffer for OpenGL to use now. It is the only way to one, so that OpenGL never touches
// positions that are mapped: they are given back first.
func (b *PointBuffer) buffer(which int) uint32 {
	if which == positions {
		b.giveBack()
	}
	return b.names[which]
}

// bind makes the points what OpenGL draws next.
func (b *PointBuffer) bind() {
	b.giveBack()
	gl.BindVertexArray(b.vao)
}

func (b *PointBuffer) giveBack() {
	for _, back := range b.borrowed {
		back()
	}
	b.borrowed = b.borrowed[:0]
}

// recall has the position buffer back from everyone who was lent it.
func (b *PointBuffer) recall() {
	b.giveBack()
	for _, release := range b.lent {
		release()
	}
	b.lent = nil
}

func zeroed[T any](s []T, n int) []T {
	// A buffer much larger than needed is given back.
	if cap(s) < n || cap(s) > 4*n+1024 {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// Len returns the number of points.
func (b *PointBuffer) Len() int { return b.n }

// Dims returns 2 or 3.
func (b *PointBuffer) Dims() int { return b.dims }

// Host returns the n*Dims() coordinates, row-major; NaN ones are not drawn. Writing them shows after
// Upload. Positions that were written on the card are older here until Ready says true, or Sync.
func (b *PointBuffer) Host() []float32 { return b.pos }

// Values returns the n numbers, or indexes of labels, that colours are looked up for. Writing them
// shows after UploadValues.
func (b *PointBuffer) Values() []float32 { return b.values }

// States returns the n bytes of flags. Writing them shows after UploadStates.
func (b *PointBuffer) States() []uint8 { return b.states }

// Upload tells that the positions of the points [from, to) in Host have changed: they are drawn, and what
// was written on the card there is void.
func (b *PointBuffer) Upload(from, to int) {
	s := span{max(from, 0), min(to, b.n)}
	if b.fetch.sync != 0 && b.fetch.span.meets(s) {
		b.dropFetch() // it would bring older ones
	}
	b.changes++
	b.changed(positions, from, to)
	b.ahead.remove(s)
	b.knows(s)
}

// UploadValues tells that the values of the points [from, to) have changed.
func (b *PointBuffer) UploadValues(from, to int) { b.changed(values, from, to) }

// UploadStates tells that the states of the points [from, to) have changed.
func (b *PointBuffer) UploadStates(from, to int) {
	for _, s := range b.states[max(from, 0):max(min(to, b.n), from, 0)] {
		b.stateful = b.stateful || s != 0
	}
	b.changed(states, from, to)
}

// GLBuffer returns the vertex buffer of positions with its storage in place, for an engine that writes
// it without a detour, or 0 where the CPU draws. storage changes with every Resize, and is another for
// every buffer of the renderer.
func (b *PointBuffer) GLBuffer() (buffer uint32, storage uint64) {
	if b.r.path == CPU {
		return 0, 0
	}
	b.flush()
	return b.buffer(positions), b.storage
}

// Wrote tells that an engine has written the positions of the points [from, to) into GLBuffer.
func (b *PointBuffer) Wrote(from, to int) {
	s := span{max(from, 0), min(to, b.n)}
	if s.empty() {
		return
	}
	b.changes++
	b.ahead.add(s.from, s.to)
	b.fetch.older = b.fetch.older || b.fetch.span.meets(s)
}

// Changes counts the calls of Upload and Wrote: another number asks for another picture.
func (b *PointBuffer) Changes() uint64 { return b.changes }

func (b *PointBuffer) changed(which, from, to int) {
	from, to = max(from, 0), min(to, b.n)
	if from >= to {
		return
	}
	b.dirty[which].add(from, to)
	// While the card is ahead, what is sent must be no more than what has changed, or it would overwrite
	// newer positions: so it is sent at once.
	if b.r.path == OpenGL || !b.ahead.empty() {
		b.flush()
	}
}

func (b *PointBuffer) allocate() {
	if b.sized {
		return
	}
	b.sized = true
	b.r.storages++
	b.storage = b.r.storages
	b.bind()
	for i := range b.names {
		gl.BindBuffer(gl.ARRAY_BUFFER, b.buffer(i))
		gl.BufferData(gl.ARRAY_BUFFER, max(b.n, 1)*b.stride(i), nil, gl.DYNAMIC_DRAW)
		switch i {
		case positions:
			gl.VertexAttribPointerWithOffset(0, int32(b.dims), gl.FLOAT, false, int32(b.stride(i)), 0)
		case values:
			gl.VertexAttribPointerWithOffset(1, 1, gl.FLOAT, false, 4, 0)
		case states:
			gl.VertexAttribIPointerWithOffset(2, 1, gl.UNSIGNED_BYTE, 1, 0)
		}
		gl.EnableVertexAttribArray(uint32(i))
		b.dirty[i] = span{0, b.n}
	}
	gl.BindVertexArray(0)
	gl.BindBuffer(gl.ARRAY_BUFFER, 0)
}

func (b *PointBuffer) stride(which int) int {
	switch which {
	case positions:
		return 4 * b.dims
	case values:
		return 4
	}
	return 1
}

func (b *PointBuffer) data(which int) unsafe.Pointer {
	switch which {
	case positions:
		return unsafe.Pointer(unsafe.SliceData(b.pos))
	case values:
		return unsafe.Pointer(unsafe.SliceData(b.values))
	}
	return unsafe.Pointer(unsafe.SliceData(b.states))
}

// flush sends what has changed to OpenGL.
func (b *PointBuffer) flush() {
	b.allocate()
	for i := range b.dirty {
		d := b.dirty[i]
		b.dirty[i] = span{}
		if d.from >= d.to {
			continue
		}
		stride := b.stride(i)
		gl.BindBuffer(gl.ARRAY_BUFFER, b.buffer(i))
		if d.from == 0 && d.to == b.n {
			// New storage: the driver need not wait for drawing that still reads the old one. Positions
			// keep theirs, for an engine may have it registered.
			if i != positions {
				gl.BufferData(gl.ARRAY_BUFFER, b.n*stride, b.data(i), gl.DYNAMIC_DRAW)
				continue
			}
		}
		gl.BufferSubData(gl.ARRAY_BUFFER, d.from*stride, (d.to-d.from)*stride, unsafe.Add(b.data(i), d.from*stride))
	}
	gl.BindBuffer(gl.ARRAY_BUFFER, 0)
}

// splatPoints returns the buffer as the CPU path reads it. It waits for what an engine has written on the
// card: once, after a change of paths.
func (b *PointBuffer) splatPoints() splat.Points {
	b.Sync()
	p := splat.Points{Pos: b.pos, Dims: b.dims, Values: b.values}
	if b.stateful {
		p.States = b.states
	}
	return p
}

// Free gives everything back.
func (b *PointBuffer) Free() {
	b.recall()
	b.freeFetch()
	gl.DeleteVertexArrays(1, &b.vao)
	gl.DeleteBuffers(3, &b.names[0])
	*b = PointBuffer{r: b.r, dims: b.dims}
}
