package glcompute

import (
	"blossom/model/base/matrix"
	"blossom/model/work/engine"
)

// pages are the points and their neighbours on the device, in parts that a kernel can reach as one
// buffer. Each page has a slot of its own; where memory does not allow it, the pages that are left over
// share the last slot.
type pages struct {
	x     matrix.Matrix32
	size  int // points of a page but the last
	count int
	find  int // neighbours a point has room for
	slots []slot
}

// slot holds one page.
type slot struct {
	page   int
	points buffer
	ids    buffer // (find+1)/2 words a point
	deltas buffer // find a point
	sent   engine.Ranges
	near   engine.Ranges // points that have neighbours here; relative to the page, as sent
}

const (
	tile = 32 // points that share a tile of the cache
	// A page is a multiple of pageUnit: so many positions are a multiple of any alignment that OpenGL allows.
	pageUnit  = 64
	pageMost  = 1 << 28 // bytes of the largest buffer of a page
	sendBytes = 1 << 24 // bytes that are sent at a time
)

func newPages(x matrix.Matrix32, block int) pages {
	size := min(block, pageMost) / 4 / max(padded(x.Cols), maxKept) / pageUnit * pageUnit
	return pages{x: x, size: max(size, pageUnit), count: groups(x.Rows, max(size, pageUnit))}
}

// length is the number of points of a page.
func (p *pages) length(page int) int { return min(p.size, p.x.Rows-page*p.size) }

// padded is how many coordinates a point of d has on the device: whole vec4.
func padded(d int) int { return (d + 3) / 4 * 4 }

// bytesPerPoint is what one point takes on the device.
func bytesPerPoint(d, find int) (points, neighbours int64) {
	return 4 * int64(padded(d)), 4*int64(find) + 4*int64((find+1)/2)
}

// prepare makes room for find neighbours, within budget bytes; 0: as much as there is. All neighbours
// are forgotten.
func (p *pages) prepare(find int, budget int64) {
	points, neighbours := bytesPerPoint(p.x.Cols, find)
	slots := p.count
	if budget > 0 {
		slots = int(min(int64(slots), budget/(int64(min(p.size, p.x.Rows))*(points+neighbours))))
	}
	slots = max(slots, min(1, p.count))
	for i := range p.slots {
		s := &p.slots[i]
		s.ids.free()
		s.deltas.free()
		s.near.Clear()
		if i >= slots {
			s.points.free()
		}
	}
	p.find = find
	p.slots = p.slots[:min(slots, len(p.slots))]
	for len(p.slots) < slots {
		p.slots = append(p.slots, slot{page: -1})
	}
}

// own says whether a page has a slot of its own.
func (p *pages) own(page int) bool { return page < len(p.slots)-1 || p.count == len(p.slots) }

// slot returns the slot of a page with room for it. Where the device has none left, the slots become
// fewer.
func (p *pages) slot(page int) (*slot, error) {
	for {
		at := min(page, len(p.slots)-1)
		s := &p.slots[at]
		if s.page != page {
			s.page = page
			s.sent.Clear()
			s.near.Clear()
		}
		n := groups(p.length(min(page, at)), tile) * tile // the first page to use a slot is the longest
		if s.points.id == 0 {
			s.sent.Clear()
		}
		if s.deltas.id == 0 || s.ids.id == 0 {
			s.near.Clear()
		}
		err := s.points.room(4*n*padded(p.x.Cols), "memory for points")
		if err == nil {
			err = s.ids.room(4*n*((p.find+1)/2), "memory for neighbours")
		}
		if err == nil {
			err = s.deltas.room(4*n*p.find, "memory for neighbours")
		}
		if err == nil || at == 0 || !isFull(err) {
			return s, err
		}
		s.free()
		p.slots = p.slots[:at]
	}
}

// send makes sure that the points of a batch are in the slot of their page.
func (r *resident) send(s *slot, b batch) error {
	if s.sent.Contains(engine.Range{From: b.from, To: b.to}) {
		return nil
	}
	k, err := r.e.programs.get(variant{name: "arrange"})
	if err != nil {
		return err
	}
	d := r.x.Cols
	rows := max(1, min(b.to-b.from, sendBytes/4/d))
	if err := r.rows.room(4*rows*d, "memory for sending points"); err != nil {
		return err
	}
	for from := b.from; from < b.to; from += rows {
		n := min(rows, b.to-from)
		first := b.page*r.pages.size + from
		write(&r.rows, 0, r.x.Data[first*d:(first+n)*d])
		s.points.bind(0)
		r.rows.bind(2)
		k.use()
		k.int(uFrom, from)
		k.int(uCount, n)
		k.int(uD, d)
		dispatch(groups(n, 128), padded(d)/4)
		visible()
	}
	s.sent.Add(engine.Range{From: b.from, To: b.to})
	return check("sending points")
}

func (s *slot) free() {
	s.points.free()
	s.ids.free()
	s.deltas.free()
	s.sent.Clear()
	s.near.Clear()
	s.page = -1
}

func (p *pages) free() {
	for i := range p.slots {
		p.slots[i].free()
	}
	p.slots = nil
}

// memory returns the bytes in use.
func (p *pages) memory() (points, neighbours int64) {
	for i := range p.slots {
		s := &p.slots[i]
		points += int64(s.points.bytes)
		neighbours += int64(s.ids.bytes) + int64(s.deltas.bytes)
	}
	return points, neighbours
}

// batch is a part of one page.
type batch struct {
	page     int
	from, to int // relative to the page
}

// each cuts a range into batches of at most most points that begin at multiples of a tile where they can.
func (p *pages) each(r engine.Range, most int, do func(batch) error) error {
	for at := r.From; at < r.To; {
		page := at / p.size
		end := min(r.To, (page+1)*p.size, (at/most+1)*most)
		if err := do(batch{page, at - page*p.size, end - page*p.size}); err != nil {
			return err
		}
		at = end
	}
	return nil
}
