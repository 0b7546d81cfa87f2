package cuda

import (
	"errors"

	"blossom/gpu/cuda/driver"
)

// order is the order of slots: points that are near the same landmark lie side by side (kernels/order.cu),
// within pages, so that a range of points is a few pages.
type order struct {
	at     room   // 16 bits by slot; none while the slots are points
	fresh  room   // while pages are sorted
	sorted []bool // by page: its slots are not points; nil while there is no order
	due    []bool // by page: it is to be sorted anew
	turns  int    // pages that were in stage A since the last time this was asked for
}

// cached is the neighbours of all points on the card.
type cached struct {
	n       int64 // points
	g, find int   // how many landmarks there are, and how many are found for each point
	ids, d2 driver.Ptr
}

// cached returns them, where they are kept.
func (r *resident) cached() cached { return cached{r.n, r.tables.g, r.find, r.ids.at, r.d2.at} }

func (o *order) rooms() []*room { return []*room{&o.at, &o.fresh} }

// orderFrom is from how many points on they are ordered; fewer are quick anyhow. Tests need fewer.
var orderFrom int64 = 1 << 14

// orderFor is how many turns of stage A pass until the order is made anew: training moves points to other landmarks.
const orderFor = 64

// prepare makes slots points, at first, where there are enough of them.
func (o *order) prepare(e *card, n int64) error {
	if n < orderFrom || o.sorted != nil {
		return nil
	}
	if err := o.at.grow(e.c, e.s, 2*n); err != nil {
		if noMemory(err) {
			return nil // it goes without
		}
		return err
	}
	if err := identity.launch(e, identityParams{n: n, order: o.at.at}, driver.Dim{X: max(1, e.dev.SMs) * 4},
		driver.Dim{X: 256}, 0); err != nil {
		return err
	}
	pages := (n + page - 1) / page
	o.sorted, o.due = make([]bool, pages), make([]bool, pages)
	return nil
}

// drop makes slots points again, for a cache whose content is void. The work that uses the order is done.
func (o *order) drop(c *driver.Context) error {
	err := errors.Join(o.at.free(c), o.fresh.free(c))
	*o = order{}
	return err
}

// stale says that another codebook has come: all pages are to be sorted by it.
func (o *order) stale() {
	for p := range o.due {
		o.due[p] = true
	}
	o.turns = 0
}

// slots returns the slots that the points [from, to) of n are in, and the order to read them with.
func (o *order) slots(n, from, to int64) (first, count int64, at driver.Ptr) {
	if o.sorted != nil {
		any := false
		for p := from >> pageBits; p<<pageBits < to; p++ {
			any = any || o.sorted[p]
		}
		if any {
			first = from &^ (page - 1)
			return first, min(n, (to+page-1)&^(page-1)) - first, o.at.at
		}
	}
	first = from &^ (cacheTile - 1)
	return first, to - first, 0
}

// sort orders the pages that [from, to) covers, if they are not or not any more. It says whether any was:
// their neighbours are then in wrong slots.
func (o *order) sort(e *card, c cached, from, to int64) (bool, error) {
	if o.sorted == nil {
		return false, nil
	}
	first, last := (from+page-1)>>pageBits, to>>pageBits
	if to == c.n {
		last = (to + page - 1) >> pageBits
	}
	if first >= last {
		return false, nil
	}
	if o.turns += int(last - first); o.turns > orderFor*len(o.sorted) {
		o.stale()
	}
	need := false
	for p := first; p < last; p++ {
		need = need || o.due[p] || !o.sorted[p]
	}
	if !need {
		return false, nil
	}
	if err := o.fresh.grow(e.c, e.s, 2*page*(last-first)); err != nil {
		if noMemory(err) {
			return false, nil
		}
		return false, err
	}
	if err := orderPages.launch(e, orderPagesParams{firstPage: first, n: c.n, g: int32(c.g), find: int32(c.find),
		ids: c.ids, d2: c.d2, fresh: o.fresh.at, order: o.at.at}, driver.Dim{X: int(last - first)},
		driver.Dim{X: 1024}, 4*c.g); err != nil {
		return false, err
	}
	for p := first; p < last; p++ {
		o.sorted[p], o.due[p] = true, false
	}
	return true, nil
}

// lists are of the points that a kernel leaves to another one.
type lists struct {
	counts                   room // number of each, and the tickets of the kernels that empty them
	slots, rough, hard, drag room
	// known says, by offset, that the count on the card is 0, for the next that fills the list.
	known [countsBytes]bool
}

const (
	countSlots = 4 * iota // bytes from the start of counts
	countRough
	countHard
	countDrag
	ticketSlots
	ticketHard
	countsBytes
)

func (l *lists) rooms() []*room { return []*room{&l.counts, &l.slots, &l.rough, &l.hard, &l.drag} }

// empty makes the list empty whose count is at offset which (and with countHard that of rough points), if
// the kernel that reads it has not done so.
func (l *lists) empty(s *driver.Stream, which int) error {
	if l.known[which] {
		l.known[which] = false
		return nil
	}
	for _, at := range [...]int{which, ticketOf(which)} {
		if err := s.Set32(l.counts.at+driver.Ptr(at), 0, 1); err != nil {
			return err
		}
	}
	if which == countHard {
		return s.Set32(l.counts.at+countRough, 0, 1)
	}
	return nil
}

// emptied notes that a kernel will have emptied the list by the time that anything else happens.
func (l *lists) emptied(which int) { l.known[which] = true }

func ticketOf(which int) int {
	if which == countHard {
		return ticketHard
	}
	return ticketSlots
}

// prepare makes room for lists of n points, or of a piece.
func (l *lists) prepare(e *card, n int64) error {
	most := 8 * min(n+2*page, pieceMost+2*page)
	for _, x := range []struct {
		room  *room
		bytes int64
	}{{&l.counts, countsBytes}, {&l.slots, most}, {&l.rough, most}, {&l.hard, most}, {&l.drag, most}} {
		if err := x.room.grow(e.c, e.s, x.bytes); err != nil {
			return err
		}
	}
	return nil
}
