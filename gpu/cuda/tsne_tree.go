package cuda

import (
	"unsafe"

	"slices"

	"blossom/gpu/cuda/driver"
)

// tree is the repulsion of a map by means of groups (kernels/tsne_tree.cu).
type tree struct {
	ordered bool // order is along the curve

	order, sorted, mean, low, high room
	along, weights                 room // where cards share it: repulsion along the curve; parts of Z by blocks
	sort                           sorter
}

func (t *tree) rooms() []*room {
	return append([]*room{&t.order, &t.sorted, &t.mean, &t.low, &t.high, &t.along, &t.weights}, t.sort.rooms()...)
}

// treeNodes is how many nodes stand over n points, and a few more.
func treeNodes(n int) int64 {
	all := int64(0)
	for c := (n + 15) / 16; ; c = (c + 3) / 4 {
		all += int64(c)
		if c <= 1 {
			return all
		}
	}
}

// bytes is what it takes of a map of n points of so many bytes each.
func (t *tree) bytes(n, each int64) int64 {
	return 4*n + t.sort.bytes(n, 4) + n*each + 3*16*treeNodes(int(n))
}

// load takes an order from elsewhere; nil: there is none.
func (t *tree) load(b *body, curve []int32) error {
	if t.ordered = len(curve) == b.n; !t.ordered {
		return nil
	}
	if err := t.order.grow(b.e.c, b.s, 4*int64(b.n)); err != nil {
		return err
	}
	return b.s.ToDevice(t.order.at, unsafe.Pointer(&curve[0]), 4*int64(b.n))
}

func (t *tree) save(b *body, curve *[]int32) error {
	if !t.ordered {
		*curve = nil
		return nil
	}
	*curve = slices.Grow((*curve)[:0], b.n)[:b.n]
	if err := b.s.ToHost(unsafe.Pointer(&(*curve)[0]), t.order.at, 4*int64(b.n)); err != nil {
		return err
	}
	return b.s.Wait()
}

// renew orders the points along a Hilbert curve.
func (t *tree) renew(b *body) error {
	if err := b.markMap(); err != nil {
		return err
	}
	if err := t.order.grow(b.e.c, b.s, 4*int64(b.n)); err != nil {
		return err
	}
	if err := t.sort.grow(b, 4); err != nil {
		return err
	}
	if err := queue(b, treeKeys.in(b.dims), treeKeysParams{n: int32(b.n), y: b.y[0].at, look: b.mark(markLook),
		key: t.sort.key[0].at, order: t.order.at}, blocksOf(b.n, tsneThreads), tsneThreads, 0); err != nil {
		return err
	}
	if err := t.sort.do(b, sortCount32, sortScatter32, 32, t.order.at); err != nil {
		return err
	}
	t.ordered = true
	b.clock.step(stepOrder)
	return nil
}

// reserve takes the memory of the tree.
func (t *tree) reserve(b *body) error {
	nodes := 16 * treeNodes(b.n)
	for _, r := range []struct {
		room  *room
		bytes int64
	}{{&t.sorted, int64(b.n) * b.each()}, {&t.mean, nodes}, {&t.low, nodes}, {&t.high, nodes}} {
		if err := r.room.grow(b.e.c, b.s, r.bytes); err != nil {
			return err
		}
	}
	return nil
}

// reserveSome takes what several cards need beside that.
func (t *tree) reserveSome(b *body) error {
	if err := t.along.grow(b.e.c, b.s, int64(b.n)*b.each()); err != nil {
		return err
	}
	return t.weights.grow(b.e.c, b.s, int64(8*blocksOf(b.n, walkPoints)))
}

// walk builds the tree and finds the repulsion.
func (t *tree) walk(b *body, theta float64, z driver.Ptr) error {
	if err := t.build(b); err != nil {
		return err
	}
	p := t.groups(b, theta)
	p.order, p.repulsion, p.ticket, p.z = t.order.at, b.repulsion.at, b.mark(markTicket), z
	err := queue(b, treeWalk.in(b.dims), p, blocksOf(b.n, walkPoints), walkThreads, 0)
	b.clock.step(stepWalk)
	return err
}

// walkSome builds the tree and finds the repulsion of the groups of some blocks, along the curve.
func (t *tree) walkSome(b *body, theta float64, blocks rows) error {
	if err := t.build(b); err != nil || blocks.len() == 0 {
		return err
	}
	p := t.groups(b, theta)
	p.first, p.repulsion, p.partial = int32(blocks.first), t.along.at, t.weights.at
	err := queue(b, treeWalk.in(b.dims), p, blocks.len(), walkThreads, 0)
	b.clock.step(stepWalk)
	return err
}

// join ends what several walks have begun, of so many blocks in all.
func (t *tree) join(b *body, blocks int, z driver.Ptr) error {
	if err := queue(b, treeTotal, treeTotalParams{blocks: int32(blocks), partial: t.weights.at, z: z}, 1, walkThreads,
		0); err != nil {
		return err
	}
	return queue(b, treePlace.in(b.dims), treePlaceParams{n: int32(b.n), along: t.along.at, order: t.order.at,
		to: b.repulsion.at}, blocksOf(b.n, tsneThreads), tsneThreads, 0)
}

// Points and threads of a block of the walk.
const walkPoints, walkThreads = 4 * 64, 128

// groups are what a walk goes through.
func (t *tree) groups(b *body, theta float64) treeWalkParams {
	return treeWalkParams{n: int32(b.n), theta2: float32(theta * theta), sorted: t.sorted.at, mean: t.mean.at,
		low: t.low.at, high: t.high.at, partial: b.partial.at}
}

// build makes the tree of the present places.
func (t *tree) build(b *body) error {
	if err := queue(b, treeBuild.in(b.dims), treeBuildParams{n: int32(b.n), y: b.y[0].at, order: t.order.at,
		sorted: t.sorted.at, mean: t.mean.at, low: t.low.at, high: t.high.at, ticket: b.mark(markTicket)},
		blocksOf(b.n, tsneThreads), tsneThreads, 0); err != nil {
		return err
	}
	b.clock.step(stepTree)
	return nil
}

// sorter sorts keys of points (kernels/tsne_sort.cuh).
type sorter struct {
	key            [2]room
	order          room // beside the one that is asked for
	counts, totals room
}

const (
	sortTile   = 4096
	sortDigits = 256
)

func (s *sorter) rooms() []*room {
	return []*room{&s.key[0], &s.key[1], &s.order, &s.counts, &s.totals}
}

// bytes is what sorting n keys of so many bytes takes.
func (s *sorter) bytes(n, each int64) int64 {
	return 2*each*n + 4*n + 4*sortDigits*int64(blocksOf(n, sortTile)) + 4*sortDigits
}

// grow makes room for keys of so many bytes.
func (s *sorter) grow(b *body, bytes int64) error {
	n := int64(b.n)
	for _, r := range []struct {
		room  *room
		bytes int64
	}{{&s.key[0], bytes * n}, {&s.key[1], bytes * n}, {&s.order, 4 * n},
		{&s.counts, 4 * sortDigits * int64(blocksOf(n, sortTile))}, {&s.totals, 4 * sortDigits}} {
		if err := r.room.grow(b.e.c, b.s, r.bytes); err != nil {
			return err
		}
	}
	return nil
}

// do sorts key[0] of so many bits, a multiple of 16, and the order with it.
func (s *sorter) do(b *body, count *kernel[sortCountParams], scatter *kernel[sortScatterParams], bits int,
	order driver.Ptr) error {
	tiles := blocksOf(b.n, sortTile)
	from, to := order, s.order.at
	for shift := 0; shift < bits; shift += 8 {
		k := shift / 8 % 2
		if err := queue(b, count, sortCountParams{n: int32(b.n), shift: int32(shift), key: s.key[k].at,
			counts: s.counts.at}, tiles, tsneThreads, 0); err != nil {
			return err
		}
		if err := queue(b, sortScan, sortScanParams{tiles: int32(tiles), counts: s.counts.at, totals: s.totals.at},
			sortDigits*32/tsneThreads, tsneThreads, 0); err != nil {
			return err
		}
		if err := queue(b, scatter, sortScatterParams{n: int32(b.n), shift: int32(shift), key: s.key[k].at, order: from,
			counts: s.counts.at, totals: s.totals.at, toKey: s.key[1-k].at, toOrder: to}, tiles, tsneThreads,
			0); err != nil {
			return err
		}
		from, to = to, from
	}
	return nil
}
