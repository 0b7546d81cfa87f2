package render

import (
	"image"
	"image/color"
	"time"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/render/camera"
	"blossom/render/palette"
	"blossom/render/splat"
	"blossom/render/splat/tally"
)

// Style is how points look. It is comparable: an equal style gives an equal picture.
type Style struct {
	Size          float32 // diameter in pixels (points times scale), down to about 0.1
	Opacity       float32 // 0 to 1
	Colouring     palette.Colouring
	DimUnselected bool // points that are not Selected look like missing ones
	// Ground is what far points fade into in 3D: what the picture is laid on. Without opacity they do not fade.
	Ground color.NRGBA
	// Tally counts points in cells in place of drawing them one by one, where it says so; its size is in pixels.
	Tally tally.Settings
}

// Layer is a picture under construction, in a texture. Points add up in it over any number of calls,
// also over several frames, and the result is the same as drawing them at once.
//
// On a flat map a point lies over all points drawn later (blending goes from front to back), so a picture
// that is being completed settles instead of flickering. In 3D a nearer point lies over a farther one,
// whenever they are drawn: OpenGL tests depths, the CPU collects points and sorts them in Resolve.
type Layer struct {
	r    *Renderer
	w, h int
	path Path // path of the picture under construction

	proj, guarded camera.Projection
	style         Style

	sum    target // premultiplied colours of the points so far, half floats; OpenGL path only
	cloud  cloud  // instead of sum in 3D
	crowd  crowd  // shown instead of sum, while that is incomplete
	over   target // the CPU's drawing, where lines lie behind it
	back   target // the picture behind all
	result target

	behind behind

	canvas *splat.Canvas // CPU path only
	cells  counted
	pixels []uint8 // pixels of the canvas, on their way to the texture
	taken  int     // points that the canvas has collected and not drawn, and how long that took
	taking time.Duration

	drawn  bool        // canvas or sum hold what result does not
	marked bool        // there are edges or landmarks on result
	ground color.NRGBA // ground of result

	colours colours

	marks marks
}

// behind is what lies below the points.
type behind struct {
	segments []Segment
	scale    float32
	cells    []float32   // corners of patches that lie behind all, see BehindCells
	picture  *image.RGBA // a picture behind those; nil: there is none
}

// colours are the table of a colouring, and its texture.
type colours struct {
	of      palette.Colouring
	made    bool
	table   palette.Table
	texels  []uint8
	texture uint32
}

// transparent is no ground.
var transparent color.NRGBA

// guard is how far outside of the picture the centre of a disc is still drawn: OpenGL drops a point
// whose centre is outside of the viewport, so the viewport is made larger than the picture.
const guard = splat.MaxSize/2 + 2

// target is a texture to draw into.
type target struct {
	fb, tex uint32
	w, h    int
}

func (t *target) resize(w, h int, internal int32, format, kind uint32) {
	if t.tex != 0 && t.w == w && t.h == h {
		return
	}
	if t.tex == 0 {
		gl.GenTextures(1, &t.tex)
		gl.GenFramebuffers(1, &t.fb)
	}
	t.w, t.h = w, h
	gl.BindTexture(gl.TEXTURE_2D, t.tex)
	gl.TexImage2D(gl.TEXTURE_2D, 0, internal, int32(w), int32(h), 0, format, kind, nil)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
	gl.BindFramebuffer(gl.FRAMEBUFFER, t.fb)
	gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, t.tex, 0)
	gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
	gl.BindTexture(gl.TEXTURE_2D, 0)
}

func (t *target) free() {
	if t.tex != 0 {
		gl.DeleteTextures(1, &t.tex)
		gl.DeleteFramebuffers(1, &t.fb)
	}
	*t = target{}
}

// NewLayer makes an empty layer; Free it after use.
func (r *Renderer) NewLayer() *Layer { return &Layer{r: r} }

// Free gives everything back.
func (l *Layer) Free() {
	l.sum.free()
	l.cloud.free()
	l.crowd.free()
	l.over.free()
	l.back.free()
	l.result.free()
	l.marks.free()
	if l.colours.texture != 0 {
		gl.DeleteTextures(1, &l.colours.texture)
	}
	if l.canvas != nil {
		l.canvas.Close()
	}
	*l = Layer{r: l.r} // cells need not be closed
}

// Size returns the size of the picture in pixels.
func (l *Layer) Size() (w, h int) { return l.w, l.h }

// Begin starts a picture of proj.W x proj.H pixels with nothing in it; beyond what the machine can
// draw (16256 pixels a side or less) it is cut off. The texture keeps showing the old picture until Resolve.
func (l *Layer) Begin(proj camera.Projection, s Style) {
	most := min(l.r.info.MaxTexture, splat.MaxSide)
	w, h := min(max(proj.W, 1), most), min(max(proj.H, 1), most)
	if w != proj.W || h != proj.H {
		proj = proj.Tile(0, 0, w, h)
	}
	l.w, l.h, l.taken, l.taking, l.crowd.points = w, h, 0, 0, 0
	l.proj, l.style, l.path = proj, s, l.r.path
	l.guarded = proj.Tile(-guard, -guard, w+2*guard, h+2*guard)
	l.prepareColours()
	if l.cells.begin(l); l.cells.on {
		l.path = CPU
	} else if l.path == CPU {
		if l.canvas == nil {
			l.canvas = splat.New(l.r.threads)
		}
		l.canvas.Begin(w, h)
	} else if l.deep() {
		l.cloud.resize(w, h, l.r.samples)
		l.cloud.clear()
	} else {
		l.sum.resize(w, h, gl.RGBA16F, gl.RGBA, gl.HALF_FLOAT)
		gl.BindFramebuffer(gl.FRAMEBUFFER, l.sum.fb)
		gl.Disable(gl.SCISSOR_TEST)
		gl.ColorMask(true, true, true, true)
		gl.ClearColor(0, 0, 0, 0)
		gl.Clear(gl.COLOR_BUFFER_BIT)
		gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
	}
	l.behind.segments, l.behind.cells, l.behind.picture = l.behind.segments[:0], l.behind.cells[:0], nil
	l.drawn = true
}

// deep says whether the picture is in perspective.
func (l *Layer) deep() bool { return l.proj.Reference > 0 }

// cost is of what is drawn now.
func (l *Layer) cost() *cost {
	if l.cells.on {
		return &l.r.counting
	}
	if l.deep() {
		return &l.r.depth[l.path]
	}
	return &l.r.cost[l.path]
}

// FramePoints returns up to which point to draw in this frame, while things move or a picture is completed,
// where those before from are drawn. In 3D the CPU draws all anew that it has been given: there the number
// doubles, so that completing a picture costs no more than twice as much as drawing it.
func (l *Layer) FramePoints(from int) int {
	n := l.cost().framePoints()
	if l.deep() && l.path == CPU && !l.cells.on {
		n = max(n, from)
	}
	return from + n
}

func (l *Layer) prepareColours() {
	if l.colours.made && l.colours.of == l.style.Colouring {
		return
	}
	l.colours.of, l.colours.made = l.style.Colouring, true
	l.colours.of.Fill(&l.colours.table)
	if l.colours.texels == nil {
		l.colours.texels = make([]uint8, 4*palette.TableLen)
	}
	for i, c := range l.colours.table {
		l.colours.texels[4*i], l.colours.texels[4*i+1], l.colours.texels[4*i+2], l.colours.texels[4*i+3] = c.R, c.G,
			c.B, c.A
	}
	if l.colours.texture == 0 {
		gl.GenTextures(1, &l.colours.texture)
	}
	gl.BindTexture(gl.TEXTURE_2D, l.colours.texture)
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 4)
	gl.PixelStorei(gl.UNPACK_ROW_LENGTH, 0)
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, palette.TableLen, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE,
		unsafe.Pointer(&l.colours.texels[0]))
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	gl.BindTexture(gl.TEXTURE_2D, 0)
}

// DrawRange adds the points [from, to) of b, underneath those that are there. b has the dimensions of
// the camera that made the projection. Without values (nil) no point has one: all look like missing ones,
// or have the one colour of a colouring without a palette. Without states (nil) none is set. Points that v
// or s is too short for are not drawn.
func (l *Layer) DrawRange(b *PointBuffer, v *ValueBuffer, s *StateBuffer, from, to int) {
	from, to = max(from, 0), min(to, b.n)
	if v != nil {
		to = min(to, v.Len())
	}
	if s != nil {
		to = min(to, s.Len())
	}
	if from >= to || l.w == 0 {
		return
	}
	l.drawn = true
	c := l.cost()
	if l.path == CPU {
		start := l.r.clock()
		if l.cells.on {
			l.cells.draw(b, v, s, from, to)
			c.add(to-from, l.r.clock().Sub(start))
			return
		}
		l.canvas.Draw(b.splatPoints(v, s), l.proj, splat.Style{
			Size: l.style.Size, Opacity: l.style.Opacity,
			Table: &l.colours.table, Lookup: l.colours.of.Lookup(), DimUnselected: l.style.DimUnselected,
			Ground: l.style.Ground,
		}, from, to)
		took := l.r.clock().Sub(start)
		if l.deep() {
			l.taken, l.taking = l.taken+to-from, l.taking+took
		} else {
			c.add(to-from, took)
		}
		return
	}
	array := l.r.array(b, v, s)
	if l.r.info.Software {
		gl.Finish()
		start := l.r.clock()
		l.drawOpenGL(array, from, to)
		gl.Finish()
		c.add(to-from, l.r.clock().Sub(start))
		return
	}
	timed := c.begin(to - from)
	l.drawOpenGL(array, from, to)
	if timed {
		c.end()
	}
}

func (l *Layer) drawOpenGL(array uint32, from, to int) {
	r, a := splat.Disc(l.style.Size, l.style.Opacity)
	if a == 0 || r == 0 {
		return
	}
	gl.Viewport(-guard, -guard, int32(l.guarded.W), int32(l.guarded.H))
	stateForDrawing()
	gl.Enable(gl.PROGRAM_POINT_SIZE)
	p := &l.r.programs.points
	if l.deep() {
		p = &l.r.programs.cloud
		l.cloud.begin(p)
	} else {
		gl.BindFramebuffer(gl.FRAMEBUFFER, l.sum.fb)
		gl.BlendFunc(gl.ONE_MINUS_DST_ALPHA, gl.ONE)
		gl.UseProgram(p.id)
	}
	g := l.style.Ground
	gl.Uniform4f(p.at("ground"), float32(g.R)/255, float32(g.G)/255, float32(g.B)/255, float32(g.A)/255)
	setCamera(p, &l.guarded, -guard)
	gl.Uniform1f(p.at("size"), min(l.style.Size, splat.MaxSize*1024))
	gl.Uniform1f(p.at("opacity"), min(l.style.Opacity, 1))
	l.setColours(p)
	gl.BindVertexArray(array)
	gl.DrawArrays(gl.POINTS, int32(from), int32(to-from))
	doneDrawing()
}

// setColours sets what shaders/colours.glsl reads.
func (l *Layer) setColours(p *program) {
	look := l.colours.of.Lookup()
	gl.Uniform1i(p.at("mode"), int32(look.Mode))
	gl.Uniform4f(p.at("lookup"), look.Pre, look.Lo, look.Factor, look.Labels)
	gl.Uniform1i(p.at("dim"), truth(l.style.DimUnselected))
	gl.ActiveTexture(gl.TEXTURE0)
	gl.BindTexture(gl.TEXTURE_2D, l.colours.texture)
	gl.Uniform1i(p.at("palette"), 0)
}

func truth(yes bool) int32 {
	if yes {
		return 1
	}
	return 0
}

// setCamera sets the uniforms that all programs share; the viewport begins at (at, at).
func setCamera(p *program, proj *camera.Projection, at int) {
	gl.UniformMatrix4fv(p.at("projection"), 1, false, &proj.M[0])
	gl.Uniform3f(p.at("origin"), proj.Origin[0], proj.Origin[1], proj.Origin[2])
	gl.Uniform4f(p.at("viewport"), float32(at), float32(at), float32(proj.W), float32(proj.H))
	gl.Uniform4f(p.at("depth"), proj.Reference, proj.Near, proj.Far, proj.Fade)
}

// stateForDrawing sets what another user of the context may have left otherwise.
func stateForDrawing() {
	gl.Disable(gl.SCISSOR_TEST)
	gl.Disable(gl.DEPTH_TEST)
	gl.Disable(gl.STENCIL_TEST)
	gl.Disable(gl.CULL_FACE)
	gl.Disable(gl.FRAMEBUFFER_SRGB)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.FILL)
	gl.ColorMask(true, true, true, true)
	gl.Enable(gl.BLEND)
	gl.BlendEquation(gl.FUNC_ADD)
}

func doneDrawing() {
	gl.Disable(gl.DEPTH_TEST)
	gl.BindVertexArray(0)
	gl.BindTexture(gl.TEXTURE_2D, 0)
	gl.UseProgram(0)
	gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
}

// Resolve lays the points drawn so far on the ground colour, which may be transparent, and puts the
// result into the texture. Edges and landmarks drawn before are gone. Where nothing has changed it
// does nothing; after marks alone it costs no drawing of points.
func (l *Layer) Resolve(ground color.NRGBA) {
	if l.w == 0 || !l.drawn && !l.marked && ground == l.ground {
		return
	}
	redo := l.drawn || ground != l.ground
	l.drawn, l.ground = false, ground
	l.result.resize(l.w, l.h, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE)
	lines := len(l.behind.segments)+len(l.behind.cells) > 0 || l.behind.picture != nil
	if l.path == CPU && !lines {
		l.resolveCPU(&l.result, ground, redo)
		l.marked = false
		return
	}
	if l.path == CPU {
		l.over.resize(l.w, l.h, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE)
		l.resolveCPU(&l.over, transparent, redo)
	}
	if lines {
		l.drawBehind(ground)
		ground = transparent
	}
	l.marked = false
	gl.BindFramebuffer(gl.FRAMEBUFFER, l.result.fb)
	gl.Viewport(0, 0, int32(l.w), int32(l.h))
	stateForDrawing()
	if lines {
		gl.BlendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
	} else {
		gl.Disable(gl.BLEND)
	}
	gl.BindVertexArray(l.r.empty)
	switch {
	case l.path == CPU:
		l.lay(l.over.tex, ground)
	case l.deep():
		l.cloud.lay(&l.r.programs.average, ground)
	case l.crowd.points > 0:
		l.crowd.lay(l, ground)
	default:
		l.lay(l.sum.tex, ground)
	}
	doneDrawing()
}

// lay draws premultiplied colours, on the ground, into the framebuffer that is bound.
func (l *Layer) lay(colours uint32, ground color.NRGBA) {
	p := &l.r.programs.resolve
	gl.UseProgram(p.id)
	gl.ActiveTexture(gl.TEXTURE0)
	gl.BindTexture(gl.TEXTURE_2D, colours)
	gl.Uniform1i(p.at("points"), 0)
	g := premultiplied(ground)
	gl.Uniform4f(p.at("ground"), g[0], g[1], g[2], g[3])
	gl.DrawArrays(gl.TRIANGLES, 0, 3)
}

func premultiplied(c color.NRGBA) [4]float32 {
	a := float32(c.A) / 255
	return [4]float32{float32(c.R) / 255 * a, float32(c.G) / 255 * a, float32(c.B) / 255 * a, a}
}

// resolveCPU lays what the CPU has drawn on the ground and puts that into a texture.
func (l *Layer) resolveCPU(to *target, ground color.NRGBA, redo bool) {
	if n := 4 * l.w * l.h; cap(l.pixels) < n {
		l.pixels = make([]uint8, n)
	} else {
		l.pixels = l.pixels[:n]
	}
	if redo {
		start := l.r.clock()
		if l.cells.on {
			l.cells.canvas.Resolve(l.pixels, ground)
		} else {
			l.canvas.Resolve(l.pixels, ground)
		}
		if l.taken > 0 {
			l.cost().add(l.taken, l.taking+l.r.clock().Sub(start))
		}
	}
	gl.BindTexture(gl.TEXTURE_2D, to.tex)
	gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 4)
	gl.PixelStorei(gl.UNPACK_ROW_LENGTH, 0)
	gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, int32(l.w), int32(l.h), gl.RGBA, gl.UNSIGNED_BYTE,
		unsafe.Pointer(&l.pixels[0]))
	gl.BindTexture(gl.TEXTURE_2D, 0)
}

// Texture returns the texture of the last Resolve and what was drawn on it since: RGBA of 8 bits,
// premultiplied, the first row on top. Its name stays the same while the layer lives. 0 before the
// first Resolve.
func (l *Layer) Texture() uint32 { return l.result.tex }

// Read returns the picture of Texture. It waits for the GPU: for exports and tests.
func (l *Layer) Read() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, l.result.w, l.result.h))
	if l.result.tex == 0 {
		return img
	}
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, l.result.fb)
	gl.BindBuffer(gl.PIXEL_PACK_BUFFER, 0)
	gl.PixelStorei(gl.PACK_ALIGNMENT, 4)
	gl.PixelStorei(gl.PACK_ROW_LENGTH, 0)
	gl.ReadPixels(0, 0, int32(l.result.w), int32(l.result.h), gl.RGBA, gl.UNSIGNED_BYTE, unsafe.Pointer(&img.Pix[0]))
	gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
	return img
}
