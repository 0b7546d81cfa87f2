package cuda

import (
	"context"
	"math"

	"blossom/gpu/cuda/driver"
	"blossom/model/maps/umap"
)

// Advance queues the epochs of a batch, of which little is ever under way.
func (b *umapBody) Advance(ctx context.Context, batch umap.Batch) (done int, err error) {
	err = b.onCard(func() error {
		for done < len(batch.Alpha) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if b.n > 0 {
				if err := b.epoch(batch, done); err != nil {
					return err
				}
			}
			done++
			if b.queued += b.g.Edges() * int64(umap.Parts+batch.Negatives); b.queued >= umapStretch*b.w.cores() {
				if err := b.rest(); err != nil {
					return err
				}
			}
		}
		return b.rest()
	})
	return done, err
}

// rest waits for the stretch before the one that ends here.
func (b *umapBody) rest() error {
	if b.queued = 0; b.waiting {
		if err := b.before.Wait(); err != nil {
			return err
		}
	}
	b.waiting = true
	return b.w.s.Record(b.before)
}

// epoch queues one. An error leaves places as they were: sub-steps go from one of the other rooms to the other.
func (b *umapBody) epoch(batch umap.Batch, at int) error {
	from, to, spare := b.y[0], b.y[1], b.y[2]
	p := umapPullParams{n: int32(b.n), loose: b.loose.at, start: b.start.at, column: b.column.at, rate: b.rate.at,
		a: float32(math.Log2(batch.Kernel.A)), b: float32(batch.Kernel.B), alpha: float32(batch.Alpha[at]),
		epoch: uint32(batch.Epoch + at), negatives: uint32(batch.Negatives)}
	grid := driver.Dim{X: blocksOf(b.n, umapThreads/umapLanes)}
	for part := range umap.Parts {
		p.y, p.next, p.part = from.at, to.at, uint32(part)
		p.one, p.two = umap.Keys(batch.Seed, batch.Epoch+at, part)
		if err := enqueue(&b.w, umapPull.in(b.dims), p, grid, umapThreads, 0); err != nil {
			return err
		}
		if from, to = to, from; part == 0 {
			to = spare
		}
	}
	b.y = [3]*room{from, to, b.y[0]}
	return nil
}
