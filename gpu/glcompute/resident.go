package glcompute

import (
	"context"
	"errors"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// resident is one table of points with its neighbours, and the tables of the landmarks.
type resident struct {
	e     *computer
	x     matrix.Matrix32
	pages pages
	found engine.Ranges // points that have neighbours, for these g and find
	g     int
	find  int
	host  bool // the reference does all points: the kernels cannot

	code    code
	codeRev revision.Revision // revision of code; 0: not known
	tab     tables
	rows    buffer // points on their way to the card
	out     buffer // positions on their way to the host
	lists   buffer // lists of neighbours.comp
	hard    hards
	clock   clock
	train   code // the codebook of Nearest
	nearby  nearest
	checker engine.Checker

	ref    *embedsom.Reference // made when first needed; nil after a change
	params embedsom.Params     // parameters of ref

	failed error // an error of OpenGL: the card's work after it is not to be trusted

	call   call // the call that the thread of OpenGL is asked for
	doNear func()
	doProj func()
	doTime func()
}

// call carries arguments and result to the thread of OpenGL and back.
type call struct {
	ctx context.Context
	l   *landmark.Set
	p   embedsom.Params
	dst embedsom.Target
	r   engine.Range
	err error
}

func newResident(e *computer, x matrix.Matrix32) *resident {
	r := &resident{e: e, x: x, pages: newPages(x, e.device.block), clock: newClock(),
		checker: engine.Checker{Limits: limits}}
	r.tab.free()
	r.doNear = func() { r.call.err = r.neighbours(&r.call) }
	r.doProj = func() { r.call.err = r.project(&r.call) }
	r.doTime = r.clock.collect
	return r
}

// Free gives the memory back. The resident is of no use afterwards.
func (r *resident) Free() {
	if r.e.closed {
		return
	}
	r.e.thread.run(func() {
		r.pages.free()
		r.code.free()
		r.train.free()
		r.tab.free()
		r.nearby.free()
		r.rows.free()
		r.out.free()
		r.lists.free()
		r.hard.free()
		r.clock.free()
		unbind()
	})
	r.found.Clear()
	r.find, r.x, r.checker, r.ref = 0, matrix.Matrix32{}, engine.Checker{}, nil
}

// run does one call on the thread of OpenGL.
func (r *resident) run(c call, f func()) error {
	if r.failed != nil {
		return r.failed
	}
	r.call = c
	r.e.thread.run(f)
	err := r.call.err
	r.call = call{}
	return r.note(err)
}

// note remembers an error if it is one of OpenGL.
func (r *resident) note(err error) error {
	if err != nil && r.failed == nil && errors.As(err, new(failure)) {
		r.failed = err
	}
	return err
}

func (r *resident) Neighbours(ctx context.Context, l *landmark.Set, p embedsom.Params, rg engine.Range) error {
	if err := r.checker.Check(r.x, l, p, rg); err != nil {
		return err
	}
	if rg.Len() == 0 {
		return ctx.Err()
	}
	return r.run(call{ctx: ctx, l: l, p: p, r: rg}, r.doNear)
}

func (r *resident) Project(ctx context.Context, l *landmark.Set, p embedsom.Params, dst embedsom.Target,
	rg engine.Range) error {
	if err := r.checker.Check(r.x, l, p, rg); err != nil {
		return err
	}
	if err := engine.CheckTarget(dst, r.x.Rows, l.Pos.Cols); err != nil {
		return err
	}
	if rg.Len() == 0 {
		return ctx.Err()
	}
	if _, find := p.Neighbours(l.Len()); find != r.find || l.Len() != r.g || !r.found.Contains(rg) {
		return engine.ErrNoNeighbours(rg)
	}
	err := r.run(call{ctx: ctx, l: l, p: p, dst: dst, r: rg}, r.doProj)
	if err == nil && !r.hard.direct {
		dst.Upload(rg.From, rg.To) // here, for OpenGL may be on another thread than the caller
	}
	return err
}

func (r *resident) neighbours(c *call) error {
	forget()
	defer unbind()
	if err := r.hard.poll(r, false); err != nil {
		return err
	}
	_, find := c.p.Neighbours(c.l.Len())
	if c.l.Len() != r.g || find != r.find {
		r.prepare(c.l.Len(), find)
	}
	if rev := c.l.CodeRev; rev == 0 || rev != r.codeRev {
		r.codeRev = 0
		if err := r.setCode(c.l.Codebook); err != nil {
			return err
		}
		r.codeRev = rev
	}
	if r.host {
		r.found.Add(c.r)
		return c.ctx.Err()
	}
	// First of all: where memory is short, points give way.
	if err := r.lists.room(r.listBytes(), "memory for searching"); err != nil {
		return err
	}
	begun := r.clock.begin()
	defer func() { r.clock.end(begun, 0, engine.StageNeighbours, c.r.Len()) }()
	return r.pages.each(c.r, r.searchBatch(r.g), func(b batch) error {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if r.pages.own(b.page) { // others are searched when they are projected
			if err := r.near(b); err != nil {
				return err
			}
		} else if s := &r.pages.slots[len(r.pages.slots)-1]; s.page == b.page {
			s.near.Clear()
		}
		first := b.page * r.pages.size
		r.found.Add(engine.Range{From: first + b.from, To: first + b.to})
		return nil
	})
}

// prepare makes room for other sizes; all neighbours are forgotten.
func (r *resident) prepare(g, find int) {
	r.found.Clear()
	r.g, r.find, r.codeRev = g, find, 0
	r.tab.free()
	if !r.fits() {
		return
	}
	r.pages.prepare(find, r.budget())
}

// fits says whether the kernels take the number of landmarks and of neighbours.
func (r *resident) fits() bool {
	quads, dev := (r.x.Cols+3)/4, r.e.device
	return kept(r.find) <= maxKept && r.g <= dev.maxTabled() && dev.cut(r.g, quads, r.find).bytes() <= dev.block &&
		dev.searchLoops(r.g, quads, r.find) <= dev.loops() && placeLoops(r.find, 0) <= dev.loops()
}

// budget is how many bytes points and neighbours may take; 0: nobody knows.
func (r *resident) budget() int64 {
	most := r.e.o.Memory
	if most == 0 {
		if most = r.e.device.free(); most == 0 {
			return 0
		}
		points, neighbours := r.pages.memory()
		most = (most + points + neighbours) / 10 * 9
	}
	other := int64(r.listBytes()) + 4*int64(r.g)*int64(r.g) + int64(r.pages.size)*4*int64(8+r.find)
	return max(1, most-other)
}

// listBytes is what lists take when all points are searched.
func (r *resident) listBytes() int {
	if r.g == 0 { // only the nearest landmarks were asked for
		return r.e.device.lists
	}
	return r.e.device.listRoom(r.e.device.cut(r.g, (r.x.Cols+3)/4, r.find), min(r.x.Rows, r.searchBatch(r.g)))
}

func (r *resident) setCode(codebook matrix.Matrix32) error {
	was, host := r.code.scale, r.host
	if r.host = !r.fits(); r.host {
		r.code.keep(codebook)
	} else {
		changed, err := r.code.set(codebook)
		if err != nil {
			return err
		}
		if !changed {
			return nil
		}
		r.host = r.code.scale > wildScale
		if host && !r.host {
			for i := range r.pages.slots {
				r.pages.slots[i].near.Clear()
			}
		} else if was != 0 && was != r.code.scale {
			if err := r.rescale(r.code.scale / was); err != nil {
				return err
			}
		}
	}
	r.tab.pairsOld, r.ref = true, nil
	return nil
}

// rescale multiplies the cached squared distances by the square of f.
func (r *resident) rescale(f float32) error {
	k, err := r.e.programs.get(variant{name: "rescale"})
	if err != nil {
		return err
	}
	for i := range r.pages.slots {
		s := &r.pages.slots[i]
		if s.deltas.id == 0 {
			continue
		}
		n := s.deltas.bytes / 4
		s.deltas.bind(4)
		k.use()
		k.int(uCount, n)
		k.float(uScale, f*f)
		blocks := groups(n, 128)
		dispatch(min(blocks, 4096), groups(blocks, 4096))
	}
	visible()
	return check("rescaling distances")
}

// reference returns the reference for the codebook, the positions and the parameters of the last calls.
func (r *resident) reference() *embedsom.Reference {
	if r.ref == nil {
		r.ref, _ = embedsom.NewReference(r.code.host, r.tab.pos, r.params) // all of it was validated before
	}
	return r.ref
}

// Timings implements engine.Async.
func (r *resident) Timings(yield func(engine.Timing)) {
	r.e.thread.run(r.doTime)
	for _, t := range r.clock.ready {
		yield(t)
	}
	r.clock.ready = r.clock.ready[:0]
}

// Wait implements engine.Async.
func (r *resident) Wait() (err error) {
	if r.failed != nil {
		return r.failed
	}
	r.e.thread.run(func() {
		err = r.hard.poll(r, true)
		gl.Finish()
		if err == nil {
			err = check("waiting for the card")
		}
		unbind()
	})
	return r.note(err)
}

// Caps are the same on all cards.
func (r *resident) Caps() engine.Caps { return engine.Caps{Keeps: true, Async: r, Searcher: r} }

// Status says where positions went, and what of the points is on the card.
func (r *resident) Status() engine.Status {
	s := engine.Status{Path: r.path(), Plan: r.plan()}
	s.Points, s.Neighbours = r.pages.memory()
	s.Other = int64(r.code.bytes() + r.tab.pairs.bytes + r.tab.places.bytes +
		r.rows.bytes + r.out.bytes + r.lists.bytes + r.train.bytes() + r.nearby.memory() + r.hard.memory())
	return s
}

func (r *resident) path() string {
	switch {
	case r.hard.direct:
		return sharedBuffer
	case r.host:
		return "computed by the processor in float64"
	}
	return "copied over the host"
}

const sharedBuffer = "shared buffer"

var (
	_ engine.Resident = (*resident)(nil)
	_ engine.Async    = (*resident)(nil)
	_ train.Searcher  = (*resident)(nil)
)
