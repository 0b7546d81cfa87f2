//go:build !windows

package plain

// ofSystem is the Problem of an error that one system alone has: none here.
func ofSystem(error, string) error { return nil }

// fullHere is Full of errors that one system alone has: none here.
func fullHere(error) bool { return false }
