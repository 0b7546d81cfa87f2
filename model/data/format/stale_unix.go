//go:build unix

package format

import (
	"os"

	"golang.org/x/sys/unix"
)

// hold locks a file that was just made, until it is closed; false if it has been removed meanwhile. Where the
// file system has no locks, nothing is ever taken for stale.
func hold(f *os.File, name string) bool {
	if unix.Flock(int(f.Fd()), unix.LOCK_EX) != nil {
		return true
	}
	mine, err1 := f.Stat()
	there, err2 := os.Stat(name)
	return err1 == nil && err2 == nil && os.SameFile(mine, there)
}

// place puts a file that is held under its name, where another may be, and lets it go only then: in between others that
// write into the folder would take it for stale.
func place(f *os.File, path string) error {
	err := os.Rename(f.Name(), path)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// removeUnlocked removes a file that no living process holds.
func removeUnlocked(name string) {
	f, err := os.OpenFile(name, os.O_WRONLY|unix.O_NONBLOCK, 0) // a pipe of that name would wait for a reader
	if err != nil {
		return
	}
	defer f.Close()
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
		os.Remove(name)
	}
}
