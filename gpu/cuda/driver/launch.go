package driver

import (
	"fmt"
	"reflect"
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
	big    [maxArgs]unsafe.Pointer // arguments that are structures, nil for the others
	at     [maxArgs]unsafe.Pointer // addresses of the values, which the driver copies while Launch runs
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

// Layout is where in a structure P the parameters of a kernel lie.
type Layout[P any] struct{ offsets []uintptr }

// LayoutOf returns the layout of a structure with a field for each parameter of a kernel, in their order and of
// exactly their types: Ptr, numbers of 32 or 64 bits. It panics if it has others, or too many: a mistake in the
// program, found when it starts.
func LayoutOf[P any]() Layout[P] {
	t := reflect.TypeFor[P]()
	var l Layout[P]
	if t.Kind() != reflect.Struct || t.NumField() > maxArgs || t.Size() > unsafe.Sizeof(Args{}.values) {
		panic(fmt.Sprintf("driver: %v cannot be the parameters of a kernel", t))
	}
	for i := range t.NumField() {
		f := t.Field(i)
		switch f.Type.Kind() {
		case reflect.Uintptr, reflect.Int32, reflect.Uint32, reflect.Int64, reflect.Uint64, reflect.Float32,
			reflect.Float64:
		default:
			panic(fmt.Sprintf("driver: %s of %v is a %v, which no kernel takes", f.Name, t, f.Type))
		}
		l.offsets = append(l.offsets, f.Offset)
	}
	return l
}

// Set makes p all arguments.
func (l Layout[P]) Set(a *Args, p P) {
	values := unsafe.Pointer(&a.values)
	*(*P)(values) = p
	a.n = len(l.offsets)
	for i, at := range l.offsets {
		a.big[i] = unsafe.Add(values, at)
	}
}

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
