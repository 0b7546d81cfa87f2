// Two symbols that the prebuilt cimgui archive expects and that this program's one GLFW (3.3, from
// go-gl) and older C libraries do not have. Without glfwGetPlatform the linker would pull the
// archive's own GLFW 3.4 in beside ours.

#if defined(_WIN32)
#define PLATFORM 0x00060001
#elif defined(__APPLE__)
#define PLATFORM 0x00060002
#elif defined(BLOSSOM_WAYLAND)
#define PLATFORM 0x00060003
#else
#define PLATFORM 0x00060004 // X11
#endif

// glfwGetPlatform is GLFW 3.4's question for the window system in use.
int glfwGetPlatform(void) { return PLATFORM; }

#if defined(__linux__)
#include <stdarg.h>
#include <stdio.h>

// __isoc23_sscanf is sscanf under the name that glibc 2.38 and later headers give it. Weak: where the C
// library has one, that one wins.
__attribute__((weak)) int __isoc23_sscanf(const char *s, const char *format, ...) {
	va_list ap;
	va_start(ap, format);
	int n = vsscanf(s, format, ap);
	va_end(ap);
	return n;
}
#endif
