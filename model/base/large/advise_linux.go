package large

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// advise asks for large pages. A system that has none says so, which changes nothing.
func advise[T any](s []T) {
	var each T
	size := len(s) * int(unsafe.Sizeof(each))
	if size < least {
		return
	}
	const page = 1 << 16 // the largest that systems have as a usual one
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), size)
	from := -uintptr(unsafe.Pointer(unsafe.SliceData(s))) % page
	if until := (uintptr(size) - from) &^ (page - 1); until > 0 {
		_ = unix.Madvise(bytes[from:from+until], unix.MADV_HUGEPAGE)
	}
}
