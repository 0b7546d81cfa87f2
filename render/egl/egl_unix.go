//go:build linux || freebsd

package egl

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/base/problem"
)

// From the EGL registry (egl.h, eglext.h).
const (
	eglNone                = 0x3038
	eglExtensions          = 0x3055
	eglSurfaceType         = 0x3033
	eglPbufferBit          = 0x0001
	eglRenderableType      = 0x3040
	eglOpenGLBit           = 0x0008
	eglOpenGLAPI           = 0x30A2
	eglContextMajor        = 0x3098
	eglContextMinor        = 0x30FB
	eglContextProfileMask  = 0x30FD
	eglContextCoreProfile  = 0x0001
	eglPlatformSurfaceless = 0x31DD
	eglPlatformDevice      = 0x313F
)

const (
	eglSoftwareDeviceExtension = "EGL_MESA_device_software"
	maxDevices                 = 64

	forceSoftware, softwareValue = "LIBGL_ALWAYS_SOFTWARE", "1" // read by Mesa
)

type library struct {
	getProcAddress  func(name string) unsafe.Pointer
	getError        func() int32
	queryString     func(dpy uintptr, name int32) string
	getDisplay      func(native uintptr) uintptr
	initialize      func(dpy uintptr, major, minor *int32) uint32
	terminate       func(dpy uintptr) uint32
	bindAPI         func(api uint32) uint32
	chooseConfig    func(dpy uintptr, attribs *int32, configs *uintptr, size int32, n *int32) uint32
	createContext   func(dpy, config, share uintptr, attribs *int32) uintptr
	destroyContext  func(dpy, ctx uintptr) uint32
	makeCurrent     func(dpy, draw, read, ctx uintptr) uint32
	platformDisplay func(platform uint32, native uintptr, attribs *int32) uintptr // nil where absent
	queryDevices    func(max int32, devices *uintptr, n *int32) uint32            // nil where absent
	deviceString    func(device uintptr, name int32) string                       // nil where absent
}

var load = sync.OnceValues(func() (*library, error) {
	h, err := purego.Dlopen("libEGL.so.1", purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, problem.Wrap(err, "", remedy, "no OpenGL without a display: libEGL.so.1 cannot be loaded")
	}
	l := &library{}
	for name, f := range map[string]any{
		"eglGetProcAddress": &l.getProcAddress, "eglGetError": &l.getError, "eglQueryString": &l.queryString,
		"eglGetDisplay": &l.getDisplay, "eglInitialize": &l.initialize, "eglTerminate": &l.terminate,
		"eglBindAPI": &l.bindAPI, "eglChooseConfig": &l.chooseConfig, "eglCreateContext": &l.createContext,
		"eglDestroyContext": &l.destroyContext, "eglMakeCurrent": &l.makeCurrent,
	} {
		addr, err := purego.Dlsym(h, name)
		if err != nil {
			return nil, problem.Wrap(err, "", remedy, "no OpenGL without a display: libEGL.so.1 has no %s", name)
		}
		purego.RegisterFunc(f, addr)
	}
	optional := func(f any, name string) {
		if p := l.getProcAddress(name); p != nil {
			purego.RegisterFunc(f, uintptr(p))
		}
	}
	optional(&l.platformDisplay, "eglGetPlatformDisplayEXT")
	optional(&l.queryDevices, "eglQueryDevicesEXT")
	optional(&l.deviceString, "eglQueryDeviceStringEXT")
	return l, nil
})

// Context is an OpenGL 4.1 core context (or a later one that holds it), without a surface.
type Context struct {
	lib      *library
	dpy, ctx uintptr
	current  bool
}

// New makes a context, makes it current on the calling goroutine's thread, which it locks, and loads
// package gl with its functions. The error is a problem.Problem that says what to install.
func New(o Options) (*Context, error) {
	lib, err := load()
	if err != nil {
		return nil, err
	}
	if o.Software && os.Getenv(forceSoftware) == "" {
		os.Setenv(forceSoftware, softwareValue)
		defer os.Unsetenv(forceSoftware)
	}
	runtime.LockOSThread()
	var reasons []string
	for _, d := range lib.displays(o) {
		c, err := lib.open(d.open)
		if err == nil {
			return c, nil
		}
		reasons = append(reasons, d.name+": "+err.Error())
	}
	runtime.UnlockOSThread()
	return nil, failure("%s", strings.Join(reasons, "; "))
}

type display struct {
	name string
	open func() uintptr
}

// devices lists what EGL knows by name, hardware apart from what draws with the processor; both are empty where it is
// too old to be asked.
func (l *library) devices() (hardware, software []display) {
	if l.platformDisplay == nil || l.queryDevices == nil || l.deviceString == nil {
		return nil, nil
	}
	var devices [maxDevices]uintptr
	var n int32
	if l.queryDevices(maxDevices, &devices[0], &n) == 0 {
		return nil, nil
	}
	for _, dev := range devices[:n] {
		d := display{"EGL device", func() uintptr { return l.platformDisplay(eglPlatformDevice, dev, nil) }}
		if strings.Contains(l.deviceString(dev, eglExtensions), eglSoftwareDeviceExtension) {
			software = append(software, d)
		} else {
			hardware = append(hardware, d)
		}
	}
	return hardware, software
}

// OnlySoftware says that there is an OpenGL here, and that it draws with the processor. It makes no context, for which
// Mesa would load its compiler: a twentieth of a second. Where EGL cannot tell it is false: Linux within
// Windows draws with its card through a device that EGL does not list.
func OnlySoftware() bool {
	if _, err := os.Stat("/dev/dxg"); err == nil {
		return false
	}
	l, err := load()
	if err != nil {
		return false
	}
	hardware, software := l.devices()
	return len(hardware) == 0 && len(software) > 0
}

// displays lists what to try, best first: hardware, then Mesa without a surface, then what is left.
func (l *library) displays(o Options) []display {
	hardware, software := l.devices()
	var rest []display
	if l.platformDisplay != nil {
		rest = append(rest, display{"surfaceless", func() uintptr {
			return l.platformDisplay(eglPlatformSurfaceless, 0, nil)
		}})
	}
	rest = append(rest, display{"default display", func() uintptr { return l.getDisplay(0) }})
	if o.Software {
		return append(software, rest...)
	}
	return append(append(hardware, rest...), software...)
}

func (l *library) open(get func() uintptr) (*Context, error) {
	dpy := get()
	if dpy == 0 {
		return nil, errors.New("not there")
	}
	var major, minor int32
	if l.initialize(dpy, &major, &minor) == 0 {
		return nil, errors.New("cannot be initialised")
	}
	if l.bindAPI(eglOpenGLAPI) == 0 {
		l.terminate(dpy)
		return nil, errors.New("has no desktop OpenGL")
	}
	var config uintptr
	var n int32
	attribs := []int32{eglSurfaceType, eglPbufferBit, eglRenderableType, eglOpenGLBit, eglNone}
	if l.chooseConfig(dpy, &attribs[0], &config, 1, &n) == 0 || n == 0 {
		l.terminate(dpy)
		return nil, errors.New("has no suitable configuration")
	}
	var ctx uintptr
	for _, minor := range []int32{3, 1} { // some drivers give exactly what is asked for: 4.3 computes too
		attribs = []int32{eglContextMajor, 4, eglContextMinor, minor, eglContextProfileMask, eglContextCoreProfile,
			eglNone}
		if ctx = l.createContext(dpy, config, 0, &attribs[0]); ctx != 0 {
			break
		}
	}
	if ctx == 0 {
		l.terminate(dpy)
		return nil, errors.New("has no OpenGL 4.1 core")
	}
	c := &Context{lib: l, dpy: dpy, ctx: ctx}
	if err := c.MakeCurrent(); err != nil {
		l.destroyContext(dpy, ctx)
		return nil, err
	}
	if err := gl.InitWithProcAddrFunc(l.getProcAddress); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// MakeCurrent makes the context current on the calling thread; New has done so already. The caller's
// goroutine must be locked to its thread.
func (c *Context) MakeCurrent() error {
	if c.lib.makeCurrent(c.dpy, 0, 0, c.ctx) == 0 {
		return failure("the context cannot be made current (EGL error %#x)", c.lib.getError())
	}
	c.current = true
	return nil
}

// Release takes the context from the calling thread, so that another may make it current.
func (c *Context) Release() {
	if c.current {
		c.lib.makeCurrent(c.dpy, 0, 0, 0)
		c.current = false
	}
}

// Close destroys the context. The goroutine stays locked to its thread.
func (c *Context) Close() {
	if c.ctx == 0 {
		return
	}
	c.Release()
	c.lib.destroyContext(c.dpy, c.ctx)
	c.ctx = 0
}
