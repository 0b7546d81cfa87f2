package splat

const (
	low     = 0x0000ffff0000ffff
	high    = 0xffff0000ffff0000
	covered = 96 // of 65535: what shines through a pixel that is left alone
)

// under adds colour c with weight (of one) underneath pixel p.
func under(p uint64, c lanes, weight uint32) uint64 {
	w := (0xffff - p>>48) * uint64(weight) >> 16
	return p + (c.rb*w>>12)&low + (c.ga*w<<4)&high
}

func (c *Canvas) drawBand(band int) {
	top, bottom := c.rows(band)
	for i := range c.used {
		ch := &c.chunks[i]
		records := ch.sorted[ch.first[band]:ch.first[band+1]]
		for j := range records {
			r := &records[j]
			k := &c.kernels.list[r.kernel]
			col := c.colours[r.colour]
			if k.bits == 0 {
				c.drawLarge(r, k, col, top, bottom)
				continue
			}
			x, y, reach := int(r.x), int(r.y), int(k.reach)
			// Rows outside of the band are other workers'.
			from, to := max(-reach, top-y), min(reach+1, bottom-y)
			if x < reach || x+reach >= c.w || r.fade != 0xffff {
				c.drawClipped(r, k, col, from, to)
				continue
			}
			base, pix := y*c.w+x, c.pix
			for _, t := range k.place(r.fx, r.fy, from, to) {
				p := &pix[base+int(t.offset)]
				v := *p
				through := 0xffff - v>>48
				if through < covered {
					continue
				}
				w := through * uint64(t.weight) >> 16
				*p = v + (col.rb*w>>12)&low + (col.ga*w<<4)&high
			}
		}
	}
}

// drawClipped draws rows of a disc that fades, or that reaches over the left or the right side.
func (c *Canvas) drawClipped(r *record, k *kernel, col lanes, from, to int) {
	fade := uint64(r.fade) + 1
	for dy := from; dy < to; dy++ {
		row := (int(r.y) + dy) * c.w
		for _, t := range k.place(r.fx, r.fy, dy, dy+1) {
			x := int(r.x) + int(t.offset) - dy*c.w
			if x >= 0 && x < c.w {
				c.pix[row+x] = under(c.pix[row+x], col, uint32(uint64(t.weight)*fade>>16))
			}
		}
	}
}

// drawLarge computes the coverage of every pixel.
func (c *Canvas) drawLarge(r *record, k *kernel, col lanes, top, bottom int) {
	x, y, reach := int(r.x), int(r.y), int(k.reach)
	cx, cy := float32(x)+float32(r.fx)/256, float32(y)+float32(r.fy)/256
	fade := uint64(r.fade) + 1
	for py := max(y-reach, top); py <= min(y+reach, bottom-1); py++ {
		row := c.pix[py*c.w : (py+1)*c.w]
		for px := max(x-reach, 0); px <= min(x+reach, c.w-1); px++ {
			if 0xffff-row[px]>>48 < covered {
				continue
			}
			if w := k.weight(float32(px)+0.5-cx, float32(py)+0.5-cy); w >= minWeight {
				row[px] = under(row[px], col, uint32(uint64(w)*fade>>16))
			}
		}
	}
}

func (c *Canvas) resolveBand(band int) {
	from, to := c.rows(band)
	g := c.ground
	a := uint64(g.A)
	premul := func(v uint8) uint64 { return (uint64(v)*a + 127) / 255 * 257 }
	rb, ga := premul(g.R)|premul(g.B)<<32, premul(g.G)|a*257<<32
	src := c.pix[from*c.w : to*c.w]
	dst := c.dst[4*from*c.w : 4*to*c.w]
	for i, v := range src {
		t := 0xffff - v>>48
		t += t >> 15                             // 65536 where nothing was drawn
		e := toBytes(v&low + (rb*t>>16)&low)     // R and B
		o := toBytes(v>>16&low + (ga*t>>16)&low) // G and A
		d := dst[4*i : 4*i+4 : 4*i+4]
		d[0], d[1], d[2], d[3] = uint8(e>>8), uint8(o>>8), uint8(e>>40), uint8(o>>40)
	}
}

// toBytes leaves in the second byte of each half what its 16 bits are, rounded, in 255 steps.
func toBytes(x uint64) uint64 { return x - x>>8&0x000000ff000000ff + 0x0000008000000080 }
