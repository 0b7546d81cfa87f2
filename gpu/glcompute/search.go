package glcompute

import (
	"github.com/go-gl/gl/v4.3-core/gl"

	"blossom/gpu"
)

const stageSize = 1 << 12 // bytes of landmarks in shared memory

// listFor is the room for landmarks that the bound of a search for find lets through: of independent random
// groups, of which there are twice as many, it is enough for all but one in a hundred thousand points.
func listFor(find int) int { return groups(find+find/3+9, 8) * 8 }

// shape is how the work of neighbours.comp is cut for a device.
type shape struct {
	points, threads    int // of an invocation, of a group
	chunk, tile, stage int // see neighbours.comp
}

func (d device) shape(list, quads int) shape {
	s := shape{chunk: quads, tile: 8}
	if quads > d.chunk {
		s.chunk, s.tile = d.chunk/2, d.chunk
		s.stage = s.tile
	} else {
		s.stage = max(1, stageSize/16/s.chunk/s.tile) * s.tile
	}
	points := 1
	if !d.software && s.chunk > 4 && s.chunk <= 8 { // measured on cards
		points = 2
	}
	threads := 128 / points
	if d.software {
		threads = 64
	}
	for _, c := range [...][2]int{{trial("points", points), trial("threads", threads)}, {points, 64}, {points, 32}, {1, 32}, {1, 16}, {1, 8}} {
		s.points, s.threads = c[0], c[1]
		if 16*s.stage*s.chunk+4*s.stage+8*list*s.points*s.threads <= d.shared {
			break
		}
	}
	return s
}

// searchHeader defines what neighbours.comp asks for, and returns the numbers of its registers.
func searchHeader(def func(name string, value any), v variant, d device) map[string]int {
	s := d.shape(v.a, v.b)
	if v.b > d.chunk {
		def("PARTS", 1)
	}
	def("THREADS", s.threads)
	def("POINTS", s.points)
	def("CAP", v.a)
	def("CHUNK", s.chunk)
	def("TILE", s.tile)
	def("STAGE", s.stage)
	def("EXACT", d.exact())
	return map[string]int{"b": s.points, "c": s.chunk, "l": s.tile, "u": 8}
}

// exact is what keeps a compiler from computing distances of two points in two ways.
func (d device) exact() string {
	if d.software {
		return "" // compiling would take half as long again
	}
	return "precise"
}

// split cuts g landmarks into groups, a multiple of tile and at most most, of so many members.
func split(g, most, tile int) (n, members int) {
	members = groups(g, most)
	return groups(groups(g, members), tile) * tile, members
}

// kept is how many landmarks a kernel keeps that finds find: in steps that keep the kernels few.
func kept(find int) int {
	if find > 24 {
		return groups(find, 8) * 8
	}
	return groups(find, 4) * 4
}

// work is how many multiply-adds one dispatch may have: so few that a cancel does not wait, and that no
// watchdog ends it.
func (d device) work() int {
	if d.software {
		return 1 << 29
	}
	return 1 << 34
}

// searchBatch returns how many points are searched at a time among g landmarks.
func (r *resident) searchBatch(g int) int {
	return max(pageUnit, min(r.pages.size, r.e.device.work()/max(1, g*r.x.Cols))/pageUnit*pageUnit)
}

// near finds the neighbours of a batch that are cached.
func (r *resident) near(b batch) error {
	s, err := r.pages.slot(b.page)
	if err != nil {
		return err
	}
	if err := r.send(s, b); err != nil {
		return err
	}
	if err := r.search(&r.code, s, b, r.find, &s.ids, &s.deltas, b.from); err != nil {
		return err
	}
	s.near.Add(gpu.Range{From: b.from, To: b.to})
	return nil
}

// search finds neighbours among the landmarks of c and caches them from point at of ids and deltas on.
func (r *resident) search(c *code, s *slot, b batch, find int, ids, deltas *buffer, at int) error {
	n := b.to - b.from
	dev, list, g := r.e.device, listFor(find), c.host.Rows
	cut := dev.shape(list, c.quads)
	v, size := variant{"neighbours", list, min(dev.chunk+1, c.quads)}, cut.points*cut.threads
	n2, members := split(g, 2*list, cut.tile)
	first, err := r.e.programs.get(v)
	if err != nil {
		return err
	}
	second, err := r.e.programs.get(variant{"far", kept(find), 0})
	if err != nil {
		return err
	}
	s.points.bind(0)
	c.rows.bind(1)
	c.norms.bind(5)
	ids.bind(3)
	deltas.bind(4)
	for i, k := range [...]*program{first, second} {
		if i == 1 && farLoops(g, c.quads, find) > dev.loops() {
			break // points that are left to it are done by the reference
		}
		k.use()
		k.int(uFrom, b.from)
		k.int(uOutFrom, at)
		k.int(uCount, n)
		k.int(uD, r.x.Cols)
		k.int(uQuads, c.quads)
		k.int(uG, g)
		k.int(uGroups, n2)
		k.int(uMembers, members)
		k.int(uFind, find)
		k.float(uScale, c.scale)
		k.float(uSlack, float32(8+2*r.x.Cols)*0x1p-23)
		k.float(uReach, c.reach)
		dispatch(groups(n, [...]int{size, 64}[i]), 1)
		visible()
	}
	if dev.software {
		gl.Flush()
	}
	return check("searching neighbours")
}
