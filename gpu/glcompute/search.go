package glcompute

import (
	"github.com/go-gl/gl/v4.3-core/gl"

	"blossom/gpu"
)

// search is stage A for one batch at a time.
type search struct {
	found buffer // count x kept candidates: what neighbours leaves to refine
}

// scratchBytes is about what a batch may take.
const scratchBytes = 1 << 25

// kept is how many landmarks the first half of stage A keeps for find neighbours: two more at least,
// so that rounding seldom leaves the right one out, in steps that keep the kernels few.
func kept(find int) int { return (find + 2 + 3) / 4 * 4 }

// work is how many multiply-adds one dispatch may have: so few that a cancel does not wait, and that no
// watchdog ends it.
func (d device) work() int {
	if d.software {
		return 1 << 29
	}
	return 1 << 36
}

// batch returns how many points are searched at a time.
func (s *search) batch(dev device, g, d, find int) int {
	return max(pageUnit, min(scratchBytes/8/kept(find), dev.work()/max(1, g*d))/pageUnit*pageUnit)
}

// near finds the neighbours of a batch that are cached.
func (r *resident) near(b batch) error {
	s, err := r.pages.slot(b.page)
	if err != nil {
		return err
	}
	s.send(&r.pages, b.from, b.to)
	if err := r.search.run(r.e, &r.code, s, b, r.find, &s.ids, &s.deltas, b.from); err != nil {
		return err
	}
	s.near.Add(gpu.Range{From: b.from, To: b.to})
	return nil
}

// run finds neighbours among the landmarks of c and caches them from point at of ids and deltas on. It
// leaves those buffers, the points and the landmarks bound.
func (s *search) run(e *engine, c *code, from *slot, b batch, find int, ids, deltas *buffer, at int) error {
	n, keep, d := b.to-b.from, kept(find), c.host.Cols
	first, err := e.programs.get(variant{"neighbours", keep, min(8, c.quads)})
	if err != nil {
		return err
	}
	second, err := e.programs.get(variant{"refine", keep, 0})
	if err != nil {
		return err
	}
	if err := s.found.room(8*n*keep, "memory for the search"); err != nil {
		return err
	}
	from.points.bind(0)
	c.rows.bind(1)
	s.found.bind(2)
	ids.bind(3)
	deltas.bind(4)
	first.use()
	first.int(uFrom, b.from)
	first.int(uCount, n)
	first.int(uD, d)
	first.int(uQuads, c.quads)
	first.int(uG, c.host.Rows)
	first.float(uScale, c.scale)
	dispatch(groups(n, 128), 1)
	gl.MemoryBarrier(gl.SHADER_STORAGE_BARRIER_BIT)
	second.use()
	second.int(uFrom, b.from)
	second.int(uOutFrom, at)
	second.int(uCount, n)
	second.int(uD, d)
	second.int(uQuads, c.quads)
	second.int(uG, c.host.Rows)
	second.int(uFind, find)
	second.float(uScale, c.scale)
	dispatch(groups(n, 64), 1)
	visible()
	if e.device.software {
		gl.Flush()
	}
	return check("searching neighbours")
}

func (s *search) free() { s.found.free() }
