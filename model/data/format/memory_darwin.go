package format

import "golang.org/x/sys/unix"

// AvailableMemory returns half of the machine's memory: macOS compresses and swaps what is idle, so
// the number of free pages says little.
func AvailableMemory() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return fallbackMemory
	}
	return int64(n / 2)
}

// moreMemory is the remedy where not even one row fits.
func moreMemory() string { return machineMemory }
