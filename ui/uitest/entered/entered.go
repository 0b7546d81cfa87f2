// Package entered records on which stacks functions are entered, of a program whose sources were built with a call of
// Enter at the beginning of each: TestWalksThroughAllPackages of the window builds one.
package entered

import (
	"hash/maphash"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

var (
	on   atomic.Bool
	seed = maphash.MakeSeed()
	mu   sync.Mutex
	kept map[uint64][]uintptr // stacks, each once
)

// Enter is called at the beginning of every function.
func Enter() {
	if on.Load() {
		record()
	}
}

func record() {
	var pcs [128]uintptr
	n := runtime.Callers(3, pcs[:])
	key := maphash.Bytes(seed, unsafe.Slice((*byte)(unsafe.Pointer(&pcs)), n*int(unsafe.Sizeof(pcs[0]))))
	mu.Lock()
	defer mu.Unlock()
	if kept[key] == nil {
		kept[key] = append([]uintptr(nil), pcs[:n]...)
	}
}

// During returns the stacks on which functions were entered while f ran, the innermost call first, each once. Built
// without those calls there are none.
func During(f func()) (stacks [][]runtime.Frame) {
	mu.Lock()
	kept = map[uint64][]uintptr{}
	mu.Unlock()
	on.Store(true)
	f()
	on.Store(false)
	mu.Lock()
	defer mu.Unlock()
	for _, pcs := range kept {
		var stack []runtime.Frame
		for frames, more := runtime.CallersFrames(pcs), true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			stack = append(stack, f)
		}
		stacks = append(stacks, stack)
	}
	return stacks
}
