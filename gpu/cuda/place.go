package cuda

import (
	"context"
	"fmt"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/maps/embedsom"
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
	rowOf, named               driver.Ptr
	pos                        driver.Ptr
	out                        driver.Ptr
	roughCount, hardCount      driver.Ptr
	rough, hard                driver.Ptr
	kept                       int32
	ranks                      float32
}

// Kernels of project.cu by dimensions and by lanes of a point (1 << index).
var (
	projectShared = [...][4]string{2: {1: "projectShared_2_2", "projectShared_2_4", "projectShared_2_8"},
		{1: "projectShared_3_2", "projectShared_3_4", "projectShared_3_8"}}
	projectPartly = [...][4]string{2: {1: "projectPartly_2_2", "projectPartly_2_4", "projectPartly_2_8"},
		{1: "projectPartly_3_2", "projectPartly_3_4", "projectPartly_3_8"}}
	projectGlobal = [...][4]string{2: {1: "projectGlobal_2_2", "projectGlobal_2_4", "projectGlobal_2_8"},
		{1: "projectGlobal_3_2", "projectGlobal_3_4", "projectGlobal_3_8"}}
	projectRough = [...][4]string{2: {1: "projectRough_2_2", "projectRough_2_4", "projectRough_2_8"},
		{1: "projectRough_3_2", "projectRough_3_4", "projectRough_3_8"}}
)

// Threads of a block by dimensions: as many as there are registers for, see project.cu.
var projectThreads = [...]int{2: 768, 3: 512}

// lanesOf returns the base 2 logarithm of the threads that share a point with k neighbours: that many
// points' neighbours must fit into shared memory beside the table.
func lanesOf(k int) int {
	switch {
	case k <= 16:
		return 1
	case k <= 40:
		return 2
	}
	return 3
}

// placeRange projects the points [from, to), at most a piece, to out (n x dims).
func (r *resident) placeRange(ctx context.Context, p embedsom.Params, k, dims int, out driver.Ptr, from,
	to int64) error {
	if err := r.lists.prepare(r.e, r.n); err != nil {
		return err
	}
	if r.find > MaxFind {
		if err := r.send(ctx, from, to); err != nil {
			return err
		}
		return r.placeExactly(p, k, dims, out, from, to, false)
	}
	if err := r.tables.fillPairs(r.e); err != nil {
		return err
	}
	if err := r.lists.empty(r.e.s, countHard); err != nil {
		return err
	}
	if r.e.placeAs != nil {
		if err := r.placeAsPublished(p, k, dims, out, from, to); err != nil {
			return err
		}
		r.clock.mark(r.e.s)
		return r.placeExactly(p, k, dims, out, from, to, true)
	}
	first, count, order := r.order.slots(r.n, from, to)
	ids, d2 := r.cacheBase(from)
	t, l := &r.tables, &r.lists
	r.place = placeArgs{
		first: first, slots: count, from: from, to: to, order: order, x: r.base(from), codebook: t.codebook.at,
		d: int32(r.d), g: int32(t.g), k: int32(k), find: int32(r.find), boost: p.Boost, adjust: p.Adjust,
		ids: ids, d2: d2, triangle: t.triangle.at, closest: t.closest.at, ranks: ranksOf(r.find), pos: t.place.at,
		out:        out,
		roughCount: l.counts.at + countRough, hardCount: l.counts.at + countHard, rough: l.rough.at, hard: l.hard.at,
	}
	if t.mapped {
		r.place.rowOf, r.place.named = t.rowOf.at, t.named.at
	}
	if some, err := r.drag.touched(r, k, from, to); err != nil {
		return err
	} else if some {
		r.place.count, r.place.list = l.counts.at+countDrag, l.drag.at
		r.place.first, r.place.slots = 0, max(1, count/4) // about so many, for the size of the grid
	}
	dragged := r.place.list != 0
	if err := r.launchPairs(k, dims); err != nil {
		return err
	}
	if !dragged || !r.drag.isSmooth() {
		r.place.count, r.place.list = l.counts.at+countRough, l.rough.at
		if err := r.launchRough(k, dims); err != nil {
			return err
		}
	}
	return r.placeExactly(p, k, dims, out, from, to, true)
}

// ranksOf returns 1 / (1 + 1/2 + ... + 1/find).
func ranksOf(find int) float32 {
	sum := 0.0
	for r := find; r > 0; r-- {
		sum += 1 / float64(r)
	}
	return float32(1 / sum)
}

// pairsShared returns the bytes that a block of project.cu needs which keeps so many rows of the triangle.
func (r *resident) pairsShared(kept, k, dims, threads int) int {
	g, lanes := r.tables.g, 1<<lanesOf(k)
	bytes := 4 * ((g*dims+3)&^3 + (g+3)&^3 + (kept*(kept+1)/2+3)&^3)
	if r.tables.mapped {
		bytes += 2 * ((g + 7) &^ 7)
	}
	return bytes + 10*((k+3)&^3)*(threads/lanes+16/lanes)
}

// launchPairs chooses where the table is: in shared memory, its first rows there, or in global memory. The
// second is for many points, and for half of the rows at least, or few pairs: else the first cache does better
// with what the rows would take (on an H200, at 1024 landmarks, 25 % on clustered points, and up to half on
// uniform ones in few dimensions).
func (r *resident) launchPairs(k, dims int) error {
	g, lanes := r.tables.g, lanesOf(k)
	if r.e.projection != table && r.place.slots > 1<<14 {
		most := projectThreads[dims]
		f, err := r.e.kernel("project", projectShared[dims][lanes])
		if err != nil {
			return err
		}
		r.place.kept = int32(g)
		for threads := most; threads >= most/2 && !r.tables.mapped; threads -= 128 {
			// too few could not hide its latency
			if shared := r.pairsShared(g, k, dims, threads); r.e.fits(f, threads, shared) > 0 { // its registers too
				return r.launchPlace(projectShared[dims][lanes], threads, shared)
			}
		}
		f, err = r.e.kernel("project", projectPartly[dims][lanes])
		if err != nil {
			return err
		}
		for threads := most; threads >= most/2 && r.place.list == 0; threads -= 128 {
			left := r.e.dev.SharedBlock - r.pairsShared(0, k, dims, threads) - 16
			kept := 0
			for (kept+1)*(kept+2)*2 <= left {
				kept++
			}
			worth := 2*kept >= g || k <= 8
			if shared := r.pairsShared(kept, k, dims, threads); worth && kept >= leastKept &&
				r.e.fits(f, threads, shared) > 0 {
				r.place.kept = int32(kept)
				return r.launchPlace(projectPartly[dims][lanes], threads, shared)
			}
		}
	}
	return r.launchTable(projectGlobal[dims][lanes], k, dims)
}

const leastKept = 100 // rows of the triangle in shared memory; fewer are of no use

func (r *resident) launchRough(k, dims int) error {
	r.place.slots = max(1, r.place.slots/64)
	return r.launchTable(projectRough[dims][lanesOf(k)], k, dims)
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
	for threads > 32 && r.e.fits(f, threads, r.pairsShared(0, k, dims, threads)) == 0 {
		threads /= 2
	}
	shared := r.pairsShared(0, k, dims, threads)
	if r.e.fits(f, threads, shared) == 0 {
		return fmt.Errorf("cuda: %d landmarks and k %d need more shared memory than this card has", r.tables.g, k)
	}
	r.place.kept = 0
	each := max(1, min(r.e.fits(f, threads, shared), 256/threads)) // blocks of a multiprocessor
	const reserved = 1 << 10                                       // bytes that the driver keeps in each block
	if sm := r.e.dev.SharedSM; sm > 0 && r.carved[f] != shared {
		_ = f.Carveout(min(100, each*(shared+reserved)*100/sm+1)) // a wish: without it, it is slower
		if r.carved == nil {
			r.carved = map[*driver.Function]int{}
		}
		r.carved[f] = shared
	}
	r.e.args.Reset()
	r.e.args.Struct(unsafe.Pointer(&r.place))
	points := int64(threads >> lanesOf(k))
	grid := min(int64(max(1, r.e.dev.SMs)*each), (r.place.slots+points-1)/points)
	return r.e.s.Launch(f, driver.Dim{X: int(max(1, grid))}, driver.Dim{X: threads}, shared, &r.e.args)
}

func (r *resident) launchPlace(name string, threads, shared int) error {
	f, err := r.e.kernel("project", name)
	if err != nil {
		return err
	}
	points := int64(threads >> lanesOf(int(r.place.k)))
	grid := r.e.blocks(f, threads, shared, (r.place.slots+points-1)/points)
	r.e.args.Reset()
	r.e.args.Struct(unsafe.Pointer(&r.place))
	return r.e.s.Launch(f, driver.Dim{X: grid}, driver.Dim{X: threads}, shared, &r.e.args)
}

// placeExactly does the listed points, or all from from to to, in float64.
func (r *resident) placeExactly(p embedsom.Params, k, dims int, out driver.Ptr, from, to int64, listed bool) error {
	t, l := &r.tables, &r.lists
	const most = 64 << 20
	each := (int64(t.g)*28 + 7) &^ 7
	blocks := max(1, min(int64(max(1, r.e.dev.SMs))*4, most/each, to-from))
	if err := t.scratch.grow(r.e.c, r.e.s, blocks*each); err != nil {
		return err
	}
	a := exactListedParams{x: r.base(from), d: int32(r.d), codebook: t.codebook.at, pos: t.place.at, dims: int32(dims),
		g: int32(t.g), k: int32(k), find: int32(r.find), boost: p.Boost, adjust: p.Adjust,
		count: l.counts.at + countHard, rough: l.counts.at + countRough, ticket: l.counts.at + ticketHard,
		all: uint32(to - from), first: from, out: out, scratch: t.scratch.at}
	if listed {
		a.points = l.hard.at
	}
	if listed && r.e.own() && !r.drag.ready && from == 0 && to == r.n { // it has been through all points
		var err error
		if a.none, a.turn, err = r.drag.ask(r.e.c); err != nil {
			return err
		}
	}
	if err := exactListed.launch(r.e, a, driver.Dim{X: int(blocks)}, driver.Dim{X: 32}, 0); err != nil {
		return err
	}
	if listed {
		l.emptied(countHard)
	}
	return nil
}

// placeAsPublished runs one of the papers' kernels on their rows of neighbours.
func (r *resident) placeAsPublished(p embedsom.Params, k, dims int, out driver.Ptr, from, to int64) error {
	t := &r.tables
	l, err := r.e.placeAs(r.e.dev, Task{D: int(r.d), G: t.g, Find: r.find, K: k, Dims: dims, Count: to - from})
	if err != nil {
		return err
	}
	if err := r.pairs.grow(r.e.c, r.e.s, 8*min(r.n, pieceMost)*int64(r.find)); err != nil {
		return err
	}
	first, count, order := r.order.slots(r.n, from, to)
	ids, d2 := r.cacheBase(from)
	if err := toPairs.launch(r.e, toPairsParams{pairs: r.pairs.at, first: first, count: count, from: from, to: to,
		find: int32(r.find), order: order, ids: ids, d2: d2}, driver.Dim{X: max(1, r.e.dev.SMs) * 8},
		driver.Dim{X: 256}, 0); err != nil {
		return err
	}
	if err := r.clock.restart(r.e.s); err != nil { // the time up to here is not the papers' work
		return err
	}
	return papersProject.launchAs(r.e, l.Kernel, papersProjectParams{x: r.base(from), from: from, count: to - from,
		d: int32(r.d), codebook: t.codebook.at, pos: t.place.at, dims: int32(dims), g: int32(t.g), pairs: r.pairs.at,
		k: int32(k), find: int32(r.find), boost: p.Boost, adjust: p.Adjust, out: out + driver.Ptr(4*from*int64(dims)),
		hardCount: r.lists.counts.at + countHard, hardList: r.lists.hard.at, stride: l.Extra}, l.Grid, l.Block,
		l.Shared)
}
