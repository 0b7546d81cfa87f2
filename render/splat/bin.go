package splat

import (
	"math"

	"blossom/render/palette"
)

// record is a point on the canvas, packed: from the lowest bit, 20 bits of x and 20 of y (64ths of a
// pixel, moved by recordOffset pixels to be positive), 11 of the entry of the colour, 7 of the kernel
// and 6 of the fade of the opacity (63: none). Most of the time in this file is spent on moving them.
type record uint64

const (
	recordOffset = MaxSize
	noFade       = 63
)

// MaxSide is the largest width or height of a canvas.
const MaxSide = 1<<14 - 2*recordOffset

func (r record) x() int      { return int(r>>6&0x3fff) - recordOffset }
func (r record) y() int      { return int(r>>26&0x3fff) - recordOffset }
func (r record) subX() int   { return int(r & 63) }
func (r record) subY() int   { return int(r >> 20 & 63) }
func (r record) colour() int { return int(r >> 40 & 0x7ff) }
func (r record) kernel() int { return int(r >> 51 & 0x7f) }
func (r record) fade() int   { return int(r >> 58) }

// pack makes a record of a place in 64ths of a pixel, already moved.
func pack(x, y uint32, colour uint16, kernel, fade int) record {
	return record(x) | record(y)<<20 | record(colour)<<40 | record(kernel)<<51 | record(fade)<<58
}

// chunk is the records of some thousand points, sorted by the bands of rows that they touch; a disc
// that reaches over the border of a band is in both. The order within a band is that of the points,
// so the picture does not depend on how many workers there are.
type chunk struct {
	raw    []record
	sorted []record
	first  []int32 // records of band b are sorted[first[b]:first[b+1]]
}

func (c *Canvas) binChunk(i int) {
	ch := &c.chunks[i]
	from := c.from + i*chunkPoints
	to := min(from+chunkPoints, c.to)
	if cap(ch.raw) < chunkPoints {
		ch.raw = make([]record, chunkPoints)
	}
	if cap(ch.first) < c.bands+1 {
		ch.first = make([]int32, c.bands+1, c.bands+65)
	}
	ch.first = ch.first[:c.bands+1]
	clear(ch.first)
	ch.raw = ch.raw[:chunkPoints]
	if c.proj.Reference > 0 {
		ch.raw = ch.raw[:c.projectPerspective(ch.raw, from, to)]
	} else {
		ch.raw = ch.raw[:c.projectFlat(ch.raw, from, to)]
	}

	// Counting sort. first[b+1] counts band b, then becomes its end while records are placed.
	reach := c.kernels.list[0].reach
	perspective := c.proj.Reference > 0
	for _, r := range ch.raw {
		if perspective {
			reach = c.kernels.list[r.kernel()].reach
		}
		lo, hi := c.bandsOf(r.y(), int(reach))
		ch.first[lo+1]++
		for b := lo + 1; b <= hi; b++ {
			ch.first[b+1]++
		}
	}
	total := int32(0)
	for b := 1; b < len(ch.first); b++ {
		n := ch.first[b]
		ch.first[b] = total
		total += n
	}
	if cap(ch.sorted) < int(total) {
		ch.sorted = make([]record, total, total+total/4+chunkPoints/4)
	}
	ch.sorted = ch.sorted[:total]
	first, sorted := ch.first[1:], ch.sorted
	for _, r := range ch.raw {
		if perspective {
			reach = c.kernels.list[r.kernel()].reach
		}
		lo, hi := c.bandsOf(r.y(), int(reach))
		sorted[first[lo]] = r
		first[lo]++
		for b := lo + 1; b <= hi; b++ {
			sorted[first[b]] = r
			first[b]++
		}
	}
}

// bandsOf returns the bands that rows y-reach to y+reach touch; some of the rows are on the canvas.
func (c *Canvas) bandsOf(y, reach int) (lo, hi int) {
	return max(y-reach, 0) / bandRows, min(y+reach, c.h-1) / bandRows
}

// entry returns the colour of point i, and whether it is drawn.
func (c *Canvas) entry(i int) (uint16, bool) {
	if len(c.points.States) > 0 {
		state := c.points.States[i]
		if state&Hidden != 0 {
			return 0, false
		}
		if c.style.DimUnselected && state&Selected == 0 {
			return palette.MissingEntry, true
		}
	}
	if len(c.points.Values) == 0 {
		return c.style.Lookup.Entry(float32(math.NaN())), true
	}
	return c.style.Lookup.Entry(c.points.Values[i]), true
}

// projectFlat writes the records of the points [from, to) that can be seen and returns their number.
func (c *Canvas) projectFlat(raw []record, from, to int) (n int) {
	p := &c.proj
	dims := c.points.Dims
	w2, h2 := float32(c.w)/2, float32(c.h)/2
	ox, oy := p.Origin[0], p.Origin[1]
	// In 64ths of a pixel, moved.
	ax, bx := p.M[0]*w2*64, ((p.M[12]+1)*w2+recordOffset)*64
	ay, by := p.M[5]*h2*64, ((p.M[13]+1)*h2+recordOffset)*64
	reach := float32(c.kernels.list[0].reach)
	minXY := (recordOffset - reach) * 64
	maxX, maxY := (float32(c.w)+reach+recordOffset)*64, (float32(c.h)+reach+recordOffset)*64
	pos := c.points.Pos[from*dims : to*dims]
	simple := len(c.points.States) == 0 && len(c.points.Values) > 0
	var values []float32
	if simple {
		values = c.points.Values[from:to]
	}
	lookup := c.style.Lookup
	for i := range to - from {
		x := (pos[i*dims]-ox)*ax + bx
		y := (pos[i*dims+1]-oy)*ay + by
		if !(x > minXY && x < maxX && y > minXY && y < maxY) { // NaN fails all of these
			continue
		}
		var entry uint16
		if simple {
			entry = lookup.Entry(values[i])
		} else {
			var ok bool
			if entry, ok = c.entry(from + i); !ok {
				continue
			}
		}
		raw[n] = pack(uint32(int32(x)), uint32(int32(y)), entry, 0, noFade)
		n++
	}
	return n
}

func (c *Canvas) projectPerspective(raw []record, from, to int) (n int) {
	p := &c.proj
	m := &p.M
	dims := c.points.Dims
	w2, h2 := float32(c.w)/2, float32(c.h)/2
	span := p.Far - p.Near
	for i := from; i < to; i++ {
		x, y := c.points.Pos[i*dims]-p.Origin[0], c.points.Pos[i*dims+1]-p.Origin[1]
		z := -p.Origin[2]
		if dims == 3 {
			z += c.points.Pos[i*dims+2]
		}
		w := m[3]*x + m[7]*y + m[11]*z + m[15]
		if !(w > p.Reference*1e-3) {
			continue
		}
		px := ((m[0]*x+m[4]*y+m[8]*z+m[12])/w + 1) * w2
		py := ((m[1]*x+m[5]*y+m[9]*z+m[13])/w + 1) * h2
		size := min(c.style.Size*p.Reference/w, MaxSize)
		if !(size >= minSize) {
			continue
		}
		class := classOf(size)
		reach := float32(c.kernels.list[class].reach)
		if !(px > -reach && px < float32(c.w)+reach && py > -reach && py < float32(c.h)+reach) {
			continue
		}
		entry, ok := c.entry(i)
		if !ok {
			continue
		}
		fade := float32(1)
		if span > 0 {
			t := min(max((w-p.Near)/span, 0), 1)
			fade = 1 + (p.FadeTo-1)*t
		}
		raw[n] = pack(uint32(int32((px+recordOffset)*64)), uint32(int32((py+recordOffset)*64)), entry, class,
			int(fade*noFade+0.5))
		n++
	}
	return n
}
