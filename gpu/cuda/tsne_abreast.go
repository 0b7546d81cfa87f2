package cuda

import (
	"context"
	"errors"

	"blossom/gpu/cuda/driver"
	"blossom/model/maps/places"
	"blossom/model/maps/tsne"
)

// abreast is a map on several cards. Each has the places of all points, finds the field or the tree of all, and moves
// some of the rows, of which it then tells the others: what becomes of a row depends on nobody's share, so that the map
// is that of one card, to the bit. The first card has all affinities, and does alone what is not a unit.
type abreast struct {
	first *body
	mates []*mate // by card, the first's too
	phase abreastPhase
	told  int // the arrangement of affinities that others have
}

// mate is a map on one of the cards. But for the first's it has affinities, velocities and gains of its own rows alone.
type mate struct {
	*body
	number int
	own    rows
	came   *driver.Event // it has told others what they need
}

// abreastPhase says who has velocities and gains.
type abreastPhase int

const (
	alone  abreastPhase = iota // the first card; places, too
	handed                     // the first card, and each those of its rows
	apiece                     // each those of its rows
)

var _ tsne.Body = (*abreast)(nil)

// abreastLeast is how many points a map has, at least, that cards share: with fewer, telling each other takes as long
// as what is saved. Tests need less.
var abreastLeast = 500_000

// abreast shares a map with the cards beside its own that have room for it. It has the map from then on.
func (b *body) abreast() (tsne.Body, error) {
	a := &abreast{first: b, mates: []*mate{{body: b}}}
	err := a.invite()
	if len(a.mates) == 1 && err == nil {
		b.arranged = nil
		return b, nil
	}
	for _, m := range a.mates {
		err = errors.Join(err, m.on(func() (err error) {
			m.came, err = m.e.c.NewEvent()
			for _, other := range a.mates {
				if other != m {
					m.e.c.Reach(other.e.c)
				}
			}
			return err
		}))
	}
	if err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// invite opens the map on other cards.
func (a *abreast) invite() error {
	cards := int64(1 + len(a.first.e.beside))
	edges := a.first.p.Edges()/cards + a.first.p.Edges()/16
	for _, e := range a.first.e.beside {
		if !alikeDevices(e.dev, a.first.e.dev) {
			continue // the lattice, and the order of sums of Z, are planned for the first
		}
		m := &mate{body: e.newBody(a.first.n, a.first.dims), number: len(a.mates)}
		m.arranged = a.first.arranged
		lacks := false
		err := m.on(func() error {
			need, left, err := m.memory(edges)
			if lacks = need > left; lacks || err != nil {
				return err
			}
			return m.open(edges)
		})
		switch {
		case lacks || noMemory(err): // the map goes on without it
			m.leave()
		case err != nil:
			m.leave()
			return err
		default:
			a.mates = append(a.mates, m)
		}
	}
	return nil
}

// alikeDevices says whether kernels are launched in the same way on two cards.
func alikeDevices(a, b driver.Device) bool {
	return a.Major == b.Major && a.Minor == b.Minor && a.SharedBlock == b.SharedBlock
}

// on works on the mate's card.
func (m *mate) on(work func() error) error { return m.onCard(work) }

// Close gives the memory of all cards back.
func (a *abreast) Close() {
	for _, m := range a.mates { // which may be copying into each other's
		if leave, err := m.e.c.Enter(); err == nil {
			_ = m.s.Wait()
			leave()
		}
	}
	for _, m := range a.mates {
		m.leave()
	}
}

// leave gives the mate's memory back.
func (m *mate) leave() {
	if leave, err := m.e.c.Enter(); err == nil {
		if m.came != nil {
			_ = m.came.Destroy()
		}
		leave()
	}
	m.body.Close()
}

// Advance is units on all cards, where the method is one whose work they can share.
func (a *abreast) Advance(ctx context.Context, batch tsne.Batch) (done int, err error) {
	shared := len(a.mates) > 1 && (batch.Plan.Method == tsne.Field || batch.Plan.Method == tsne.Tree)
	if !shared || batch.Renumber {
		if err := a.home(); err != nil {
			return 0, err
		}
		a.phase = alone
	}
	if !shared {
		return a.first.Advance(ctx, batch)
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if err := a.begin(ctx, &batch); noMemory(err) { // others lack it; the first would say so once more
		if err := a.dismiss(); err != nil {
			return 0, err
		}
		return a.first.Advance(ctx, batch)
	} else if err != nil {
		return 0, err
	}
	a.phase = apiece
	for done < batch.Units {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		if err := a.unit(batch, done+1); err != nil {
			a.first.err = err // some cards have done it, others have not
			return done, err
		}
		done++
	}
	return done, a.first.onCard(a.first.leave)
}

// begin is what goes before the units of a batch.
func (a *abreast) begin(ctx context.Context, batch *tsne.Batch) error {
	if err := a.first.onCard(func() error {
		a.first.clock.begin(a.first, batch.Timed)
		if !batch.Renumber {
			return nil
		}
		err := a.first.renumber(ctx)
		batch.Renumber = err != nil
		return err
	}); err != nil {
		return err
	}
	if err := a.hand(); err != nil {
		return err
	}
	return a.onEach(func(m *mate) error { return a.ready(m, batch.Plan, batch.Renew) })
}

// ready is what a plan needs before its units; these take no memory.
func (a *abreast) ready(m *mate, p tsne.Plan, renew bool) error {
	if err := m.prepare(p, renew); err != nil {
		return err
	}
	switch {
	case p.Method == tsne.Tree:
		return m.tree.reserveSome(m.body)
	case a.spreadShared(p):
		return m.field.reserveTheirs(m.body, len(a.mates)-1)
	}
	return nil
}

// dismiss leaves the map to the first card.
func (a *abreast) dismiss() error {
	err := a.home()
	for _, m := range a.mates[1:] {
		m.leave()
	}
	a.mates, a.phase = a.mates[:1], alone
	if err != nil {
		a.first.err = err // others had what it lacks
	}
	return err
}

// unit is the unit of that number of a batch.
func (a *abreast) unit(batch tsne.Batch, number int) error {
	if err := a.repel(batch.Plan); err != nil {
		return err
	}
	motion, at := motionOf(batch), a.first.each()
	if err := a.tell(func(m *mate) []telling {
		skip, bytes := driver.Ptr(at*int64(m.own.first)), at*int64(m.own.len())
		return []telling{{m.y[1].at + skip, bytes, func(other *mate) driver.Ptr { return other.y[1].at + skip }}}
	}, func(m *mate) error {
		if m.own.len() == 0 {
			return nil
		}
		err := m.move(batch.Plan, motion, m.mark(markZ), m.own)
		m.clock.step(stepMove)
		return err
	}); err != nil {
		return err
	}
	return a.onEach(func(m *mate) error {
		m.turn()
		return m.settle(batch, number)
	})
}

// repel finds what units need of repulsion, which is of all points on each card.
func (a *abreast) repel(p tsne.Plan) error {
	if p.Method == tsne.Field {
		return a.convolve(p)
	}
	blocks, cards, at := blocksOf(a.first.n, walkPoints), len(a.mates), a.first.each()
	share := func(m *mate) rows { return rows{blocks * m.number / cards, blocks * (m.number + 1) / cards} }
	if err := a.tell(func(m *mate) []telling {
		from, end := int64(share(m).first), int64(share(m).end)
		first := from * walkPoints
		return []telling{m.alike(func(t *tree) *room { return &t.along }, at*first,
			at*(min(end*walkPoints, int64(a.first.n))-first)),
			m.alike(func(t *tree) *room { return &t.weights }, 8*from, 8*(end-from))}
	}, func(m *mate) error { return m.tree.walkSome(m.body, p.Theta, share(m)) }); err != nil {
		return err
	}
	return a.onEach(func(m *mate) error { return m.tree.join(m.body, blocks, m.mark(markZ)) })
}

// spreadShared says whether cards tell each other charges: a lattice is less than what spreading all points takes.
func (a *abreast) spreadShared(p tsne.Plan) bool {
	return p.Method == tsne.Field && a.first.n >= spreadNodes*p.Lattice.N*p.Lattice.N
}

// spreadNodes is how many points there are for a node of the lattice, at least, where cards share the spreading. Tests
// need less.
var spreadNodes = 4

// convolve finds the field on each card.
func (a *abreast) convolve(p tsne.Plan) error {
	if !a.spreadShared(p) {
		return a.onEach(func(m *mate) error { return m.field.convolve(m.body, m.mark(markZ)) })
	}
	others := len(a.mates) - 1
	if err := a.tell(func(m *mate) []telling {
		bytes := m.field.latticeBytes()
		return []telling{{from: m.field.charges.at, bytes: bytes, to: func(other *mate) driver.Ptr {
			place := m.number // among those that are not other
			if m.number > other.number {
				place--
			}
			return other.field.theirs.at + driver.Ptr(int64(place)*bytes)
		}}}
	}, func(m *mate) error { return m.field.spread(m.body, m.own) }); err != nil {
		return err
	}
	return a.onEach(func(m *mate) error {
		if err := m.field.add(m.body, others); err != nil {
			return err
		}
		return m.field.transform(m.body, m.mark(markZ))
	})
}

// onEach queues work on each card.
func (a *abreast) onEach(work func(m *mate) error) error {
	for _, m := range a.mates {
		if err := m.on(func() error { return work(m) }); err != nil {
			return err
		}
	}
	return nil
}

// athome does what only the first card does, and leaves all as it is.
func (a *abreast) athome(work func() error) error {
	if err := a.home(); err != nil {
		return err
	}
	return work()
}

// change does what changes the map on the first card.
func (a *abreast) change(work func() error) error {
	return a.athome(func() error {
		a.phase = alone
		return work()
	})
}

// Load implements tsne.Body.
func (a *abreast) Load(ctx context.Context, s *tsne.State) error {
	return a.change(func() error { return a.first.Load(ctx, s) })
}

// Save implements tsne.Body.
func (a *abreast) Save(ctx context.Context, s *tsne.State) error {
	return a.athome(func() error { return a.first.Save(ctx, s) })
}

// Swap implements tsne.Body.
func (a *abreast) Swap(ctx context.Context, p *tsne.Sparse) error {
	return a.change(func() error { return a.first.Swap(ctx, p) })
}

// Measure implements tsne.Body.
func (a *abreast) Measure(ctx context.Context) (m tsne.Measure, err error) {
	err = a.athome(func() error {
		m, err = a.first.Measure(ctx)
		return err
	})
	return m, err
}

// Evaluate implements tsne.Body. It may put the first card's points in an order, which others are to have then.
func (a *abreast) Evaluate(ctx context.Context, p tsne.Plan, out *tsne.Evaluation) error {
	return a.change(func() error { return a.first.Evaluate(ctx, p, out) })
}

// Hold implements tsne.Body.
func (a *abreast) Hold(ctx context.Context, ids []int32, places []float32) error {
	return a.change(func() error { return a.first.Hold(ctx, ids, places) })
}

// Release implements tsne.Body.
func (a *abreast) Release(ctx context.Context, ids []int32) error {
	return a.change(func() error { return a.first.Release(ctx, ids) })
}

// Positions implements tsne.Body: the first card knows all places at any time.
func (a *abreast) Positions(ctx context.Context, dst places.Target) error {
	return a.first.Positions(ctx, dst)
}
