//go:build !linux

package recovery

import (
	"os"
	"syscall"
	"time"
)

// self describes this process.
func self() owner {
	host, _ := os.Hostname() // an unknown one is as good as another
	return owner{Host: host, Process: os.Getpid()}
}

// born is not known here: only signs of life tell.
func born(int) string { return "" }

// remote is not known here: locks are trusted where they work.
func remote(string) bool { return false }

// wrote says whether there is a process of that number.
func wrote(pid int, _ time.Time) bool {
	p, err := os.FindProcess(pid)
	return err == nil && (p.Signal(syscall.Signal(0)) == nil || os.IsPermission(p.Signal(syscall.Signal(0))))
}
