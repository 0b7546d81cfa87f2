// Package shell owns the operating system's window, its OpenGL context, the frame loop and the glue to
// Dear ImGui. It is the only package that knows GLFW. An App is told when to draw and when to stop; all
// of its methods run on the one locked main thread with the GL context current.
//
// Units: "screen" lengths are ImGui's (window coordinates, origin at the top left); a point is Scale()
// of them; a framebuffer pixel is 1/FramebufferScale() of one.
package shell

import "time"

// App is what the shell runs.
type App interface {
	// Start is called once, when window, GL context and ImGui context exist and before the first frame.
	Start(*Context) error
	// Frame builds one frame: ImGui calls, and GL drawing into the app's own framebuffers.
	Frame(*Context)
	// Wake says, after a frame, when the next one is wanted at the latest.
	Wake() Wake
	// Drop is called before a frame with the paths of files dropped on the window.
	Drop(paths []string)
	// CloseRequested is called when the user asks to close the window; true closes it.
	CloseRequested() bool
	// ScaleChanged is called before a frame that has another Scale() than the last one, and before the first.
	ScaleChanged(scale float32)
	// Panic is called with what a frame panicked with. The frame is abandoned; the loop goes on unless
	// three frames in a row panic.
	Panic(v any, stack []byte)
	// Stop is called once, at the end, when the GL context is still current.
	Stop()
}

// Wake is the longest time until the next frame; input and Post always bring one at once.
type Wake time.Duration

const (
	Now  Wake = 0  // something is stale or moving: draw at once
	Idle Wake = -1 // nothing moves: wait for input, at no cost
)

// sooner returns the earlier of two wakes.
func (w Wake) sooner(v Wake) Wake {
	if w < 0 || (v >= 0 && v < w) {
		return v
	}
	return w
}

// Geometry is the place of the window on the desktop, in the window system's coordinates.
type Geometry struct {
	X, Y, Width, Height int
	Maximized           bool
}

// Config says how to open the window.
type Config struct {
	Title string
	// Geometry as Context.Geometry returned it in an earlier run. Zero sizes: a default size in points on
	// the primary monitor. A place that no monitor shows any more is ignored.
	Geometry  Geometry
	MinWidth  int              // in points; 0: 480
	MinHeight int              // in points; 0: 360
	Zoom      float32          // the user's zoom of the interface on top of the system's scale; 0: 1
	Clock     func() time.Time // nil: time.Now
}

// Nop is an App that does nothing; embed it and write only the methods you need.
type Nop struct{}

// Start does nothing.
func (Nop) Start(*Context) error { return nil }

// Frame draws nothing.
func (Nop) Frame(*Context) {}

// Wake is Idle.
func (Nop) Wake() Wake { return Idle }

// Drop ignores the files.
func (Nop) Drop([]string) {}

// CloseRequested agrees.
func (Nop) CloseRequested() bool { return true }

// ScaleChanged does nothing.
func (Nop) ScaleChanged(float32) {}

// Panic panics again: an app that does not handle its panics must not hide them.
func (Nop) Panic(v any, _ []byte) { panic(v) }

// Stop does nothing.
func (Nop) Stop() {}
