//go:build !linux || !amd64 || wayland

package shell

// loadLibraries has nothing to do where the libraries of windows are part of the system, or linked.
func loadLibraries() error { return nil }
