//go:build linux && cgo

package egl

// The bindings of OpenGL name one function of libGL, which finds the others, and so would have every program need that
// library to start, also those that draw nothing. The function is defined here, and libGL is not linked: it asks libGL
// where a window has loaded that for all to see, else EGL. It is hidden: libraries that look for theirs do not find
// this one. It is asked for a thousand functions at a time, so it looks at what is loaded, and never for a file.

/*
#cgo LDFLAGS: -Wl,--as-needed -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

typedef void *(*finder)(const unsigned char *);

__attribute__((visibility("hidden"))) void *glXGetProcAddress(const unsigned char *name) {
	finder find = (finder)dlsym(RTLD_DEFAULT, "glXGetProcAddressARB");
	if (!find) find = (finder)dlsym(RTLD_DEFAULT, "eglGetProcAddress");
	return find ? find(name) : NULL;
}
*/
import "C"
