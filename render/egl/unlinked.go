//go:build nowindow && linux && cgo

package egl

// The bindings of OpenGL name one function of libGL, which finds the others, and so would have every program need that
// library to start, also those that draw nothing. Without a window functions are found through EGL, once that is here:
// the function is defined in this file, and libGL is not linked.

/*
#cgo LDFLAGS: -Wl,--as-needed -ldl
#define _GNU_SOURCE
#include <dlfcn.h>

void *glXGetProcAddress(const unsigned char *name) {
	void *(*find)(const unsigned char *) = (void *(*)(const unsigned char *))dlsym(RTLD_DEFAULT, "eglGetProcAddress");
	return find ? find(name) : 0;
}
*/
import "C"
