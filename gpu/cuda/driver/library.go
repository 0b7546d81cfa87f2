package driver

import (
	"sync"
	"unsafe"
)

// fn is a function of the driver.
type fn int

const (
	cuDriverGetVersion fn = iota
	cuInit
	cuGetErrorName
	cuGetErrorString
	cuDeviceGetCount
	cuDeviceGet
	cuDeviceGetName
	cuDeviceTotalMem
	cuDeviceGetAttribute
	cuDeviceGetPCIBusId
	cuDevicePrimaryCtxRetain
	cuDevicePrimaryCtxRelease
	cuCtxPushCurrent
	cuCtxPopCurrent
	cuMemGetInfo
	cuMemAlloc
	cuMemFree
	cuMemHostAlloc
	cuMemFreeHost
	cuMemcpyHtoDAsync
	cuMemcpyDtoHAsync
	cuMemcpyDtoDAsync
	cuMemsetD8Async
	cuMemsetD32Async
	cuModuleLoadDataEx
	cuModuleUnload
	cuModuleGetFunction
	cuFuncGetAttribute
	cuFuncSetAttribute
	cuOccupancyMaxActiveBlocksPerMultiprocessor
	cuLaunchKernel
	cuStreamCreate
	cuStreamDestroy
	cuStreamSynchronize
	cuStreamWaitEvent
	cuEventCreate
	cuEventDestroy
	cuEventRecord
	cuEventQuery
	cuEventSynchronize
	cuEventElapsedTime

	// From here on a driver may lack them: it then cannot share buffers with OpenGL.
	cuGLGetDevices
	cuGraphicsGLRegisterBuffer
	cuGraphicsUnregisterResource
	cuGraphicsMapResources
	cuGraphicsUnmapResources
	cuGraphicsResourceGetMappedPointer

	// Without these, cards have no way to each other.
	cuCtxEnablePeerAccess
	cuMemcpyPeerAsync
	functions

	optional = cuGLGetDevices
)

// symbols are the names under which the library has the functions: those of the version of each that
// takes 64-bit sizes and addresses.
var symbols = [functions]string{
	"cuDriverGetVersion", "cuInit", "cuGetErrorName", "cuGetErrorString",
	"cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceTotalMem_v2", "cuDeviceGetAttribute",
	"cuDeviceGetPCIBusId",
	"cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease_v2", "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2",
	"cuMemGetInfo_v2", "cuMemAlloc_v2", "cuMemFree_v2", "cuMemHostAlloc", "cuMemFreeHost",
	"cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoDAsync_v2", "cuMemsetD8Async", "cuMemsetD32Async",
	"cuModuleLoadDataEx", "cuModuleUnload", "cuModuleGetFunction",
	"cuFuncGetAttribute", "cuFuncSetAttribute", "cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuLaunchKernel",
	"cuStreamCreate", "cuStreamDestroy_v2", "cuStreamSynchronize", "cuStreamWaitEvent",
	"cuEventCreate", "cuEventDestroy_v2", "cuEventRecord", "cuEventQuery", "cuEventSynchronize", "cuEventElapsedTime",
	"cuGLGetDevices_v2", "cuGraphicsGLRegisterBuffer", "cuGraphicsUnregisterResource",
	"cuGraphicsMapResources", "cuGraphicsUnmapResources", "cuGraphicsResourceGetMappedPointer_v2",
	"cuCtxEnablePeerAccess", "cuMemcpyPeerAsync",
}

// library is an opened driver.
type library struct {
	path    string
	at      [functions]uintptr // 0: not there
	version int                // CUDA's version as the driver counts; 0 if it does not say
	lacks   string             // a function that it must have and has not
	start   func() error       // starts the driver the first time, and says why it is unusable
}

// load opens the library at path and looks its functions up. It does not start the driver.
func load(path string) (*library, error) {
	find, err := open(path)
	if err != nil {
		return nil, err
	}
	l := &library{path: path}
	for f, name := range symbols {
		l.at[f] = find(name)
		if l.at[f] == 0 && fn(f) < optional && l.lacks == "" {
			l.lacks = name
		}
	}
	var version int32
	if l.code(cuDriverGetVersion, uintptr(unsafe.Pointer(&version))) == 0 {
		l.version = int(version)
	}
	l.start = sync.OnceValue(l.init)
	return l, nil
}

// init starts the driver and says why it cannot be used, as an *Absent.
func (l *library) init() error {
	switch {
	case l.version > 0 && l.version < OldestVersion:
		return tooOld(l.version)
	case l.lacks != "":
		return lacking(l.path, l.lacks)
	}
	if err := l.call(cuInit, 0); err != nil {
		return notStarting(err.(*Error))
	}
	return nil
}

// call calls f.
//
//go:uintptrescapes
func (l *library) call(f fn, args ...uintptr) error {
	if code := l.code(f, args...); code != 0 {
		return l.failure(f, code)
	}
	return nil
}

// code calls f and returns what it returns, or codeNotThere.
//
//go:uintptrescapes
func (l *library) code(f fn, args ...uintptr) int {
	if l.at[f] == 0 {
		return codeNotThere
	}
	return int(int32(invoke(l.at[f], args)))
}

// scratch holds arguments on their way: those of a variadic call would be allocated each time.
var scratch = sync.Pool{New: func() any { return new([11]uintptr) }}

// call4 is call without an allocation, unless f fails; functions ignore arguments that they do not have.
//
//go:uintptrescapes
func (l *library) call4(f fn, a, b, c, d uintptr) error {
	if code := l.code4(f, a, b, c, d); code != 0 {
		return l.failure(f, code)
	}
	return nil
}

// code4 is code without an allocation.
//
//go:uintptrescapes
func (l *library) code4(f fn, a, b, c, d uintptr) int {
	if l.at[f] == 0 {
		return codeNotThere
	}
	w := scratch.Get().(*[11]uintptr)
	w[0], w[1], w[2], w[3] = a, b, c, d
	code := invoke(l.at[f], w[:4])
	scratch.Put(w)
	return int(int32(code))
}

// launch is call for cuLaunchKernel, without an allocation.
//
//go:uintptrescapes
func (l *library) launch(function uintptr, grid, block Dim, shared, stream, args uintptr) error {
	w := scratch.Get().(*[11]uintptr)
	*w = [...]uintptr{function,
		uintptr(uint32(grid.X)), uintptr(uint32(max(grid.Y, 1))), uintptr(uint32(max(grid.Z, 1))),
		uintptr(uint32(block.X)), uintptr(uint32(max(block.Y, 1))), uintptr(uint32(max(block.Z, 1))),
		shared, stream, args, 0}
	code := int(int32(invoke(l.at[cuLaunchKernel], w[:])))
	scratch.Put(w)
	if code != 0 {
		return l.failure(cuLaunchKernel, code)
	}
	return nil
}

// failure makes the error of a call.
func (l *library) failure(f fn, code int) error {
	if code == codeNotThere {
		return &Error{Call: symbols[f], Code: codeNotSupported, Name: "CUDA_ERROR_NOT_SUPPORTED",
			Text: "this driver does not have the function"}
	}
	return &Error{Call: symbols[f], Code: code, Name: l.say(cuGetErrorName, code), Text: l.say(cuGetErrorString, code)}
}

// say asks the driver for its words about a code; "" if it does not know it.
func (l *library) say(f fn, code int) string {
	var text *byte
	if l.code(f, uintptr(uint32(code)), uintptr(unsafe.Pointer(&text))) != 0 || text == nil {
		return ""
	}
	n := 0
	for n < 1024 && *(*byte)(unsafe.Add(unsafe.Pointer(text), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(text, n))
}
