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
	functions

	optional = cuGLGetDevices
)

// symbols are the names under which the library has the functions: those of the version of each that
// takes 64-bit sizes and addresses.
var symbols = [functions]string{
	"cuDriverGetVersion", "cuInit", "cuGetErrorName", "cuGetErrorString",
	"cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceTotalMem_v2", "cuDeviceGetAttribute", "cuDeviceGetPCIBusId",
	"cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease_v2", "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2",
	"cuMemGetInfo_v2", "cuMemAlloc_v2", "cuMemFree_v2", "cuMemHostAlloc", "cuMemFreeHost",
	"cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoDAsync_v2", "cuMemsetD8Async", "cuMemsetD32Async",
	"cuModuleLoadDataEx", "cuModuleUnload", "cuModuleGetFunction",
	"cuFuncGetAttribute", "cuFuncSetAttribute", "cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuLaunchKernel",
	"cuStreamCreate", "cuStreamDestroy_v2", "cuStreamSynchronize", "cuStreamWaitEvent",
	"cuEventCreate", "cuEventDestroy_v2", "cuEventRecord", "cuEventQuery", "cuEventSynchronize", "cuEventElapsedTime",
	"cuGLGetDevices_v2", "cuGraphicsGLRegisterBuffer", "cuGraphicsUnregisterResource",
	"cuGraphicsMapResources", "cuGraphicsUnmapResources", "cuGraphicsResourceGetMappedPointer_v2",
}

// library is an opened driver.
type library struct {
	path    string
	at      [functions]uintptr // 0: not there
	version int                // of CUDA, as the driver counts; 0 if it does not say
	lacks   string             // a function that it must have and has not
	start   func() error       // what makes it unusable; starts it the first time
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
	if l.at[cuDriverGetVersion] != 0 && invoke(l.at[cuDriverGetVersion], uintptr(unsafe.Pointer(&version))) == 0 {
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

// call calls f. It does not allocate unless f fails.
//
//go:uintptrescapes
func (l *library) call(f fn, args ...uintptr) error {
	if l.at[f] == 0 {
		return &Error{Call: symbols[f], Code: codeNotSupported, Name: "CUDA_ERROR_NOT_SUPPORTED", Text: "this driver does not have the function"}
	}
	if code := int32(invoke(l.at[f], args...)); code != 0 {
		return l.failure(f, int(code))
	}
	return nil
}

// failure makes the error of a call.
func (l *library) failure(f fn, code int) error {
	return &Error{Call: symbols[f], Code: code, Name: l.say(cuGetErrorName, code), Text: l.say(cuGetErrorString, code)}
}

// say asks the driver for its words about a code; "" if it does not know it.
func (l *library) say(f fn, code int) string {
	var text *byte
	if l.at[f] == 0 || invoke(l.at[f], uintptr(uint32(code)), uintptr(unsafe.Pointer(&text))) != 0 || text == nil {
		return ""
	}
	n := 0
	for n < 1024 && *(*byte)(unsafe.Add(unsafe.Pointer(text), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(text, n))
}
