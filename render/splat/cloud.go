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
	looks   [1 << lookBits]look
	least   float32 // no point is nearer
	most    float32 // no point is farther: it would be too small
}

// look is what a disc's depth decides: its kernel, and the share of the ground in its colour in 64ths.
type look struct{ kernel, share uint8 }

// deep is a record of the cloud in the list of a band, packed so that sorting needs to move nothing else: from
// the lowest bit, 11 of the entry of the colour, 13 of y (64ths of a pixel, from deepRows above the band), 20 of
// x as in a record, 20 of the depth.
type deep uint64

const (
	depthBits = 20
	digitBits = depthBits / 2
	lookBits  = 12
	depthAt   = 64 - depthBits
	deepRows  = MaxSize/2 + 4
)

func (d deep) depth() uint32 { return uint32(d >> depthAt) }
func (d deep) colour() int   { return int(d & 0x7ff) }

// record returns what draws it: kernel and share are told by the look.
func (d deep) record(top int) record {
	y := uint32(d>>11&0x1fff) + uint32(top-deepRows+recordOffset)*64
	return pack(uint32(d>>24&0xfffff), y, 0, 0)
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

// nearest is the part of the reference distance below which a point counts as behind the eye.
const nearest = 1e-3

// A depth is a number that grows with the distance from the eye: the bits of the float, less those of the
// nearest and without the last seven. Two distances that are told apart differ by less than 1 in 65,000 of
// their size, anywhere from a thousandth to 65 times the reference distance; those beyond are one.
const depthDrop = 7

func depthOf(w, least float32) uint32 {
	return min((math.Float32bits(w)-math.Float32bits(least))>>depthDrop, 1<<depthBits-1)
}

// distanceOf is the middle of the distances of a depth.
func distanceOf(depth uint32, least float32) float32 {
	return math.Float32frombits(math.Float32bits(least) + depth<<depthDrop + 1<<(depthDrop-1))
}

// prepareCloud tabulates the looks.
func (c *Canvas) prepareCloud() {
	p, k := &c.proj, &c.cloud
	k.least, k.most = p.Reference*nearest, c.style.Size*p.Reference/minSize
	fade := float32(0)
	if p.Far > p.Near {
		fade = p.Fade * float32(c.style.Ground.A) / 255
	}
	for i := range k.looks {
		w := distanceOf((uint32(i)*2+1)<<(depthBits-lookBits-1), k.least)
		size := min(max(c.style.Size*p.Reference/w, minSize), MaxSize)
		share := float32(0)
		if fade > 0 {
			share = fade * min(max((w-p.Near)/(p.Far-p.Near), 0), 1)
		}
		k.looks[i] = look{uint8(classOf(size)), uint8(share*64 + 0.5)}
	}
}

func (k *cloud) look(depth uint32) look { return k.looks[depth>>(depthBits-lookBits)] }

// projectPerspective writes the records and depths of the points [from, to) that can be seen and returns
// their number.
func (c *Canvas) projectPerspective(s *scratch, from, to int) (n int) {
	p, cloud := &c.proj, &c.cloud
	m := &p.M
	dims := c.points.Dims
	w2, h2 := float32(c.w)/2, float32(c.h)/2
	for i := from; i < to; i++ {
		x, y := c.points.Pos[i*dims]-p.Origin[0], c.points.Pos[i*dims+1]-p.Origin[1]
		z := -p.Origin[2]
		if dims == 3 {
			z += c.points.Pos[i*dims+2]
		}
		w := m[3]*x + m[7]*y + m[11]*z + m[15]
		if !(w > cloud.least && w <= cloud.most) {
			continue
		}
		inv := 1 / w
		px := ((m[0]*x+m[4]*y+m[8]*z+m[12])*inv + 1) * w2
		py := ((m[1]*x+m[5]*y+m[9]*z+m[13])*inv + 1) * h2
		depth := depthOf(w, cloud.least)
		class := int(cloud.look(depth).kernel)
		reach := float32(c.kernels.list[class].reach)
		if !(px > -reach && px < float32(c.w)+reach && py > -reach && py < float32(c.h)+reach) {
			continue
		}
		entry, ok := c.entry(i)
		if !ok {
			continue
		}
		s.records[n] = pack(uint32(int32((px+recordOffset)*64)), uint32(int32((py+recordOffset)*64)), entry, class)
		s.depths[n] = depth
		n++
	}
	return n
}

// spread is the second half of binChunk for records with depths.
func (c *Canvas) spread(ch *chunk, s *scratch, raw []record) {
	first := ch.first[1:]
	for i, r := range raw {
		lo, hi := c.bandsOf(r.y(), c.kernels.list[r.kernel()].reach)
		rest := deep(s.depths[i])<<depthAt | deep(r&0xfffff)<<24 | deep(r.colour())
		y := int(r >> 20 & 0xfffff)
		for b := lo; b <= hi; b++ {
			ch.sorted[first[b]] = record(rest | deep(y-(b*bandRows-deepRows+recordOffset)*64)<<11)
			first[b]++
		}
	}
}

// drawCollected draws what has been collected since it was last drawn.
func (c *Canvas) drawCollected() {
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
	ground := makePaint(c.style.Ground).rgb
	for _, d := range s.order {
		look := c.cloud.look(d.depth())
		p := c.paints[d.colour()]
		if look.share != 0 {
			p.rgb = mix(p.rgb, ground, uint64(look.share))
		}
		k := &c.kernels.list[look.kernel]
		if k.bits == 0 { // large: the difference to the size of its class would show
			s.large = *k
			s.large.radius, _ = Disc(c.style.Size*c.proj.Reference/distanceOf(d.depth(), c.cloud.least), 1)
			k = &s.large
		}
		c.drawDisc(d.record(top), k, p, top, bottom)
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

// sorter sorts the records of one band at a time.
type sorter struct {
	order, other []deep
	counts       [2][1 << digitBits]uint32
	large        kernel
}

func (s *sorter) gather(chunks []chunk, band int) {
	n := 0
	for i := range chunks {
		n += int(chunks[i].first[band+1] - chunks[i].first[band])
	}
	if cap(s.order) < n {
		room := n + n/4
		s.order, s.other = make([]deep, room), make([]deep, room)
	}
	s.order, s.other = s.order[:n], s.other[:n]
	s.counts = [2][1 << digitBits]uint32{}
	n = 0
	for i := range chunks {
		ch := &chunks[i]
		for _, r := range ch.sorted[ch.first[band]:ch.first[band+1]] {
			d := deep(r)
			s.order[n] = d
			s.counts[0][d>>depthAt&(1<<digitBits-1)]++
			s.counts[1][d>>(depthAt+digitBits)]++
			n++
		}
	}
}

// sort is a radix sort of two digits: stable, and linear in the number of records.
func (s *sorter) sort() {
	for digit := range s.counts {
		counts, shift := &s.counts[digit], depthAt+digit*digitBits
		sum := uint32(0)
		for i, n := range counts {
			counts[i] = sum
			sum += n
		}
		for _, d := range s.order {
			at := &counts[d>>shift&(1<<digitBits-1)]
			s.other[*at] = d
			*at++
		}
		s.order, s.other = s.other, s.order
	}
}
