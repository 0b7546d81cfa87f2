package glcompute

import (
	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/work/engine"
)

const (
	// bytes of landmarks in shared memory, of which drivers give a processor a fraction of what CUDA does
	stageSize = 1 << 12
	listBytes = 1 << 26 // size of the lists of one dispatch, so that they mostly stay in a card's cache
)

// listFor is the room for landmarks that the bound of a search for find lets through: of independent random
// groups, of which there are twice as many, it is enough for all but one in a hundred thousand points.
func listFor(find int) int { return groups(find+find/3+9, 8) * 8 }

// shape is how the work of neighbours.comp is cut for a device.
type shape struct {
	points, threads    int // points of an invocation, threads of a group
	chunk, tile, stage int // see neighbours.comp
}

func (d device) shape(quads int) shape {
	s := shape{points: 1, threads: 128, chunk: quads, tile: 8}
	if quads > d.chunk {
		s.chunk, s.tile = d.chunk/2, d.chunk
		s.stage = s.tile
	} else {
		s.stage = max(1, stageSize/16/s.chunk/s.tile) * s.tile
	}
	if d.software {
		s.threads = 64
	} else if s.chunk > 4 && s.chunk <= 8 { // measured on cards
		s.points, s.threads = 2, 64
	}
	return s
}

// searchHeader defines what neighbours.comp asks for, and returns the numbers of its registers.
func searchHeader(def func(name string, value any), v variant, d device) map[string]int {
	s := d.shape(v.b)
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
	return map[string]int{"b": s.points, "c": s.chunk, "l": s.tile, "u": 8, "h": 7}
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
	s.near.Add(engine.Range{From: b.from, To: b.to})
	return nil
}

// listRoom is how many bytes of lists a search of n points has; if it needs more, it is done bit by bit.
func (d device) listRoom(c cut, n int) int {
	return c.groupBytes() * max(1, min(groups(n, c.points*c.threads), min(d.lists, d.block)/c.groupBytes()))
}

// search finds neighbours among the landmarks of c and caches them from point at of ids and deltas on.
func (r *resident) search(c *code, s *slot, b batch, find int, ids, deltas *buffer, at int) error {
	n, dev, g := b.to-b.from, r.e.device, c.host.Rows
	cut := dev.cut(g, c.quads, find)
	if err := c.stage(cut); err != nil {
		return err
	}
	if err := r.lists.room(dev.listRoom(cut, n), "memory for searching"); err != nil {
		return err
	}
	first, err := r.e.programs.get(variant{"neighbours", cut.list, min(dev.chunk+1, c.quads)})
	if err != nil {
		return err
	}
	second, err := r.e.programs.get(variant{"far", kept(find), 0})
	if err != nil {
		return err
	}
	s.points.bind(0)
	c.rows.bind(1)
	ids.bind(3)
	deltas.bind(4)
	c.staged.norms.bind(5)
	r.lists.bind(6)
	c.staged.rows.bind(7)
	common := func(k *program, skip, n int) {
		k.use()
		k.int(uFrom, b.from+skip)
		k.int(uOutFrom, at+skip)
		k.int(uCount, n)
		k.int(uQuads, c.quads)
		k.int(uG, g)
		k.int(uFind, find)
		k.float(uScale, c.scale)
	}
	common(first, 0, n)
	first.int(uGroups, cut.groups)
	first.int(uMembers, cut.members)
	first.int(uParts, cut.parts)
	first.int(uPlain, cut.plain())
	first.float(uSlack, float32(8+2*r.x.Cols)*0x1p-23)
	first.float(uReach, c.staged.reach)
	size := cut.points * cut.threads
	most := r.lists.bytes / cut.groupBytes() * size
	for skip := 0; skip < n; skip += most {
		part := min(most, n-skip)
		common(first, skip, part)
		dispatch(groups(part, size), 1)
		visible() // the next ones write to the same lists
	}
	if farLoops(g, c.quads, find) <= dev.loops() { // or else points that are left to it are done by the reference
		common(second, 0, n)
		dispatch(groups(n, 64), 1)
		visible()
	}
	if dev.software {
		gl.Flush()
	}
	return check("searching neighbours")
}
