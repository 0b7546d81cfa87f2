package glcompute

import (
	"github.com/go-gl/gl/v4.3-core/gl"

	"blossom/gpu"
)

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
	first, err := r.e.programs.get(variant{"neighbours", kept(find), min(maxChunk+1, c.quads)})
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
	for i, k := range [...]*program{first, second} {
		if i == 1 && farLoops(c.host.Rows, c.quads, find) > r.e.device.loops() {
			break // points that are left to it are done by the reference
		}
		k.use()
		k.int(uFrom, b.from)
		k.int(uOutFrom, at)
		k.int(uCount, n)
		k.int(uD, r.x.Cols)
		k.int(uQuads, c.quads)
		k.int(uG, c.host.Rows)
		k.int(uFind, find)
		k.float(uScale, c.scale)
		dispatch(groups(n, [...]int{64 * pointsEach(kept(find)), 64}[i]), 1)
		visible()
	}
	if r.e.device.software {
		gl.Flush()
	}
	return check("searching neighbours")
}
