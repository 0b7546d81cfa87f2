package driver

import (
	"time"
	"unsafe"
)

// Stream is a queue of work on a card, done in order. Streams do not wait for one another, nor for work
// of others on the same card.
type Stream struct {
	lib    *library
	handle uintptr
}

const streamNonBlocking = 1 // CU_STREAM_NON_BLOCKING: does not wait for the default stream

// NewStream makes a queue.
func (c *Context) NewStream() (*Stream, error) {
	s := &Stream{lib: c.lib}
	if err := c.lib.call(cuStreamCreate, uintptr(unsafe.Pointer(&s.handle)), streamNonBlocking); err != nil {
		return nil, err
	}
	return s, nil
}

// Wait returns when all work of the stream is done, with its first error.
func (s *Stream) Wait() error { return s.lib.call4(cuStreamSynchronize, s.handle, 0, 0, 0) }

// Destroy removes the queue; work in it is still done.
func (s *Stream) Destroy() error { return s.lib.call(cuStreamDestroy, s.handle) }

// ToDevice copies to the card. Memory of AllocHost must stay unchanged until the copy is done; other
// memory may change when ToDevice returns, for the driver takes a copy first.
func (s *Stream) ToDevice(dst Ptr, src unsafe.Pointer, bytes int64) error {
	if bytes == 0 {
		return nil
	}
	return s.lib.call4(cuMemcpyHtoDAsync, uintptr(dst), uintptr(src), uintptr(bytes), s.handle)
}

// ToHost copies from the card. Memory of AllocHost is there when the stream has come so far; with other
// memory ToHost waits for that itself.
func (s *Stream) ToHost(dst unsafe.Pointer, src Ptr, bytes int64) error {
	if bytes == 0 {
		return nil
	}
	return s.lib.call4(cuMemcpyDtoHAsync, uintptr(dst), uintptr(src), uintptr(bytes), s.handle)
}

// Copy copies within the card. The two must not overlap.
func (s *Stream) Copy(dst, src Ptr, bytes int64) error {
	if bytes == 0 {
		return nil
	}
	return s.lib.call4(cuMemcpyDtoDAsync, uintptr(dst), uintptr(src), uintptr(bytes), s.handle)
}

// Set8 fills count bytes.
func (s *Stream) Set8(dst Ptr, value byte, count int64) error {
	if count == 0 {
		return nil
	}
	return s.lib.call4(cuMemsetD8Async, uintptr(dst), uintptr(value), uintptr(count), s.handle)
}

// Set32 fills count words of 4 bytes.
func (s *Stream) Set32(dst Ptr, value uint32, count int64) error {
	if count == 0 {
		return nil
	}
	return s.lib.call4(cuMemsetD32Async, uintptr(dst), uintptr(value), uintptr(count), s.handle)
}

// Event is a mark in a stream, with the time at which the card reached it.
type Event struct {
	lib     *library
	handle  uintptr
	elapsed float32 // where the driver writes, so that Elapsed does not allocate
}

// NewEvent makes a mark that is nowhere yet.
func (c *Context) NewEvent() (*Event, error) {
	e := &Event{lib: c.lib}
	if err := c.lib.call(cuEventCreate, uintptr(unsafe.Pointer(&e.handle)), 0); err != nil {
		return nil, err
	}
	return e, nil
}

// Record puts the mark behind the work queued so far.
func (s *Stream) Record(e *Event) error { return s.lib.call4(cuEventRecord, e.handle, s.handle, 0, 0) }

// After makes later work of s wait for the mark, which may be in another stream.
func (s *Stream) After(e *Event) error {
	return s.lib.call4(cuStreamWaitEvent, s.handle, e.handle, 0, 0)
}

// Done says, without waiting, whether the work before the mark is done, or its error.
func (e *Event) Done() (bool, error) {
	switch code := e.lib.code4(cuEventQuery, e.handle, 0, 0, 0); code {
	case 0:
		return true, nil
	case codeNotReady:
		return false, nil
	default:
		return false, e.lib.failure(cuEventQuery, code)
	}
}

// Wait returns when the work before the mark is done.
func (e *Event) Wait() error { return e.lib.call4(cuEventSynchronize, e.handle, 0, 0, 0) }

// Elapsed returns the card's time between two marks that are Done, to about half a microsecond.
func Elapsed(from, to *Event) (time.Duration, error) {
	err := to.lib.call4(cuEventElapsedTime, uintptr(unsafe.Pointer(&to.elapsed)), from.handle, to.handle, 0)
	return time.Duration(float64(to.elapsed) * float64(time.Millisecond)), err
}

// Destroy removes the mark.
func (e *Event) Destroy() error { return e.lib.call(cuEventDestroy, e.handle) }
