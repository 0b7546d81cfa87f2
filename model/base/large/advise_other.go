//go:build !linux

package large

func advise[T any]([]T) {}
