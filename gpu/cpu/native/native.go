//go:build cgo && !race

package native

// #cgo CFLAGS: -O2 -Wall
// #cgo !windows LDFLAGS: -lm
import "C"
