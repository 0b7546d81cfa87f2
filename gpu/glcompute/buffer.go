package glcompute

import (
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// buffer is memory of the device.
type buffer struct {
	id    uint32
	bytes int
}

// room makes the buffer at least so large; what was in it is lost when it grows.
func (b *buffer) room(bytes int, what string) error {
	bytes = max(bytes, 16)
	if b.bytes >= bytes {
		return nil
	}
	b.free()
	if refuse != nil && refuse(bytes) {
		return outOfMemory(what)
	}
	gl.GenBuffers(1, &b.id)
	gl.BindBuffer(gl.SHADER_STORAGE_BUFFER, b.id)
	gl.BufferData(gl.SHADER_STORAGE_BUFFER, bytes, nil, gl.DYNAMIC_COPY)
	if err := check(what); err != nil {
		b.free()
		return err
	}
	b.bytes = bytes
	return nil
}

// refuse stands in for a card that is full; in tests only.
var refuse func(bytes int) bool

func (b *buffer) free() {
	if b.id != 0 {
		gl.DeleteBuffers(1, &b.id)
	}
	*b = buffer{}
}

// write copies v to the buffer from byte at on.
func write[T any](b *buffer, at int, v []T) {
	if len(v) == 0 {
		return
	}
	gl.BindBuffer(gl.SHADER_STORAGE_BUFFER, b.id)
	gl.BufferSubData(gl.SHADER_STORAGE_BUFFER, at, len(v)*int(unsafe.Sizeof(v[0])), unsafe.Pointer(&v[0]))
}

// read copies the buffer from byte at on to v, when the work before has been done.
func read[T any](b *buffer, at int, v []T) {
	if len(v) == 0 {
		return
	}
	bytes := len(v) * int(unsafe.Sizeof(v[0]))
	gl.BindBuffer(gl.SHADER_STORAGE_BUFFER, b.id)
	gl.GetBufferSubData(gl.SHADER_STORAGE_BUFFER, at, bytes, unsafe.Pointer(&v[0]))
}

func (b *buffer) bind(index uint32) { gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, index, b.id) }

// visible makes what kernels wrote visible to the commands that follow.
func visible() { gl.MemoryBarrier(gl.SHADER_STORAGE_BARRIER_BIT | gl.BUFFER_UPDATE_BARRIER_BIT) }

// unbind leaves the state as drawing expects it.
func unbind() {
	gl.UseProgram(0)
	for i := range uint32(bindings) {
		gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, i, 0)
	}
	gl.BindBuffer(gl.SHADER_STORAGE_BUFFER, 0)
}

// bindings is how many buffers a kernel has: as many as OpenGL 4.3 promises.
const bindings = 8
