package render

import (
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// Positions that an engine has written on the card are not in Host. Drawing needs them there no more than
// a frame does; who does, an export or a camera that fits its view, brings them with Fetch (a copy that
// the card makes beside its other work) or Sync (which waits for it).

// fetchPoints is the most that one Fetch brings: the copy out of the staging buffer, by the processor, is
// then a few milliseconds of a frame.
const fetchPoints = 2_000_000

// fetch is a copy of positions on its way to Host.
type fetch struct {
	buffer uint32
	sync   uintptr // 0: none is on its way
	span   span
	older  bool // some of them have been written again since: they may come, but are not the last word
}

// Fetch begins to bring positions that are newer on the card into Host, of at most some million points;
// Ready ends that in a later frame. It does nothing if there are none or a copy is on its way.
func (b *PointBuffer) Fetch() {
	b.bring(span{b.ahead.from, min(b.ahead.to, b.ahead.from+fetchPoints)})
}

// FetchFirst begins to bring the positions of the first n points, if they are newer on the card: as of
// now, whatever is written meanwhile.
func (b *PointBuffer) FetchFirst(n int) {
	b.bring(span{b.ahead.from, min(b.ahead.to, n, fetchPoints)})
}

func (b *PointBuffer) bring(s span) {
	f := &b.fetch
	if f.sync != 0 || s.empty() {
		return
	}
	if f.buffer == 0 {
		gl.GenBuffers(1, &f.buffer)
	}
	stride := b.stride()
	bytes := (s.to - s.from) * stride
	gl.BindBuffer(gl.COPY_READ_BUFFER, b.buffer())
	gl.BindBuffer(gl.COPY_WRITE_BUFFER, f.buffer)
	gl.BufferData(gl.COPY_WRITE_BUFFER, bytes, nil, gl.STREAM_READ)
	gl.CopyBufferSubData(gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER, s.from*stride, 0, bytes)
	gl.BindBuffer(gl.COPY_READ_BUFFER, 0)
	gl.BindBuffer(gl.COPY_WRITE_BUFFER, 0)
	f.sync = gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
	f.span, f.older = s, false
}

// Ready takes what a Fetch has brought, without waiting for it, and says whether Host holds all
// positions as they are drawn.
func (b *PointBuffer) Ready() bool {
	f := &b.fetch
	if f.sync != 0 {
		switch gl.ClientWaitSync(f.sync, gl.SYNC_FLUSH_COMMANDS_BIT, 0) {
		case gl.TIMEOUT_EXPIRED:
			return false
		case gl.ALREADY_SIGNALED, gl.CONDITION_SATISFIED:
			b.read(gl.COPY_READ_BUFFER, f.buffer, 0, f.span)
			b.knows(f.span)
			if !f.older {
				b.ahead.remove(f.span)
			}
		}
		b.dropFetch()
	}
	return b.ahead.empty()
}

// Sync waits until Host holds all positions as they are drawn.
func (b *PointBuffer) Sync() {
	b.dropFetch()
	if b.ahead.empty() {
		return
	}
	b.read(gl.COPY_READ_BUFFER, b.buffer(), b.ahead.from*b.stride(), b.ahead)
	b.knows(b.ahead)
	b.ahead = span{}
}

// Known says whether Host holds for each of the first n points where it was drawn at some moment, if not
// the last.
func (b *PointBuffer) Known(n int) bool { return b.known >= min(n, b.n) }

func (b *PointBuffer) knows(s span) {
	if !s.empty() && s.from <= b.known {
		b.known = max(b.known, s.to)
	}
}

// read copies positions out of a buffer, where they begin at a byte.
func (b *PointBuffer) read(target, buffer uint32, at int, s span) {
	gl.BindBuffer(target, buffer)
	gl.GetBufferSubData(target, at, (s.to-s.from)*b.stride(), unsafe.Pointer(&b.pos[s.from*b.dims]))
	gl.BindBuffer(target, 0)
}

func (b *PointBuffer) dropFetch() {
	if b.fetch.sync != 0 {
		gl.DeleteSync(b.fetch.sync)
		b.fetch.sync = 0
	}
}

func (b *PointBuffer) freeFetch() {
	b.dropFetch()
	if b.fetch.buffer != 0 {
		gl.DeleteBuffers(1, &b.fetch.buffer)
	}
	b.fetch = fetch{}
}
