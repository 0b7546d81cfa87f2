package cuda

import (
	"fmt"

	"blossom/gpu/cuda/driver"
	"blossom/model/embedsom"
)

// shared is the buffer that OpenGL draws from, registered with CUDA once and mapped while kernels write it.
type shared struct {
	buffer  uint32
	storage uint64
	with    *driver.Shared
	loan    *loan // to end with it
	mapped  bool
	refused string // why the present buffer cannot be shared
	direct  bool   // the last projection went there
}

// loan is the promise to give a buffer back.
type loan struct{ r *resident } // nil when there is nothing to give back any more

// end unregisters the buffer: a driver crashes when that comes after the buffer's memory is gone.
func (l *loan) end() {
	if l.r == nil {
		return
	}
	if leave, err := l.r.e.c.Enter(); err == nil {
		l.r.shared.forget()
		leave()
	}
}

// target returns where positions go: into the GL buffer of dst (direct), or into memory of our own.
func (r *resident) target(dst embedsom.Target, dims int) (at driver.Ptr, direct bool, err error) {
	r.shared.direct = false
	if t, ok := dst.(embedsom.Lender); ok && r.e.o.Window {
		if buffer, storage := t.GLBuffer(); buffer != 0 {
			at, err := r.shared.enter(r, t, buffer, storage, 4*r.n*int64(dims))
			if err == nil && at != 0 {
				r.shared.direct = true
				return at, true, nil
			}
			if err != nil {
				return 0, false, err
			}
		}
	}
	err = r.out.grow(r.e.c, r.e.s, 4*r.n*int64(dims))
	return r.out.at, false, err
}

// enter maps the buffer. 0 without an error: it cannot be shared, positions go through the computer.
func (s *shared) enter(r *resident, t embedsom.Lender, buffer uint32, storage uint64, bytes int64) (driver.Ptr, error) {
	if s.with != nil && (s.buffer != buffer || s.storage != storage) {
		s.forget()
	}
	if s.with == nil {
		if s.refused != "" && s.buffer == buffer && s.storage == storage {
			return 0, nil
		}
		s.buffer, s.storage, s.refused = buffer, storage, ""
		draws, err := r.e.c.DrawsGL()
		if err == nil && !draws {
			s.refused = "another card draws"
			return 0, nil
		}
		if s.with, err = r.e.c.RegisterGL(buffer); err != nil {
			s.with, s.refused = nil, "OpenGL does not share its buffers"
			return 0, nil
		}
		// Who owns the buffer keeps this until the buffer changes: it must not keep the resident with it.
		l := &loan{r: r}
		s.loan = l
		t.Lend(l.end)
	}
	at, size, err := r.e.s.Map(s.with)
	if err != nil {
		s.forget()
		s.buffer, s.storage, s.refused = buffer, storage, "the buffer could not be mapped"
		return 0, nil
	}
	s.mapped = true
	if size < bytes {
		err := s.unmap(r)
		s.forget()
		if err == nil {
			err = fmt.Errorf("cuda: the buffer of positions has %d bytes and %d are needed", size, bytes)
		}
		return 0, err
	}
	return at, nil
}

// unmap gives the buffer back to OpenGL, whose next commands wait for what was queued.
func (s *shared) unmap(r *resident) error {
	if !s.mapped {
		return nil
	}
	s.mapped = false
	return r.e.s.Unmap(s.with)
}

// forget ends the sharing of a buffer, while OpenGL still has its memory: the owner recalls it in time.
func (s *shared) forget() {
	if s.with != nil {
		_ = s.with.Unregister()
	}
	if s.loan != nil {
		s.loan.r = nil
	}
	*s = shared{}
}

func (s *shared) free() { s.forget() }

// WritesGL implements gpu.Direct.
func (r *resident) WritesGL() bool { return r.shared.direct }

// Path implements gpu.Direct.
func (r *resident) Path() string {
	switch {
	case r.shared.direct:
		return "shared buffer"
	case r.shared.refused != "":
		return "staged copy: " + r.shared.refused
	}
	return "staged copy"
}
