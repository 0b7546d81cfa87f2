package cuda

import (
	"context"
	"errors"
	"math/bits"

	"blossom/gpu/cuda/driver"
	"blossom/model/clusters/linkage"
)

// Nearest implements linkage.Holding, with the kernels of nearest.cu.
func (h *holding) Nearest(ctx context.Context, q linkage.Query, ids []int32, scores []float32) error {
	return h.onCard(func() error {
		left, err := h.memoryLeft()
		if err != nil {
			return err
		}
		some := h.some(q.K, left)
		if q.Label != nil {
			if err := h.grow(&h.label, 4*int64(h.l.Blocks*side)); err != nil {
				return err
			}
			if err := send(&h.work, h.label.at, q.Label); err != nil {
				return err
			}
		}
		if q.Rows != nil {
			return h.gathered(ctx, q, some, ids, scores)
		}
		for from := 0; from < len(q.Blocks); from += some {
			to := min(len(q.Blocks), from+some)
			at, end := from*side*q.K, to*side*q.K
			if err := h.near(ctx, q, q.Blocks[from:to], nil, ids[at:end], scores[at:end]); err != nil {
				return err
			}
			for i, b := range q.Blocks[from:to] { // the last block may have places beyond the last point
				for r := max(0, h.l.N-int(b)*side); r < side; r++ {
					for j := range q.K {
						ids[at+(i*side+r)*q.K+j] = -1
					}
				}
			}
		}
		return nil
	})
}

// some is how many panels of rows are looked for at a time.
func (h *holding) some(k int, left int64) int {
	each := side * (8*int64(listRoom(k)) + 8*int64(k) + 4*int64(h.l.D) + 16 + aboutMost)
	return int(max(1, min(panelsAtATime*h.work.cores(), left/2/each)))
}

// Abreast implements linkage.Holding.
func (h *holding) Abreast() int { return int(panelsAtATime * h.work.cores()) }

// gathered is Nearest for some rows of blocks: they are put side by side.
func (h *holding) gathered(ctx context.Context, q linkage.Query, some int, ids []int32, scores []float32) error {
	var places, at []int32 // rows by their places in the layout, and by those in the query
	for i, b := range q.Blocks {
		for mask := q.Rows[i]; mask != 0; mask &= mask - 1 {
			r := bits.TrailingZeros64(mask)
			if u := int(b)*side + r; u < h.l.N {
				places, at = append(places, int32(u)), append(at, int32(i*side+r))
			}
		}
	}
	k := q.K
	found, found32 := make([]int32, some*side*k), make([]float32, some*side*k)
	for len(places) > 0 {
		n := min(len(places), some*side)
		panels := blocksOf(n, side)
		names := make([]int32, panels*side)
		for i := range names {
			names[i] = -2
		}
		copy(names, places[:n])
		if err := h.near(ctx, q, make([]int32, panels), names, found[:panels*side*k],
			found32[:panels*side*k]); err != nil {
			return err
		}
		for i, to := range at[:n] {
			copy(ids[int(to)*k:int(to+1)*k], found[i*k:])
			copy(scores[int(to)*k:int(to+1)*k], found32[i*k:])
		}
		places, at = places[n:], at[n:]
	}
	return nil
}

func (h *holding) grow(r *room, bytes int64) error { return r.grow(h.e.c, h.work.s, bytes) }

// near looks for the nearest of blocks, as many as fill the card; names: of these places, side by side.
func (h *holding) near(ctx context.Context, q linkage.Query, blocks, names []int32, ids []int32,
	scores []float32) error {
	if err := h.find(ctx, q, blocks, names); err != nil {
		return err
	}
	return errors.Join(fetch(&h.work, ids, h.ids.at), fetch(&h.work, scores, h.scores.at))
}

// find is near, whose answer stays on the card.
func (h *holding) find(ctx context.Context, q linkage.Query, blocks, names []int32) error {
	n, k, room := len(blocks), q.K, listRoom(q.K)
	rows := int64(n * side)
	if err := errors.Join(h.grow(&h.asked, 4*rows), h.grow(&h.entries, 8*rows*int64(room)),
		h.grow(&h.sizes, 4*rows), h.grow(&h.limits, 4*rows), h.grow(&h.ids, 4*rows*int64(k)),
		h.grow(&h.scores, 4*rows*int64(k))); err != nil {
		return err
	}
	p := nearestSweepParams{rows: h.packed.at, panelOf: h.asked.at, length: h.length.at, d: int32(h.l.D),
		panels: h.packed.at, half: h.half.at, longest: h.longest.at, count: int64(h.l.Blocks), k: int32(k),
		cap: int32(room), begin: 1, entries: h.entries.at, counts: h.sizes.at, limits: h.limits.at}
	if q.Label != nil {
		p.label = h.label.at
	}
	if names == nil {
		if err := send(&h.work, h.asked.at, blocks); err != nil {
			return err
		}
	} else if err := errors.Join(h.grow(&h.beside, 4*rows*int64(h.l.D)), send(&h.work, h.asked.at, names),
		enqueue(&h.work, nearestGather, nearestGatherParams{panels: h.packed.at, d: int32(h.l.D), self: h.asked.at,
			to: h.beside.at}, driver.Dim{X: n}, side, 0)); err != nil {
		return err
	} else {
		p.rows, p.panelOf, p.self = h.beside.at, 0, h.asked.at
	}
	if q.Published && !q.Local && names == nil {
		if did, err := h.published(ctx, q, n); did || err != nil {
			return err
		}
	}
	if q.Local && names == nil {
		if err := h.about(n, &p); err != nil {
			return err
		}
	}
	kernel := nearestScores
	if h.l.Metric == linkage.L1 {
		kernel = nearestCity
	}
	share := min(int64(n), h.work.cores())
	step := max(1, share*stretch/(int64(n)*side*side*max(1, int64(h.l.D))))
	for ; p.from < p.count; p.from = p.to {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.to = min(p.count, p.from+step)
		if err := enqueue(&h.work, kernel, p, driver.Dim{X: n}, sweepThreads, 0); err != nil {
			return err
		}
		if err := h.work.s.Wait(); err != nil {
			return err
		}
		p.begin = 0
	}
	return enqueue(&h.work, nearestRank, nearestRankParams{rows: rows, k: int32(k), cap: int32(room),
		entries: h.entries.at, counts: h.sizes.at, ids: h.ids.at, scores: h.scores.at},
		driver.Dim{X: blocksOf(int(rows), 4)}, 128, 0)
}

// about has the rows of n blocks look through these and the blocks about them alone.
func (h *holding) about(n int, p *nearestSweepParams) error {
	each := min(aboutMost, h.l.Blocks)
	if err := errors.Join(h.grow(&h.start, int64(16*n)), h.grow(&h.list, int64(4*n*each))); err != nil {
		return err
	}
	parts := make([]int64, 0, 2*n)
	for i := range n {
		parts = append(parts, int64(i*each), int64((i+1)*each))
	}
	if err := send(&h.work, h.start.at, parts); err != nil {
		return err
	}
	was := h.a.block
	h.a.block, h.a.about, h.a.window = h.asked.at, h.list.at, int32(each)
	err := h.queue(lightAbout, driver.Dim{X: n}, lightThreads)
	h.a.block = was
	p.start, p.list, p.count = h.start.at, h.list.at, int64(each)
	return err
}
