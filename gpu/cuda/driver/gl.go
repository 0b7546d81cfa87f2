package driver

import "unsafe"

// Shared is an OpenGL buffer that kernels can write to.
type Shared struct {
	lib    *library
	handle uintptr
	at     uint64
	bytes  uintptr
}

// DrawsGL says whether the OpenGL context that is current on this thread draws with the card of c; only
// then can they share a buffer. An error says that OpenGL is none of NVIDIA's, or not there.
func (c *Context) DrawsGL() (bool, error) {
	const all = 1 // CU_GL_DEVICE_LIST_ALL
	var n uint32
	var list [16]int32
	if err := c.lib.call(cuGLGetDevices, uintptr(unsafe.Pointer(&n)), uintptr(unsafe.Pointer(&list[0])),
		uintptr(len(list)), all); err != nil {
		return false, err
	}
	for _, d := range list[:min(int(n), len(list))] {
		if d == c.handle {
			return true, nil
		}
	}
	return false, nil
}

// RegisterGL makes a buffer of the OpenGL context that is current on this thread known to CUDA. It is
// slow: do it once, and Unregister before the buffer is resized or deleted. Kernels may read what is in
// the buffer and write a part of it.
func (c *Context) RegisterGL(buffer uint32) (*Shared, error) {
	x := &Shared{lib: c.lib}
	if err := c.lib.call(cuGraphicsGLRegisterBuffer, uintptr(unsafe.Pointer(&x.handle)), uintptr(buffer),
		0); err != nil {
		return nil, err
	}
	return x, nil
}

// Map hands the buffer from OpenGL to CUDA: its address, which may be another each time, and its bytes.
// OpenGL must not touch it until Unmap. Commands of OpenGL sent before are done before later work of s.
func (s *Stream) Map(x *Shared) (Ptr, int64, error) {
	if err := s.lib.call4(cuGraphicsMapResources, 1, uintptr(unsafe.Pointer(&x.handle)), s.handle, 0); err != nil {
		return 0, 0, err
	}
	if err := s.lib.call4(cuGraphicsResourceGetMappedPointer, uintptr(unsafe.Pointer(&x.at)),
		uintptr(unsafe.Pointer(&x.bytes)), x.handle, 0); err != nil {
		_ = s.Unmap(x) // the first error is the one to tell
		return 0, 0, err
	}
	return Ptr(x.at), int64(x.bytes), nil
}

// Unmap hands the buffer back to OpenGL: work of s queued before is done before commands of OpenGL that
// are sent after.
func (s *Stream) Unmap(x *Shared) error {
	return s.lib.call4(cuGraphicsUnmapResources, 1, uintptr(unsafe.Pointer(&x.handle)), s.handle, 0)
}

// Unregister ends the sharing. The buffer must not be mapped.
func (x *Shared) Unregister() error { return x.lib.call(cuGraphicsUnregisterResource, x.handle) }
