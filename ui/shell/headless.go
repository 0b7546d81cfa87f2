package shell

import (
	"image"
	"os"
	"runtime"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// Headless is a window without a screen: the same frames, drawn step by step into a framebuffer of any
// size and scale, with a clock of its own and input through the same door as the real window's. It
// needs a display to make its GL context (Xvfb will do), and the main thread.
type Headless struct {
	c      *Context
	w      *glfw.Window
	in     *input
	now    time.Time
	size   [2]int // pixels
	fs     float32
	s      float32
	text   string // clipboard
	png    []byte // the same, of pictures
	name   string
	closed bool
}

// FrameTime is how far a Headless clock moves with every step.
const FrameTime = time.Second / 60

// NewHeadless starts the app in a hidden window of w x h pixels; scale is the system's scale.
func NewHeadless(w, h int, scale float32, app App) (*Headless, error) {
	runtime.LockOSThread()
	if err := initPatiently(); err != nil {
		return nil, err
	}
	win, err := createWindow(64, 64, "headless")
	if err != nil {
		return nil, err
	}
	x := &Headless{w: win, now: time.Unix(1_700_000_000, 0), size: [2]int{w, h}, s: scale, fs: 1}
	if x.c, err = newContext(app, x, func() time.Time { return x.now }, 1, true); err != nil {
		win.Destroy()
		return nil, err
	}
	x.in = x.c.in
	return x, nil
}

// Close stops the app and frees everything, once.
func (x *Headless) Close() {
	if x.closed {
		return
	}
	x.closed = true
	x.c.stop()
	x.w.Destroy()
}

// keepGLFW is set by the first Headless: GLFW stays open until the process ends. An Xvfb whose last
// client leaves resets itself, and refuses the next one meanwhile.
var keepGLFW bool

// initPatiently starts GLFW; a display that refuses, because it starts or resets, is asked for a second.
func initPatiently() error {
	keepGLFW = true
	for i := 0; ; i++ {
		err := initGLFW()
		if err == nil || i == 10 || os.Getenv("DISPLAY") == "" {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func terminateGLFW() {
	if !keepGLFW {
		glfw.Terminate()
	}
}

// Step moves the clock and makes one frame: all of the app's work and ImGui's, but the interface is
// drawn only when a Screenshot asks for it, since a software OpenGL is slow. It reports whether the app
// still runs.
func (x *Headless) Step() (bool, error) {
	x.now = x.now.Add(FrameTime)
	err := x.c.frame(false)
	return !x.c.closing, err
}

// Wake returns how long a real loop would wait now.
func (x *Headless) Wake() Wake { return x.c.next() }

// Context returns the app's context.
func (x *Headless) Context() *Context { return x.c }

// Advance moves the clock without a frame.
func (x *Headless) Advance(d time.Duration) { x.now = x.now.Add(d) }

// Resize sets the size of the window in pixels, from the next step on.
func (x *Headless) Resize(w, h int) { x.size, x.in.fresh = [2]int{w, h}, true }

// SetScale sets the system's scale, from the next step on.
func (x *Headless) SetScale(s float32) { x.s, x.in.fresh = s, true }

// SetPixelRatio sets the framebuffer pixels per screen unit: 2 is a Retina display, where the system's
// scale is 2 as well.
func (x *Headless) SetPixelRatio(f float32) { x.fs, x.in.fresh = f, true }

// Move moves the cursor, in screen units.
func (x *Headless) Move(px, py float32) { x.in.move(px, py) }

// Button presses or releases a mouse button.
func (x *Headless) Button(b Button, down bool) { x.in.button(b, down) }

// Scroll turns the wheel.
func (x *Headless) Scroll(dx, dy float32) { x.in.wheel(dx, dy) }

// Key presses (again: repeats) or releases a key.
func (x *Headless) Key(k imgui.Key, down bool) { x.in.key(k, down) }

// Rune types a character.
func (x *Headless) Rune(r rune) { x.in.char(r) }

// Focus gives or takes the keyboard.
func (x *Headless) Focus(on bool) { x.in.focus(on) }

// Enter moves the cursor into or out of the window.
func (x *Headless) Enter(on bool) { x.in.enter(on) }

// Drop drops files on the window.
func (x *Headless) Drop(paths ...string) { x.in.drop(paths) }

// RequestClose is a click on the window's close button.
func (x *Headless) RequestClose() { x.in.close() }

// Screenshot returns the last frame.
func (x *Headless) Screenshot() *image.RGBA { return x.c.Screenshot() }

// Title returns the window's title.
func (x *Headless) Title() string { return x.name }

// Cursor returns the shape of the cursor after the last frame.
func (x *Headless) Cursor() imgui.MouseCursor { return imgui.CurrentMouseCursor() }

func (x *Headless) measure() (imgui.Vec2, [2]int, float32) {
	return imgui.Vec2{X: float32(x.size[0]) / x.fs, Y: float32(x.size[1]) / x.fs}, x.size, x.s
}

func (x *Headless) target()                  {}
func (x *Headless) present()                 {}
func (x *Headless) cursor(imgui.MouseCursor) {}
func (x *Headless) title(s string)           { x.name = s }
func (x *Headless) wake()                    {}
func (x *Headless) geometry() Geometry       { return Geometry{Width: x.size[0], Height: x.size[1]} }
func (x *Headless) GetClipboard() string     { return x.text }
func (x *Headless) SetClipboard(s string)    { x.text = s }
func (x *Headless) picture(png []byte) error { x.png = png; return nil }

// Copied is the picture that was copied last.
func (x *Headless) Copied() []byte { return x.png }
