package shell

import (
	"errors"
	"image"
	"runtime/debug"
	"sync"
	"time"
	"unsafe"

	"blossom/model/base/problem"

	"github.com/AllenDang/cimgui-go/backend"
	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/AllenDang/cimgui-go/impl/opengl3"
	"github.com/AllenDang/giu"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// Frames drawn after the last input or post: ImGui needs a second one for what depends on last frame's layout
// and a third for what that uncovers.
const settleFrames = 3

// panicLimit is how many frames in a row may panic before the loop gives up.
const panicLimit = 3

// host is what differs between a window on a screen and one without.
type host interface {
	measure() (size imgui.Vec2, framebuffer [2]int, content float32)
	target()  // binds the framebuffer to draw into
	present() // shows it
	cursor(imgui.MouseCursor)
	title(string)
	geometry() Geometry
	wake() // from any goroutine
	imgui.ClipboardHandler
	picture(png []byte) error // into the clipboard
}

// Context is what an App knows of the window. Its methods are for the main thread, but for Post.
type Context struct {
	app   App
	host  host
	clock func() time.Time
	gl    GL
	in    *input
	im    *imgui.Context
	stack *imgui.ErrorRecoveryState

	events, spare []Event
	size          imgui.Vec2
	framebuffer   [2]int
	content, zoom float32
	scale         float32
	time          frameTime
	settle        int
	want          Wake
	background    [3]float32
	closing       bool
	crash         crash
	inFrame       bool
	inDraw        bool // between ImGui's NewFrame and Render: the last frame is gone

	mu    sync.Mutex
	posts []func()
	open  bool
}

// frameTime is when the frame began, and the last one, how long that was ago, and which frame it is.
type frameTime struct {
	now, last time.Time
	dt        time.Duration
	number    int
}

// crash counts panics of frames in a row, and keeps the last.
type crash struct {
	count int
	last  any
}

// newContext makes the ImGui context on the current GL context and starts the app.
func newContext(app App, h host, clock func() time.Time, zoom float32, strict bool) (*Context, error) {
	if clock == nil {
		clock = time.Now
	}
	g, err := loadGL()
	if err != nil {
		return nil, problem.Wrap(err, "", remedyGL, "%v", err)
	}
	c := &Context{app: app, host: h, clock: clock, gl: g, zoom: clampZoom(zoom), open: true, want: Idle}
	c.im = imgui.CreateContext()
	imgui.SetCurrentContext(c.im)
	c.in = newInput(clock)
	io := imgui.CurrentIO()
	io.SetIniFilename("") // the app remembers what should be remembered
	io.SetBackendFlags(imgui.BackendFlagsHasMouseCursors | imgui.BackendFlagsRendererHasVtxOffset)
	// A wrong use of ImGui is a panic without a screen, where tests see it, and is put right silently on one.
	io.SetConfigErrorRecoveryEnableAssert(strict)
	io.SetConfigErrorRecoveryEnableTooltip(false)
	io.SetConfigErrorRecoveryEnableDebugLog(true)
	io.SetConfigNavEscapeClearFocusWindow(false)
	imgui.CurrentPlatformIO().SetClipboardHandler(h)
	c.stack = imgui.InternalNewErrorRecoveryState()
	if !opengl3.InitV("#version 410 core") {
		c.destroy()
		return nil, problem.New("", remedyGL, "the OpenGL driver (%s) cannot draw the interface", g.Renderer)
	}
	a := &adapter{c: c}
	if _, err := backend.CreateBackend(giu.GIUBackend(a)); err != nil && !errors.Is(err, backend.CExposerError) {
		c.shutdown()
		return nil, err
	}
	giu.Context = giu.CreateContext(a)
	c.time.last = clock()
	c.measure()
	if err := app.Start(c); err != nil {
		c.shutdown()
		return nil, err
	}
	app.ScaleChanged(c.scale)
	c.settle = settleFrames
	return c, nil
}

// shutdown frees ImGui; the GL context is still current.
func (c *Context) shutdown() {
	c.mu.Lock()
	c.open, c.posts = false, nil
	c.mu.Unlock()
	opengl3.Shutdown()
	c.destroy()
}

func (c *Context) destroy() {
	c.stack.InternalDestroy()
	imgui.DestroyContextV(c.im)
}

// stop ends the app and frees everything.
func (c *Context) stop() {
	c.app.Stop()
	c.shutdown()
}

func clampZoom(z float32) float32 {
	if !(z > 0) {
		return 1
	}
	return min(max(z, 0.5), 3)
}

// measure reads sizes and scale, and reports whether the scale changed.
func (c *Context) measure() bool {
	size, fb, content := c.host.measure()
	if fb[0] > 0 && fb[1] > 0 && size.X > 0 && size.Y > 0 { // an iconified window keeps its last size
		c.size, c.framebuffer = size, fb
	}
	c.content = content
	io := imgui.CurrentIO()
	io.SetDisplaySize(c.size)
	f := c.FramebufferScale()
	io.SetDisplayFramebufferScale(imgui.Vec2{X: f, Y: f})
	old := c.scale
	c.scale = content / f * c.zoom
	c.in.scale = c.scale
	return c.scale != old
}

// guard runs a piece of the app; a panic is reported to the app and false is returned.
func (c *Context) guard(f func()) (ok bool) {
	defer func() {
		if v := recover(); v != nil {
			c.crash.last = v
			c.app.Panic(v, debug.Stack())
		}
	}()
	f()
	return true
}

// frame draws one frame. An error ends the loop.
func (c *Context) frame(draw bool) error {
	if c.inFrame { // a callback of the window system while a frame is built
		return nil
	}
	c.inFrame = true
	defer func() { c.inFrame = false }()
	ok := c.receive()
	if c.closing {
		return nil
	}
	c.keyboard()
	ok = c.build() && ok
	c.show(draw)
	giu.Context.SetDirty()
	c.time.number++
	c.settle = max(c.settle-1, 0)
	left := c.im.InputEventsQueue().Size > 0 // ImGui spreads quick input over frames
	if c.in.end(left); left || len(c.in.waiting) > 0 {
		c.settle = max(c.settle, 1)
	}
	if ok {
		c.crash.count = 0
		return nil
	}
	c.crash.count++
	c.settle = max(c.settle, 1)
	if c.crash.count >= panicLimit {
		return problem.New("", "please report this with the log", "the window could not be drawn: %v", c.crash.last)
	}
	return nil
}

// receive takes what has come since the last frame: time, input, posts, dropped files, a wish to close. ok is false
// where something of it panicked.
func (c *Context) receive() (ok bool) {
	ok = true
	step := func(f func()) { ok = c.guard(f) && ok }
	if c.measure() {
		step(func() { c.app.ScaleChanged(c.scale) })
	}
	c.time.now = c.clock()
	c.time.dt = max(c.time.now.Sub(c.time.last), 0)
	c.time.last = c.time.now
	imgui.CurrentIO().SetDeltaTime(max(float32(c.time.dt.Seconds()), 1e-5))
	c.want = Idle
	c.in.begin()
	if c.in.fresh {
		c.in.fresh = false
		c.settle = settleFrames
	}
	c.events, c.spare = c.in.take(c.spare), c.events
	for _, f := range c.takePosts() {
		c.settle = settleFrames // a dialog that it opens is laid out as if a key had opened it
		step(f)
	}
	drops := c.in.drops
	c.in.drops = nil
	for _, paths := range drops {
		step(func() { c.app.Drop(paths) })
	}
	if c.in.closes {
		c.in.closes = false
		step(func() { c.closing = c.closing || c.app.CloseRequested() })
	}
	return ok
}

// build has the program build the frame; ok is false where it panicked.
func (c *Context) build() (ok bool) {
	c.inDraw = true
	opengl3.NewFrame()
	imgui.NewFrame()
	imgui.InternalErrorRecoveryStoreState(c.stack)
	ok = c.guard(func() { c.app.Frame(c) })
	if !ok {
		io := imgui.CurrentIO()
		strict := io.ConfigErrorRecoveryEnableAssert()
		io.SetConfigErrorRecoveryEnableAssert(false)
		imgui.InternalErrorRecoveryTryToRecoverState(c.stack)
		io.SetConfigErrorRecoveryEnableAssert(strict)
	}
	imgui.Render()
	c.inDraw = false
	return ok
}

// show puts the frame on the screen.
func (c *Context) show(draw bool) {
	if !draw {
		return
	}
	c.host.target()
	glClear(c.framebuffer[0], c.framebuffer[1], c.background)
	opengl3.RenderDrawData(imgui.CurrentDrawData())
	c.host.cursor(imgui.CurrentMouseCursor())
	c.host.present()
}

// keyboard lets the keys move the focus only after Tab or F6 was pressed: else a Space that runs the training
// would also press the button that was clicked last.
func (c *Context) keyboard() {
	flags := imgui.ConfigFlags(0)
	if c.in.nav {
		flags = imgui.ConfigFlagsNavEnableKeyboard
	} else {
		c.im.SetNavCursorVisible(false)
	}
	imgui.CurrentIO().SetConfigFlags(flags)
}

// next returns how long the loop may wait for input before the next frame.
func (c *Context) next() Wake {
	if c.settle > 0 || c.in.fresh || c.waiting() {
		return Now
	}
	w := c.want
	c.guard(func() { w = w.sooner(c.app.Wake()) })
	if imgui.CurrentIO().WantTextInput() { // the text cursor blinks
		w = w.sooner(Wake(200 * time.Millisecond))
	}
	return w
}

func (c *Context) waiting() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.posts) > 0
}

func (c *Context) takePosts() []func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.posts
	c.posts = nil
	return p
}

// Post runs f on the main thread before the next frame, and brings that frame soon. It may be called
// from any goroutine at any time; after the end of the loop f is dropped.
func (c *Context) Post(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock() // held while waking, so that the window cannot go away in between
	if !c.open {
		return
	}
	c.posts = append(c.posts, f)
	c.host.wake()
}

// Events returns what the user did since the last frame, in order. The slice is good for this frame.
func (c *Context) Events() []Event { return c.events }

// Size returns the size of the window in screen units.
func (c *Context) Size() imgui.Vec2 { return c.size }

// Framebuffer returns the size of the window in pixels.
func (c *Context) Framebuffer() (w, h int) { return c.framebuffer[0], c.framebuffer[1] }

// FramebufferScale returns the pixels per screen unit: 1 but on macOS and Wayland.
func (c *Context) FramebufferScale() float32 {
	if c.size.X <= 0 {
		return 1
	}
	return float32(c.framebuffer[0]) / c.size.X
}

// Scale returns the screen units per point: the system's scale times the user's zoom.
func (c *Context) Scale() float32 { return c.scale }

// Zoom returns the user's zoom.
func (c *Context) Zoom() float32 { return c.zoom }

// SetZoom sets the user's zoom, 0.5 to 3, from the next frame on.
func (c *Context) SetZoom(z float32) {
	c.zoom = clampZoom(z)
	c.Refresh()
}

// Now returns the time at which this frame began.
func (c *Context) Now() time.Time { return c.time.now }

// Delta returns the time since the frame before.
func (c *Context) Delta() time.Duration { return c.time.dt }

// Number returns how many frames were drawn before this one.
func (c *Context) Number() int { return c.time.number }

// GL describes the OpenGL context.
func (c *Context) GL() GL { return c.gl }

// ProcAddress finds a function of the current OpenGL context.
func (c *Context) ProcAddress(name string) unsafe.Pointer { return glfw.GetProcAddress(name) }

// Mods returns the modifier keys held now.
func (c *Context) Mods() Mods { return c.in.mods }

// Refresh asks for at least two more frames.
func (c *Context) Refresh() { c.settle = max(c.settle, 2) }

// HoldKeys asks, from inside a frame, to hold keys back from the next one: a field is about to have the keyboard, and
// does not have it yet. They are told later, in order. It has no effect in more than some frames in a row.
func (c *Context) HoldKeys() { c.in.asking = true }

// Within asks, from inside a frame, for the next frame at the latest after d.
func (c *Context) Within(d time.Duration) { c.want = c.want.sooner(Wake(max(d, 0))) }

// SetBackground sets the colour under everything, 0 to 1.
func (c *Context) SetBackground(r, g, b float32) { c.background = [3]float32{r, g, b} }

// SetTitle names the window.
func (c *Context) SetTitle(s string) { c.host.title(s) }

// Geometry returns where the window is, to be passed as Config.Geometry in the next run. While the
// window is maximized it is the place before that.
func (c *Context) Geometry() Geometry { return c.host.geometry() }

// Clipboard returns the text of the system's clipboard.
func (c *Context) Clipboard() string { return c.host.GetClipboard() }

// SetClipboard sets the text of the system's clipboard.
func (c *Context) SetClipboard(s string) { c.host.SetClipboard(s) }

// CopyPicture puts the bytes of a PNG into the system's clipboard. The error is a Problem.
func (c *Context) CopyPicture(png []byte) error { return c.host.picture(png) }

// Close ends the loop after this frame, without asking CloseRequested.
func (c *Context) Close() { c.closing = true }

// Screenshot returns the last frame, drawn once more into a picture: what a window's own buffer holds
// after it was shown is not defined. Call it from a posted function, not inside Frame. Nil: there is no
// frame yet, or no memory for the picture.
func (c *Context) Screenshot() *image.RGBA {
	if c.time.number == 0 || c.inDraw {
		return nil
	}
	var o offscreen
	if err := o.resize(c.framebuffer[0], c.framebuffer[1]); err != nil {
		return nil
	}
	defer o.free()
	o.bind()
	glClear(o.w, o.h, c.background)
	opengl3.RenderDrawData(imgui.CurrentDrawData())
	return glRead(o.w, o.h)
}
