//go:build (amd64 || arm64) && cgo && !static

package driver

import (
	"strings"

	"github.com/ebitengine/purego"
)

const systemLibrary = "libcuda.so.1"

// open opens the library and returns what finds a function in it, 0 if it is not there.
func open(path string) (find func(name string) uintptr, err error) {
	lib, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		if strings.Contains(err.Error(), "No such file") || strings.Contains(err.Error(), "not found") {
			return nil, notThere(path)
		}
		return nil, notOpening(path, err)
	}
	return func(name string) uintptr {
		at, err := purego.Dlsym(lib, name)
		if err != nil {
			return 0
		}
		return at
	}, nil
}

// invoke calls the function at that address; SyscallN, unlike functions made by RegisterFunc, does not
// allocate. What the arguments point to is kept by those who call.
func invoke(at uintptr, args []uintptr) uintptr {
	r, _, _ := purego.SyscallN(at, args...)
	return r
}
