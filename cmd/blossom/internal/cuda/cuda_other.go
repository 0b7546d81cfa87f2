//go:build !(linux || darwin || freebsd)

package cuda

// Probe knows no driver on this system yet.
func Probe() Driver { return absent("the CUDA driver") }
