package splat

import "image/color"

// A pixel is two numbers. through is how much shows through it, 0 to clearPixel. sum holds the colours
// that lie on it, each times its weight: 8 bits of colour times 13 bits of weight make 21, so three
// channels fit into a word and one multiplication adds all of them. The weights of a pixel and what
// shows through always add up to clearPixel, so no channel can overflow into the next.
const (
	clearPixel  = 1<<13 - 1
	channelBits = 21
	channelMask = 1<<channelBits - 1
	covered     = 16 // a share of clearPixel; where less shows through, large discs are not computed
)

// paint is a colour ready for sums. Opacity is in parts of one.
type paint struct {
	rgb     uint64
	opacity uint32
}

func makePaint(c color.NRGBA) paint {
	return paint{
		rgb:     uint64(c.R) | uint64(c.G)<<channelBits | uint64(c.B)<<(2*channelBits),
		opacity: (uint32(c.A)*one + 127) / 255,
	}
}

// under adds a colour with weights (of one) underneath the pixels at the taps' offsets from base. This
// is where the time goes; it is a function of its own so that everything stays in registers.
//
//go:noinline
func under(sum []uint64, through []uint16, base int, taps []tap, rgb uint64) {
	through = through[:len(sum)]
	for _, t := range taps {
		i := base + int(t.offset)
		p := &sum[i]
		w := (uint32(through[i])*t.weight + one/2) >> 16
		through[i] -= uint16(w)
		*p += rgb * uint64(w)
	}
}

// underOne is under for one pixel.
func (c *Canvas) underOne(i int, weight uint32, rgb uint64) {
	w := (uint32(c.through[i])*weight + one/2) >> 16
	c.through[i] -= uint16(w)
	c.sum[i] += rgb * uint64(w)
}

func (c *Canvas) drawBand(band int) {
	top, bottom := c.rows(band)
	k := &c.kernels.list[0]
	for i := range c.used {
		ch := &c.chunks[i]
		records := ch.sorted[ch.first[band]:ch.first[band+1]]
		for _, r := range records {
			c.drawDisc(r, k, c.paints[r.colour()], top, bottom)
		}
	}
}

// drawDisc draws the rows [top, bottom) of a disc: those outside of the band are other workers'.
func (c *Canvas) drawDisc(r record, k *kernel, p paint, top, bottom int) {
	if k.bits == 0 {
		c.drawLarge(r, k, p, top, bottom)
		return
	}
	x, y, reach := r.x(), r.y(), k.reach
	place := k.place(r)
	from, to := max(-reach, top-y), min(reach+1, bottom-y)
	switch {
	case x < reach || x+reach >= c.w || p.opacity != one:
		c.drawClipped(r, k, p, place, from, to)
	case to-from <= 2*reach:
		under(c.sum, c.through, y*c.w+x, k.rows(place, from, to), p.rgb)
	default:
		under(c.sum, c.through, y*c.w+x, k.taps[place*k.length:(place+1)*k.length], p.rgb)
	}
}

// drawClipped draws the rows [from, to) of a disc that reaches over the left or right border, or that
// is not as opaque as its kernel.
func (c *Canvas) drawClipped(r record, k *kernel, p paint, place, from, to int) {
	for dy := from; dy < to; dy++ {
		row := (r.y() + dy) * c.w
		for _, t := range k.rows(place, dy, dy+1) {
			x := r.x() + int(t.offset) - dy*c.w
			if x >= 0 && x < c.w {
				c.underOne(row+x, uint32(uint64(t.weight)*uint64(p.opacity)>>16), p.rgb)
			}
		}
	}
}

// drawLarge computes the coverage of every pixel.
func (c *Canvas) drawLarge(r record, k *kernel, p paint, top, bottom int) {
	x, y, reach := r.x(), r.y(), k.reach
	cx, cy := float32(x)+(float32(r.subX())+0.5)/64, float32(y)+(float32(r.subY())+0.5)/64
	for py := max(y-reach, top); py <= min(y+reach, bottom-1); py++ {
		row := py * c.w
		for px := max(x-reach, 0); px <= min(x+reach, c.w-1); px++ {
			if c.through[row+px] < covered {
				continue
			}
			if w := k.weight(float32(px)+0.5-cx, float32(py)+0.5-cy); w >= minWeight {
				c.underOne(row+px, uint32(uint64(w)*uint64(p.opacity)>>16), p.rgb)
			}
		}
	}
}

func (c *Canvas) resolveBand(band int) {
	from, to := c.rows(band)
	g := c.ground
	a := uint32(g.A)
	premul := func(v uint8) uint32 { return (uint32(v)*a + 127) / 255 }
	r, gr, b := premul(g.R), premul(g.G), premul(g.B)
	empty := [4]uint8{uint8(r), uint8(gr), uint8(b), uint8(a)}
	sum := c.sum[from*c.w : to*c.w]
	through := c.through[from*c.w : to*c.w][:len(sum)]
	dst := c.dst[4*from*c.w : 4*to*c.w]
	for i, s := range sum {
		d := (*[4]uint8)(dst[4*i:])
		t := uint32(through[i])
		if t == clearPixel {
			*d = empty
			continue
		}
		d[0] = toByte(uint32(s&channelMask) + r*t)
		d[1] = toByte(uint32(s>>channelBits&channelMask) + gr*t)
		d[2] = toByte(uint32(s>>(2*channelBits)) + b*t)
		d[3] = toByte(255*(clearPixel-t) + a*t)
	}
}

// toByte divides by clearPixel, rounding to the nearest.
func toByte(x uint32) uint8 {
	x += clearPixel / 2
	return uint8((x + x>>13 + 1) >> 13)
}
