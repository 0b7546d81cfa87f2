package render

import (
	"image/color"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// cloud is where OpenGL draws points in perspective: pixels of several samples, each with the colour and the
// depth of the nearest point that is in it. See shaders/cloud.frag.
type cloud struct {
	fb, colours, depths uint32
	w, h, samples       int
}

// mostSamples is how many samples a pixel has where the card allows it: each point's share in a pixel is
// rounded, at random, to that many steps.
const mostSamples = 8

// resize makes room for a picture, with fewer samples where there is no memory for many.
func (c *cloud) resize(w, h, samples int) {
	if c.fb != 0 && c.w == w && c.h == h {
		return
	}
	if c.fb == 0 {
		gl.GenFramebuffers(1, &c.fb)
		gl.GenTextures(1, &c.colours)
		gl.GenRenderbuffers(1, &c.depths)
	}
	c.w, c.h = w, h
	for c.samples = samples; ; c.samples /= 2 {
		forgetErrors()
		n := int32(c.samples)
		gl.BindTexture(gl.TEXTURE_2D_MULTISAMPLE, c.colours)
		gl.TexImage2DMultisample(gl.TEXTURE_2D_MULTISAMPLE, n, gl.RGBA8, int32(w), int32(h), true)
		gl.BindTexture(gl.TEXTURE_2D_MULTISAMPLE, 0)
		gl.BindRenderbuffer(gl.RENDERBUFFER, c.depths)
		gl.RenderbufferStorageMultisample(gl.RENDERBUFFER, n, gl.DEPTH_COMPONENT24, int32(w), int32(h))
		gl.BindRenderbuffer(gl.RENDERBUFFER, 0)
		gl.BindFramebuffer(gl.FRAMEBUFFER, c.fb)
		gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D_MULTISAMPLE, c.colours, 0)
		gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, c.depths)
		status := gl.CheckFramebufferStatus(gl.FRAMEBUFFER)
		gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
		if gl.GetError() == gl.NO_ERROR && status == gl.FRAMEBUFFER_COMPLETE || c.samples == 1 {
			return
		}
	}
}

// forgetErrors forgets errors that others left, so that the next one is of what is done now.
func forgetErrors() {
	for range 16 {
		if gl.GetError() == gl.NO_ERROR {
			return
		}
	}
}

// clear leaves the framebuffer empty: no point anywhere.
func (c *cloud) clear() {
	gl.BindFramebuffer(gl.FRAMEBUFFER, c.fb)
	gl.Disable(gl.SCISSOR_TEST)
	gl.ColorMask(true, true, true, true)
	gl.DepthMask(true)
	gl.ClearColor(0, 0, 0, 0)
	gl.ClearDepth(1)
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
	gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
}

// begin prepares to draw points with p, after stateForDrawing.
func (c *cloud) begin(p *program) {
	gl.BindFramebuffer(gl.FRAMEBUFFER, c.fb)
	gl.Disable(gl.BLEND)
	gl.Enable(gl.MULTISAMPLE)
	gl.Disable(gl.SAMPLE_ALPHA_TO_COVERAGE)
	gl.Disable(gl.SAMPLE_COVERAGE)
	gl.Disable(gl.SAMPLE_MASK)
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.LESS) // the earlier of two at one depth is in front
	gl.DepthMask(true)
	gl.DepthRange(0, 1)
	gl.UseProgram(p.id)
	gl.Uniform1i(p.at("samples"), int32(c.samples))
}

// lay draws the mean of the samples, on the ground, into the framebuffer that is bound.
func (c *cloud) lay(p *program, ground color.NRGBA) {
	gl.UseProgram(p.id)
	gl.ActiveTexture(gl.TEXTURE0)
	gl.BindTexture(gl.TEXTURE_2D_MULTISAMPLE, c.colours)
	gl.Uniform1i(p.at("points"), 0)
	gl.Uniform1i(p.at("samples"), int32(c.samples))
	g := premultiplied(ground)
	gl.Uniform4f(p.at("ground"), g[0], g[1], g[2], g[3])
	gl.DrawArrays(gl.TRIANGLES, 0, 3)
	gl.BindTexture(gl.TEXTURE_2D_MULTISAMPLE, 0)
}

func (c *cloud) free() {
	if c.fb != 0 {
		gl.DeleteFramebuffers(1, &c.fb)
		gl.DeleteTextures(1, &c.colours)
		gl.DeleteRenderbuffers(1, &c.depths)
	}
	*c = cloud{}
}

// samples returns how many samples a pixel of a cloud can have: a power of two.
func samples() int {
	var all, colours int32
	gl.GetIntegerv(gl.MAX_SAMPLES, &all)
	gl.GetIntegerv(gl.MAX_COLOR_TEXTURE_SAMPLES, &colours)
	n := mostSamples
	for n > 1 && n > int(min(all, colours)) {
		n /= 2
	}
	return n
}
