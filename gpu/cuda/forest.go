package cuda

import (
	"context"
	"errors"
	"math"
	"slices"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/clusters/linkage"
)

// A minimum spanning forest: kernels/forest.cu.

// forestArgs is ForestArgs there.
type forestArgs struct {
	edges                     driver.Ptr
	n                         int32
	count                     int64
	seed                      uint64
	label, up, best           driver.Ptr
	list, next, found, counts driver.Ptr
}

const forestThreads = 256

// Forest implements linkage.Holding.
func (h *holding) Forest(ctx context.Context, edges []linkage.Edge, seed uint64) (out []linkage.Edge, err error) {
	n, m := int64(h.l.N), int64(len(edges))
	err = h.onCard(func() error {
		left, err := h.memoryLeft()
		if err != nil {
			return err
		}
		if m > math.MaxInt32 || n*36+24*m+1<<20 > left {
			out, err = linkage.Forest(ctx, h.l.N, edges, seed)
			return err
		}
		w := &forest{h: h}
		defer w.end()
		if err := w.begin(h.e); err != nil {
			return err
		}
		found, err := w.find(ctx, edges, seed)
		slices.Sort(found)
		for _, k := range found {
			out = append(out, edges[k])
		}
		return err
	})
	return out, err
}

// forest is its memory.
type forest struct {
	work
	h                                                      *holding
	edges, label, up, best, first, second, result, counted *room
	a                                                      forestArgs
}

func (f *forest) queue(name string, count int64) error {
	k, err := f.e.kernel("forest", name)
	if err != nil {
		return err
	}
	f.args.Reset()
	f.args.Struct(unsafe.Pointer(&f.a))
	return f.s.Launch(k, driver.Dim{X: int(blocksOf(count, forestThreads))}, driver.Dim{X: forestThreads}, 0, &f.args)
}

// find returns which of the edges they are, in any order.
func (f *forest) find(ctx context.Context, edges []linkage.Edge, seed uint64) ([]int32, error) {
	n, m := int64(f.h.l.N), int64(len(edges))
	if err := f.takeRooms(map[**room]int64{&f.edges: 16 * m, &f.label: 4 * n, &f.up: 4 * n, &f.best: 24 * n,
		&f.first: 4 * m, &f.second: 4 * m, &f.result: 4 * n, &f.counted: 16}); err != nil {
		return nil, err
	}
	if err := sendAll(ctx, &f.work, f.edges.at, edges); err != nil {
		return nil, err
	}
	f.a = forestArgs{edges: f.edges.at, n: int32(n), count: m, seed: seed, label: f.label.at, up: f.up.at,
		best: f.best.at, next: f.first.at, found: f.result.at, counts: f.counted.at}
	if err := errors.Join(f.s.Set8(f.counted.at, 0, 16), f.queue("forestStart", n)); err != nil {
		return nil, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var counts [2]uint64
		if err := errors.Join(f.s.Set8(f.counted.at, 0, 8), f.s.Set8(f.best.at, 0xff, 24*n),
			f.queue("forestWeight", f.a.count), fetch(&f.work, counts[:], f.counted.at)); err != nil {
			return nil, err
		}
		if counts[0] == 0 {
			found := make([]int32, counts[1])
			return found, fetch(&f.work, found, f.result.at)
		}
		f.a.count, f.a.list = int64(counts[0]), f.a.next
		f.a.next = f.first.at + f.second.at - f.a.list
		if err := errors.Join(f.queue("forestNoise", f.a.count), f.queue("forestPlace", f.a.count),
			f.queue("forestJoin", n), f.queue("forestSpread", n)); err != nil {
			return nil, err
		}
	}
}
