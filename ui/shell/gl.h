// The few OpenGL calls that the shell itself makes: clearing, reading a picture back, a texture for
// giu's images and the framebuffer of a window without a screen.
#include <stddef.h>

typedef void *(*shell_proc)(void);

// shell_gl_set stores the address of the call with the given index; see names in gl.go.
void shell_gl_set(int index, void *address);

const char *shell_gl_string(unsigned name);
int shell_gl_integer(unsigned name);
void shell_gl_clear(int w, int h, float r, float g, float b);
unsigned shell_gl_texture(const void *rgba, int w, int h);
void shell_gl_delete_texture(unsigned id);
int shell_gl_offscreen(unsigned *framebuffer, unsigned *texture, int w, int h);
void shell_gl_delete_offscreen(unsigned framebuffer, unsigned texture);
void shell_gl_bind(unsigned framebuffer);
void shell_gl_read(int w, int h, void *rgba);
