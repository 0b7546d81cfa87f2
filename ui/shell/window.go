package shell

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"
	"strings"
	"time"

	"blossom/model/base/problem"
	"blossom/ui/shell/board"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/go-gl/glfw/v3.3/glfw"
)

const (
	remedyDisplay = "start blossom on a desktop, over ssh -X or under xvfb-run, or use the commands that need no " +
		"window (embed, render)"
	remedyGL = "install the graphics driver (Debian and Ubuntu: libgl1-mesa-dri, Fedora: mesa-dri-drivers, " +
		"Arch: mesa), or use the commands that need no window (embed, render)"
)

// softwareFrame is the shortest time between two frames when the CPU draws: more would only take the
// cores away from the work.
const softwareFrame = time.Second / 60

// iconified windows run their work in frames this far apart.
const iconifiedFrame = 100 * time.Millisecond

// Run opens the window and runs the app until it closes. Call it on the main goroutine, from main:
// it locks the main thread, as window systems want. An error is a problem.Problem that says what is
// missing, the app's error from Start, or what ended the loop.
func Run(cfg Config, app App) (err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	w, err := openWindow(cfg)
	if err != nil {
		return err
	}
	defer terminateGLFW()
	c, err := newContext(app, w, cfg.Clock, cfg.Zoom, false)
	if err != nil {
		return err
	}
	defer w.w.Destroy()
	defer w.board.Close()
	defer c.stop()
	w.connect(c)
	w.w.Show()
	return w.loop(c)
}

// loop draws frames until the window closes.
func (w *window) loop(c *Context) error {
	earliest := time.Now()
	for !c.closing {
		for left := time.Until(earliest); left > 0; left = time.Until(earliest) {
			glfw.WaitEventsTimeout(left.Seconds())
		}
		switch wait := c.next(); {
		case wait == Now:
			glfw.PollEvents()
		case wait < 0:
			glfw.WaitEvents()
		default:
			glfw.WaitEventsTimeout(time.Duration(wait).Seconds())
		}
		start := time.Now()
		iconified := w.w.GetAttrib(glfw.Iconified) == glfw.True
		if err := c.frame(!iconified); err != nil {
			return err
		}
		if w.failed != nil {
			return w.failed
		}
		switch {
		case iconified:
			earliest = start.Add(iconifiedFrame)
		case c.gl.Software:
			earliest = start.Add(softwareFrame)
		}
	}
	return nil
}

// window is a GLFW window.
type window struct {
	w       *glfw.Window
	c       *Context
	place   Geometry // last place while not maximized
	shape   imgui.MouseCursor
	cursors map[imgui.MouseCursor]*glfw.Cursor
	failed  error // from a frame drawn inside a callback
	board   board.Board
}

// initGLFW starts GLFW, and turns its way of telling that there is no display (a line in the log, then
// panics) into an error.
func initGLFW() (err error) {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return problem.New("", remedyDisplay, "there is no display (DISPLAY is not set)")
	}
	if err := loadLibraries(); err != nil {
		return err
	}
	defer catchGLFW(&err, remedyDisplay, "cannot reach the display")()
	glfw.DefaultWindowHints() // panics when Init failed without an error
	return nil
}

// catchGLFW collects GLFW's log lines until the returned function is called, which turns a panic
// or an error into a Problem.
func catchGLFW(err *error, remedy, what string) func() {
	var said bytes.Buffer
	restore := divertLog(&said)
	initErr := glfw.Init()
	return func() {
		restore()
		v := recover()
		switch {
		case initErr != nil:
			v = initErr
		case v == nil:
			return
		}
		text := fmt.Sprint(v)
		if s := strings.TrimSpace(said.String()); s != "" {
			text = s
		}
		text = strings.TrimPrefix(text, "PlatformError: ") // GLFW's name for whatever the system says
		*err = problem.New("", remedy, "%s: %s", what, text)
	}
}

// divertLog sends what is logged elsewhere, without dates, until the returned function is called.
func divertLog(to io.Writer) func() {
	out, flags := log.Writer(), log.Flags()
	log.SetOutput(to)
	log.SetFlags(0)
	return func() {
		log.SetOutput(out)
		log.SetFlags(flags)
	}
}

func openWindow(cfg Config) (*window, error) {
	if err := initGLFW(); err != nil {
		return nil, err
	}
	g, placed := choosePlace(cfg.Geometry)
	w, err := createWindow(g.Width, g.Height, cfg.Title)
	if err != nil {
		terminateGLFW()
		return nil, err
	}
	if placed {
		w.SetPos(g.X, g.Y)
	}
	sx, _ := w.GetContentScale()
	if runtime.GOOS == "darwin" {
		sx = 1
	}
	minimum := func(v, def int) int {
		if v <= 0 {
			v = def
		}
		return int(float32(v) * sx)
	}
	w.SetSizeLimits(minimum(cfg.MinWidth, 480), minimum(cfg.MinHeight, 360), glfw.DontCare, glfw.DontCare)
	if cfg.Geometry.Maximized {
		w.Maximize()
	}
	if runtime.GOOS != "darwin" { // there the icon is the bundle's
		w.SetIcon(icons())
	}
	glfw.SwapInterval(1)
	return &window{w: w, place: g, cursors: map[imgui.MouseCursor]*glfw.Cursor{}}, nil
}

// createWindow makes a hidden window with the best OpenGL there is and makes its context current:
// 4.3 for compute shaders, else 4.1, which draws everything.
func createWindow(width, height int, title string) (*glfw.Window, error) {
	var err error
	for _, minor := range []int{3, 1} {
		glfw.DefaultWindowHints()
		glfw.WindowHint(glfw.ContextVersionMajor, 4)
		glfw.WindowHint(glfw.ContextVersionMinor, minor)
		glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
		glfw.WindowHint(glfw.OpenGLForwardCompatible, glfw.True)
		glfw.WindowHint(glfw.Visible, glfw.False)
		glfw.WindowHint(glfw.FocusOnShow, glfw.True)
		var w *glfw.Window
		if w, err = tryWindow(width, height, title); err == nil {
			w.MakeContextCurrent()
			return w, nil
		}
	}
	return nil, problem.Wrap(err, "", remedyGL, "cannot open a window with OpenGL 4.1: %v", err)
}

func tryWindow(width, height int, title string) (w *glfw.Window, err error) {
	var said bytes.Buffer
	restore := divertLog(&said)
	defer func() {
		restore()
		if v := recover(); v != nil {
			err = fmt.Errorf("%v", v)
		}
		if err == nil && (w == nil || w.Handle() == nil) {
			err = fmt.Errorf("%s", strings.TrimSpace(said.String()))
		}
	}()
	return glfw.CreateWindow(width, height, title, nil, nil)
}

// choosePlace returns the wanted place if some monitor shows its title bar, else a default size, which
// the window system then places.
func choosePlace(g Geometry) (Geometry, bool) {
	if g.Width > 0 && g.Height > 0 {
		for _, m := range glfw.GetMonitors() {
			x, y, w, h := m.GetWorkarea()
			if g.X+g.Width > x+60 && g.X < x+w-60 && g.Y >= y-10 && g.Y < y+h-60 {
				return g, true
			}
		}
	}
	width, height := float32(1440), float32(900)
	if m := glfw.GetPrimaryMonitor(); m != nil {
		if runtime.GOOS != "darwin" {
			s, _ := m.GetContentScale()
			width, height = width*s, height*s
		}
		_, _, w, h := m.GetWorkarea()
		width, height = min(width, 0.95*float32(w)), min(height, 0.9*float32(h))
	}
	return Geometry{Width: int(max(width, 320)), Height: int(max(height, 240))}, false
}

// connect leads the window's events to the context.
func (w *window) connect(c *Context) {
	w.c = c
	in := c.in
	w.w.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) { in.move(float32(x), float32(y)) })
	w.w.SetMouseButtonCallback(func(_ *glfw.Window, b glfw.MouseButton, a glfw.Action, _ glfw.ModifierKey) {
		in.button(Button(b), a == glfw.Press)
	})
	w.w.SetScrollCallback(func(_ *glfw.Window, dx, dy float64) { in.wheel(float32(dx), float32(dy)) })
	w.w.SetKeyCallback(func(_ *glfw.Window, k glfw.Key, code int, a glfw.Action, _ glfw.ModifierKey) {
		in.key(keyOf(k, code), a != glfw.Release)
	})
	w.w.SetCharCallback(func(_ *glfw.Window, r rune) { in.char(r) })
	w.w.SetFocusCallback(func(_ *glfw.Window, on bool) { in.focus(on) })
	w.w.SetCursorEnterCallback(func(_ *glfw.Window, on bool) { in.enter(on) })
	w.w.SetDropCallback(func(_ *glfw.Window, paths []string) { in.drop(paths) })
	w.w.SetCloseCallback(func(g *glfw.Window) {
		g.SetShouldClose(false)
		in.close()
	})
	fresh := func() { in.fresh = true }
	w.w.SetContentScaleCallback(func(*glfw.Window, float32, float32) { fresh() })
	w.w.SetIconifyCallback(func(*glfw.Window, bool) { fresh() })
	w.w.SetSizeCallback(func(_ *glfw.Window, width, height int) {
		if w.w.GetAttrib(glfw.Maximized) != glfw.True && width > 0 && height > 0 {
			w.place.Width, w.place.Height = width, height
		}
		fresh()
	})
	w.w.SetPosCallback(func(_ *glfw.Window, x, y int) {
		if w.w.GetAttrib(glfw.Maximized) != glfw.True && w.w.GetAttrib(glfw.Iconified) != glfw.True {
			w.place.X, w.place.Y = x, y
		}
	})
	// On Windows and macOS the system runs its own loop while the user resizes the window: draw from here.
	w.w.SetRefreshCallback(func(*glfw.Window) {
		fresh()
		if runtime.GOOS == "linux" || w.failed != nil {
			return
		}
		w.failed = c.frame(true)
	})
}

func (w *window) measure() (imgui.Vec2, [2]int, float32) {
	ww, wh := w.w.GetSize()
	fw, fh := w.w.GetFramebufferSize()
	s, _ := w.w.GetContentScale()
	if !(s > 0) {
		s = 1
	}
	return imgui.Vec2{X: float32(ww), Y: float32(wh)}, [2]int{fw, fh}, s
}

func (w *window) target()              { glBindWindow() }
func (w *window) present()             { w.w.SwapBuffers() }
func (w *window) title(s string)       { w.w.SetTitle(s) }
func (w *window) wake()                { glfw.PostEmptyEvent() }
func (w *window) GetClipboard() string { return w.w.GetClipboardString() }

// long is how many bytes of text are more than a request to an X server may be, on some.
const long = 200_000

func (w *window) SetClipboard(s string) {
	if len(s) < long || !w.board.Text(s) {
		w.w.SetClipboardString(s)
	}
}

func (w *window) picture(png []byte) error { return w.board.Picture(png) }

func (w *window) geometry() Geometry {
	g := w.place
	g.Maximized = w.w.GetAttrib(glfw.Maximized) == glfw.True
	if !g.Maximized && w.w.GetAttrib(glfw.Iconified) != glfw.True {
		g.X, g.Y = w.w.GetPos()
		g.Width, g.Height = w.w.GetSize()
	}
	return g
}

func (w *window) cursor(m imgui.MouseCursor) {
	if m == w.shape {
		return
	}
	w.shape = m
	if m == imgui.MouseCursorNone {
		w.w.SetInputMode(glfw.CursorMode, glfw.CursorHidden)
		return
	}
	w.w.SetInputMode(glfw.CursorMode, glfw.CursorNormal)
	cur := w.cursors[m]
	if cur == nil {
		cur = glfw.CreateStandardCursor(cursorShapes[m])
		w.cursors[m] = cur
	}
	w.w.SetCursor(cur)
}

// cursorShapes are GLFW's nearest; 3.3 has no diagonal arrows.
var cursorShapes = map[imgui.MouseCursor]glfw.StandardCursor{
	imgui.MouseCursorArrow:      glfw.ArrowCursor,
	imgui.MouseCursorTextInput:  glfw.IBeamCursor,
	imgui.MouseCursorResizeAll:  glfw.CrosshairCursor,
	imgui.MouseCursorResizeNS:   glfw.VResizeCursor,
	imgui.MouseCursorResizeEW:   glfw.HResizeCursor,
	imgui.MouseCursorResizeNESW: glfw.CrosshairCursor,
	imgui.MouseCursorResizeNWSE: glfw.CrosshairCursor,
	imgui.MouseCursorHand:       glfw.HandCursor,
	imgui.MouseCursorWait:       glfw.ArrowCursor,
	imgui.MouseCursorProgress:   glfw.ArrowCursor,
	imgui.MouseCursorNotAllowed: glfw.ArrowCursor,
}
