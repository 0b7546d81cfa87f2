package cpu

import (
	"context"
	"slices"
	"sync"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// resident is one table of points with its neighbours, and the tables of the landmarks.
type resident struct {
	e     *processor
	x     matrix.Matrix32
	cache cache
	found engine.Ranges
	find  int

	kernel  kernel
	scratch []scratch // one per thread
	scale   float32   // unit of the cache

	codebook matrix.Matrix32 // codebook of the last Neighbours
	codeRev  revision.Revision
	pos      matrix.Matrix32 // positions of the last Project
	adjust   float32
	pairsOld bool // the pair table does not know codebook
	linesOld bool // or pos and adjust
	looked   int  // pairs, since it does not
	checker  engine.Checker
	nearest  *Search // for training; nil until asked for

	near nearTask
	proj projectTask
	tab  tableTask
}

var (
	_ engine.Resident = (*resident)(nil)
	_ train.Searcher  = (*resident)(nil)
)

func newResident(e *processor, x matrix.Matrix32) *resident {
	r := &resident{e: e, x: x, checker: engine.Checker{Limits: limits}}
	r.near.r, r.proj.r, r.tab.r = r, r, r
	return r
}

// Status has nothing to say: points stay where they are.
func (r *resident) Status() engine.Status { return engine.Status{} }

// Free gives the memory back. The resident is of no use afterwards.
func (r *resident) Free() {
	r.dropKernel()
	if r.nearest != nil {
		r.nearest.Close()
		r.nearest = nil
	}
	r.cache, r.find, r.x = cache{}, 0, matrix.Matrix32{}
	r.found.Clear()
	r.checker = engine.Checker{}
}

func (r *resident) dropKernel() {
	if r.kernel == nil {
		return
	}
	r.dropScratch()
	r.kernel.free()
	r.kernel = nil
}

func (r *resident) dropScratch() {
	for i := range r.scratch {
		r.kernel.freeScratch(&r.scratch[i])
	}
	r.scratch = r.scratch[:0]
}

func (r *resident) Neighbours(ctx context.Context, l *landmark.Set, p embedsom.Params, rg engine.Range) error {
	if err := r.checker.Check(r.x, l, p, rg); err != nil {
		return err
	}
	if rg.Len() == 0 {
		return ctx.Err()
	}
	g := l.Len()
	_, find := p.Neighbours(g)
	if err := r.prepare(l.Codebook, find); err != nil {
		return err
	}
	r.setCodebook(l)
	if err := r.e.pool.run(ctx, rg.From, rg.To, blockFor(rg.Len(), r.e.pool.threads, g*r.x.Cols*2),
		&r.near); err != nil {
		return err
	}
	r.found.Add(rg)
	return nil
}

// prepare makes the kernel, its scratch and the cache fit; what does not fit is forgotten.
func (r *resident) prepare(codebook matrix.Matrix32, find int) error {
	g := codebook.Rows
	if r.kernel != nil && g == r.codebook.Rows && find == r.find {
		return nil
	}
	r.found.Clear()
	if r.kernel == nil || g != r.codebook.Rows {
		r.dropKernel()
		k, err := r.e.v.open(r.x.Cols, g, g <= maxTabled)
		if err != nil {
			return err
		}
		r.kernel = k
		r.codebook, r.codeRev, r.pos, r.find = matrix.Matrix32{}, 0, matrix.Matrix32{}, 0
		r.linesOld = true
	}
	r.dropScratch()
	r.find = 0 // until all of it is there
	for range r.e.pool.threads {
		s, err := r.kernel.newScratch(find)
		if err != nil {
			return err
		}
		s.hard, s.ids = make([]int32, maxBlock), make([]int32, find)
		r.scratch = append(r.scratch, s)
	}
	r.cache = cache{} // so that the old one can go before the new one comes
	r.cache = newCache(r.x.Rows, find)
	r.find = find
	return nil
}

func (r *resident) setCodebook(l *landmark.Set) {
	code := l.Codebook
	code.Data = code.Data[:code.Rows*code.Cols]
	same := r.codebook.Rows == code.Rows && r.codebook.Cols == code.Cols
	if same && (l.CodeRev == 0 || l.CodeRev != r.codeRev) {
		same = slices.Equal(r.codebook.Data, code.Data)
	}
	r.codeRev = l.CodeRev
	if same {
		return
	}
	r.codebook = code.Clone()
	scale := r.kernel.setCodebook(r.codebook.Data, r.scale)
	if r.scale != 0 && scale != r.scale {
		f := scale / r.scale
		for i := range r.cache.delta {
			r.cache.delta[i] *= f * f
		}
		for i := range r.cache.near {
			r.cache.near[i] *= f * f
		}
	}
	r.scale, r.pairsOld, r.proj.ref = scale, true, nil
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
	k, find := p.Neighbours(l.Len())
	if find != r.find || l.Len() != r.codebook.Rows || !r.found.Contains(rg) {
		return engine.ErrNoNeighbours(rg)
	}
	if err := r.tables(ctx, l, p, rg.Len()*k*(k-1)/2); err != nil {
		return err
	}
	t := &r.proj
	if t.ref != nil && t.p != p {
		t.ref = nil
	}
	t.k, t.p, t.out = k, p, dst.Host()
	err := r.e.pool.run(ctx, rg.From, rg.To, blockFor(rg.Len(), r.e.pool.threads, find*find*30), t)
	t.out = nil
	if err == nil {
		dst.Upload(rg.From, rg.To)
	}
	return err
}

// tables brings the pair table up to date with the codebook, the positions and adjust, for so many pairs that are to
// be looked at. When a few landmarks moved, only their rows and columns change. When many did, the line weights of all
// pairs are worth computing only once as many have been looked at: until then the kernel computes those that it needs.
func (r *resident) tables(ctx context.Context, l *landmark.Set, p embedsom.Params, looks int) error {
	g, m := l.Len(), l.Pos.Cols
	t := &r.tab
	if r.pairsOld {
		t.adjust, t.pairs = p.Adjust, true
		if err := r.e.pool.run(ctx, 0, g, tile, t); err != nil {
			return err
		}
		r.pairsOld, r.linesOld, r.looked = false, true, 0 // the line weights know of landmarks in one place
	}
	t.pairs = false
	t.moved = t.moved[:0]
	if r.pos.Rows != g || r.pos.Cols != m {
		r.pos, r.linesOld = matrix.New(g, m), true
		copy(r.pos.Data, l.Pos.Data)
		r.kernel.setPositions(r.pos.Data, m)
		r.proj.ref, r.looked = nil, 0
	} else {
		for i := range g {
			if !slices.Equal(r.pos.Row(i), l.Pos.Row(i)) {
				t.moved = append(t.moved, i)
			}
		}
	}
	many := len(t.moved) >= max(1, g/4)
	if len(t.moved) > 0 {
		copy(r.pos.Data, l.Pos.Data)
		r.kernel.setPositions(r.pos.Data, m)
		r.proj.ref = nil
	}
	if many || r.adjust != p.Adjust {
		r.adjust, r.linesOld, r.looked = p.Adjust, true, 0
	}
	if r.linesOld {
		if r.looked += looks; r.looked < g*g*worthTable {
			r.kernel.fly(true, p.Adjust)
			return nil
		}
		t.adjust = p.Adjust
		if err := r.e.pool.run(ctx, 0, g, tile, t); err != nil {
			return err
		}
		r.kernel.fly(false, p.Adjust)
		r.linesOld = false
		return nil
	}
	for _, j := range t.moved {
		r.kernel.lines(p.Adjust, j, j+1)
	}
	for _, j := range t.moved {
		r.kernel.mirror(j)
	}
	return nil
}

// worthTable is how many times each pair may be looked at before the table is cheaper: with AVX2, 1.3 to 2.6 ns
// for a pair that is looked at without one, 2 to 2.7 ns for a pair of the table.
const worthTable = 1

const maxBlock = 1024

// blockFor returns how many points a worker takes at a time: 1024, fewer when there are few in all or
// when each costs so many operations that a cancel would wait.
func blockFor(n, threads, cost int) int {
	b := min(maxBlock, n/(4*threads), 1<<26/max(1, cost))
	return max(2*tile, b/tile*tile)
}

type nearTask struct{ r *resident }

func (t *nearTask) doRange(worker, from, to int) {
	r := t.r
	r.kernel.neighbours(r.x.Data, from, to, r.find, r.cache, &r.scratch[worker])
}

// tableTask fills rows of the pair table.
type tableTask struct {
	r      *resident
	adjust float32
	pairs  bool
	moved  []int
}

func (t *tableTask) doRange(_, from, to int) {
	if t.pairs {
		t.r.kernel.pairs(from, to)
	} else {
		t.r.kernel.lines(t.adjust, from, to)
	}
}

// projectTask projects, and lets the reference do the points that the kernel leaves.
type projectTask struct {
	r   *resident
	k   int
	p   embedsom.Params
	out []float32

	mu  sync.Mutex
	ref *embedsom.Reference // made when first needed; nil after a change
}

func (t *projectTask) doRange(worker, from, to int) {
	r := t.r
	s := &r.scratch[worker]
	n := r.kernel.project(r.x.Data, from, to, t.k, r.find, t.p.Boost, r.cache, t.out, s)
	if n == 0 {
		return
	}
	ref := t.reference()
	if s.worker == nil {
		s.worker = ref.Worker()
	}
	s.worker.Use(ref)
	m := ref.Dims()
	for _, h := range s.hard[:n] {
		i := from + int(h)
		var y [3]float64
		if x := r.x.Row(i); r.cache.near[i] > 1e38 { // +Inf: it has no neighbours
			s.worker.Point(x, y[:m])
		} else {
			at := i/tile*r.find*tile + i%tile
			for q := range s.ids {
				s.ids[q] = int32(r.cache.ids[at+q*tile])
			}
			s.worker.PointFrom(x, s.ids, y[:m])
		}
		for q := range m {
			t.out[i*m+q] = float32(y[q])
		}
	}
}

func (t *projectTask) reference() *embedsom.Reference {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ref == nil {
		t.ref, _ = embedsom.NewReference(t.r.codebook, t.r.pos, t.p) // all of it was validated before
	}
	return t.ref
}
