package glcompute

import "slices"

// cut is how a search goes through landmarks; see neighbours.comp.
type cut struct {
	shape
	list            int // room in a point's list
	g, quads        int
	groups, members int // shape of the first pass
	parts           int // parts of a row, each of chunk quads
	first, second   int // tiles of the passes, in whole stages
}

func (d device) cut(g, quads, find int) cut {
	c := cut{list: listFor(find), g: g, quads: quads, shape: d.shape(quads)}
	c.groups, c.members = split(g, 2*c.list, c.tile)
	c.parts = groups(quads, c.chunk)
	each := c.stage / c.tile
	c.first = groups(c.groups/c.tile*c.members, each) * each
	c.second = groups(groups(g, c.tile), each) * each
	return c
}

// row is the landmark that is the l-th of a tile, or g or more if there is none: in the first pass members of
// a group follow each other, in the second all are in their own order.
func (c cut) row(tile, l int) int {
	if tile >= c.first {
		return (tile-c.first)*c.tile + l
	}
	if group := tile / c.members * c.tile; group < c.groups {
		return tile%c.members*c.groups + group + l
	}
	return c.g
}

// plain is where the second pass begins, in vec4.
func (c cut) plain() int { return c.first * c.parts * c.tile * c.chunk }

// bytes is what the landmarks of both passes take.
func (c cut) bytes() int { return 16 * (c.first + c.second) * c.parts * c.tile * c.chunk }

// groupBytes is what the lists of one group of invocations take.
func (c cut) groupBytes() int { return 8 * c.list * c.points * c.threads }

// staged are the landmarks in the order in which a search brings them to shared memory, so that it is filled
// by copying.
type staged struct {
	cut    cut // the cut that it is for; the zero cut if it is not up to date
	rows   buffer
	norms  buffer  // squared lengths of the rows of the first pass
	reach  float32 // the largest
	host   []float32
	square []float32
}

// away is far from all points, as coordinates of rows that are none: AWAY of search.glsl.
const away = 1e18

// stage brings c.staged up to date.
func (c *code) stage(to cut) error {
	s := &c.staged
	if s.cut == to {
		return nil
	}
	s.fill(c, to)
	err := s.rows.room(4*len(s.host), "memory for the landmarks")
	if err == nil {
		err = s.norms.room(4*len(s.square), "memory for the landmarks")
	}
	if err != nil {
		return err
	}
	write(&s.rows, 0, s.host)
	write(&s.norms, 0, s.square)
	s.cut = to
	return nil
}

func (s *staged) fill(c *code, to cut) {
	s.host = slices.Grow(s.host[:0], to.bytes()/4)[:to.bytes()/4]
	clear(s.host)
	s.square = slices.Grow(s.square[:0], to.first*to.tile)[:to.first*to.tile]
	s.reach = 0
	size, d, wide := 4*c.quads, c.host.Cols, 4*to.chunk
	centre := c.pad[to.g*size:]
	for t := range to.first + to.second {
		first := t < to.first
		for l := range to.tile {
			i := to.row(t, l)
			var sum float64
			for j := range d {
				v := float32(0)
				switch {
				case first && i < to.g:
					v = c.pad[i*size+j] - centre[j]
					sum += float64(v) * float64(v)
				case i < to.g:
					v = c.pad[i*size+j]
				case !first:
					v = away
				}
				s.host[((t*to.parts+j/wide)*to.tile+l)*wide+j%wide] = v
			}
			if !first {
				continue
			}
			s.square[t*to.tile+l] = float32(sum)
			if i >= to.g {
				s.square[t*to.tile+l] = away * away
			} else {
				s.reach = max(s.reach, float32(sum))
			}
		}
	}
}
