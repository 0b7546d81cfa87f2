package shell

// #include "gl.h"
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"image"
	"strings"
	"unsafe"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// glNames are the calls of gl.c, by index.
var glNames = []string{
	"glGetString", "glGetIntegerv", "glViewport", "glClearColor", "glClear", "glReadPixels", "glGenTextures",
	"glBindTexture", "glTexImage2D", "glTexParameteri", "glDeleteTextures", "glPixelStorei",
	"glGenFramebuffers", "glBindFramebuffer", "glFramebufferTexture2D", "glCheckFramebufferStatus",
	"glDeleteFramebuffers", "glDisable", "glBindBuffer",
}

// GL describes the OpenGL context.
type GL struct {
	Major, Minor             int
	Vendor, Renderer, String string
	Software                 bool // drawn by the CPU: llvmpipe, softpipe, SwiftShader, ...
}

// loadGL finds the calls of the current context and describes it.
func loadGL() (GL, error) {
	for i, name := range glNames {
		p := glfw.GetProcAddress(name)
		if p == nil {
			return GL{}, fmt.Errorf("the OpenGL driver has no %s", name)
		}
		C.shell_gl_set(C.int(i), p)
	}
	str := func(name C.uint) string { return C.GoString(C.shell_gl_string(name)) }
	g := GL{Vendor: str(0x1F00), Renderer: str(0x1F01), String: str(0x1F02)}
	g.Major, g.Minor = int(C.shell_gl_integer(0x821B)), int(C.shell_gl_integer(0x821C))
	low := strings.ToLower(g.Renderer)
	for _, s := range []string{"llvmpipe", "softpipe", "swrast", "swiftshader", "software", "gdi generic"} {
		g.Software = g.Software || strings.Contains(low, s)
	}
	return g, nil
}

func glClear(w, h int, c [3]float32) {
	C.shell_gl_clear(C.int(w), C.int(h), C.float(c[0]), C.float(c[1]), C.float(c[2]))
}

// glRead returns the bound framebuffer, top row first.
func glRead(w, h int) *image.RGBA {
	raw := image.NewRGBA(image.Rect(0, 0, w, h))
	if w == 0 || h == 0 {
		return raw
	}
	C.shell_gl_read(C.int(w), C.int(h), unsafe.Pointer(&raw.Pix[0]))
	out := image.NewRGBA(raw.Rect)
	for y := range h {
		copy(out.Pix[y*out.Stride:(y+1)*out.Stride], raw.Pix[(h-1-y)*raw.Stride:])
	}
	for i := 3; i < len(out.Pix); i += 4 {
		out.Pix[i] = 255 // a window has no holes
	}
	return out
}

// offscreen is a framebuffer of any size that stands for the window of a run without a screen.
type offscreen struct {
	framebuffer, texture C.uint
	w, h                 int
}

func (o *offscreen) resize(w, h int) error {
	if o.w == w && o.h == h {
		return nil
	}
	o.free()
	if C.shell_gl_offscreen(&o.framebuffer, &o.texture, C.int(w), C.int(h)) == 0 {
		o.free()
		return fmt.Errorf("no framebuffer of %d x %d pixels", w, h)
	}
	o.w, o.h = w, h
	return nil
}

func (o *offscreen) free() {
	if o.framebuffer != 0 {
		C.shell_gl_delete_offscreen(o.framebuffer, o.texture)
	}
	*o = offscreen{}
}

func (o *offscreen) bind() { C.shell_gl_bind(o.framebuffer) }
func glBindWindow()        { C.shell_gl_bind(0) }

func glTexture(pixels unsafe.Pointer, w, h int) uint32 {
	return uint32(C.shell_gl_texture(pixels, C.int(w), C.int(h)))
}

// Texture makes a texture of an image, to be drawn with TextureRef, and to be deleted by FreeTexture.
func Texture(img *image.RGBA) uint32 {
	return glTexture(unsafe.Pointer(&img.Pix[0]), img.Rect.Dx(), img.Rect.Dy())
}

// FreeTexture deletes a texture.
func FreeTexture(id uint32) { glDeleteTexture(id) }

func glDeleteTexture(id uint32) { C.shell_gl_delete_texture(C.uint(id)) }
