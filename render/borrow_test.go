package render_test

import (
	"testing"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/render"
	"blossom/render/rendertest"
)

// mapped has OpenGL itself map the positions, as CUDA would: it then refuses to touch them. returned counts
// how often they were given back.
func mapped(t *testing.T, b *render.PointBuffer, returned *int) {
	t.Helper()
	buffer, _ := b.GLBuffer()
	gl.BindBuffer(gl.ARRAY_BUFFER, buffer)
	if gl.MapBuffer(gl.ARRAY_BUFFER, gl.WRITE_ONLY) == nil {
		t.Fatalf("the buffer cannot be mapped: %#x", gl.GetError())
	}
	gl.BindBuffer(gl.ARRAY_BUFFER, 0)
	b.Borrow(func() {
		*returned++
		gl.BindBuffer(gl.ARRAY_BUFFER, buffer)
		gl.UnmapBuffer(gl.ARRAY_BUFFER)
		gl.BindBuffer(gl.ARRAY_BUFFER, 0)
	})
}

// Positions that another library has mapped are given back, once, before OpenGL draws, reads, writes,
// resizes or deletes them, and stay mapped through all else.
func TestBorrowedPositions(t *testing.T) {
	r := rendertest.Renderer(t, render.OpenGL)
	const n = 500
	for _, c := range []struct {
		name     string
		returned int
		do       func(b *render.PointBuffer)
	}{
		{"draw", 1, func(b *render.PointBuffer) { picture(r, b) }},
		{"draw by the processor", 1, func(b *render.PointBuffer) {
			b.Wrote(0, n)
			r.SetPath(render.CPU)
			picture(r, b)
			r.SetPath(render.OpenGL)
		}},
		{"draw twice", 1, func(b *render.PointBuffer) { picture(r, b); picture(r, b) }},
		{"GLBuffer", 1, func(b *render.PointBuffer) { b.GLBuffer() }},
		{"Upload", 1, func(b *render.PointBuffer) { b.Upload(3, 9) }},
		{"Fetch", 1, func(b *render.PointBuffer) { b.Wrote(0, n); b.Fetch() }},
		{"FetchFirst", 1, func(b *render.PointBuffer) { b.Wrote(0, n); b.FetchFirst(9) }},
		{"Sync", 1, func(b *render.PointBuffer) { b.Wrote(0, n); b.Sync() }},
		{"Resize", 1, func(b *render.PointBuffer) { b.Resize(n, 3); picture(r, b) }},
		{"Free", 1, func(b *render.PointBuffer) { b.Free() }},
		{"nothing with positions", 0, func(b *render.PointBuffer) {
			b.Wrote(0, n)
			b.Ready()
			b.Changes()
			b.Known(n)
		}},
	} {
		b := r.NewPointBuffer(n, 2)
		copy(b.Host(), random(2*n, 1))
		b.Upload(0, n)
		returned := 0
		mapped(t, b, &returned)
		c.do(b)
		if e := gl.GetError(); e != 0 {
			t.Errorf("%s: OpenGL error %#x: positions were touched while they were mapped", c.name, e)
		}
		if returned != c.returned {
			t.Errorf("%s: given back %d times instead of %d", c.name, returned, c.returned)
		}
		b.Free()
	}
}
