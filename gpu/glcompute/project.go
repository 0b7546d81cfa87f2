package glcompute

import (
	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// project is stage B.
func (r *resident) project(c *call) error {
	forget()
	defer unbind()
	if err := r.hard.poll(r, false); err != nil {
		return err
	}
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if r.host {
		return r.projectHost(c)
	}
	begun := r.clock.begin()
	defer func() { r.clock.forget(begun) }()
	changed, err := r.update(c.ctx, c.l)
	if changed || r.params != c.p {
		r.ref, r.params = nil, c.p
	}
	if err != nil {
		return err
	}
	var vertices uint32
	var storage uint64
	var direct embedsom.Target
	if r.e.o.Window {
		if vertices, storage = c.dst.GLBuffer(); vertices != 0 {
			direct = c.dst
		}
	}
	r.hard.direct = direct != nil
	k, _ := c.p.Neighbours(r.g)
	err = r.pages.each(c.r, r.placeBatch(k), func(b batch) error {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if begun == 0 {
			begun = r.clock.begin()
		}
		copying, err := r.place(c, b, direct, vertices, storage)
		if err != nil {
			return err
		}
		r.clock.end(begun, copying, engine.StageProject, b.to-b.from)
		begun = 0
		return nil
	})
	if err == nil && direct != nil {
		gl.MemoryBarrier(drawn)
		direct.Wrote(c.r.From, c.r.To)
	}
	return err
}

// placeBatch returns how many points are projected at a time.
func (r *resident) placeBatch(k int) int {
	work := r.e.device.work() / 16 / max(1, k*k)
	if len(r.pages.slots) < r.pages.count { // some must be searched first
		work = min(work, r.searchBatch(r.g))
	}
	return max(pageUnit, min(r.pages.size, work)/pageUnit*pageUnit)
}

// placeThreads is how many invocations make a group of project.comp: what shared memory has room for.
func (d device) placeThreads(kept int) int {
	n := 64
	for n > 4 && 12*kept*n > d.shared {
		n /= 2
	}
	return n
}

// place projects one batch: into the buffer that is drawn, or over the host; copying is the query where
// the kernels end and that begins, or 0.
func (r *resident) place(c *call, b batch, direct embedsom.Target, vertices uint32,
	storage uint64) (copying uint32, err error) {
	s, err := r.pages.slot(b.page)
	if err != nil {
		return 0, err
	}
	if !s.near.Contains(engine.Range{From: b.from, To: b.to}) {
		if err := r.near(b); err != nil {
			return 0, err
		}
	}
	k, _ := c.p.Neighbours(r.g)
	m, n := c.l.Pos.Cols, b.to-b.from
	prog, err := r.e.programs.get(variant{"project", kept(k), m})
	if err != nil {
		return 0, err
	}
	job, err := r.hard.newJob(r, n)
	if err != nil {
		return 0, err
	}
	first := b.page * r.pages.size
	outFrom := b.from
	if direct != nil {
		outFrom = 0
		gl.BindBufferRange(gl.SHADER_STORAGE_BUFFER, 2, vertices, 4*m*first, 4*m*r.pages.length(b.page))
	} else {
		if err := r.out.room(4*m*n, "memory for positions"); err != nil {
			return 0, err
		}
		r.out.bind(2)
	}
	s.points.bind(0)
	s.ids.bind(3)
	s.deltas.bind(4)
	job.list.bind(5)
	prog.use()
	prog.int(uFrom, b.from)
	prog.int(uCount, n)
	prog.int(uOutFrom, outFrom)
	r.setProjection(prog, c)
	dispatch(groups(n, r.e.device.placeThreads(kept(k))), 1)
	visible()
	job.first, job.m = first, m
	if direct != nil {
		job.dst, job.vertices, job.storage, job.room = direct, vertices, storage, r.pages.length(b.page)
		return 0, r.hard.later(r, job)
	}
	copying = r.clock.query()
	out := c.dst.Host()
	read(&r.out, 0, out[(first+b.from)*m:(first+b.to)*m])
	if err := check("projecting"); err != nil {
		return 0, err
	}
	return copying, r.hard.now(r, c.ctx, job, out)
}

// setProjection sets what a projection has in common for all points: landmarks with their tables, and parameters.
func (r *resident) setProjection(prog *program, c *call) {
	r.code.rows.bind(1)
	r.tab.pairs.bind(6)
	r.tab.places.bind(7)
	k, find := c.p.Neighbours(r.g)
	prog.int(uQuads, r.code.quads)
	prog.int(uG, r.g)
	prog.int(uK, k)
	prog.int(uFind, find)
	prog.float(uScale, r.code.scale)
	prog.float(uBoost, c.p.Boost)
	prog.float(uAdjust, c.p.Adjust)
	rough := 0
	if placeLoops(find, r.code.quads) > r.e.device.loops() {
		rough = 1
	}
	prog.int(uListed, rough)
}

// projectHost lets the reference do all points.
func (r *resident) projectHost(c *call) error {
	r.hard.direct = false
	ref, err := embedsom.NewReference(r.code.host, c.l.Pos, c.p)
	if err != nil {
		return err
	}
	out, m := c.dst.Host(), c.l.Pos.Cols
	return ref.Each(c.ctx, c.r.From, c.r.To, r.e.o.Threads, func(w *embedsom.Worker, i int) {
		var y [3]float64
		w.Point(r.x.Row(i), y[:m])
		for q := range m {
			out[i*m+q] = float32(y[q])
		}
	})
}
