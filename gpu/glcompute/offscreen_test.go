package glcompute

import (
	"errors"
	"unsafe"

	"github.com/ebitengine/purego"
)

// offscreen makes a context without a display: what render/egl does for the program, which this package
// may not know.
func offscreen() (func(), error) { return contextOf(4, 3) }

// contextOf makes a core context of that version or a later one.
func contextOf(major, minor int32) (func(), error) {
	lib, err := purego.Dlopen("libEGL.so.1", purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, err
	}
	var getProcAddress func(string) unsafe.Pointer
	var initialize func(uintptr, *int32, *int32) uint32
	var bindAPI func(uint32) uint32
	var chooseConfig func(uintptr, *int32, *uintptr, int32, *int32) uint32
	var createContext func(uintptr, uintptr, uintptr, *int32) uintptr
	var destroyContext func(uintptr, uintptr) uint32
	var makeCurrent func(uintptr, uintptr, uintptr, uintptr) uint32
	var platformDisplay func(uint32, uintptr, *int32) uintptr
	for name, f := range map[string]any{
		"eglGetProcAddress": &getProcAddress, "eglInitialize": &initialize, "eglBindAPI": &bindAPI,
		"eglChooseConfig": &chooseConfig, "eglCreateContext": &createContext, "eglDestroyContext": &destroyContext,
		"eglMakeCurrent": &makeCurrent,
	} {
		purego.RegisterLibFunc(f, lib, name)
	}
	p := getProcAddress("eglGetPlatformDisplayEXT")
	if p == nil {
		return nil, errors.New("EGL knows no platforms")
	}
	purego.RegisterFunc(&platformDisplay, uintptr(p))
	const surfaceless, openGL, none = 0x31DD, 0x30A2, 0x3038
	dpy := platformDisplay(surfaceless, 0, nil)
	var config uintptr
	var n int32
	if dpy == 0 || initialize(dpy, nil, nil) == 0 || bindAPI(openGL) == 0 ||
		chooseConfig(dpy, &[]int32{0x3033, 1, 0x3040, 8, none}[0], &config, 1, &n) == 0 || n == 0 {
		return nil, errors.New("EGL has no OpenGL without a surface")
	}
	ctx := createContext(dpy, config, 0, &[]int32{0x3098, major, 0x30FB, minor, 0x30FD, 1, none}[0])
	if ctx == 0 || makeCurrent(dpy, 0, 0, ctx) == 0 {
		return nil, errors.New("EGL has no such OpenGL core")
	}
	return func() {
		makeCurrent(dpy, 0, 0, 0)
		destroyContext(dpy, ctx)
	}, nil
}
