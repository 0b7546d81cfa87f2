package cuda

import (
	"context"
	"errors"
	"math"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/par"
	"blossom/model/base/problem"
	"blossom/model/space/knn"
)

// The nearest other points of points, exactly: kernels/nearest.cu.

type nearestPackParams struct {
	x                                           driver.Ptr
	d                                           int32
	from, mean                                  driver.Ptr
	scale                                       float64
	panels, half, length, longest, self, places driver.Ptr
	where                                       int32
}

type nearestSweepParams struct {
	rows, panelOf, length, self, label        driver.Ptr
	d                                         int32
	panels, half, longest, start, list, first driver.Ptr
	count, from, to                           int64
	unit                                      float32
	k, cap, begin                             int32
	entries, counts, limits                   driver.Ptr
}

type nearestGatherParams struct {
	panels   driver.Ptr
	d        int32
	self, to driver.Ptr
}

type nearestRankParams struct {
	rows                         int64
	k, cap                       int32
	entries, counts, ids, scores driver.Ptr
}

type nearestDecideParams struct {
	rows                                                int64
	table, from, self, x                                driver.Ptr
	d                                                   int32
	name, length, longest, radius, radii                driver.Ptr
	unit, scale, halfUnit, halfFlat, halfLeast, halfFar float32
	cells, k, cap                                       int32
	entries, counts                                     driver.Ptr
	weight                                              float64
	index, beyond, nearest, left                        driver.Ptr
}

type nearestExactParams struct {
	left                      driver.Ptr
	first                     int32
	table, from, self, x      driver.Ptr
	d                         int32
	name, start, list, panels driver.Ptr
	count                     int64
	weight                    float64
	k                         int32
	index, beyond, nearest    driver.Ptr
}

var (
	nearestPack   = kernelOf[nearestPackParams]("nearest", "nearestPack")
	nearestSweep  = kernelOf[nearestSweepParams]("nearest", "nearestSweep")
	nearestScores = kernelOf[nearestSweepParams]("nearest", "nearestScores")
	nearestCity   = kernelOf[nearestSweepParams]("nearest", "nearestCity")
	nearestGather = kernelOf[nearestGatherParams]("nearest", "nearestGather")
	nearestRank   = kernelOf[nearestRankParams]("nearest", "nearestRank")
	nearestDecide = kernelOf[nearestDecideParams]("nearest", "nearestDecide")
	nearestExact  = kernelOf[nearestExactParams]("nearest", "nearestExact")
)

const (
	side          = 64   // points along a side of a panel: see pairs.cuh
	nearestMost   = 1024 // neighbours
	sweepThreads  = 128
	exactRoom     = 1024    // room of nearestExact, beside k
	panelsAtATime = 16      // panels of rows, for each multiprocessor
	answerBytes   = 1 << 28 // answers that are brought back at a time take no more
)

// listRoom is the room of the list of a row for k neighbours: a panel's worth must always be left.
func listRoom(k int) int { return (2*k + 3*side + side - 1) / side * side }

var _ knn.Finder = (*resident)(nil)

// Others implements knn.Finder.
func (r *resident) Others(ctx context.Context, q knn.Query, out *knn.Lists) error {
	return r.others(ctx, q, out, 0, 1)
}

// others finds the share of the answer that is this card's, of several.
func (r *resident) others(ctx context.Context, q knn.Query, out *knn.Lists, share, shares int) error {
	if err := q.Check(r.x); err != nil {
		return err
	}
	if r.err != nil {
		return r.err
	}
	if out.N == 0 || out.K == 0 || out.K > nearestMost {
		return knn.Search(ctx, r.x, q, out)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	f := finder{r: r, ctx: ctx, q: q, out: out, share: share, shares: shares}
	if shares == 1 { // several cards must have the same ones
		if err := r.makeCells(ctx, &f.q, out.N, r.Nearest); err != nil {
			return err
		}
		f.spare = q.Cells == nil
	}
	leave, err := r.e.c.Enter()
	if err != nil {
		return r.failed(err)
	}
	defer leave()
	defer f.end()
	if err := f.begin(r.e); err != nil {
		return r.failed(err)
	}
	found := f.find()
	f.work.end() // while the last answers come
	if err := f.brought(); found == nil {
		found = err
	}
	return r.failed(found)
}

// allCellsLeast is of how many rows it pays to put the points in cells first. Tests need less.
var allCellsLeast = 400_000

// makeCells has many rows look through cells, of which those that are too far away are left out: see
// kernels/nearest_dense.cu. What is found is the same.
func (r *resident) makeCells(ctx context.Context, q *knn.Query, rows int, assign knn.Assign) error {
	if q.Cells != nil || q.New.Rows > 0 || rows < allCellsLeast || !r.e.hasDense(r.d) {
		return nil
	}
	cells, err := knn.AllCells(ctx, r.x, assign)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	q.Cells = cells
	return err
}

// finder is a search on a card.
type finder struct {
	work
	home work // brings answers back
	r    *resident
	ctx  context.Context
	q    knn.Query
	out  *knn.Lists
	// share is which part of the rows is looked for here, of how many.
	share, shares int
	spare         bool // cells are to make it faster alone

	d      int64
	scale  float64
	cap    int
	slots  []int32 // points by their slots; -1: none
	first  []int32 // cells + 1: where the panels of each begin
	blocks []knn.Block
	own    []int32 // row of the table that each slot of a row has

	mean, x, table          *room
	at                      driver.Ptr // the points on the card
	points, rows            space
	dense                   *dense // nil: products are of float32
	left                    int64  // rows that were compared with all exactly
	entries, counts, limits *room
	over                    *room
	places                  *room // slots of points
	way                     way
	answers                 [2]answers // by turns
	turn                    int
	bringing                chan error // answers that are being brought to their rows end so; nil: there are none
}

// space is points in panels on the card.
type space struct {
	panels                                    int64 // how many panels there is room for
	from, self, values, half, length, longest *room
}

func (s *space) open(w *work, panels, d int64) error {
	s.panels = panels
	return w.takeRooms(map[**room]int64{&s.from: 4 * panels * side, &s.self: 4 * panels * side,
		&s.values: 4 * panels * side * d, &s.half: 4 * panels * side, &s.length: 4 * panels * side,
		&s.longest: 4 * panels})
}

// panelBytes is what a panel takes.
func panelBytes(d int64) int64 { return side*(4*d+16) + 4 }

// pack fills panels with rows of a table; where: those of the points, whose slots it notes.
func (f *finder) pack(s *space, table driver.Ptr, from []int32, where bool) error {
	if err := send(&f.work, s.from.at, from); err != nil {
		return err
	}
	p := nearestPackParams{x: table, d: int32(f.d), from: s.from.at, mean: f.mean.at, scale: f.scale,
		panels: s.values.at, half: s.half.at, length: s.length.at, longest: s.longest.at, self: s.self.at}
	if where || f.q.New.Rows == 0 {
		p.places = f.places.at
	}
	if where {
		p.where = 1
	}
	return enqueue(&f.work, nearestPack, p, driver.Dim{X: len(from) / side}, side, 0)
}

// arrange says which point is in which slot, and which rows look through which.
func (f *finder) arrange() {
	x, c := f.r.x, f.q.Cells
	f.first = []int32{0}
	if c == nil {
		f.first = append(f.first, int32(blocksOf(x.Rows, side)))
	} else {
		for i := range c.Len() {
			f.first = append(f.first, f.first[i]+int32(blocksOf(len(c.In(i)), side)))
		}
	}
	f.slots = make([]int32, int(f.first[len(f.first)-1])*side)
	if c == nil {
		for i := range x.Rows {
			f.slots[i] = int32(i)
		}
		noRows(f.slots[x.Rows:])
	} else {
		_ = par.Blocks(context.Background(), c.Len(), 16, func(_, from, to int) {
			for i := from; i < to; i++ {
				own := f.slots[int(f.first[i])*side : int(f.first[i+1])*side]
				noRows(own[copy(own, c.In(i)):])
			}
		})
	}
	f.blocks = knn.Blocks(x, f.q, side)
	f.blocks = f.blocks[len(f.blocks)*f.share/f.shares : len(f.blocks)*(f.share+1)/f.shares]
	f.cap = listRoom(f.out.K)
	f.way.measure(f)
	f.scale = 1 / math.Sqrt(f.out.Unit)
}

// noRows says of slots that there is nothing in them.
func noRows(slots []int32) {
	for i := range slots {
		slots[i] = -1
	}
}

// prepare takes memory, all of which it knows of before, and puts the points into panels.
func (f *finder) prepare() error {
	panels, fresh := int64(len(f.slots)/side), int64(f.q.New.Rows)*f.d
	count, dense, err := f.atATime(panels)
	if err != nil {
		return err
	}
	rows := count * side
	if err := errors.Join(f.points.open(&f.work, panels, f.d), f.rows.open(&f.work, count, f.d),
		f.takeRooms(map[**room]int64{&f.mean: 8 * f.d, &f.table: 4 * fresh, &f.places: 4 * f.r.n,
			&f.entries: 8 * rows * int64(f.cap),
			&f.counts:  4 * rows, &f.limits: 4 * rows, &f.over: 4 * (rows + 1)}),
		f.openAnswers(rows)); err != nil {
		return err
	}
	if err := errors.Join(f.way.open(f, count), f.place()); err != nil {
		return err
	}
	if err := f.pack(&f.points, f.at, f.slots, true); err != nil || !dense {
		return err
	}
	return f.openDense(panels, count)
}

// atATime is how many panels of rows there is room for beside those of the points, and whether there is for products on
// tensor cores.
func (f *finder) atATime(panels int64) (count int64, dense bool, err error) {
	fixed := panels*panelBytes(f.d) + 4*int64(f.q.New.Rows)*f.d + 8*f.d + 4*f.r.n
	if f.r.plan == stream {
		fixed += 4 * int64(len(f.r.x.Data))
	}
	each := panelBytes(f.d) + side*(8*int64(f.cap)+8) + side*(16*int64(f.out.K)+24) + 8
	left, err := f.memoryLeft()
	if err != nil {
		return 0, false, err
	}
	most := min(int64(len(f.blocks)), panelsAtATime*f.cores(), max(1, answerBytes/(12*side*int64(f.out.K))))
	fixed += f.way.bytes(most)
	left -= fixed + 1<<20
	all, more := f.denseRoom(panels)
	if all > 0 && (left-all)/(each+more) >= most {
		return most, true, nil
	}
	if count = min(most, left/each); count < 1 {
		return 0, false, problem.New("", "take a sample of fewer points, or use --engine cpu",
			"the nearest of %d points need %d MB of the card's memory, of which %d MB are free", f.r.x.Rows,
			(fixed+each)>>20+2, (left+fixed+1<<20)>>20)
	}
	return count, false, nil
}

// place brings the points, the rows of the query and their mean to the card.
func (f *finder) place() (err error) {
	x := f.r.x
	if f.r.plan != stream {
		if err := f.r.send(f.ctx, 0, f.r.n); err != nil {
			return err
		}
		if err := f.r.e.s.Wait(); err != nil {
			return err
		}
		f.at = f.r.points.at
	} else {
		if f.x, err = f.room(4 * int64(len(x.Data))); err != nil {
			return err
		}
		if err := sendAll(f.ctx, &f.work, f.x.at, x.Data); err != nil {
			return err
		}
		f.at = f.x.at
	}
	if err := send(&f.work, f.mean.at, knn.Centre(x)); err != nil {
		return err
	}
	return send(&f.work, f.table.at, f.q.New.Data)
}

func (f *finder) find() error {
	f.d = f.r.d
	f.arrange()
	if f.spare && f.q.Cells != nil {
		if _, dense, err := f.atATime(int64(len(f.slots) / side)); err == nil && !dense { // there is no memory for them
			f.q.Cells = nil
			f.arrange()
		}
	}
	if err := f.prepare(); err != nil {
		return err
	}
	done := int64(0)
	for rest := f.blocks; len(rest) > 0; {
		n := f.way.look(f, rest[:min(len(rest), int(f.rows.panels))])
		if err := f.piece(rest[:n]); err != nil {
			return err
		}
		for _, b := range rest[:n] {
			done += int64(len(b.Rows))
		}
		if rest = rest[n:]; f.q.Progress != nil {
			f.q.Progress(done, int64(f.out.N))
		}
	}
	return f.ctx.Err()
}

// piece does some blocks of rows, whose way is known.
func (f *finder) piece(blocks []knn.Block) error {
	f.own = sized(f.own, len(blocks)*side)
	for i, b := range blocks {
		own := f.own[i*side : (i+1)*side]
		noRows(own[copy(own, b.Rows):])
		if f.q.Points != nil {
			for j, row := range b.Rows {
				own[j] = f.q.Points[row]
			}
		}
	}
	table := f.at
	if f.q.New.Rows > 0 {
		table = f.table.at
	}
	if err := errors.Join(f.pack(&f.rows, table, f.own, false), f.way.send(f)); err != nil {
		return err
	}
	left, err := f.candidates(len(blocks), table)
	if err == nil {
		err = f.exactly(left, table)
	}
	if err != nil {
		return err
	}
	return f.answer(blocks)
}

// sweep lists what may be among the nearest of the rows of blocks.
func (f *finder) sweep(blocks int) error {
	p := nearestSweepParams{rows: f.rows.values.at, length: f.rows.length.at, self: f.rows.self.at, d: int32(f.d),
		panels: f.points.values.at, half: f.points.half.at, longest: f.points.longest.at,
		start: where(f.way.start), list: where(f.way.list), first: where(f.way.first), count: f.way.entries,
		unit: singleMargin(f.d), k: int32(f.out.K), cap: int32(f.cap), begin: 1, entries: f.entries.at,
		counts: f.counts.at, limits: f.limits.at}
	return f.byTurns(blocks, 1, func(from, to int64) error {
		p.from, p.to = from, to
		defer func() { p.begin = 0 }()
		return enqueue(&f.work, nearestSweep, p, driver.Dim{X: blocks}, sweepThreads, 0)
	})
}

// byTurns has the rows of blocks go a part of their way after the other, so that no launch takes long; faster is by how
// much products are faster than those of float32.
func (f *finder) byTurns(blocks int, faster int64, look func(from, to int64) error) error {
	// Rows that do not fill the card are no work for most of it.
	share, all := min(int64(blocks), f.cores()), max(1, f.way.panels)
	step := max(1, share*stretch*faster/(int64(blocks)*side*side*max(1, f.d)))
	for from := int64(0); from < all; from += step {
		if err := f.ctx.Err(); err != nil {
			return err
		}
		if err := look(from, min(all, from+step)); err != nil {
			return err
		}
		if err := f.s.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// decided compares what is listed exactly, after a sweep that has ended with err, and has left those rows whose list
// does not do.
func (f *finder) decided(err error, blocks int, table driver.Ptr) (left int32, _ error) {
	if err != nil {
		return 0, err
	}
	rows, warps := int64(blocks*side), 4
	if f.cap > 1024 {
		warps = 1
	}
	if err := f.s.Set8(f.over.at, 0, 4); err != nil {
		return 0, err
	}
	p := nearestDecideParams{rows: rows, table: table, from: f.rows.from.at, self: f.rows.self.at, x: f.at,
		d: int32(f.d), name: f.points.self.at, unit: singleMargin(f.d), length: f.rows.length.at,
		longest: f.points.longest.at, k: int32(f.out.K), cap: int32(f.cap), entries: f.entries.at,
		counts: f.counts.at, weight: f.out.Unit, left: f.over.at}
	p.index, p.beyond, p.nearest = f.answers[f.turn].at()
	if f.dense != nil {
		f.dense.decides(&p)
	}
	if err := enqueue(&f.work, nearestDecide, p, driver.Dim{X: blocksOf(int(rows), warps)}, 32*warps,
		12*f.cap*warps); err != nil {
		return 0, err
	}
	var count [1]int32
	err = fetch(&f.work, count[:], f.over.at)
	return count[0], err
}

// exactly compares the rows that are left with all points on their way.
func (f *finder) exactly(left int32, table driver.Ptr) error {
	f.left += int64(left)
	p := nearestExactParams{left: f.over.at, table: table, from: f.rows.from.at, self: f.rows.self.at, x: f.at,
		d: int32(f.d), name: f.points.self.at, start: where(f.way.start), list: where(f.way.list),
		panels: where(f.way.first), count: f.way.entries, weight: f.out.Unit, k: int32(f.out.K)}
	p.index, p.beyond, p.nearest = f.answers[f.turn].at()
	// float64 is up to 64 times slower; a block is a row
	step := int32(max(f.cores(), f.cores()*stretch/(64*max(1, f.way.panels*side*f.d))))
	for ; p.first < left; p.first += step {
		if err := f.ctx.Err(); err != nil {
			return err
		}
		if err := enqueue(&f.work, nearestExact, p, driver.Dim{X: int(min(step, left-p.first))}, 256,
			12*(f.out.K+exactRoom)); err != nil {
			return err
		}
		if err := f.s.Wait(); err != nil {
			return err
		}
	}
	return nil
}
