package cuda

import (
	"context"
	"errors"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/clusters/linkage"
)

// The tree of single linkage on the card: kernels/light_tree.cu.

// treeArgs is TreeArgs there.
type treeArgs struct {
	edges               driver.Ptr
	count               int64
	list, next          driver.Ptr
	n, parts, first     int32
	label, best         driver.Ptr
	chosen, join, fresh driver.Ptr
	up, w               driver.Ptr
	found, counts       driver.Ptr
}

const (
	treeThreads = 256
	treeLevels  = 33 // levels of nodes: each round leaves half of the parts at most
)

// treeRoom is how many pairs may be kept beside a tree of n places: what a launch may find must always fit.
func treeRoom(n int64) int64 { return n + max(keptRoom, int64(tasksMost)*side*side) }

// treeBytes is the memory of a tree of n places, and of what is kept beside it.
func treeBytes(n int64) int64 { return (pairBytes+8)*(n+treeRoom(n)) + (pairBytes+56)*n + 1<<10 }

// grown is a tree on the card that gets better by what is kept.
type grown struct {
	h          *holding
	n          int64 // places
	kept, room int64 // pairs behind the tree's edges, and how many there may be
	share      int64 // how many cards share the work
	levels     int32

	edges, label, best, chosen, join, fresh, up, w, first, second, found, counts *room
	a                                                                            treeArgs
}

// begin is where pairs that are kept begin, and end where the next one goes.
func (t *grown) begin() driver.Ptr { return t.edges.at + driver.Ptr(pairBytes*(t.n-1)) }
func (t *grown) end() driver.Ptr   { return t.begin() + driver.Ptr(pairBytes*t.kept) }

// add puts edges that others have kept to its own; where there is no room the tree is made of what there is.
func (t *grown) add(ctx context.Context, edges []linkage.Edge) error {
	for len(edges) > 0 {
		some := min(int64(len(edges)), t.room-t.kept)
		if some <= 0 {
			if err := t.merge(ctx); err != nil {
				return err
			}
			continue
		}
		if err := sendAll(ctx, &t.h.work, t.end(), edges[:some]); err != nil {
			return err
		}
		t.kept += some
		edges = edges[some:]
	}
	return nil
}

// enough is how many pairs are kept before the tree is made anew: a better tree keeps fewer.
func (t *grown) enough() int64 {
	return min(max(t.n/2, 1<<16)/t.share, t.room-int64(tasksMost)*side*side)
}

// grown takes the memory of a tree, and what looking at pairs takes.
func (h *holding) grown() (*grown, error) {
	l := h.l
	n, nb, places := int64(l.N), int64(l.Blocks), int64(l.Blocks*side)
	t := &grown{h: h, n: n, room: treeRoom(n), share: 1}
	all := n + t.room
	if err := h.takeRooms(map[**room]int64{&h.s: 4 * places, &h.smax: 4 * nb, &h.rep: 4 * nb,
		&h.nodes: 4 * nb * treeLevels,
		&h.ways:  4 * nb * treeLevels, &h.block: 4 * int64(tasksMost), &h.from: 4 * int64(tasksMost),
		&h.to: 4 * int64(tasksMost), &h.tiles: tileBytes * tileRoom, &h.local: tileBytes * tileRoom,
		&h.denseTiles: tileBytes * tileRoom, &h.nearTiles: tileBytes * tileRoom,
		&h.passed: passedBytes * passedRoom, &h.counts: countBytes,
		&h.scratch: h.scratchBytes(),
		&t.edges:   pairBytes * all, &t.label: 4 * n, &t.best: 16 * n, &t.chosen: 4 * n, &t.join: 4 * n,
		&t.fresh: 4 * n,
		&t.up:    8 * n, &t.w: 16 * n, &t.first: 4 * all, &t.second: 4 * all, &t.found: pairBytes * n,
		&t.counts: 24}); err != nil {
		return nil, err
	}
	if l.Core != nil {
		cores := make([]float32, places)
		for i, c := range l.Core {
			cores[i] = l.Within(c)
		}
		if err := hold(context.Background(), h, &h.cores, cores, 0); err != nil {
			return nil, err
		}
	}
	a := &h.a
	a.up, a.w, a.s, a.smax, a.cores, a.rep = t.up.at, t.w.at, h.s.at, h.smax.at, where(h.cores), h.rep.at
	a.nodes, a.ways, a.block, a.from, a.to = h.nodes.at, h.ways.at, h.block.at, h.from.at, h.to.at
	a.tiles, a.local, a.denseTiles, a.nearTiles = h.tiles.at, h.local.at, h.denseTiles.at, h.nearTiles.at
	a.passed = h.passed.at
	a.passedRoom, a.counts, a.scratch = int32(passedRoom), h.counts.at, h.scratch.at
	return t, nil
}

func (t *grown) queue(name string, count int64) error {
	h := t.h
	k, err := h.e.kernel("light_tree", name)
	if err != nil {
		return err
	}
	h.args.Reset()
	h.args.Struct(unsafe.Pointer(&t.a))
	return h.work.s.Launch(k, driver.Dim{X: int(blocksOf(count, treeThreads))}, driver.Dim{X: treeThreads}, 0, &h.args)
}

// merge makes the tree of itself and what was kept.
func (t *grown) merge(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w := &t.h.work
	t.a = treeArgs{edges: t.edges.at, count: t.n - 1 + t.kept, n: int32(t.n), parts: int32(t.n), first: int32(t.n),
		label: t.label.at, best: t.best.at, chosen: t.chosen.at, join: t.join.at, fresh: t.fresh.at, up: t.up.at,
		w: t.w.at, next: t.first.at, found: t.found.at, counts: t.counts.at}
	if err := errors.Join(w.s.Set8(t.counts.at, 0, 24), t.queue("treeStart", t.n)); err != nil {
		return err
	}
	levels := int32(1)
	for ; t.a.parts > 1; levels++ {
		parts := int64(t.a.parts)
		var counts [3]uint64
		if err := errors.Join(w.s.Set8(t.counts.at, 0, 8), w.s.Set8(t.counts.at+16, 0, 8),
			w.s.Set8(t.best.at, 0xff, 16*parts), t.queue("treeWeight", t.a.count),
			fetch(w, counts[:], t.counts.at)); err != nil {
			return err
		}
		t.a.count, t.a.list = int64(counts[0]), t.a.next
		t.a.next = t.first.at + t.second.at - t.a.list
		if err := errors.Join(t.queue("treePoints", t.a.count), t.queue("treeChoose", t.a.count),
			t.queue("treeJoin", parts), t.queue("treeLink", parts), t.queue("treeSpread", t.n),
			fetch(w, counts[:], t.counts.at)); err != nil {
			return err
		}
		if roots := int64(counts[2]); roots < 1 || roots > parts/2 || levels == treeLevels-1 {
			return errors.New("cuda: the tree does not become one")
		}
		t.a.up += driver.Ptr(4 * parts)
		t.a.w += driver.Ptr(8 * parts)
		t.a.parts = int32(counts[2])
		t.a.first += t.a.parts
	}
	t.kept, t.levels = 0, levels
	return w.s.Copy(t.edges.at, t.found.at, pairBytes*(t.n-1))
}

// bounds makes those of the tree; first: of the first one, which says what the representatives are.
func (t *grown) bounds(first bool) error {
	h, grid := t.h, driver.Dim{X: t.h.l.Blocks}
	h.a.levels = t.levels
	var err error
	if first {
		err = h.queue("lightCentral", grid, side)
	}
	return errors.Join(err, h.queue("lightBounds", grid, side))
}

// First implements linkage.Holding.
func (h *holding) First(ctx context.Context) error {
	return h.onCard(func() (err error) {
		if h.tree == nil {
			if h.tree, err = h.grown(); err != nil {
				return err
			}
		}
		if err := h.first(ctx); err != nil {
			return err
		}
		return h.sided()
	})
}

// first makes the first tree: of near places, and of those that follow each other.
func (h *holding) first(ctx context.Context) error {
	const k = linkage.TreeNeighbours
	t := h.tree
	t.kept = 1 - t.n // as if there were no tree
	h.a.kept = t.end()
	if err := h.queue("lightChain", driver.Dim{X: blocksOf(h.l.N, treeThreads)}, treeThreads); err != nil {
		return err
	}
	t.kept = 0
	left, err := h.memoryLeft()
	if err != nil {
		return err
	}
	some := min(h.some(k, left), int(t.room/(side*k)))
	blocks := make([]int32, 0, some)
	for from := 0; from < h.l.Blocks; from += some {
		blocks = blocks[:0]
		for b := from; b < min(h.l.Blocks, from+some); b++ {
			blocks = append(blocks, int32(b))
		}
		rows := int64(len(blocks) * side * k)
		if t.kept+rows > t.room {
			if err := t.merge(ctx); err != nil {
				return err
			}
		}
		if err := h.find(ctx, linkage.Query{K: k, Local: true}, blocks, nil); err != nil {
			return err
		}
		was := h.a
		h.a.block, h.a.about, h.a.window, h.a.each, h.a.kept = h.asked.at, h.ids.at, int32(rows), k, t.end()
		err := h.queue("lightJoined", driver.Dim{X: blocksOf(int(rows), treeThreads)}, treeThreads)
		h.a = was
		if err != nil {
			return err
		}
		t.kept += rows
	}
	return errors.Join(t.merge(ctx), t.bounds(true))
}

// sided decides by a sample of blocks whether both sides of a pair look: where that leaves far fewer tiles.
func (h *holding) sided() error {
	const sample = 24
	nb := h.l.Blocks
	many := min(sample, nb, tasksMost, int(tileRoom))
	var blocks, starts, ends []int32
	for s := range many {
		blocks, starts, ends = append(blocks, int32(s*nb/many)), append(starts, 1), append(ends, int32(nb))
	}
	if err := errors.Join(send(&h.work, h.block.at, blocks), send(&h.work, h.from.at, starts),
		send(&h.work, h.to.at, ends)); err != nil {
		return err
	}
	h.a.window = int32(min(nb, int(tileRoom)/many))
	left := func(full int32) (tiles uint64, err error) {
		h.a.full = full
		n, err := h.prune(many, int64(h.a.window))
		return n.tiles + n.locals + n.dense + n.nears, err
	}
	one, err := left(0)
	if err != nil {
		return err
	}
	both, err := left(1)
	if err != nil {
		return err
	}
	if 2*both >= one {
		h.a.full = 0
	}
	return nil
}

// prune counts the tiles that are left of a window of places of tasks.
func (h *holding) prune(tasks int, window int64) (lightCounts, error) {
	if err := h.pruned(tasks, window); err != nil {
		return lightCounts{}, err
	}
	return h.counted()
}

// pruned queues the kernel that finds tiles.
func (h *holding) pruned(tasks int, window int64) error {
	name := lightPrune
	if h.l.Metric == linkage.L1 {
		name += "City"
	}
	return errors.Join(h.work.s.Set8(h.counts.at, 0, countBytes),
		h.queue(name, driver.Dim{X: h.groups(window), Y: tasks}, lightThreads))
}

// counted is what kernels have counted.
func (h *holding) counted() (lightCounts, error) {
	var c [countBytes / 8]uint64
	err := fetch(&h.work, c[:], h.counts.at)
	return lightCounts{c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8]}, err
}

// Full implements linkage.Holding.
func (h *holding) Full() bool { return h.a.full != 0 }

// Together implements linkage.Holding: blocks whose rows meet some hundred thousand tiles, which is milliseconds.
func (h *holding) Together() int { return max(1, int(min(tileRoom, 1<<17))/max(1, h.l.Blocks)) }

// Refresh implements linkage.Holding.
func (h *holding) Refresh(ctx context.Context) error {
	return h.onCard(func() error {
		if h.tree.kept > 0 {
			if err := h.tree.merge(ctx); err != nil {
				return err
			}
		}
		return h.tree.bounds(false)
	})
}

// Tree implements linkage.Holding.
func (h *holding) Tree(ctx context.Context) (edges []linkage.Edge, err error) {
	err = h.onCard(func() error {
		t := h.tree
		if t.kept > 0 {
			if err := errors.Join(t.merge(ctx), t.bounds(false)); err != nil {
				return err
			}
		}
		edges = make([]linkage.Edge, t.n-1)
		return fetch(&h.work, edges, t.edges.at)
	})
	return edges, err
}
