//go:build !((linux && (amd64 || arm64)) || (windows && amd64))

package driver

import "runtime"

const systemLibrary = "libcuda"

// open says that NVIDIA has no driver for this system.
func open(string) (find func(name string) uintptr, err error) {
	return nil, &Absent{
		What:   "NVIDIA has no CUDA driver for " + runtime.GOOS + "/" + runtime.GOARCH,
		Remedy: "use another engine",
	}
}

// invoke is never called: nothing can be opened.
func invoke(uintptr, []uintptr) uintptr { panic("driver: no CUDA on this system") }
