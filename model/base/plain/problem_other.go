//go:build !windows

package plain

// ofSystem is the Problem of an error that one system alone has: none here.
func ofSystem(error, string) error { return nil }
