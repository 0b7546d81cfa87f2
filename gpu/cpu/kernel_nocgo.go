//go:build !cgo || race

package cpu

// The race detector does not see into C: it is given the kernels in Go, which are compiled sooner, too.
var variants = []variant{plainGo}
