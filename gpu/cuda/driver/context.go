package driver

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// errClosed is of a context that is used after it was closed.
var errClosed = errors.New("the card is used after it was closed")

// Context is the primary context of a card. All that Open returns for one card share it.
type Context struct {
	lib    *library
	handle int32 // the driver's number of the card
	ctx    uintptr
	info   Device
	leave  func()
	close  sync.Once
	gone   atomic.Bool // it is closed, or about to be
	closed error
}

// Open makes the card's context, which takes some of its memory. A number that no card has is an *Absent
// that lists the cards.
func Open(device int) (*Context, error) {
	l, err := system()
	if err != nil {
		return nil, err
	}
	return l.open(device)
}

func (l *library) open(device int) (*Context, error) {
	cards, err := l.devices()
	if err != nil {
		return nil, err
	}
	if device < 0 || device >= len(cards) {
		return nil, NoDevice(device, cards)
	}
	c := &Context{lib: l}
	if c.handle, c.info, err = l.device(device); err != nil {
		return nil, err
	}
	if err := l.call(cuDevicePrimaryCtxRetain, uintptr(unsafe.Pointer(&c.ctx)), uintptr(uint32(c.handle))); err != nil {
		return nil, err
	}
	c.leave = func() {
		c.pop()
		runtime.UnlockOSThread()
	}
	return c, nil
}

// Close gives the context back. What was made from it must not be used after that; the memory goes when
// the last Context of the card is closed. Closing twice is harmless.
func (c *Context) Close() error {
	c.close.Do(func() {
		c.gone.Store(true)
		c.closed = c.lib.call(cuDevicePrimaryCtxRelease, uintptr(uint32(c.handle)))
	})
	return c.closed
}

// Info says what the card is.
func (c *Context) Info() Device { return c.info }

// Enter keeps the goroutine on its thread and makes the context current there, until leave is called, on
// the same goroutine. It may be nested, also with other contexts. It fails once the context is closed: the driver would
// look at memory that is gone.
func (c *Context) Enter() (leave func(), err error) {
	if c.gone.Load() {
		return nil, errClosed
	}
	runtime.LockOSThread()
	if err := c.lib.call4(cuCtxPushCurrent, c.ctx, 0, 0, 0); err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	return c.leave, nil
}

// popped holds what cuCtxPopCurrent writes and nobody reads.
var popped = sync.Pool{New: func() any { return new(uintptr) }}

// pop undoes Enter. There is no error to act on: the caller is on its way out.
func (c *Context) pop() {
	old := popped.Get().(*uintptr)
	_ = c.lib.call4(cuCtxPopCurrent, uintptr(unsafe.Pointer(old)), 0, 0, 0)
	popped.Put(old)
}

// MemInfo returns the bytes of the card's memory that are free, and all.
func (c *Context) MemInfo() (free, total int64, err error) {
	var f, t uintptr
	err = c.lib.call(cuMemGetInfo, uintptr(unsafe.Pointer(&f)), uintptr(unsafe.Pointer(&t)))
	return int64(f), int64(t), err
}

// least is the size of the smallest block, so that nothing is a valid address too.
const least = 16

// Alloc takes memory on the card, aligned to 256 bytes. Its content is not set.
func (c *Context) Alloc(bytes int64) (Ptr, error) {
	if bytes < 0 {
		return 0, c.tooMuch(cuMemAlloc)
	}
	var p uint64
	err := c.lib.call(cuMemAlloc, uintptr(unsafe.Pointer(&p)), uintptr(max(bytes, least)))
	return Ptr(p), err
}

// tooMuch is the answer to a size that ran over.
func (c *Context) tooMuch(f fn) error { return c.lib.failure(f, codeOutOfMemory) }

// Free gives memory of Alloc back, after all work that may use it. Freeing 0 does nothing.
func (c *Context) Free(p Ptr) error {
	if p == 0 {
		return nil
	}
	return c.lib.call(cuMemFree, uintptr(p))
}

const hostPortable = 1 // CU_MEMHOSTALLOC_PORTABLE: pinned for all contexts

// AllocHost takes memory of the computer that stays in its place, from and to which copies are fast and
// go on while the program does. Go's collector does not see it: it must hold no Go pointers.
func (c *Context) AllocHost(bytes int64) (unsafe.Pointer, error) {
	if bytes < 0 {
		return nil, c.tooMuch(cuMemHostAlloc)
	}
	var p unsafe.Pointer
	err := c.lib.call(cuMemHostAlloc, uintptr(unsafe.Pointer(&p)), uintptr(max(bytes, least)), hostPortable)
	return p, err
}

// FreeHost gives memory of AllocHost back. Freeing nil does nothing.
func (c *Context) FreeHost(p unsafe.Pointer) error {
	if p == nil {
		return nil
	}
	return c.lib.call(cuMemFreeHost, uintptr(p))
}
