package render

import (
	"image/color"
	"math"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/render/splat"
	"blossom/shaders"
)

// crowd shows many points of a flat map at once: OpenGL counts them in pixels, which takes a fraction of drawing their
// discs one over the other, and lays the sums on the picture (shaders/crowd.comp, crowd.frag). Points lie in a random
// order, so that each of those that reach into a pixel is as likely on top as any other: the mean over all orders has
// the mean of their colours, and what they let through, the product over all, is the same in each. That is what is
// shown. Where in its pixel a point lies is not kept: a disc's share of a pixel is the mean over all places.
//
// It is for pictures that move; one at rest is drawn point by point.
type crowd struct {
	cells uint32 // OpenGL's buffer of sums, of bytes bytes
	bytes int
	// lacking is how large a buffer there was no memory for; 0: there was.
	lacking int
	points  int // it shows the first so many; 0: what is drawn is shown
	shares  shares
}

// crowds are the programs of all crowds, made when the first is shown.
type crowds struct {
	asked, can bool
	always     bool // also where OpenGL is software: for tests
	count, lay program
	most       int // bytes of a buffer that they can read
	cost       cost
}

// mostReach is the border of cells that may reach into a picture. Larger discs are not counted: crowd.frag.
const mostReach = 5

// firstCrowd points are counted at most when it is not known yet what counting takes: of fewer, the time says little.
const firstCrowd = 4 << 20

// piecePoints are counted at a time, as shaders may read no more than 16 MB of a buffer where OpenGL promises no more.
// Tests set it: buffers are read from multiples of 256 bytes.
var piecePoints = 1 << 20

// shares are what a disc of one size and opacity has of the pixels around that of its centre, in the mean over all
// places of the centre in its pixel: the part of it, and -ln of what it lets through.
type shares struct {
	radius, opacity float32
	reach           int
	list            [][2]float32 // 2 reach + 1 of them a side
}

// prepare makes the shares of a size and an opacity, and says whether there are such.
func (s *shares) prepare(size, opacity float32) bool {
	r, a := splat.Disc(size, opacity)
	reach := int(math.Ceil(float64(r) + 0.5))
	if !(a > 0 && r > 0) || reach > mostReach {
		return false
	}
	if s.radius == r && s.opacity == a {
		return true
	}
	const places = 16 // a side of the pixel of the centre has so many
	*s = shares{radius: r, opacity: a, reach: reach, list: s.list[:0]}
	for y := -reach; y <= reach; y++ {
		for x := -reach; x <= reach; x++ {
			var part, through float64
			for i := range places * places {
				u, v := (float64(i%places)+0.5)/places, (float64(i/places)+0.5)/places
				far := math.Hypot(float64(x)+0.5-u, float64(y)+0.5-v)
				cover := min(max(float64(r)+0.5-far, 0), 1) * float64(a)
				part += cover
				through -= math.Log1p(-min(cover, 0.9999))
			}
			s.list = append(s.list, [2]float32{float32(part / places / places), float32(through / places / places)})
		}
	}
	return true
}

// ready says whether this machine counts points, and makes what it needs for it.
func (c *crowds) ready(r *Renderer) bool {
	if c.asked {
		return c.can
	}
	c.asked = true
	var major, minor, blocks int32
	gl.GetIntegerv(gl.MAJOR_VERSION, &major)
	gl.GetIntegerv(gl.MINOR_VERSION, &minor)
	if 10*major+minor < 43 {
		return false
	}
	var most int64
	gl.GetInteger64v(gl.MAX_SHADER_STORAGE_BLOCK_SIZE, &most)
	gl.GetIntegerv(gl.MAX_FRAGMENT_SHADER_STORAGE_BLOCKS, &blocks)
	if c.most = int(most); blocks < 1 {
		return false
	}
	var err error
	if c.count, err = compile(r.programs.files, r.programs.dir, shaders.Count); err != nil {
		return false
	}
	c.lay, err = compile(r.programs.files, r.programs.dir, shaders.Lay)
	c.can = err == nil
	return c.can
}

func (c *crowds) free() {
	gl.DeleteProgram(c.count.id)
	gl.DeleteProgram(c.lay.id)
	c.cost.free()
	*c = crowds{always: c.always}
}

// DrawNext goes on with a picture of the first n points, of which those before from are drawn, as far as a frame has
// time while things move, and returns how many are drawn then; see DrawRange. Where that is not all, more may be shown.
func (l *Layer) DrawNext(b *PointBuffer, v *ValueBuffer, s *StateBuffer, from, n int) (drawn int) {
	if from == 0 && l.crowd.points == 0 {
		if some := l.crowdPoints(b, v, s, n); some > 0 {
			l.drawn = true
			c := &l.r.crowds.cost
			timed := c.begin(some)
			l.crowd.count(l, b, v, s, some)
			if timed {
				c.end()
			}
			return 0
		}
	}
	to := min(n, l.FramePoints(from))
	l.DrawRange(b, v, s, from, to)
	if to == n || to >= l.crowd.points { // more is drawn than was counted
		l.crowd.points = 0
	}
	return to
}

// Shown is how many points the picture shows of which so many are drawn.
func (l *Layer) Shown(drawn int) int { return max(drawn, l.crowd.points) }

// crowdPoints is how many of n points to count in this frame; 0: draw some, one by one.
func (l *Layer) crowdPoints(b *PointBuffer, v *ValueBuffer, s *StateBuffer, n int) int {
	c := &l.r.crowds
	drawn := l.cost().framePoints()
	if l.path != OpenGL || l.deep() || b.dims != 2 || n <= drawn || l.r.info.Software && !c.always ||
		v != nil && v.Len() < n || s != nil && s.Len() < n || !c.ready(l.r) ||
		!l.crowd.shares.prepare(l.style.Size, l.style.Opacity) || l.crowdBytes() > c.most {
		return 0
	}
	most := firstCrowd
	if c.cost.nanos > 0 {
		most = c.cost.framePoints() / 2 // the other half of the time is for laying them
	}
	if n = min(n, b.n, most) &^ 3; n <= drawn { // states are read four at a time
		c.cost.nanos *= 0.9 // so that counting which took long once is tried again
		return 0
	}
	if !l.crowd.resize(l.crowdBytes()) {
		return 0
	}
	return n
}

// resize makes room for the sums of a picture, and says whether there is memory for them.
func (c *crowd) resize(bytes int) bool {
	if c.bytes >= bytes {
		return true
	}
	if c.lacking > 0 && bytes >= c.lacking {
		return false
	}
	if c.cells == 0 {
		gl.GenBuffers(1, &c.cells)
	}
	c.bytes, c.lacking = 0, bytes
	if storage(c.cells, bytes) {
		c.bytes, c.lacking = bytes, 0
	}
	return c.bytes > 0
}

// storage gives a buffer so many bytes, and says whether there is memory for them. Tests have none.
var storage = func(buffer uint32, bytes int) bool {
	forgetErrors()
	gl.BindBuffer(gl.SHADER_STORAGE_BUFFER, buffer)
	gl.BufferData(gl.SHADER_STORAGE_BUFFER, bytes, nil, gl.DYNAMIC_COPY)
	gl.BindBuffer(gl.SHADER_STORAGE_BUFFER, 0)
	return gl.GetError() == gl.NO_ERROR
}

func (l *Layer) crowdBytes() int {
	border := 2 * l.crowd.shares.reach
	return 16 * (l.w + border) * (l.h + border)
}

// count counts the first n points.
func (c *crowd) count(l *Layer, b *PointBuffer, v *ValueBuffer, s *StateBuffer, n int) {
	l.r.array(b, v, s) // all that has changed is sent
	gl.BindBuffer(gl.SHADER_STORAGE_BUFFER, c.cells)
	gl.ClearBufferSubData(gl.SHADER_STORAGE_BUFFER, gl.R32UI, 0, l.crowdBytes(), gl.RED_INTEGER, gl.UNSIGNED_INT, nil)
	p := &l.r.crowds.count
	gl.UseProgram(p.id)
	gl.UniformMatrix4fv(p.at("projection"), 1, false, &l.proj.M[0])
	gl.Uniform3f(p.at("origin"), l.proj.Origin[0], l.proj.Origin[1], l.proj.Origin[2])
	gl.Uniform3i(p.at("room"), int32(l.w), int32(l.h), int32(c.shares.reach))
	gl.Uniform2i(p.at("has"), truth(v != nil), truth(s != nil))
	gl.Uniform1ui(p.at("coarse"), coarse(n))
	l.setColours(p)
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 3, c.cells)
	for from := 0; from < n; from += piecePoints {
		some := min(piecePoints, n-from)
		gl.BindBufferRange(gl.SHADER_STORAGE_BUFFER, 0, b.buffer(), from*b.stride(), some*b.stride())
		if v != nil {
			gl.BindBufferRange(gl.SHADER_STORAGE_BUFFER, 1, v.name, 4*from, 4*some)
		}
		if s != nil {
			gl.BindBufferRange(gl.SHADER_STORAGE_BUFFER, 2, s.name, from, some)
		}
		gl.Uniform2i(p.at("piece"), int32(from), int32(some))
		gl.DispatchCompute(uint32(some+255)/256, 1, 1)
	}
	for i := range uint32(4) {
		gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, i, 0)
	}
	gl.MemoryBarrier(gl.SHADER_STORAGE_BARRIER_BIT | gl.BUFFER_UPDATE_BARRIER_BIT)
	gl.BindBuffer(gl.SHADER_STORAGE_BUFFER, 0)
	doneDrawing()
	c.points = n
}

// coarse is how many bits of each colour are left out, so that n points of one pixel have a sum.
func coarse(n int) uint32 {
	bits := uint32(0)
	for uint64(n)*(255>>bits+1) > math.MaxUint32 { // the rest is rounded at random, up or down
		bits++
	}
	return bits
}

// lay lays what has been counted, on the ground, into the framebuffer that is bound.
func (c *crowd) lay(l *Layer, ground color.NRGBA) {
	p := &l.r.crowds.lay
	gl.UseProgram(p.id)
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 3, c.cells)
	gl.Uniform3i(p.at("room"), int32(l.w), int32(l.h), int32(c.shares.reach))
	gl.Uniform2fv(p.at("shares"), int32(len(c.shares.list)), &c.shares.list[0][0])
	gl.Uniform1f(p.at("whole"), 255/float32(uint32(1)<<coarse(c.points)))
	g := premultiplied(ground)
	gl.Uniform4f(p.at("ground"), g[0], g[1], g[2], g[3])
	gl.DrawArrays(gl.TRIANGLES, 0, 3)
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 3, 0)
}

func (c *crowd) free() {
	if c.cells != 0 {
		gl.DeleteBuffers(1, &c.cells)
	}
	*c = crowd{}
}
