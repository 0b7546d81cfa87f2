//go:build unix

package ui

import (
	"syscall"
	"time"
)

// cpuTime is what all threads of the process have taken, 0 where it is unknown.
func cpuTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
