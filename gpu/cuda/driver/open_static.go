//go:build linux && (amd64 || arm64) && (!cgo || static)

package driver

const systemLibrary = "libcuda.so.1"

// open says that this program has been built as a single file, which starts where there are no libraries and can open
// none.
func open(string) (find func(name string) uintptr, err error) {
	return nil, &Absent{
		What:   "this blossom is a single file without CUDA",
		Remedy: "the blossom with a window has it",
	}
}

// invoke is never called: nothing can be opened.
func invoke(uintptr, []uintptr) uintptr { panic("driver: no CUDA in this program") }
