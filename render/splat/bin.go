package splat

import "blossom/render/palette"

// record is a point on the canvas: the pixel of its centre, the place within, and how it looks.
type record struct {
	x, y   int16
	fx, fy uint8
	kernel uint16
	colour uint16
	fade   uint16 // of the opacity, 65535 for none
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
		ch.raw = make([]record, 0, chunkPoints)
	}
	if cap(ch.first) < c.bands+1 {
		ch.first = make([]int32, c.bands+1, c.bands+65)
	}
	ch.first = ch.first[:c.bands+1]
	clear(ch.first)
	ch.raw = ch.raw[:0]
	if c.proj.Reference > 0 {
		c.projectPerspective(ch, from, to)
	} else {
		c.projectFlat(ch, from, to)
	}

	// Counting sort. first[b+1] counts band b, then becomes its end while records are placed.
	for j := range ch.raw {
		lo, hi := c.bandsOf(&ch.raw[j])
		for b := lo; b <= hi; b++ {
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
	for j := range ch.raw {
		lo, hi := c.bandsOf(&ch.raw[j])
		for b := lo; b <= hi; b++ {
			ch.sorted[ch.first[b+1]] = ch.raw[j]
			ch.first[b+1]++
		}
	}
}

func (c *Canvas) bandsOf(r *record) (lo, hi int) {
	reach := int(c.kernels.list[r.kernel].reach)
	return max(int(r.y)-reach, 0) / bandRows, min(int(r.y)+reach, c.h-1) / bandRows
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
	return c.style.Lookup.Entry(c.points.Values[i]), true
}

func (c *Canvas) projectFlat(ch *chunk, from, to int) {
	p := &c.proj
	dims := c.points.Dims
	w2, h2 := float32(c.w)/2, float32(c.h)/2
	ox, oy := p.Origin[0], p.Origin[1]
	ax, bx := p.M[0]*w2, (p.M[12]+1)*w2
	ay, by := p.M[5]*h2, (p.M[13]+1)*h2
	reach := float32(c.kernels.list[0].reach)
	// Everything is moved by off to be positive, where cutting off is rounding down.
	const off = MaxSize
	maxX, maxY := float32(c.w)+reach, float32(c.h)+reach
	pos := c.points.Pos[from*dims : to*dims]
	simple := len(c.points.States) == 0
	lookup := c.style.Lookup
	values := c.points.Values[from:to]
	raw := ch.raw
	for i := range values {
		x := (pos[i*dims]-ox)*ax + bx
		y := (pos[i*dims+1]-oy)*ay + by
		if !(x > -reach && x < maxX && y > -reach && y < maxY) { // NaN fails all of these
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
		fx, fy := int32((x+off)*256), int32((y+off)*256)
		raw = append(raw, record{
			x: int16(fx>>8 - off), y: int16(fy>>8 - off),
			fx: uint8(fx), fy: uint8(fy),
			colour: entry, fade: 0xffff,
		})
	}
	ch.raw = raw
}

func (c *Canvas) projectPerspective(ch *chunk, from, to int) {
	p := &c.proj
	m := &p.M
	dims := c.points.Dims
	w2, h2 := float32(c.w)/2, float32(c.h)/2
	const off = MaxSize
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
		fx, fy := int32((px+off)*256), int32((py+off)*256)
		ch.raw = append(ch.raw, record{
			x: int16(fx>>8 - off), y: int16(fy>>8 - off),
			fx: uint8(fx), fy: uint8(fy),
			kernel: uint16(class), colour: entry, fade: uint16(fade * 0xffff),
		})
	}
}
