package render_test

import "github.com/go-gl/gl/v4.1-core/gl"

// disturb leaves the context as a careless user of it would.
func disturb() {
	gl.Enable(gl.SCISSOR_TEST)
	gl.Scissor(0, 0, 3, 3)
	gl.Enable(gl.DEPTH_TEST)
	gl.Enable(gl.CULL_FACE)
	gl.CullFace(gl.FRONT_AND_BACK)
	gl.Enable(gl.STENCIL_TEST)
	gl.StencilFunc(gl.NEVER, 0, 0xff)
	gl.BlendEquation(gl.FUNC_REVERSE_SUBTRACT)
	gl.BlendFunc(gl.ZERO, gl.ZERO)
	gl.ColorMask(false, true, false, true)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.LINE)
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 8)
	gl.PixelStorei(gl.PACK_ROW_LENGTH, 999)
	gl.Viewport(1, 2, 3, 4)
	gl.ActiveTexture(gl.TEXTURE3)
	gl.Disable(gl.PROGRAM_POINT_SIZE)
}
