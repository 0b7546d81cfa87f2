package cuda

import (
	"fmt"

	"blossom/gpu/cuda/driver"
	"blossom/model/maps/embedsom"
)

// shared is the buffer that OpenGL draws from, registered with CUDA once. It is mapped by the first
// projection of a frame, and its owner has it back when OpenGL next touches it.
type shared struct {
	user    *sharer
	owner   sharedTarget // while it is registered
	buffer  uint32
	storage uint64
	with    *driver.Shared
	loan    *loan      // to end with it
	at      driver.Ptr // while it is mapped, else 0
	refused string     // why the present buffer cannot be shared
	direct  bool       // the last projection went there
}

// sharer is who writes into the buffer: its engine, its stream, and where it notes that nothing works any more.
type sharer struct {
	e   *card
	s   *driver.Stream
	err *error
}

// sharedTarget is what of a target the sharing needs: see embedsom.Target.
type sharedTarget interface {
	GLBuffer() (buffer uint32, storage uint64)
	Lend(release func())
	Borrow(back func())
}

// loan is the promise to give a buffer back. The buffer's owner keeps it until the buffer changes: it must
// not keep the resident with it.
type loan struct {
	of   *shared // nil when there is nothing to give back any more
	back func()  // ends the mapping; kept, so that a frame allocates nothing
}

func newLoan(of *shared) *loan {
	l := &loan{of: of}
	l.back = func() { l.withShared((*shared).unmap) }
	return l
}

// end unregisters the buffer: a driver crashes when that comes after the buffer's memory is gone.
func (l *loan) end() { l.withShared((*shared).forget) }

func (l *loan) withShared(what func(*shared)) {
	if l.of == nil {
		return
	}
	user := l.of.user
	leave, err := user.e.c.Enter()
	if err != nil {
		*user.err = err // nothing works any more
		return
	}
	defer leave()
	what(l.of)
}

// target returns where positions go: into the GL buffer of dst (direct), or into memory of our own.
func (r *resident) target(dst embedsom.Target, dims int) (at driver.Ptr, direct bool, err error) {
	r.shared.direct = false
	if r.e.o.Window {
		at, err := r.shared.enter(dst, 4*r.n*int64(dims))
		if err != nil || at != 0 {
			r.shared.direct = err == nil
			return at, err == nil, err
		}
	}
	err = r.out.grow(r.e.c, r.e.s, 4*r.n*int64(dims))
	return r.out.at, false, err
}

// enter maps the buffer, if it is not mapped already. 0 without an error: it cannot be shared, positions go
// through the computer.
func (s *shared) enter(t sharedTarget, bytes int64) (driver.Ptr, error) {
	if s.at != 0 && s.owner == t {
		return s.at, nil // nothing has happened to the buffer, or its owner would have it back
	}
	buffer, storage := t.GLBuffer()
	if buffer == 0 {
		return 0, nil
	}
	if s.with != nil && (s.owner != t || s.buffer != buffer || s.storage != storage) {
		s.forget()
	}
	if s.with == nil {
		if s.refused != "" && s.buffer == buffer && s.storage == storage {
			return 0, nil
		}
		s.buffer, s.storage, s.refused = buffer, storage, ""
		draws, err := s.user.e.c.DrawsGL()
		if err == nil && !draws {
			s.refused = "another card draws"
			return 0, nil
		}
		if s.with, err = s.user.e.c.RegisterGL(buffer); err != nil {
			s.with, s.refused = nil, "OpenGL does not share its buffers"
			return 0, nil
		}
		s.owner, s.loan = t, newLoan(s)
		t.Lend(s.loan.end)
	}
	at, size, err := s.user.s.Map(s.with)
	if err != nil {
		s.forget()
		s.buffer, s.storage, s.refused = buffer, storage, "the buffer could not be mapped"
		return 0, nil
	}
	s.at = at
	if size < bytes {
		s.forget()
		return 0, fmt.Errorf("cuda: the buffer of positions has %d bytes and %d are needed", size, bytes)
	}
	t.Borrow(s.loan.back)
	return at, nil
}

// unmap gives the buffer back to OpenGL, whose next commands wait for what was queued. Without that,
// nothing more can be drawn: the engine has failed.
func (s *shared) unmap() {
	if s.at == 0 {
		return
	}
	s.at = 0
	if err := s.user.s.Unmap(s.with); err != nil && *s.user.err == nil {
		*s.user.err = err
	}
}

// forget ends the sharing of a buffer, while OpenGL still has its memory: the owner recalls it in time.
func (s *shared) forget() {
	s.unmap()
	if s.with != nil {
		_ = s.with.Unregister()
	}
	if s.loan != nil {
		s.loan.of = nil
	}
	*s = shared{user: s.user}
}

// path says where positions went.
func (s *shared) path() string {
	switch {
	case s.direct:
		return "shared buffer"
	case s.refused != "":
		return "staged copy: " + s.refused
	}
	return "staged copy"
}
