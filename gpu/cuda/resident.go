package cuda

import (
	"context"
	"errors"
	"slices"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// resident is one table of points on a card. See plan.go for what is kept of it there.
type resident struct {
	e    *card
	x    matrix.Matrix32
	n, d int64

	beside []*resident // the same points on other cards, for what several can do together

	plan   plan
	window int64 // points that are in memory at a time, where not all are
	err    error // error of queued work: nothing works after it

	points room          // n x d, or window x d
	sent   engine.Ranges // points that were sent
	ids    room          // neighbour cache, see layout.cuh
	d2     room
	found  engine.Ranges
	find   int
	tables tables
	order  order
	lists  lists
	out    room // n x dims, where the target is in the computer's memory
	pairs  room // pairs of landmarks for the published kernels
	shared shared
	drag   drag

	trainer *trainer
	clock   clock
	near    nearArgs                 // arguments of the launch being prepared, so that a frame allocates nothing
	place   placeArgs                //
	carved  map[*driver.Function]int // shared memory that kernels were set up for
	shape   tensorChoice
	shapeOf [4]int // landmarks, columns, neighbours and tiles that it was chosen for
	checker engine.Checker
}

// pieceMost is the most points that one launch works on: lists of them are so long.
const pieceMost = 1 << 22

func (r *resident) check(l *landmark.Set, p embedsom.Params, rg engine.Range) error {
	if r.err != nil {
		return r.err
	}
	return r.checker.Check(r.x, l, p, rg)
}

// failed remembers an error after which nothing can be trusted.
func (r *resident) failed(err error) error {
	var e *driver.Error
	if errors.As(err, &e) && e.Lost() {
		r.err = err
	}
	return err
}

func (r *resident) Neighbours(ctx context.Context, l *landmark.Set, p embedsom.Params, rg engine.Range) error {
	if err := r.check(l, p, rg); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil || rg.Len() == 0 {
		return err
	}
	leave, err := r.e.c.Enter()
	if err != nil {
		return r.failed(err)
	}
	defer leave()
	return r.failed(r.neighbours(ctx, l, p, rg))
}

func (r *resident) neighbours(ctx context.Context, l *landmark.Set, p embedsom.Params, rg engine.Range) error {
	_, find := p.Neighbours(l.Len())
	r.expect(l.Len(), find)
	if err := r.clock.start(r.e, engine.StageNeighbours, rg.Len()); err != nil {
		return err
	}
	r.drag.forget()
	if err := r.tables.setCodebook(r.e, l); err != nil {
		return err
	}
	err := r.findAll(ctx, rg)
	if failed := r.tables.fillPairs(r.e); err == nil {
		err = failed
	}
	if err != nil {
		return err
	}
	r.found.Add(rg)
	return r.clock.stop(r.e.s)
}

// expect says among how many landmarks neighbours are found from now on, and how many: those of other numbers are void.
func (r *resident) expect(g, find int) {
	if g != r.tables.g || find != r.find {
		r.found.Clear()
		r.find = find
		r.order.stale()
	}
}

// findAll finds the neighbours of a range, if they are to be kept.
func (r *resident) findAll(ctx context.Context, rg engine.Range) error {
	if r.find > MaxFind {
		return nil
	}
	if err := r.reserveCache(); err != nil || r.plan != everything {
		return err
	}
	for from := int64(rg.From); from < int64(rg.To); from += pieceMost {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.findNear(ctx, from, min(int64(rg.To), from+pieceMost)); err != nil {
			return err
		}
	}
	return nil
}

func (r *resident) Project(ctx context.Context, l *landmark.Set, p embedsom.Params, dst embedsom.Target,
	rg engine.Range) error {
	return r.projectParts(ctx, l, p, dst, []engine.Range{rg})
}

// projectParts is Project for several ranges, which wait for each other once, at the end.
func (r *resident) projectParts(ctx context.Context, l *landmark.Set, p embedsom.Params, dst embedsom.Target,
	parts []engine.Range) error {
	for _, rg := range parts {
		if err := r.check(l, p, rg); err != nil {
			return err
		}
	}
	k, find := p.Neighbours(l.Len())
	if err := engine.CheckTarget(dst, r.x.Rows, l.Pos.Cols); err != nil {
		return err
	}
	parts = slices.DeleteFunc(slices.Clone(parts), func(rg engine.Range) bool { return rg.Len() == 0 })
	if err := ctx.Err(); err != nil || len(parts) == 0 {
		return err
	}
	for _, rg := range parts {
		if find != r.find || l.Len() != r.tables.g || !r.found.Contains(rg) {
			return engine.ErrNoNeighbours(rg)
		}
	}
	leave, err := r.e.c.Enter()
	if err != nil {
		return r.failed(err)
	}
	defer leave()
	if err := r.failed(r.project(ctx, l, p, k, dst, parts)); err != nil {
		return err
	}
	for _, rg := range parts {
		if r.shared.direct {
			dst.Wrote(rg.From, rg.To)
		} else {
			dst.Upload(rg.From, rg.To)
		}
	}
	return nil
}

func (r *resident) project(ctx context.Context, l *landmark.Set, p embedsom.Params, k int, dst embedsom.Target,
	parts []engine.Range) (err error) {
	var back bringing
	direct := false
	for _, rg := range parts {
		if direct, err = r.placePart(ctx, l, p, k, dst, rg, &back); err != nil {
			break
		}
	}
	if ended := back.end(&r.e.returns, r.e.s, err); err == nil {
		err = ended
	}
	if err == nil && !direct {
		err = r.e.s.Wait()
	}
	if err != nil {
		r.drag.forget()
		return err
	}
	r.drag.done(r, l, p, direct, parts[len(parts)-1])
	return nil
}

// placePart queues the projection of a range.
func (r *resident) placePart(ctx context.Context, l *landmark.Set, p embedsom.Params, k int, dst embedsom.Target,
	rg engine.Range, back *bringing) (direct bool, err error) {
	dims := l.Pos.Cols
	if err := r.clock.start(r.e, engine.StageProject, rg.Len()); err != nil {
		return false, err
	}
	if err := r.tables.positions(r.e, l); err != nil {
		return false, err
	}
	at, direct, err := r.target(dst, dims)
	if err != nil {
		return direct, err
	}
	r.drag.begin(r, l, p, direct, rg)
	step := int64(pieceMost)
	if r.plan != everything {
		step = r.window
	}
	for from := int64(rg.From); from < int64(rg.To) && err == nil; from += step {
		to := min(int64(rg.To), from+step)
		if err = ctx.Err(); err == nil && r.plan != everything && r.find <= MaxFind {
			err = r.findNear(ctx, from, to)
		}
		if err == nil {
			err = r.placeRange(ctx, p, k, dims, at, from, to)
		}
		if err == nil && !direct && to == int64(rg.To) {
			err = r.clock.copying(r.e.s) // the last of them, if there are several
		}
		if err == nil && !direct {
			host := dst.Host()[from*int64(dims) : to*int64(dims)]
			err = back.bring(&r.e.returns, r.e.c, r.e.s, unsafe.Pointer(&host[0]),
				at+driver.Ptr(from*int64(dims)*4), int64(len(host))*4)
		}
	}
	if err == nil {
		err = r.clock.stop(r.e.s)
	}
	return direct, err
}

// send puts the points [from, to) on the card, in pieces that a cancel need not wait for.
func (r *resident) send(ctx context.Context, from, to int64) error {
	const most = 64 << 20 // bytes
	if r.plan == stream {
		return r.sendTo(from, to, r.points.at)
	}
	if r.sent.Contains(engine.Range{From: int(from), To: int(to)}) {
		return nil
	}
	step := max(1, most/(4*max(1, r.d)))
	for a := from; a < to; a += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := min(to, a+step)
		piece := engine.Range{From: int(a), To: int(b)}
		if r.sent.Contains(piece) {
			continue
		}
		if err := r.sendTo(a, b, r.points.at+driver.Ptr(4*a*r.d)); err != nil {
			return err
		}
		r.sent.Add(piece)
	}
	return nil
}

func (r *resident) sendTo(from, to int64, at driver.Ptr) error {
	if from >= to || r.d == 0 {
		return nil
	}
	return r.e.inbox.send(r.e.c, r.e.s, at, unsafe.Pointer(&r.x.Data[from*r.d]), 4*(to-from)*r.d)
}

// base returns the address where point 0 would be, for kernels that are given numbers of points.
func (r *resident) base(from int64) driver.Ptr {
	if r.plan == stream {
		return r.points.at - driver.Ptr(4*from*r.d)
	}
	return r.points.at
}

// cacheBase is that of the neighbour cache: slot 0 of ids and of d2.
func (r *resident) cacheBase(from int64) (ids, d2 driver.Ptr) {
	if r.plan == everything {
		return r.ids.at, r.d2.at
	}
	at := driver.Ptr(from / cacheTile * cacheTile * int64(r.find))
	return r.ids.at - 2*at, r.d2.at - 4*at
}

// Caps are the same on all cards.
func (r *resident) Caps() engine.Caps {
	return engine.Caps{Keeps: true, Async: r, Searcher: r, Summer: r, TSNE: mapper{r.e}, UMAP: unfolder{r.e},
		Neighbours: r, Joiner: joiner{r.e}, Linkage: r}
}

// Status says where positions went, and what of the points is on the card.
func (r *resident) Status() engine.Status {
	return engine.Status{Path: r.shared.path(), Plan: r.plan.String(), Points: r.points.bytes,
		Neighbours: r.cacheRooms(), Other: r.otherRooms()}
}

var (
	_ engine.Resident = (*resident)(nil)
	_ engine.Async    = (*resident)(nil)
	_ train.Searcher  = (*resident)(nil)
	_ train.Summer    = (*resident)(nil)
)

// Timings implements engine.Async.
func (r *resident) Timings(yield func(engine.Timing)) {
	if len(r.clock.queue) == 0 || r.err != nil {
		return
	}
	leave, err := r.e.c.Enter()
	if err == nil {
		err = r.clock.report(yield)
		leave()
	}
	_ = r.failed(err) // the next call says it
}

// Wait implements engine.Async.
func (r *resident) Wait() error {
	if r.err != nil {
		return r.err
	}
	leave, err := r.e.c.Enter()
	if err != nil {
		return r.failed(err)
	}
	defer leave()
	return r.failed(r.e.s.Wait())
}

// Free gives the card's memory back.
func (r *resident) Free() {
	for _, b := range r.beside {
		b.Free()
	}
	r.beside = nil
	if r.trainer != nil {
		_ = r.trainer.free() // after a failure there is nothing to give back
		r.trainer = nil
	}
	leave, err := r.e.c.Enter()
	if err != nil {
		return
	}
	defer leave()
	_ = r.e.s.Wait() // an error was told before, or is of no use now
	r.clock.free()
	r.shared.forget()
	r.tables.positionsOut.free(r.e.c)
	r.tables.codebooksOut.free(r.e.c)
	_ = r.drag.none.free(r.e.c)
	for _, m := range slices.Concat([]*room{&r.points, &r.ids, &r.d2, &r.out, &r.pairs, &r.drag.room},
		r.tables.rooms(), r.order.rooms(), r.lists.rooms()) {
		_ = m.free(r.e.c)
	}
	r.x, r.n, r.find, r.checker = matrix.Matrix32{}, 0, 0, engine.Checker{}
	r.found.Clear()
	r.sent.Clear()
	r.err = problem.New("", "this is a defect of the program", "points were used after they were given back")
}

// Nearest implements train.Searcher.
func (r *resident) Nearest(ctx context.Context, codebook matrix.Matrix32, from, to int, out []int32) error {
	t, err := r.training()
	if err != nil {
		return err
	}
	return r.failed(t.Nearest(ctx, codebook, from, to, out))
}

// Sum implements train.Summer.
func (r *resident) Sum(ctx context.Context, codebook matrix.Matrix32, from, to int, bmu []int32, largest []float32,
	sums []exact.Sum, counts []int64) error {
	t, err := r.training()
	if err != nil {
		return err
	}
	return r.failed(t.Sum(ctx, codebook, from, to, bmu, largest, sums, counts))
}

// Smooth implements train.Summer.
func (r *resident) Smooth(ctx context.Context, pos matrix.Matrix32, sigma float64, sums []float64, counts []int64,
	out, weights []float64) error {
	t, err := r.training()
	if err != nil {
		return err
	}
	return r.failed(t.Smooth(ctx, pos, sigma, sums, counts, out, weights))
}

func (r *resident) training() (*trainer, error) {
	if r.err != nil {
		return nil, r.err
	}
	if r.trainer != nil {
		return r.trainer, nil
	}
	leave, err := r.e.c.Enter()
	if err != nil {
		return nil, r.failed(err)
	}
	_, err = r.e.kernel("train", "trainNearest")
	leave()
	if err != nil {
		return nil, r.failed(err)
	}
	r.e.mu.Lock()
	m := r.e.modules["train"]
	r.e.mu.Unlock()
	if r.trainer, err = newTrainer(r.e.c, m, r.e.s, r.span, r.n, int(r.d)); err != nil {
		return nil, r.failed(err)
	}
	r.trainer.back = &r.e.returns
	return r.trainer, nil
}

// span gives the trainer the addresses of points.
func (r *resident) span(ctx context.Context, from, to int64) (driver.Ptr, int64, error) {
	if r.plan == stream {
		to = min(to, from+r.window)
	}
	if err := r.send(ctx, from, to); err != nil {
		return 0, 0, err
	}
	return r.base(from) + driver.Ptr(4*from*r.d), to, nil
}
