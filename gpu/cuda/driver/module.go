package driver

import (
	"strings"
	"unsafe"
)

// Module is a set of kernels on a card.
type Module struct {
	lib    *library
	handle uintptr
	image  []byte // stays: the driver may bring a kernel to the card when it is first asked for
}

// Options of the translator of PTX (CUjit_option in cuda.h).
const (
	jitErrorLog     = 5
	jitErrorLogSize = 6
)

// LoadModule brings kernels to the card: a fatbin, a cubin, or PTX as text. What the translator of PTX
// complains about is in the Error's Text.
func (c *Context) LoadModule(image []byte) (*Module, error) {
	if len(image) == 0 {
		return nil, &Error{Call: symbols[cuModuleLoadDataEx], Code: 200, Name: "CUDA_ERROR_INVALID_IMAGE",
			Text: "there are no kernels in this build"}
	}
	// A copy of our own is aligned, and ends with the zero that PTX needs.
	m := &Module{lib: c.lib, image: append(make([]byte, 0, len(image)+1), image...)[:len(image)+1]}
	log := make([]byte, 8192)
	options := [...]uint32{jitErrorLog, jitErrorLogSize}
	values := struct { // an array of void* that are pointers or numbers
		log  unsafe.Pointer
		size uintptr
	}{unsafe.Pointer(&log[0]), uintptr(len(log))}
	err := c.lib.call(cuModuleLoadDataEx, uintptr(unsafe.Pointer(&m.handle)), uintptr(unsafe.Pointer(&m.image[0])),
		uintptr(len(options)), uintptr(unsafe.Pointer(&options[0])), uintptr(unsafe.Pointer(&values)))
	if e, failed := err.(*Error); failed {
		if said := strings.TrimSpace(cText(log)); said != "" {
			e.Text = strings.TrimPrefix(e.Text+": "+said, ": ")
		}
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Function finds a kernel by its name (declared extern "C").
func (m *Module) Function(name string) (*Function, error) {
	f := &Function{lib: m.lib, name: name}
	text := append([]byte(name), 0)
	err := m.lib.call(cuModuleGetFunction, uintptr(unsafe.Pointer(&f.handle)), m.handle,
		uintptr(unsafe.Pointer(&text[0])))
	if e, failed := err.(*Error); failed {
		e.Text = strings.TrimPrefix(e.Text+": kernel "+name, ": ")
		return nil, e
	}
	return f, nil
}

// Unload takes the kernels off the card.
func (m *Module) Unload() error { return m.lib.call(cuModuleUnload, m.handle) }

// Function is a kernel.
type Function struct {
	lib    *library
	handle uintptr
	name   string
}

// Name returns the kernel's name.
func (f *Function) Name() string { return f.name }

// Attributes are what the compiler gave a kernel.
type Attributes struct {
	Registers   int // number for a thread
	LocalBytes  int // local memory of a thread: spilled registers and arrays
	SharedBytes int // shared memory of a block, without the dynamic part
	MaxThreads  int // most threads of a block
}

// Kinds of attributes of a kernel (CUfunction_attribute in cuda.h).
const (
	functionMaxThreads    = 0
	functionShared        = 1
	functionLocal         = 3
	functionRegisters     = 4
	functionDynamicShared = 8
	functionCarveout      = 9
)

// Attributes returns what the compiler gave the kernel, for this card; zeros where the driver does not say.
func (f *Function) Attributes() Attributes {
	return Attributes{
		Registers:   f.attribute(functionRegisters),
		LocalBytes:  f.attribute(functionLocal),
		SharedBytes: f.attribute(functionShared),
		MaxThreads:  f.attribute(functionMaxThreads),
	}
}

func (f *Function) attribute(kind uintptr) int {
	var v int32
	if f.lib.call(cuFuncGetAttribute, uintptr(unsafe.Pointer(&v)), kind, f.handle) != nil {
		return 0
	}
	return int(v)
}

// MaxDynamicShared allows launches with up to so many bytes of dynamic shared memory, which more than
// 48 KiB need; Device.SharedBlock, less what the kernel has of its own, is the most.
func (f *Function) MaxDynamicShared(bytes int) error {
	return f.lib.call(cuFuncSetAttribute, f.handle, functionDynamicShared, uintptr(uint32(bytes)))
}

// Carveout asks for so many hundredths of a multiprocessor's memory to be shared memory; the rest caches.
func (f *Function) Carveout(percent int) error {
	return f.lib.call(cuFuncSetAttribute, f.handle, functionCarveout, uintptr(uint32(percent)))
}

// Occupancy returns how many blocks of so many threads and bytes of dynamic shared memory a
// multiprocessor holds at a time; 0 if not even one.
func (f *Function) Occupancy(threads, shared int) int {
	var n int32
	if f.lib.call(cuOccupancyMaxActiveBlocksPerMultiprocessor, uintptr(unsafe.Pointer(&n)), f.handle,
		uintptr(uint32(threads)), uintptr(shared)) != nil {
		return 0
	}
	return int(n)
}
