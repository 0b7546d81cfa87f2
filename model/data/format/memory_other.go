//go:build !linux && !darwin && !windows

package format

// AvailableMemory returns what a machine can be expected to have free.
func AvailableMemory() int64 { return fallbackMemory }

// moreMemory is the remedy where not even one row fits.
func moreMemory() string { return machineMemory }
