package cuda

import (
	"context"
	"fmt"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/embedsom"
)

// placeArgs are PairArgs of kernels/project.cu.
type placeArgs struct {
	first, slots               int64
	count, list                driver.Ptr
	from, to                   int64
	order, x, codebook         driver.Ptr
	d, g, k, find              int32
	boost, adjust              float32
	ids, d2, triangle, closest driver.Ptr
	pos                        driver.Ptr
	out                        driver.Ptr
	roughCount, hardCount      driver.Ptr
	rough, hard                driver.Ptr
}

// Kernels of project.cu by dimensions.
var (
	projectShared = [...]string{2: "projectShared_2", "projectShared_3"}
	projectTable  = [...]string{2: "projectTable_2", "projectTable_3"}
	projectRough  = [...]string{2: "projectRough_2", "projectRough_3"}
)

// placeRange projects the points [from, to), at most a piece, to out (n x dims).
func (r *resident) placeRange(ctx context.Context, p embedsom.Params, k, dims int, out driver.Ptr, from, to int64) error {
	if err := r.lists.prepare(r); err != nil {
		return err
	}
	if r.find > maxFind {
		if err := r.send(ctx, from, to); err != nil {
			return err
		}
		return r.placeExactly(p, k, dims, out, from, to, false)
	}
	if err := r.e.s.Set32(r.lists.counts.at+countRough, 0, 2); err != nil {
		return err
	}
	if r.e.isPaperPlaced {
		if err := r.placeAsPublished(p, k, dims, out, from, to); err != nil {
			return err
		}
		r.clock.mark(r)
		return r.placeExactly(p, k, dims, out, from, to, true)
	}
	first, count, order := r.order.slots(r, from, to)
	ids, d2 := r.cacheBase(from)
	t, l := &r.tables, &r.lists
	r.place = placeArgs{
		first: first, slots: count, from: from, to: to, order: order, x: r.base(from), codebook: t.codebook.at,
		d: int32(r.d), g: int32(t.g), k: int32(k), find: int32(r.find), boost: p.Boost, adjust: p.Adjust,
		ids: ids, d2: d2, triangle: t.triangle.at, closest: t.closest.at, pos: t.place.at, out: out,
		roughCount: l.counts.at + countRough, hardCount: l.counts.at + countHard, rough: l.rough.at, hard: l.hard.at,
	}
	if some, err := r.drag.touched(r, k, from, to); err != nil {
		return err
	} else if some {
		r.place.count, r.place.list = l.counts.at+countDrag, l.drag.at
		r.place.first, r.place.slots = 0, max(1, count/4) // about so many, for the size of the grid
	}
	if err := r.launchPairs(k, dims); err != nil {
		return err
	}
	r.place.count, r.place.list = l.counts.at+countRough, l.rough.at
	if err := r.launchRough(k, dims); err != nil {
		return err
	}
	return r.placeExactly(p, k, dims, out, from, to, true)
}

// pairsShared returns the bytes that a block of project.cu needs.
func pairsShared(triangle bool, g, k, dims, threads int) int {
	k = (k + 3) &^ 3
	bytes := 4 * ((g*dims+3)&^3 + (g+3)&^3)
	if triangle {
		bytes += 4 * ((g*(g+1)/2 + 3) &^ 3)
	}
	return bytes + 10*k*threads
}

func (r *resident) launchPairs(k, dims int) error {
	g := r.tables.g
	if r.e.projection != table && r.place.slots > 1<<14 {
		f, err := r.e.kernel("project", projectShared[dims])
		if err != nil {
			return err
		}
		// the triangle, with as many threads as fit beside it; too few could not hide its latency
		for threads := 768; threads >= 256; threads -= 64 {
			if shared := pairsShared(true, g, k, dims, threads); r.e.fits(f, threads, shared) > 0 { // its registers too
				return r.launchPlace(projectShared[dims], threads, shared)
			}
		}
	}
	return r.launchTable(projectTable[dims], k, dims)
}

func (r *resident) launchRough(k, dims int) error {
	r.place.slots = max(1, r.place.slots/64)
	return r.launchTable(projectRough[dims], k, dims)
}

// launchTable launches a kernel that looks the triangle up in global memory. Few threads leave the cache
// to it: with one block of 256 threads on a multiprocessor, and no more shared memory than that needs, the
// H200 was 1.2 to 1.7 times as fast as with as many threads as fit.
func (r *resident) launchTable(name string, k, dims int) error {
	f, err := r.e.kernel("project", name)
	if err != nil {
		return err
	}
	threads := 256
	for threads > 32 && r.e.fits(f, threads, pairsShared(false, r.tables.g, k, dims, threads)) == 0 {
		threads /= 2
	}
	shared := pairsShared(false, r.tables.g, k, dims, threads)
	if r.e.fits(f, threads, shared) == 0 {
		return fmt.Errorf("cuda: %d landmarks and k %d need more shared memory than this card has", r.tables.g, k)
	}
	each := max(1, min(r.e.fits(f, threads, shared), 256/threads)) // blocks of a multiprocessor
	const reserved = 1 << 10                                       // of each block, by the driver
	if sm := r.e.dev.SharedSM; sm > 0 && r.carved[f] != shared {
		_ = f.Carveout(min(100, each*(shared+reserved)*100/sm+1)) // a wish: without it, it is slower
		if r.carved == nil {
			r.carved = map[*driver.Function]int{}
		}
		r.carved[f] = shared
	}
	r.args.Reset()
	r.args.Struct(unsafe.Pointer(&r.place))
	grid := min(int64(max(1, r.e.dev.SMs)*each), (r.place.slots+int64(threads)-1)/int64(threads))
	return r.e.s.Launch(f, driver.Dim{X: int(max(1, grid))}, driver.Dim{X: threads}, shared, &r.args)
}

func (r *resident) launchPlace(name string, threads, shared int) error {
	f, err := r.e.kernel("project", name)
	if err != nil {
		return err
	}
	grid := r.e.blocks(f, threads, shared, (r.place.slots+int64(threads)-1)/int64(threads))
	r.args.Reset()
	r.args.Struct(unsafe.Pointer(&r.place))
	return r.e.s.Launch(f, driver.Dim{X: grid}, driver.Dim{X: threads}, shared, &r.args)
}

// placeExactly does the listed points, or all from from to to, in float64.
func (r *resident) placeExactly(p embedsom.Params, k, dims int, out driver.Ptr, from, to int64, listed bool) error {
	t, l := &r.tables, &r.lists
	const most = 64 << 20
	each := (int64(t.g)*28 + 7) &^ 7
	blocks := max(1, min(int64(max(1, r.e.dev.SMs))*8, most/each, to-from))
	if err := t.scratch.grow(r.e.c, r.e.s, blocks*each); err != nil {
		return err
	}
	a := &r.args
	a.Reset()
	a.Ptr(r.base(from))
	a.I32(int32(r.d))
	a.Ptr(t.codebook.at)
	a.Ptr(t.place.at)
	a.I32(int32(dims))
	a.I32(int32(t.g))
	a.I32(int32(k))
	a.I32(int32(r.find))
	a.F32(p.Boost)
	a.F32(p.Adjust)
	a.Ptr(l.counts.at + countHard)
	if listed {
		a.Ptr(l.hard.at)
	} else {
		a.Ptr(0)
	}
	a.U32(uint32(to - from))
	a.I64(from)
	a.Ptr(out)
	a.Ptr(t.scratch.at)
	return r.launch("exact", "exactListed", driver.Dim{X: int(blocks)}, driver.Dim{X: 32}, 0)
}

// placeAsPublished runs one of the papers' kernels on their rows of neighbours.
func (r *resident) placeAsPublished(p embedsom.Params, k, dims int, out driver.Ptr, from, to int64) error {
	t := &r.tables
	l, err := r.e.paperProjection.plan(r.e.dev, int(r.d), t.g, k, r.find, dims, to-from)
	if err != nil {
		return err
	}
	if err := r.pairs.grow(r.e.c, r.e.s, 8*min(r.n, pieceMost)*int64(r.find)); err != nil {
		return err
	}
	a := &r.args
	first, count, order := r.order.slots(r, from, to)
	ids, d2 := r.cacheBase(from)
	a.Reset()
	a.Ptr(r.pairs.at)
	a.I64(first)
	a.I64(count)
	a.I64(from)
	a.I64(to)
	a.I32(int32(r.find))
	a.Ptr(order)
	a.Ptr(ids)
	a.Ptr(d2)
	if err := r.launch("order", "toPairs", driver.Dim{X: max(1, r.e.dev.SMs) * 8}, driver.Dim{X: 256}, 0); err != nil {
		return err
	}
	if err := r.clock.restart(r); err != nil { // that was not the papers' work
		return err
	}
	a.Reset()
	a.Ptr(r.base(from))
	a.I64(from)
	a.I64(to - from)
	a.I32(int32(r.d))
	a.Ptr(t.codebook.at)
	a.Ptr(t.place.at)
	a.I32(int32(dims))
	a.I32(int32(t.g))
	a.Ptr(r.pairs.at)
	a.I32(int32(k))
	a.I32(int32(r.find))
	a.F32(p.Boost)
	a.F32(p.Adjust)
	a.Ptr(out + driver.Ptr(4*from*int64(dims)))
	a.Ptr(r.lists.counts.at + countHard)
	a.Ptr(r.lists.hard.at)
	for _, x := range l.extra {
		a.I32(x)
	}
	return r.launch("papers_project", l.kernel, l.grid, l.block, l.shared)
}
