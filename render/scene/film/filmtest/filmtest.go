// Package filmtest reads films back, for tests: by itself, not by what has written them.
package filmtest

import "image"

// Film is what was read.
type Film struct {
	Frames []*image.RGBA
	Rate   float64 // frames per second
	Loops  int     // 0: for ever
	Text   map[string]string
}
