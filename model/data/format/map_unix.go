//go:build linux || darwin

package format

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps the whole file into memory for reading, and returns how to undo that; nil where it
// cannot be mapped.
func mapFile(f *os.File, size int64) ([]byte, func()) {
	if f == nil || size <= 0 || size != int64(int(size)) {
		return nil, nil
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil
	}
	_ = unix.Madvise(data, unix.MADV_WILLNEED) // only advice
	return data, func() { _ = unix.Munmap(data) }
}
