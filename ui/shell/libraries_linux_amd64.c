//go:build !wayland

// The functions of libX11 and libGL that GLFW and Dear ImGui's backend name. Linked as usual, the whole program would need
// both libraries to start, also where it opens no window. Here each is a jump to where its library has it, which is
// known once a window is wanted (libraries_linux_amd64.go); what no library has does nothing, and is 0.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#define X11(F) \
	F(XAllocClassHint) F(XAllocSizeHints) F(XAllocWMHints) F(XChangeProperty) F(XChangeWindowAttributes) \
	F(XCheckIfEvent) F(XCheckTypedWindowEvent) F(XCloseDisplay) F(XCloseIM) F(XConvertSelection) \
	F(XCreateColormap) F(XCreateFontCursor) F(XCreateIC) F(XCreateWindow) F(XDefineCursor) F(XDeleteContext) \
	F(XDeleteProperty) F(XDestroyIC) F(XDestroyWindow) F(XDisplayKeycodes) F(XEventsQueued) F(XFilterEvent) \
	F(XFindContext) F(XFlush) F(XFree) F(XFreeColormap) F(XFreeCursor) F(XFreeEventData) F(XGetErrorText) \
	F(XGetEventData) F(XGetICValues) F(XGetIMValues) F(XGetInputFocus) F(XGetKeyboardMapping) \
	F(XGetScreenSaver) F(XGetSelectionOwner) F(XGetVisualInfo) F(XGetWMNormalHints) F(XGetWindowAttributes) \
	F(XGetWindowProperty) F(XGrabPointer) F(XIconifyWindow) F(XInitThreads) F(XInternAtom) F(XLookupString) \
	F(XMapRaised) F(XMapWindow) F(XMoveResizeWindow) F(XMoveWindow) F(XNextEvent) F(XOpenDisplay) F(XOpenIM) \
	F(XPeekEvent) F(XPending) F(XQLength) F(XQueryExtension) F(XQueryPointer) F(XRaiseWindow) F(XResizeWindow) \
	F(XResourceManagerString) F(XSaveContext) F(XSelectInput) F(XSendEvent) F(XSetClassHint) \
	F(XSetErrorHandler) F(XSetICFocus) F(XSetInputFocus) F(XSetLocaleModifiers) F(XSetScreenSaver) \
	F(XSetSelectionOwner) F(XSetWMHints) F(XSetWMNormalHints) F(XSetWMProtocols) F(XSupportsLocale) F(XSync) \
	F(XTranslateCoordinates) F(XUndefineCursor) F(XUngrabPointer) F(XUnmapWindow) F(XUnsetICFocus) \
	F(XVisualIDFromVisual) F(XWarpPointer) F(XkbFreeKeyboard) F(XkbFreeNames) F(XkbGetMap) F(XkbGetNames) \
	F(XkbGetState) F(XkbKeycodeToKeysym) F(XkbQueryExtension) F(XkbSelectEventDetails) \
	F(XkbSetDetectableAutoRepeat) F(XrmDestroyDatabase) F(XrmGetResource) F(XrmGetStringDatabase) \
	F(XrmInitialize) F(XrmUniqueQuark) F(Xutf8LookupString) F(Xutf8SetWMProperties)

#define GL(F) \
	F(glBindTexture) F(glClear) F(glClearColor) F(glDeleteTextures) F(glGenTextures) F(glGetIntegerv) \
	F(glTexImage2D) F(glTexParameteri) F(glViewport)

static void *nothing(void) { return NULL; }

// The names are hidden: libraries that are loaded later find those of each other, not these.
#define JUMP(name) \
	__attribute__((used, visibility("hidden"))) void *shell_at_##name = nothing; \
	__asm__(".text\n.globl " #name "\n.hidden " #name "\n.type " #name ",@function\n" #name ":\n" \
		"\tjmp *shell_at_" #name "(%rip)\n.size " #name ",.-" #name "\n");
X11(JUMP)
GL(JUMP)

struct function {
	const char *name;
	void **at;
};
#define ENTRY(name) {#name, &shell_at_##name},
static const struct function x11[] = {X11(ENTRY)}, gl[] = {GL(ENTRY)};

// load leads functions to a library; it is 0 if the library is not here.
static int load(const char *library, const struct function *functions, size_t n) {
	void *handle = dlopen(library, RTLD_LAZY | RTLD_GLOBAL);
	if (!handle) return 0;
	for (size_t i = 0; i < n; i++) {
		void *at = dlsym(handle, functions[i].name);
		if (at) *functions[i].at = at;
	}
	return 1;
}

// shell_load_libraries loads both, and is the name of the first that is not here, or NULL.
const char *shell_load_libraries(void) {
	static const char libX11[] = "libX11.so.6", libGL[] = "libGL.so.1";
	if (!load(libX11, x11, sizeof x11 / sizeof *x11)) return libX11;
	if (!load(libGL, gl, sizeof gl / sizeof *gl)) return libGL;
	return NULL;
}
