package egl

import (
	"errors"
	"runtime"
	"sync"
	"syscall"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
	"golang.org/x/sys/windows"

	"blossom/model/base/problem"
)

// From winuser.h, wingdi.h and the extension WGL_ARB_create_context.
const (
	classOwnDC                 = 0x0020
	pixelsDrawToWindow         = 0x0004
	pixelsSupportOpenGL        = 0x0020
	wglContextMajor            = 0x2091
	wglContextMinor            = 0x2092
	wglContextProfileMask      = 0x9126
	wglContextCoreProfile      = 0x0001
	windowClass, windowsDriver = "blossom without a window", "install the driver of the graphics card, or Mesa's " +
		"opengl32.dll beside blossom.exe"
)

var (
	user32, gdi32, opengl32 = windows.NewLazySystemDLL("user32.dll"), windows.NewLazySystemDLL("gdi32.dll"),
		windows.NewLazyDLL("opengl32.dll") // not of the system alone: Mesa's may lie beside the program

	registerClass, createWindow, destroyWindow = user32.NewProc("RegisterClassExW"), user32.NewProc("CreateWindowExW"),
		user32.NewProc("DestroyWindow")
	defWindowProc, getDC              = user32.NewProc("DefWindowProcW"), user32.NewProc("GetDC")
	choosePixelFormat, setPixelFormat = gdi32.NewProc("ChoosePixelFormat"), gdi32.NewProc("SetPixelFormat")
	wglCreateContext, wglDelete       = opengl32.NewProc("wglCreateContext"), opengl32.NewProc("wglDeleteContext")
	wglMakeCurrent, wglGetProcAddress = opengl32.NewProc("wglMakeCurrent"), opengl32.NewProc("wglGetProcAddress")
)

// class is WNDCLASSEXW.
type class struct {
	size, style                        uint32
	procedure                          uintptr
	extraClass, extraWindow            int32
	instance, icon, cursor, background uintptr
	menu, name                         *uint16
	smallIcon                          uintptr
}

// pixels is PIXELFORMATDESCRIPTOR.
type pixels struct {
	size, version        uint16
	flags                uint32
	kind, colourBits     byte
	channels             [12]byte // bits and shifts of red, green, blue and alpha, and of what is accumulated
	accumulated          byte
	depth, stencil, more byte
	layer, reserved      byte
	masks                [3]uint32
}

// registered makes the class of the window, once in a process.
var registered = sync.OnceValue(func() error {
	name, err := windows.UTF16PtrFromString(windowClass)
	if err != nil {
		return err
	}
	c := class{style: classOwnDC, procedure: defWindowProc.Addr(), name: name}
	c.size = uint32(unsafe.Sizeof(c))
	if atom, _, err := registerClass.Call(uintptr(unsafe.Pointer(&c))); atom == 0 {
		return err
	}
	return nil
})

// Context is an OpenGL 4.1 core context (or a later one that holds it) of a window that is never shown.
type Context struct {
	window, dc, gl uintptr
	current        bool
}

// New makes a context, makes it current on the calling goroutine's thread, which it locks, and loads
// package gl with its functions. Software is not chosen here: the system has one OpenGL.
func New(Options) (*Context, error) {
	runtime.LockOSThread()
	c := &Context{}
	if err := c.open(); err != nil {
		c.Close()
		runtime.UnlockOSThread()
		return nil, problem.Wrap(err, "", windowsDriver, "no OpenGL without a window: %v", err)
	}
	return c, nil
}

func (c *Context) open() error {
	if err := opengl32.Load(); err != nil {
		return err
	}
	if err := registered(); err != nil {
		return err
	}
	name, err := windows.UTF16PtrFromString(windowClass)
	if err != nil {
		return err
	}
	c.window, _, err = createWindow.Call(0, uintptr(unsafe.Pointer(name)), 0, 0, 0, 0, 16, 16, 0, 0, 0, 0)
	if c.window == 0 {
		return err
	}
	if c.dc, _, err = getDC.Call(c.window); c.dc == 0 {
		return err
	}
	p := pixels{version: 1, flags: pixelsDrawToWindow | pixelsSupportOpenGL, colourBits: 32, depth: 24}
	p.size = uint16(unsafe.Sizeof(p))
	format, _, err := choosePixelFormat.Call(c.dc, uintptr(unsafe.Pointer(&p)))
	if format == 0 {
		return err
	}
	if ok, _, err := setPixelFormat.Call(c.dc, format, uintptr(unsafe.Pointer(&p))); ok == 0 {
		return err
	}
	plain, _, err := wglCreateContext.Call(c.dc) // its version is any: it only finds what makes others
	if plain == 0 {
		return err
	}
	defer wglDelete.Call(plain)
	if ok, _, err := wglMakeCurrent.Call(c.dc, plain); ok == 0 {
		return err
	}
	if c.gl = c.create(); c.gl == 0 {
		wglMakeCurrent.Call(0, 0)
		return errors.New("the driver has no OpenGL 4.1 core")
	}
	if err := c.MakeCurrent(); err != nil {
		return err
	}
	return gl.Init()
}

// create makes the context proper; some drivers give exactly what is asked for: 4.3 computes too.
func (c *Context) create() (made uintptr) {
	name, err := windows.BytePtrFromString("wglCreateContextAttribsARB")
	if err != nil {
		return 0
	}
	at, _, _ := wglGetProcAddress.Call(uintptr(unsafe.Pointer(name)))
	if at == 0 {
		return 0
	}
	for _, minor := range []int32{3, 1} {
		attribs := []int32{wglContextMajor, 4, wglContextMinor, minor, wglContextProfileMask, wglContextCoreProfile, 0}
		if made, _, _ = syscall.SyscallN(at, c.dc, 0, uintptr(unsafe.Pointer(&attribs[0]))); made != 0 {
			break
		}
	}
	return made
}

// OnlySoftware is false: nobody can be asked here.
func OnlySoftware() bool { return false }

// MakeCurrent makes the context current on the calling thread; New has done so already. The caller's
// goroutine must be locked to its thread.
func (c *Context) MakeCurrent() error {
	if ok, _, err := wglMakeCurrent.Call(c.dc, c.gl); ok == 0 {
		return problem.Wrap(err, "", windowsDriver, "the OpenGL context cannot be made current: %v", err)
	}
	c.current = true
	return nil
}

// Release takes the context from the calling thread, so that another may make it current.
func (c *Context) Release() {
	if c.current {
		wglMakeCurrent.Call(0, 0)
		c.current = false
	}
}

// Close destroys the context. The goroutine stays locked to its thread. A window is destroyed on the thread that made
// it only; on another it stays until the program ends.
func (c *Context) Close() {
	c.Release()
	if c.gl != 0 {
		wglDelete.Call(c.gl)
		c.gl = 0
	}
	if c.window != 0 {
		destroyWindow.Call(c.window)
		c.window = 0
	}
}
