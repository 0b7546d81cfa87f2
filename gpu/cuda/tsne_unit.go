package cuda

import (
	"context"
	"math"

	"blossom/gpu/cuda/driver"
	"blossom/model/maps/tsne"
)

// Advance queues the units of a batch. It waits for the batch before, so that little is ever under way.
func (b *body) Advance(ctx context.Context, batch tsne.Batch) (done int, err error) {
	err = b.onCard(func() error {
		if b.n == 0 {
			done = batch.Units
			return nil
		}
		done, err = b.advance(ctx, batch)
		return err
	})
	return done, err
}

func (b *body) advance(ctx context.Context, batch tsne.Batch) (done int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	b.clock.begin(b, batch.Timed)
	if batch.Renumber {
		if err := b.renumber(ctx); err != nil {
			return 0, err
		}
	}
	if err := b.prepare(batch.Plan, batch.Renew); err != nil {
		return 0, err
	}
	for done < batch.Units {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		if err := b.unit(batch); err != nil {
			return done, err
		}
		done++
		if err := b.settle(batch, done); err != nil {
			return done, err
		}
	}
	return done, b.leave()
}

// leave ends a batch: it waits for the one before.
func (b *body) leave() error {
	if b.waiting {
		if err := b.before.Wait(); err != nil {
			return err
		}
	}
	b.waiting = true
	if err := b.s.Record(b.before); err != nil {
		return err
	}
	return b.clock.end()
}

// settle is what follows the unit of that number of a batch, from 1 on.
func (b *body) settle(batch tsne.Batch, done int) error {
	centre := batch.Centre && done == batch.Units
	if !centre && batch.LeastRadius <= 0 {
		return nil
	}
	if err := b.markMap(); err != nil {
		return err
	}
	p := tsneSettleParams{n: int32(b.n), look: b.mark(markLook), y: b.y[0].at, v: b.v.at, least: batch.LeastRadius}
	if centre {
		p.centre = 1
	}
	if err := queue(b, tsneSettle.in(b.dims), p, min(lookBlocks, blocksOf(b.n, tsneThreads)), tsneThreads,
		0); err != nil {
		return err
	}
	b.looked = false
	b.clock.step(stepCentre)
	return nil
}

// prepare is what a plan needs before its units.
func (b *body) prepare(p tsne.Plan, renew bool) error {
	switch p.Method {
	case tsne.Field:
		return b.field.prepare(b, p.Lattice)
	case tsne.Tree:
		if err := b.tree.reserve(b); err != nil {
			return err
		}
		if renew || !b.tree.ordered {
			return b.tree.renew(b)
		}
	}
	return nil
}

// unit moves all points once.
func (b *body) unit(batch tsne.Batch) error {
	if err := b.repel(batch.Plan, b.mark(markZ)); err != nil {
		return err
	}
	if err := b.move(batch.Plan, motionOf(batch), b.mark(markZ), b.all()); err != nil {
		return err
	}
	b.clock.step(stepMove)
	b.turn()
	return nil
}

// turn makes the fresh places those of now.
func (b *body) turn() {
	b.y[0], b.y[1] = b.y[1], b.y[0]
	b.units, b.looked = true, false
}

// motion is what a unit does with forces: it moves points by them, or writes them down.
type motion struct {
	e, mu, eta float32
	forces     driver.Ptr
}

func motionOf(batch tsne.Batch) motion {
	return motion{e: float32(batch.E), mu: float32(batch.Mu), eta: float32(batch.Eta)}
}

// rows are some that follow each other.
type rows struct{ first, end int }

func (r rows) len() int { return r.end - r.first }

func (b *body) all() rows { return rows{0, b.n} }

// repel finds the repulsion of all points, or of the field its potential, and Z.
func (b *body) repel(p tsne.Plan, z driver.Ptr) error {
	switch p.Method {
	case tsne.Field:
		return b.field.convolve(b, z)
	case tsne.Tree:
		return b.tree.walk(b, p.Theta, z)
	case tsne.Exact:
		err := queue(b, tsneExact.in(b.dims), tsneExactParams{n: int32(b.n), y: b.y[0].at, repulsion: b.repulsion.at,
			partial: b.partial.at, ticket: b.mark(markTicket), z: z}, blocksOf(b.n, 32), tsneThreads, 0)
		b.clock.step(stepWalk)
		return err
	}
	return b.papers.repel(b, p, z)
}

func (b *body) move(p tsne.Plan, m motion, z driver.Ptr, of rows) error {
	if p.Method == tsne.Field {
		return b.field.move(b, m, z, of)
	}
	each, blocks := b.moveRows(of)
	column, value := b.affinities()
	a := tsneMoveParams{n: int32(of.end), y: b.y[0].at, fresh: b.y[1].at, v: b.v.at, gain: b.gain.at, held: b.held.at,
		start: b.start.at, column: column, value: value, repulsion: b.repulsion.at, z: z, e: m.e,
		mu: m.mu, eta: m.eta, forces: m.forces, rows: int32(each), first: int32(of.first)}
	if p.Method != tsne.Exact && p.Method != tsne.Tree {
		a.sums = b.papers.attraction
	}
	return queue(b, tsneMove.in(b.dims), a, blocks, moveThreads, 0)
}

// moveRows is how many rows that follow each other a block moves. No sum is of a block, so that any number will do.
func (b *body) moveRows(of rows) (each, blocks int) {
	const least = moveThreads / tsneLanes
	at := moveWaves * max(1, b.e.dev.SMs) * maxThreads / moveThreads
	each = least * max(1, of.len()/(least*at))
	return each, blocksOf(of.len(), each)
}

// affinities are where kernels find columns and values of all rows, of which the card may have some alone.
func (b *body) affinities() (column, value driver.Ptr) {
	before := driver.Ptr(4 * b.lead)
	return b.column.at - before, b.value.at - before
}

// markMap makes the marks those of the present map.
func (b *body) markMap() error {
	if b.looked {
		return nil
	}
	err := queue(b, tsneLook.in(b.dims), tsneLookParams{n: int32(b.n), y: b.y[0].at, v: b.v.at,
		partial: b.partial.at, ticket: b.mark(markTicket), look: b.mark(markLook)}, min(lookBlocks, blocksOf(b.n,
		tsneThreads)), tsneThreads, 0)
	b.looked = err == nil
	return err
}

// Measure waits for all units.
func (b *body) Measure(ctx context.Context) (m tsne.Measure, err error) {
	if err := ctx.Err(); err != nil {
		return m, err
	}
	err = b.onCard(func() error {
		if b.n == 0 {
			return nil
		}
		if err := b.markMap(); err != nil {
			return err
		}
		v, err := b.readMarks()
		if err != nil {
			return err
		}
		for c := range b.dims {
			m.Lo[c], m.Hi[c] = v[5+c], v[8+c]
		}
		m.Step = rms(v[4], b.n)
		if b.units {
			m.Z = v[markZ/8]
		}
		return nil
	})
	return m, err
}

// Evaluate computes forces at the present positions.
func (b *body) Evaluate(ctx context.Context, p tsne.Plan, out *tsne.Evaluation) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	out.Z, out.KL = 0, b.p.Entropy
	return b.onCard(func() error {
		if b.n == 0 {
			return nil
		}
		if err := b.prepare(p, false); err != nil {
			return err
		}
		floats := 2 * b.n * b.dims
		if err := b.forces.grow(b.e.c, b.s, 4*int64(floats)); err != nil {
			return err
		}
		if err := b.repel(p, b.mark(markZNow)); err != nil {
			return err
		}
		if err := b.move(p, motion{forces: b.forces.at}, b.mark(markZNow), b.all()); err != nil {
			return err
		}
		if err := queue(b, tsneLoss.in(b.dims), tsneLossParams{n: int32(b.n), y: b.y[0].at, start: b.start.at,
			column: b.column.at, value: b.value.at, partial: b.partial.at, ticket: b.mark(markTicket),
			out: b.mark(markLoss)}, min(lookBlocks, blocksOf(b.n, tsneThreads/tsneLanes)), tsneThreads, 0); err != nil {
			return err
		}
		v, err := b.readMarks()
		if err != nil {
			return err
		}
		out.Z = v[markZNow/8]
		if out.KL += v[markLoss/8]; out.Z > 0 {
			out.KL += math.Log(out.Z)
		}
		return b.readForces(out, floats)
	})
}
