package render

import (
	"image"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/render/camera"
)

// Backdrop paints what lies behind all else on a map as a projection shows it: premultiplied pixels without a ground,
// p.W x p.H of them. nil: there is nothing.
type Backdrop func(p camera.Projection) *image.RGBA

// BehindPicture sets a picture that lies behind all else on the picture under construction, which has its size, until
// the next Begin. It shows after Resolve. The caller must not change it before.
func (l *Layer) BehindPicture(img *image.RGBA) {
	l.behind.picture, l.drawn = img, true
}

// drawBackdrop lays the picture behind all else on the framebuffer of the result.
func (l *Layer) drawBackdrop() {
	img := l.behind.picture
	if img == nil || img.Rect.Dx() != l.w || img.Rect.Dy() != l.h {
		return
	}
	l.back.resize(l.w, l.h, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE)
	gl.BindTexture(gl.TEXTURE_2D, l.back.tex)
	gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 4)
	gl.PixelStorei(gl.UNPACK_ROW_LENGTH, 0)
	gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, int32(l.w), int32(l.h), gl.RGBA, gl.UNSIGNED_BYTE,
		unsafe.Pointer(&img.Pix[0]))
	gl.BindFramebuffer(gl.FRAMEBUFFER, l.result.fb)
	gl.Viewport(0, 0, int32(l.w), int32(l.h))
	stateForDrawing()
	gl.BlendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
	gl.BindVertexArray(l.r.empty)
	l.lay(l.back.tex, transparent)
	doneDrawing()
}

// backdrop paints what lies behind all else on a picture for a file.
func (j *PictureJob) backdrop() {
	if img := j.o.Backdrop(j.proj); img != nil {
		j.mapped.canvas.Picture(rectOf(img.Rect), img)
	}
}
