package cuda

import (
	"context"
	"fmt"
	"unsafe"

	"blossom/gpu/cuda/driver"
)

// nearArgs are TensorArgs of kernels/tensor.cu.
type nearArgs struct {
	x, order                    driver.Ptr
	first, slots, from, to      int64
	d, g, find, tiles           int32
	centre, mean, factors       driver.Ptr
	norms, halves               driver.Ptr
	rows, ids, d2, listed, list driver.Ptr
}

const tensorColumns = 128 // more do not fit into registers

// usesTensor says whether points of d columns go to kernels/tensor.cu: the card has such tensor cores,
// and the columns fit.
func (e *card) usesTensor(d int) bool {
	return (e.knn == tensor || e.knn == "") && e.hasTensor() && d <= tensorColumns
}

func (e *card) hasTensor() bool { return e.dev.Major >= 8 }

// findNear finds the neighbours of the points [from, to), and sees to the order of their slots.
func (r *resident) findNear(ctx context.Context, from, to int64) error {
	if err := r.send(ctx, from, to); err != nil {
		return err
	}
	if r.e.nearAs != nil {
		return r.findAsPublished(from, to)
	}
	if r.plan == everything && r.e.own() {
		if err := r.order.prepare(r.e, r.n); err != nil {
			return err
		}
	}
	if err := r.findSlots(from, to); err != nil {
		return err
	}
	if sorted, err := r.order.sort(r.e, r.cached(), from, to); err != nil || !sorted {
		return err
	}
	const sample = page                      // enough to know who is in much use
	first := (from + page - 1) &^ (page - 1) // the first whole page, from which on slots are sorted
	if err := r.tables.sortRows(r.e, r.cached(), int(r.d), first, min(to-first, sample)); err != nil {
		return err
	}
	err := r.findSlots(from, to) // once more: the cache is in slots
	if err != nil {
		r.found.Clear()
	}
	return err
}

func (r *resident) findSlots(from, to int64) error {
	first, count, order := r.order.slots(r.n, from, to)
	if err := r.lists.prepare(r.e, r.n); err != nil {
		return err
	}
	ids, d2 := r.cacheBase(from)
	t := &r.tables
	if r.e.usesTensor(int(r.d)) {
		if err := r.lists.empty(r.e.s, countSlots); err != nil {
			return err
		}
		r.near = nearArgs{
			x: r.base(from), order: order, first: first, slots: count, from: from, to: to,
			d: int32(r.d), g: int32(t.g), find: int32(r.find), tiles: int32(t.tiles),
			centre: t.centre.at, mean: t.mean.at, factors: t.factors.at, norms: t.norms.at, halves: t.halves(),
			rows: t.rows.at,
			ids:  ids, d2: d2, listed: r.lists.counts.at, list: r.lists.slots.at,
		}
		if err := r.launchTensor(count); err != nil {
			return err
		}
		// lists for what the search by pages left
		if err := nearListed[(r.find+31)/32].launch(r.e, nearListedParams{x: r.base(from), order: order, d: int32(r.d),
			g: int32(t.g), find: int32(r.find), codebook: t.codebook.at, count: r.lists.counts.at + countSlots,
			ticket: r.lists.counts.at + ticketSlots, slots: r.lists.slots.at, ids: ids, d2: d2},
			driver.Dim{X: max(1, r.e.dev.SMs) * 4}, driver.Dim{X: 128}, 0); err != nil {
			return err
		}
		r.lists.emptied(countSlots)
		return t.fillPairs(r.e)
	}
	if err := t.fillPairs(r.e); err != nil {
		return err
	}
	k := nearTiles[(r.find+31)/32]
	f, err := r.e.kernel(k.module, k.name)
	if err != nil {
		return err
	}
	return k.launchOn(r.e.s, f, &r.e.args, nearTilesParams{x: r.base(from), order: order, first: first, slots: count,
		from: from, to: to, d: int32(r.d), g: int32(t.g), find: int32(r.find), codebook: t.codebook.at, ids: ids,
		d2: d2}, driver.Dim{X: r.e.blocks(f, 256, 0, (count+63)/64)}, driver.Dim{X: 256}, 0)
}

// tensorSteps returns the steps of 16 columns that d columns are padded to: 1 to 4, or 8, for which there
// are kernels; beyond those, just enough.
func tensorSteps(d int) int {
	steps := (d + stepColumns - 1) / stepColumns
	if steps > 4 {
		steps = max(8, steps)
	}
	return steps
}

// A tensorShape is one way to do a problem with kernels/tensor.cu.
type tensorShape struct {
	name string
	once int     // bytes of shared memory of a block
	each int     // and of each of its warps
	gain float64 // how good a warp is at that, about, by measurement
}

// A tensorChoice is the way that was chosen.
type tensorChoice struct {
	f               *driver.Function
	name            string
	threads, shared int
}

// tensorShapes returns the ways to do it.
func tensorShapes(g, d, find, tiles int) []tensorShape {
	steps, all := tensorSteps(d), tiles
	many, room := "few", 64
	switch {
	case find > 40 || find > 24 && steps == 8:
		many, room = "many", 128
	case find > 24:
		many = "some"
	}
	factors := all*steps*256 + all*32
	if steps == 1 {
		factors = all*steps*256 + all*16
	}
	rows := g * 64 * steps
	each := 16 * (4*(room+4) + 2*(room+8)) // bytes of a warp
	if steps <= 2 {                        // and points that come next
		each += 16 * (64*steps + 16)
	}
	var s []tensorShape
	add := func(many, name string, bytes int, gain float64) {
		s = append(s, tensorShape{fmt.Sprintf("nearTensor_%d_%s_%s", steps, many, name), bytes, each, gain})
	}
	if steps < 8 {
		if all == 16 && many == "few" {
			add(many, "half", factors+rows, 1.5)
		}
		if all == 32 && many == "few" {
			add(many, "one", factors+rows, 1.5)
		}
		add(many, "rows", factors+rows, 1.05)
		add(many, "shared", factors, 1)
	} else if many == "few" {
		add(many, "shared", factors, 1)
	}
	if many == "few" {
		many = "some"
	}
	add(many, "global", 0, 0.5)
	return s
}

const tensorThreads = 512 // most threads of a block

// launchTensor chooses the way, once for each problem: by how many warps of it fit on a multiprocessor.
func (r *resident) launchTensor(slots int64) error {
	t := &r.tables
	problem := [4]int{t.g, int(r.d), r.find, t.tiles}
	if r.shape.f == nil || r.shapeOf != problem {
		best, most := tensorChoice{}, 0.0
		for _, s := range tensorShapes(t.g, int(r.d), r.find, t.tiles) {
			f, err := r.e.kernel("tensor", s.name)
			if err != nil {
				return err
			}
			for threads := tensorThreads; threads >= 32; threads -= 32 {
				shared := s.once + threads/32*s.each
				if shared > r.e.dev.SharedBlock {
					continue
				}
				if warps := float64(r.e.fits(f, threads, shared)*threads/32) * s.gain; warps > most {
					most, best = warps, tensorChoice{f, s.name, threads, shared}
				}
			}
		}
		if best.f == nil {
			return fmt.Errorf("cuda: no kernel for %d columns, %d landmarks and %d neighbours fits on this card", r.d,
				t.g, r.find)
		}
		r.shape, r.shapeOf = best, problem
	}
	f, shape := r.shape.f, r.shape
	r.e.args.Reset()
	r.e.args.Struct(unsafe.Pointer(&r.near))
	perBlock := int64(shape.threads / 2) // a warp has 16 points
	grid := r.e.blocks(f, shape.threads, shape.shared, (slots+perBlock-1)/perBlock)
	return r.e.s.Launch(f, driver.Dim{X: grid}, driver.Dim{X: shape.threads}, shape.shared, &r.e.args)
}

// findAsPublished runs one of the papers' kernels; its rows stay, and go into the cache.
func (r *resident) findAsPublished(from, to int64) error {
	t := &r.tables
	l, err := r.e.nearAs(r.e.dev, Task{D: int(r.d), G: t.g, Find: r.find, Count: to - from})
	if err != nil {
		return err
	}
	if err := r.pairs.grow(r.e.c, r.e.s, 8*min(r.n, pieceMost)*int64(r.find)); err != nil {
		return err
	}
	if err := papersKnn.launchAs(r.e, l.Kernel, papersKnnParams{x: r.base(from), from: from, count: to - from,
		d: int32(r.d), codebook: t.codebook.at, g: int32(t.g), find: int32(r.find), out: r.pairs.at, size: l.Extra},
		l.Grid, l.Block, l.Shared); err != nil {
		return err
	}
	r.clock.mark(r.e.s) // putting them into the cache is not the papers' work
	ids, d2 := r.cacheBase(from)
	return fromPairs.launch(r.e, fromPairsParams{pairs: r.pairs.at, from: from, count: to - from, find: int32(r.find),
		ids: ids, d2: d2}, driver.Dim{X: max(1, r.e.dev.SMs) * 8}, driver.Dim{X: 256}, 0)
}
