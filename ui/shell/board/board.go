// Package board puts pictures and long texts into the clipboard of the system, as GLFW has texts alone there, and on
// X11 short ones. What is there goes to other programs as often as they ask, until somebody copies something else.
package board

import "blossom/model/base/problem"

// Board is this program's side of the clipboard. The zero Board has nothing there. It is for one goroutine.
type Board struct{ system }

// Picture puts the bytes of a PNG into the clipboard, as they are. The error is a Problem.
func (b *Board) Picture(png []byte) error { return b.picture(png) }

// refused says why a picture is not in the clipboard.
func refused(err error, remedy string) error {
	return problem.Wrap(err, "", remedy, "the picture could not be copied (%v)", err)
}
