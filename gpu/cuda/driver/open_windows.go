//go:build amd64

package driver

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

const systemLibrary = "nvcuda.dll"

// open opens the library and returns what finds a function in it, 0 if it is not there. The driver's own
// one is looked for among the system's files only.
func open(path string) (find func(name string) uintptr, err error) {
	var where uintptr
	if path == systemLibrary {
		where = windows.LOAD_LIBRARY_SEARCH_SYSTEM32
	}
	lib, err := windows.LoadLibraryEx(path, 0, where)
	if err != nil {
		if errors.Is(err, windows.ERROR_MOD_NOT_FOUND) {
			return nil, notThere(path)
		}
		return nil, notOpening(path, err)
	}
	return func(name string) uintptr {
		at, err := windows.GetProcAddress(lib, name)
		if err != nil {
			return 0
		}
		return at
	}, nil
}

// invoke calls the function at that address. What the arguments point to is kept by those who call.
func invoke(at uintptr, args []uintptr) uintptr {
	r, _, _ := syscall.SyscallN(at, args...)
	return r
}
