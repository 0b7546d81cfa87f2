package format

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// memoryStatus is MEMORYSTATUSEX of the system.
type memoryStatus struct {
	length, load                                                                uint32
	total, free, pagesTotal, pagesFree, addressTotal, addressFree, extendedFree uint64
}

var globalMemoryStatusEx = windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")

// AvailableMemory returns how many bytes can be taken now without swapping: what is free of the machine, or of what its
// page file still backs where that is less.
func AvailableMemory() int64 {
	s := memoryStatus{length: uint32(unsafe.Sizeof(memoryStatus{}))}
	if ok, _, _ := globalMemoryStatusEx.Call(uintptr(unsafe.Pointer(&s))); ok == 0 || s.free == 0 {
		return fallbackMemory
	}
	return int64(min(s.free, s.pagesFree))
}

// moreMemory is the remedy where not even one row fits.
func moreMemory() string { return machineMemory }
