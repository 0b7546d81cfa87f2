package splat

import "math"

// In perspective a nearer point lies over a farther one, whatever the order in which they come: Draw only
// collects the records of points, by the bands that they touch, and settle sorts those of each band by depth
// and draws them from front to back. A band's records fit into the cache of the worker that has it, so
// sorting takes less time than drawing. What is drawn in parts is the same picture as what is drawn at once.

// cloud is the points of a picture in perspective.
type cloud struct {
	chunks  int  // Canvas.chunks[:chunks] are its records
	drawn   bool // sum and through hold all of them
	sorters chan *sorter
}

// collect bins the points of a round into chunks of their own.
func (c *Canvas) collect() {
	c.base = c.cloud.chunks
	for len(c.chunks) < c.base+c.used {
		c.chunks = append(c.chunks, chunk{})
	}
	c.pool.run(c.used, c.binPhase)
	c.cloud.chunks += c.used
	c.cloud.drawn = false
}

// spread is the second half of binChunk for records with depths.
func (c *Canvas) spread(ch *chunk, s *scratch, raw []record) {
	if cap(ch.depths) < len(ch.sorted) {
		ch.depths = make([]uint32, cap(ch.sorted))
	}
	ch.depths = ch.depths[:len(ch.sorted)]
	first := ch.first[1:]
	for i, r := range raw {
		lo, hi := c.bandsOf(r.y(), c.kernels.list[r.kernel()].reach)
		for b := lo; b <= hi; b++ {
			ch.sorted[first[b]], ch.depths[first[b]] = r, s.depths[i]
			first[b]++
		}
	}
}

// nearest is the part of the reference distance below which a point counts as behind the eye.
const nearest = 1e-3

const (
	depthBits = 24
	digitBits = depthBits / 2
)

// depthOf returns a number that grows with a distance w above least, both positive: the bits of the float
// without the last four, so two distances that are told apart differ by a millionth of their size. The shader
// computes the same.
func depthOf(w, least float32) uint32 {
	return min((math.Float32bits(w)-math.Float32bits(least))>>4, 1<<depthBits-1)
}

// distanceOf is the inverse of depthOf.
func distanceOf(depth uint32, least float32) float32 {
	return math.Float32frombits(math.Float32bits(least) + depth<<4)
}

// projectPerspective writes the records and depths of the points [from, to) that can be seen and returns
// their number.
func (c *Canvas) projectPerspective(s *scratch, from, to int) (n int) {
	p := &c.proj
	m := &p.M
	dims := c.points.Dims
	w2, h2 := float32(c.w)/2, float32(c.h)/2
	least := p.Reference * nearest
	fade := float32(0)
	if p.Far > p.Near {
		fade = p.Fade * float32(c.style.Ground.A) / 255
	}
	for i := from; i < to; i++ {
		x, y := c.points.Pos[i*dims]-p.Origin[0], c.points.Pos[i*dims+1]-p.Origin[1]
		z := -p.Origin[2]
		if dims == 3 {
			z += c.points.Pos[i*dims+2]
		}
		w := m[3]*x + m[7]*y + m[11]*z + m[15]
		if !(w > least) {
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
		share := float32(0)
		if fade > 0 {
			share = fade * min(max((w-p.Near)/(p.Far-p.Near), 0), 1)
		}
		s.records[n] = pack(uint32(int32((px+recordOffset)*64)), uint32(int32((py+recordOffset)*64)), entry, class,
			min(int(share*64+0.5), 63))
		s.depths[n] = depthOf(w, least)
		n++
	}
	return n
}

// settle draws what has been collected since it was last drawn.
func (c *Canvas) settle() {
	if c.cloud.drawn {
		return
	}
	c.cloud.drawn = true
	c.pool.run(c.bands, c.cloudPhase)
}

// drawCloud draws the band's records, from front to back. Of two at one depth the earlier is in front.
func (c *Canvas) drawCloud(band int) {
	c.clearBand(band)
	s := <-c.cloud.sorters
	s.gather(c.chunks[:c.cloud.chunks], band)
	s.sort()
	top, bottom := c.rows(band)
	ground, least := makePaint(c.style.Ground).rgb, c.proj.Reference*nearest
	for _, o := range s.order {
		r := s.records[uint32(o)]
		p := c.paints[r.colour()]
		if f := r.fade(); f != 0 {
			p.rgb = mix(p.rgb, ground, uint64(f))
		}
		k := &c.kernels.list[r.kernel()]
		if k.bits == 0 { // large: the difference to the size of its class would show
			s.large = *k
			s.large.radius, _ = Disc(c.style.Size*c.proj.Reference/distanceOf(uint32(o>>32), least), 1)
			k = &s.large
		}
		c.drawDisc(r, k, p, top, bottom)
	}
	c.cloud.sorters <- s
}

// mix returns a colour with so many 64ths of another.
func mix(a, b, f uint64) uint64 {
	const (
		half     = 32 | 32<<channelBits | 32<<(2*channelBits)
		channels = 255 | 255<<channelBits | 255<<(2*channelBits)
	)
	return (a*(64-f) + b*f + half) >> 6 & channels
}

// sorter sorts the records of one band at a time. order holds a depth and below it the index of a record.
type sorter struct {
	records      []record
	order, other []uint64
	counts       [1 << digitBits]uint32
	large        kernel
}

func (s *sorter) gather(chunks []chunk, band int) {
	n := 0
	for i := range chunks {
		n += int(chunks[i].first[band+1] - chunks[i].first[band])
	}
	if cap(s.records) < n {
		room := n + n/4
		s.records, s.order, s.other = make([]record, room), make([]uint64, room), make([]uint64, room)
	}
	s.records, s.order, s.other = s.records[:n], s.order[:n], s.other[:n]
	n = 0
	for i := range chunks {
		ch := &chunks[i]
		from, to := ch.first[band], ch.first[band+1]
		copy(s.records[n:], ch.sorted[from:to])
		for _, d := range ch.depths[from:to] {
			s.order[n] = uint64(d)<<32 | uint64(n)
			n++
		}
	}
}

// sort is a radix sort of two digits: stable, and linear in the number of records.
func (s *sorter) sort() {
	for shift := 32; shift < 32+depthBits; shift += digitBits {
		clear(s.counts[:])
		for _, o := range s.order {
			s.counts[o>>shift&(1<<digitBits-1)]++
		}
		sum := uint32(0)
		for i, n := range s.counts {
			s.counts[i] = sum
			sum += n
		}
		for _, o := range s.order {
			d := &s.counts[o>>shift&(1<<digitBits-1)]
			s.other[*d] = o
			*d++
		}
		s.order, s.other = s.other, s.order
	}
}
