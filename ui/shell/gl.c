#include "gl.h"

#if defined(_WIN32)
#define API __stdcall
#else
#define API
#endif

static void *proc[32];
void shell_gl_set(int index, void *address) { proc[index] = address; }

#define CALL(index, ret, ...) ((ret(API *)(__VA_ARGS__))proc[index])
#define GetString CALL(0, const char *, unsigned)
#define GetIntegerv CALL(1, void, unsigned, int *)
#define Viewport CALL(2, void, int, int, int, int)
#define ClearColor CALL(3, void, float, float, float, float)
#define Clear CALL(4, void, unsigned)
#define ReadPixels CALL(5, void, int, int, int, int, unsigned, unsigned, void *)
#define GenTextures CALL(6, void, int, unsigned *)
#define BindTexture CALL(7, void, unsigned, unsigned)
#define TexImage2D CALL(8, void, unsigned, int, int, int, int, int, unsigned, unsigned, const void *)
#define TexParameteri CALL(9, void, unsigned, unsigned, int)
#define DeleteTextures CALL(10, void, int, const unsigned *)
#define PixelStorei CALL(11, void, unsigned, int)
#define GenFramebuffers CALL(12, void, int, unsigned *)
#define BindFramebuffer CALL(13, void, unsigned, unsigned)
#define FramebufferTexture2D CALL(14, void, unsigned, unsigned, unsigned, unsigned, int)
#define CheckFramebufferStatus CALL(15, unsigned, unsigned)
#define DeleteFramebuffers CALL(16, void, int, const unsigned *)
#define Disable CALL(17, void, unsigned)
#define BindBuffer CALL(18, void, unsigned, unsigned)

enum {
	COLOR_BUFFER_BIT = 0x4000, TEXTURE_2D = 0x0DE1, RGBA = 0x1908, RGBA8 = 0x8058, UNSIGNED_BYTE = 0x1401,
	MIN_FILTER = 0x2801, MAG_FILTER = 0x2800, WRAP_S = 0x2802, WRAP_T = 0x2803, LINEAR = 0x2601,
	CLAMP_TO_EDGE = 0x812F, PACK_ALIGNMENT = 0x0D05, PACK_ROW_LENGTH = 0x0D02, UNPACK_ALIGNMENT = 0x0CF5,
	FRAMEBUFFER = 0x8D40, COLOR_ATTACHMENT0 = 0x8CE0, FRAMEBUFFER_COMPLETE = 0x8CD5, SCISSOR_TEST = 0x0C11,
	PIXEL_PACK_BUFFER = 0x88EB, PIXEL_UNPACK_BUFFER = 0x88EC, TEXTURE_BINDING_2D = 0x8069,
};

const char *shell_gl_string(unsigned name) { return GetString(name); }

int shell_gl_integer(unsigned name) {
	int v = 0;
	GetIntegerv(name, &v);
	return v;
}

void shell_gl_clear(int w, int h, float r, float g, float b) {
	Disable(SCISSOR_TEST);
	Viewport(0, 0, w, h);
	ClearColor(r, g, b, 1);
	Clear(COLOR_BUFFER_BIT);
}

unsigned shell_gl_texture(const void *rgba, int w, int h) {
	int before = shell_gl_integer(TEXTURE_BINDING_2D);
	unsigned id = 0;
	GenTextures(1, &id);
	BindTexture(TEXTURE_2D, id);
	TexParameteri(TEXTURE_2D, MIN_FILTER, LINEAR);
	TexParameteri(TEXTURE_2D, MAG_FILTER, LINEAR);
	TexParameteri(TEXTURE_2D, WRAP_S, CLAMP_TO_EDGE);
	TexParameteri(TEXTURE_2D, WRAP_T, CLAMP_TO_EDGE);
	BindBuffer(PIXEL_UNPACK_BUFFER, 0);
	PixelStorei(UNPACK_ALIGNMENT, 4);
	TexImage2D(TEXTURE_2D, 0, RGBA8, w, h, 0, RGBA, UNSIGNED_BYTE, rgba);
	BindTexture(TEXTURE_2D, (unsigned)before);
	return id;
}

void shell_gl_delete_texture(unsigned id) { DeleteTextures(1, &id); }

int shell_gl_offscreen(unsigned *framebuffer, unsigned *texture, int w, int h) {
	*texture = shell_gl_texture(NULL, w, h);
	GenFramebuffers(1, framebuffer);
	BindFramebuffer(FRAMEBUFFER, *framebuffer);
	FramebufferTexture2D(FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_2D, *texture, 0);
	return CheckFramebufferStatus(FRAMEBUFFER) == FRAMEBUFFER_COMPLETE;
}

void shell_gl_delete_offscreen(unsigned framebuffer, unsigned texture) {
	BindFramebuffer(FRAMEBUFFER, 0);
	DeleteFramebuffers(1, &framebuffer);
	DeleteTextures(1, &texture);
}

void shell_gl_bind(unsigned framebuffer) { BindFramebuffer(FRAMEBUFFER, framebuffer); }

void shell_gl_read(int w, int h, void *rgba) {
	BindBuffer(PIXEL_PACK_BUFFER, 0);
	PixelStorei(PACK_ALIGNMENT, 4);
	PixelStorei(PACK_ROW_LENGTH, 0);
	ReadPixels(0, 0, w, h, RGBA, UNSIGNED_BYTE, rgba);
}
