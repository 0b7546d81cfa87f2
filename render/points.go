package render

import (
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/render/splat"
)

// PointBuffer is the positions of the points of an embedding where drawing can reach them. It is an
// embedsom.Target: an engine writes Host and the owner calls Upload for what changed; an engine that can
// write GLBuffer itself calls Wrote. Host is then older than what is drawn, until Fetch or Sync.
//
// What points are coloured by (ValueBuffer) and which are hidden or selected (StateBuffer) is apart: several
// pictures show the same positions with values of their own and one selection.
//
// Points lie in the order they are drawn, the first on top. A caller who wants to draw them in parts
// keeps them in random order, so that every part is a fair sample.
type PointBuffer struct {
	r       *Renderer
	n, dims int
	pos     []float32
	name    uint32 // OpenGL's name of the buffer: use buffer
	dirty   span   // part of Host that OpenGL does not have yet
	sized   bool   // the buffer has been given its size

	lent     []func() // users that have the buffer registered, see Lend
	borrowed []func() // users that have it mapped, see Borrow

	storage uint64 // storage of the buffer, see Renderer.storages
	ahead   span   // outside of it pos holds what the GL buffer holds, or is to hold after flush
	changes uint64
	known   int // how many of the first points pos holds as they were drawn at some moment
	fetch   fetch
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

// NewPointBuffer makes a buffer of n points of dims (2 or 3) coordinates, all zero.
func (r *Renderer) NewPointBuffer(n, dims int) *PointBuffer {
	b := &PointBuffer{r: r}
	gl.GenBuffers(1, &b.name)
	b.Resize(n, dims)
	return b
}

// Resize changes the number of points and of coordinates. All positions become zero.
func (b *PointBuffer) Resize(n, dims int) {
	if dims != 3 {
		dims = 2
	}
	n = max(n, 0)
	b.recall()
	b.freeFetch()
	b.r.arrays.forget(b.storage)
	b.ahead, b.known = span{}, 0
	b.n, b.dims = n, dims
	b.pos = zeroed(b.pos, n*dims)
	b.sized, b.dirty = false, span{}
}

// Lend implements embedsom.Target.
func (b *PointBuffer) Lend(release func()) { b.lent = append(b.lent, release) }

// Borrow implements embedsom.Target.
func (b *PointBuffer) Borrow(back func()) { b.borrowed = append(b.borrowed, back) }

// buffer returns the buffer for OpenGL to use now. It is the only way to it, so that OpenGL never touches
// positions that are mapped: they are given back first.
func (b *PointBuffer) buffer() uint32 {
	b.giveBack()
	return b.name
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

// Upload tells that the positions of the points [from, to) in Host have changed: they are drawn, and what
// was written on the card there is void.
func (b *PointBuffer) Upload(from, to int) {
	s := span{max(from, 0), min(to, b.n)}
	if b.fetch.sync != 0 && b.fetch.span.meets(s) {
		b.dropFetch() // it would bring older ones
	}
	b.changes++
	b.changed(from, to)
	b.ahead.remove(s)
	b.knows(s)
}

// GLBuffer returns the vertex buffer of positions with its storage in place, for an engine that writes
// it without a detour, or 0 where the CPU draws. storage changes with every Resize, and is another for
// every buffer of the renderer.
func (b *PointBuffer) GLBuffer() (buffer uint32, storage uint64) {
	if b.r.path == CPU {
		return 0, 0
	}
	b.flush()
	return b.buffer(), b.storage
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

func (b *PointBuffer) changed(from, to int) {
	from, to = max(from, 0), min(to, b.n)
	if from >= to {
		return
	}
	b.dirty.add(from, to)
	// While the card is ahead, what is sent must be no more than what has changed, or it would overwrite
	// newer positions: so it is sent at once.
	if b.r.path == OpenGL || !b.ahead.empty() {
		b.flush()
	}
}

// stride returns the bytes of a point.
func (b *PointBuffer) stride() int { return 4 * b.dims }

// flush sends what has changed to OpenGL. The buffer keeps its storage: an engine may have it registered.
func (b *PointBuffer) flush() {
	if !b.sized {
		b.sized = true
		b.storage = b.r.newStorage()
		gl.BindBuffer(gl.ARRAY_BUFFER, b.buffer())
		gl.BufferData(gl.ARRAY_BUFFER, max(b.n, 1)*b.stride(), nil, gl.DYNAMIC_DRAW)
		b.dirty = span{0, b.n}
	}
	d := b.dirty
	b.dirty = span{}
	if !d.empty() {
		gl.BindBuffer(gl.ARRAY_BUFFER, b.buffer())
		gl.BufferSubData(gl.ARRAY_BUFFER, d.from*b.stride(), (d.to-d.from)*b.stride(),
			unsafe.Pointer(&b.pos[d.from*b.dims]))
	}
	gl.BindBuffer(gl.ARRAY_BUFFER, 0)
}

// splatPoints returns the points as the CPU path reads them. It waits for what an engine has written on the
// card: once, after a change of paths.
func (b *PointBuffer) splatPoints(v *ValueBuffer, s *StateBuffer) splat.Points {
	b.Sync()
	p := splat.Points{Pos: b.pos, Dims: b.dims}
	if v != nil {
		p.Values = v.host
	}
	if s != nil && s.set {
		p.States = s.host
	}
	return p
}

// seen is how many of the points are drawn: they have a place and are not hidden. Sizes, opacities and limits follow
// it.
func (o *PictureOptions) seen() (n int) {
	if o.Points == nil {
		return 0
	}
	p := o.Points.splatPoints(nil, o.States)
	for i := range o.Points.Len() {
		if x := p.Pos[i*p.Dims]; x == x && (len(p.States) == 0 || p.States[i]&Hidden == 0) {
			n++
		}
	}
	return n
}

// Free gives everything back.
func (b *PointBuffer) Free() {
	b.recall()
	b.freeFetch()
	b.r.arrays.forget(b.storage)
	gl.DeleteBuffers(1, &b.name)
	*b = PointBuffer{r: b.r, dims: b.dims}
}
