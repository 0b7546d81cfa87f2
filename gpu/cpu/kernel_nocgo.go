//go:build !cgo

package cpu

var variants = []variant{plainGo}
