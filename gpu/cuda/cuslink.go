package cuda

import (
	"context"
	"errors"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/clusters/linkage"
)

// Nearest points as the published system of single linkage finds them: kernels/cuslink.cu.

// selectArgs is SelectArgs there.
type selectArgs struct {
	packed, half, panelOf, label driver.Ptr
	n, d, k                      int32
	from, to, begin, end         int32
	queues, ids, scores          driver.Ptr
}

// selectKernel is the kernel for k neighbours, and its dynamic shared memory: of 64 rows a queue and what is pending.
func selectKernel(k int, metric linkage.Metric) (name string, shared int) {
	const queue = 8 * side * 32
	switch {
	case k == 1:
		name = "cuslinkOne"
	case k <= 32:
		name, shared = "cuslinkFew", 2*queue
	default:
		name, shared = "cuslinkMany", 3*queue
	}
	if metric == linkage.L1 {
		name += "City"
	}
	return name, shared
}

// published looks for the nearest of the blocks that h.asked names, whose answers go to h.ids and h.scores. It does
// nothing where a block of threads has too little shared memory.
func (h *holding) published(ctx context.Context, q linkage.Query, blocks int) (did bool, err error) {
	name, shared := selectKernel(q.K, h.l.Metric)
	f, err := h.e.kernel("cuslink", name)
	if err != nil {
		return false, err
	}
	if q.K > linkage.MostNear || h.e.fits(f, sweepThreads, shared) < 1 {
		return false, nil
	}
	nb := int64(h.l.Blocks)
	a := selectArgs{packed: h.packed.at, half: h.half.at, panelOf: h.asked.at, n: int32(h.l.N), d: int32(h.l.D),
		k: int32(q.K), begin: 1, queues: h.entries.at, ids: h.ids.at, scores: h.scores.at}
	if q.Label != nil {
		a.label = h.label.at
	}
	share := min(int64(blocks), h.work.cores())
	step := max(1, share*stretch/(int64(blocks)*side*side*max(1, int64(h.l.D))))
	for at := int64(0); at < nb; at += step {
		if err := ctx.Err(); err != nil {
			return true, err
		}
		a.from, a.to, a.end = int32(at), int32(min(nb, at+step)), 0
		if at+step >= nb {
			a.end = 1
		}
		h.args.Reset()
		h.args.Struct(unsafe.Pointer(&a))
		if err := errors.Join(h.work.s.Launch(f, driver.Dim{X: blocks}, driver.Dim{X: sweepThreads}, shared, &h.args),
			h.work.s.Wait()); err != nil {
			return true, err
		}
		a.begin = 0
	}
	return true, nil
}
