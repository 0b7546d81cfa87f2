package cuda

import (
	"errors"
	"sort"

	"blossom/gpu/cuda/driver"
)

const stepTell = "between cards"

// arrangement is how affinities lie on the first card: where those of each slot begin, and a number that rises when
// that changes.
type arrangement struct {
	start  []int64
	number int
}

func (a *arrangement) set(start []int64) {
	if a != nil {
		a.start = start
		a.number++
	}
}

// rowWeight is what moving a point costs beside its affinities, in affinities.
const rowWeight = 32

// share is the rows of card k of so many. Cards have about as much to do.
func (a *arrangement) share(k, cards int) rows {
	n := len(a.start) - 1
	all := a.start[n] + rowWeight*int64(n)
	cut := func(k int) int {
		return sort.Search(n, func(i int) bool {
			return k < cards && (a.start[i]+rowWeight*int64(i))*int64(cards) >= all*int64(k)
		})
	}
	return rows{cut(k), cut(k + 1)}
}

// telling is bytes that a card has made, and where others are to have them.
type telling struct {
	from  driver.Ptr
	bytes int64
	to    func(other *mate) driver.Ptr
}

// alike is what others are to have at the same place of their tree.
func (m *mate) alike(in func(*tree) *room, skip, bytes int64) telling {
	at := func(m *mate) driver.Ptr { return in(&m.tree).at + driver.Ptr(skip) }
	return telling{at(m), bytes, at}
}

// tell has each card do its work, and copy what it has made to the others; what they do from then on follows that.
func (a *abreast) tell(what func(m *mate) []telling, work func(m *mate) error) error {
	if err := a.onEach(func(m *mate) error {
		if err := work(m); err != nil {
			return err
		}
		for _, other := range a.mates {
			if other == m {
				continue
			}
			for _, t := range what(m) {
				if err := m.s.CopyTo(other.e.c, t.to(other), m.e.c, t.from, t.bytes); err != nil {
					return err
				}
			}
		}
		return m.s.Record(m.came)
	}); err != nil {
		return err
	}
	return a.onEach(func(m *mate) error {
		err := a.await(m)
		m.clock.step(stepTell)
		return err
	})
}

// await makes later work of a card follow what others have told last.
func (a *abreast) await(m *mate) error {
	for _, other := range a.mates {
		if other == m {
			continue
		}
		if err := m.s.After(other.came); err != nil {
			return err
		}
	}
	return nil
}

// hand gives other cards what they need of the first, where it has what is new.
func (a *abreast) hand() error {
	if a.phase != alone {
		return nil
	}
	fresh := a.told != a.first.arranged.number
	for k, m := range a.mates {
		m.own = a.first.arranged.share(k, len(a.mates))
		if k == 0 {
			continue
		}
		if err := m.on(func() error { return m.receive(a.first, fresh) }); err != nil {
			return err
		}
	}
	if err := a.first.onCard(func() error {
		for _, m := range a.mates[1:] {
			if err := m.from(a.first, fresh); err != nil {
				return err
			}
		}
		return a.first.s.Record(a.mates[0].came)
	}); err != nil {
		return err
	}
	for _, m := range a.mates[1:] {
		if err := m.on(func() error { return m.s.After(a.mates[0].came) }); err != nil {
			return err
		}
	}
	a.told, a.phase = a.first.arranged.number, handed
	return nil
}

// receive makes room for what comes from the first card. Nothing may be under way.
func (m *mate) receive(first *body, fresh bool) error {
	if err := m.s.Wait(); err != nil {
		return err
	}
	m.looked = false // it was of other places
	if m.tree.ordered = first.tree.ordered; m.tree.ordered {
		if err := m.tree.order.grow(m.e.c, m.s, 4*int64(m.n)); err != nil {
			return err
		}
	}
	if !fresh {
		return nil
	}
	start := m.arranged.start
	m.lead = start[m.own.first]
	edges := 4 * (start[m.own.end] - m.lead)
	return errors.Join(m.start.grow(m.e.c, m.s, 8*int64(m.n+1)), m.column.grow(m.e.c, m.s, edges),
		m.value.grow(m.e.c, m.s, edges))
}

// from copies to the mate what it needs of the first card, by that one's stream.
func (m *mate) from(first *body, fresh bool) error {
	at, n := m.each(), int64(m.n)
	row, many := int64(m.own.first), int64(m.own.len())
	type piece struct {
		to, from    driver.Ptr
		skip, bytes int64 // skip: in both
	}
	all := []piece{{m.y[0].at, first.y[0].at, 0, n * at}, {m.v.at, first.v.at, row * at, many * at},
		{m.gain.at, first.gain.at, row * at, many * at}, {m.held.at, first.held.at, row, many}}
	if m.tree.ordered {
		all = append(all, piece{m.tree.order.at, first.tree.order.at, 0, 4 * n})
	}
	if fresh {
		lead, edges := driver.Ptr(4*m.lead), 4*(m.arranged.start[m.own.end]-m.lead)
		all = append(all, piece{m.start.at, first.start.at, 0, 8 * (n + 1)},
			piece{m.column.at, first.column.at + lead, 0, edges}, piece{m.value.at, first.value.at + lead, 0, edges})
	}
	for _, p := range all {
		skip := driver.Ptr(p.skip)
		if err := first.s.CopyTo(m.e.c, p.to+skip, first.e.c, p.from+skip, p.bytes); err != nil {
			return err
		}
	}
	return nil
}

// home brings velocities and gains to the first card.
func (a *abreast) home() error {
	if a.phase != apiece {
		return nil
	}
	if err := a.first.onCard(func() error { return a.first.s.Record(a.mates[0].came) }); err != nil {
		return err
	}
	for _, m := range a.mates[1:] {
		if err := m.on(func() error {
			if err := m.s.After(a.mates[0].came); err != nil { // which may settle what it will be told
				return err
			}
			at, first := m.each(), a.first
			skip, bytes := driver.Ptr(int64(m.own.first)*at), int64(m.own.len())*at
			return errors.Join(m.s.CopyTo(first.e.c, first.v.at+skip, m.e.c, m.v.at+skip, bytes),
				m.s.CopyTo(first.e.c, first.gain.at+skip, m.e.c, m.gain.at+skip, bytes), m.s.Record(m.came))
		}); err != nil {
			return err
		}
	}
	a.phase, a.first.looked = handed, false
	return a.first.onCard(func() error { return a.await(a.mates[0]) })
}
