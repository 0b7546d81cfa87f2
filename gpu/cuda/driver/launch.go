package driver

import (
	"runtime"
	"unsafe"
)

// Dim is the size of a grid in blocks or of a block in threads. A Y or Z of 0 stands for 1.
type Dim struct{ X, Y, Z int }

// maxArgs is how many arguments a kernel can have here.
const maxArgs = 48

// Args packs the arguments of a kernel, in their order and with exactly their types. It is made to be
// used again: keep one per kernel or stream beside them, Reset it and fill it. The zero value is ready.
type Args struct {
	n      int
	values [maxArgs]uint64
	big    [maxArgs]unsafe.Pointer // of arguments that are structures, nil for the others
	at     [maxArgs]unsafe.Pointer // of the values, which the driver copies while Launch runs
}

// Reset forgets all arguments.
func (a *Args) Reset() { a.n = 0 }

// next returns the place of one more argument. What does not fit is counted, and Launch refuses it.
func (a *Args) next() unsafe.Pointer {
	i := min(a.n, maxArgs-1)
	a.n++
	a.big[i] = nil
	return unsafe.Pointer(&a.values[i])
}

// Struct passes a structure by value: p is where it lies, with the layout that the kernel has of it. It
// must stay there until Launch returns.
func (a *Args) Struct(p unsafe.Pointer) {
	a.next()
	a.big[min(a.n, maxArgs)-1] = p
}

func (a *Args) Ptr(p Ptr)     { *(*Ptr)(a.next()) = p }
func (a *Args) I32(v int32)   { *(*int32)(a.next()) = v }
func (a *Args) U32(v uint32)  { *(*uint32)(a.next()) = v }
func (a *Args) I64(v int64)   { *(*int64)(a.next()) = v }
func (a *Args) U64(v uint64)  { *(*uint64)(a.next()) = v }
func (a *Args) F32(v float32) { *(*float32)(a.next()) = v }
func (a *Args) F64(v float64) { *(*float64)(a.next()) = v }

// Launch queues a kernel with shared bytes of dynamic shared memory. The arguments are copied before it
// returns. An empty grid is no work and no error.
func (s *Stream) Launch(f *Function, grid, block Dim, shared int, a *Args) error {
	if grid.X == 0 {
		return nil
	}
	if a.n > maxArgs {
		return &Error{Call: symbols[cuLaunchKernel], Code: 1, Name: "CUDA_ERROR_INVALID_VALUE", Text: "kernel " +
			f.name + " is given too many arguments"}
	}
	for i := range a.n {
		if a.at[i] = a.big[i]; a.at[i] == nil {
			a.at[i] = unsafe.Pointer(&a.values[i])
		}
	}
	err := s.lib.launch(f.handle, grid, block, uintptr(uint32(shared)), s.handle, uintptr(unsafe.Pointer(&a.at[0])))
	runtime.KeepAlive(a)
	if e, failed := err.(*Error); failed {
		e.Text += ": kernel " + f.name
	}
	return err
}
