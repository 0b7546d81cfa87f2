// Package egl makes an OpenGL context without a display, window or desktop, through libEGL. Where the
// machine has no GPU, Mesa draws in software. Windows has it of a window that is never shown.
package egl

import "blossom/model/base/problem"

// Options choose the device.
type Options struct {
	// Software asks for the software rasteriser also where there is a GPU: pictures are then the same
	// on every machine, which tests want.
	Software bool
}

// How to get EGL, for messages.
const remedy = "install EGL and a driver: on Debian or Ubuntu libegl1 libgl1-mesa-dri, " +
	"on Fedora mesa-libEGL mesa-dri-drivers, on Arch libglvnd mesa"

func failure(format string, args ...any) error {
	return problem.New("", remedy, "no OpenGL without a display: "+format, args...)
}
