package cpu

import (
	"context"
	"math"
	"time"

	"blossom/model/maps/tsne"
)

func (b *tsneBody) Advance(ctx context.Context, batch tsne.Batch) (done int, err error) {
	if b.n == 0 {
		return batch.Units, ctx.Err()
	}
	if batch.Renumber || batch.Renew && batch.Plan.Method == tsne.Tree {
		b.follow()
		if batch.Renumber {
			b.renumber()
		}
	}
	if err := b.use(batch.Plan); err != nil {
		return 0, err
	}
	b.timed, b.since = batch.Timed, time.Now()
	defer func() { b.timed = nil }()
	b.push.e, b.push.mu, b.push.eta = float32(batch.E), float32(batch.Mu), float32(batch.Eta)
	for done < batch.Units {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		b.unit(batch.LeastRadius)
		done++
	}
	if batch.Centre {
		b.centre()
	}
	return done, nil
}

// use takes a plan.
func (b *tsneBody) use(p tsne.Plan) (err error) {
	b.theta2 = float32(p.Theta * p.Theta)
	b.push.bound = 0
	if p.Method == tsne.Field {
		lo, hi := p.Lattice.Box()
		for c := range lo {
			b.push.lo[c], b.push.hi[c] = float32(lo[c]), float32(hi[c])
		}
		b.push.bound = 1
		err = b.lay(p.Lattice)
	}
	if p.Method == tsne.Tree && !b.curved {
		b.follow()
	}
	b.plan = p
	return err
}

// unit moves all points once.
func (b *tsneBody) unit(least float64) {
	b.z = b.repel()
	b.push.over = 0
	if b.z > 0 {
		b.push.over = float32(1 / b.z)
	}
	b.run(slotBlock, b.n, func(_, from, to int) { b.k.attract(from, to) })
	b.lap("attraction")
	b.run(slotBlock, b.n, func(_, from, to int) {
		b.parts[from/slotBlock] = moved{}
		b.k.push(&b.push, from, to, &b.parts[from/slotBlock])
	})
	b.y, b.next = b.next, b.y
	b.k.bind(&b.swarm)
	m := b.gather()
	if rms := math.Sqrt(m.y2 / float64(b.n)); rms < least && rms > 0 {
		b.enlarge(float32(least / rms))
	}
	b.lap("movement")
}

// lap says what the step of a unit took that ends here.
func (b *tsneBody) lap(step string) {
	if b.timed != nil {
		now := time.Now()
		b.timed(step, now.Sub(b.since))
		b.since = now
	}
}

// repel computes R_i and returns Z.
func (b *tsneBody) repel() float64 {
	switch b.plan.Method {
	case tsne.Field:
		z := b.charge()
		b.run(slotBlock, b.n, func(_, from, to int) { b.k.interpolate(&b.grid, from, to) })
		b.lap("interpolate")
		return z
	case tsne.Tree:
		b.build()
		b.lap("build")
		groups := (b.n + groupPoints - 1) / groupPoints
		b.run(1, groups, func(_, g, _ int) { b.sums[g] = b.k.walk(b.theta2, g) })
		b.lap("walk")
		return pairwise(b.sums[:groups])
	}
	b.flatten(false)
	b.run(groupPoints, b.n, func(_, from, to int) { b.sums[from/groupPoints] = b.k.exact(from, to) })
	b.lap("pairs")
	return pairwise(b.sums[:(b.n+groupPoints-1)/groupPoints])
}

// gather adds up how blocks moved, and sees how the map lies.
func (b *tsneBody) gather() moved {
	m := b.parts[0]
	for _, p := range b.parts[1:] {
		for c := range m.lo {
			m.lo[c], m.hi[c] = min(m.lo[c], p.lo[c]), max(m.hi[c], p.hi[c])
			m.y[c] += p.y[c]
		}
		m.v2 += p.v2
		m.y2 += p.y2
	}
	b.last = tsne.Measure{Step: math.Sqrt(m.v2 / float64(b.n)), Z: b.z}
	for c := range b.dims {
		b.last.Lo[c], b.last.Hi[c] = float64(m.lo[c]), float64(m.hi[c])
	}
	b.fresh = true
	return m
}

// enlarge scales the map up.
func (b *tsneBody) enlarge(f float32) {
	for c := range b.n * b.stride {
		b.y[c] *= f
		b.v[c] *= f
	}
	for c := range b.dims {
		b.last.Lo[c] *= float64(f)
		b.last.Hi[c] *= float64(f)
	}
	b.last.Step *= float64(f)
	for i := range b.parts {
		for c := range b.dims {
			b.parts[i].y[c] *= float64(f)
		}
	}
}

// centre takes the mean away, which the last unit has added up.
func (b *tsneBody) centre() {
	var mean [3]float32
	for c := range b.dims {
		sum := 0.0
		for _, p := range b.parts {
			sum += p.y[c]
		}
		mean[c] = float32(sum / float64(b.n))
	}
	for i := range b.n {
		for c := range b.dims {
			b.y[i*b.stride+c] -= mean[c]
		}
	}
	b.fresh = false
}

func (b *tsneBody) Measure(ctx context.Context) (tsne.Measure, error) {
	if b.fresh || b.n == 0 {
		return b.last, ctx.Err()
	}
	m := tsne.Measure{Step: b.last.Step, Z: b.z}
	for c := range b.dims {
		m.Lo[c], m.Hi[c] = math.Inf(1), math.Inf(-1)
		for i := range b.n {
			v := float64(b.y[i*b.stride+c])
			m.Lo[c], m.Hi[c] = min(m.Lo[c], v), max(m.Hi[c], v)
		}
	}
	b.last, b.fresh = m, true
	return m, ctx.Err()
}

func (b *tsneBody) Evaluate(ctx context.Context, p tsne.Plan, out *tsne.Evaluation) error {
	if out.Z, out.KL = 0, 0; b.n < 2 {
		return ctx.Err()
	}
	if err := b.use(p); err != nil {
		return err
	}
	out.Z = b.repel()
	if out.Repulsion != nil {
		b.rows(b.rep, out.Repulsion)
	}
	if out.Attraction != nil {
		b.run(slotBlock, b.n, func(_, from, to int) { b.k.attract(from, to) })
		b.rows(b.att, out.Attraction)
	}
	b.run(slotBlock, b.n, func(_, from, to int) { b.sums[from/slotBlock] = b.k.divergence(from, to) })
	out.KL = b.p.Entropy + pairwise(b.sums[:len(b.parts)])
	if out.Z > 0 {
		out.KL += math.Log(out.Z)
	}
	return ctx.Err()
}

// rows writes an array of slots in order of rows.
func (b *tsneBody) rows(from, to []float32) {
	for i, row := range b.slots {
		copy(to[int(row)*b.dims:(int(row)+1)*b.dims], from[i*b.stride:])
	}
}

// pairwise adds numbers in an order that their count determines.
func pairwise(v []float64) float64 {
	if len(v) <= 8 {
		sum := 0.0
		for _, x := range v {
			sum += x
		}
		return sum
	}
	return pairwise(v[:len(v)/2]) + pairwise(v[len(v)/2:])
}
