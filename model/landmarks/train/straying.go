package train

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
)

// straying is a look at points for Strays, on all cores. Nearly all points come to be late by their chances alone: none
// is farther from its landmark than this reaches, so that its distance need not be known.
type straying struct {
	x     matrix.Matrix32
	bmu   []int32
	l     *landmarks
	salt  uint64
	reach []float64 // no squared distance of a point from this landmark is larger

	lock    sync.Mutex
	all     *Strays
	settled atomic.Pointer[Strays] // all, when it was settled last, for reading
}

// look adds points to those that may be drawn. bmu are their landmarks, -1 for invalid ones. The error is ctx's.
func (s *Strays) look(ctx context.Context, x *points, bmu []int32, l *landmarks, salt uint64) error {
	if err := ctx.Err(); err != nil || len(bmu) == 0 {
		return err
	}
	const size, first = 1024, 2 * mostStrays
	q := straying{x: x.Matrix32, bmu: bmu, l: l, salt: salt, reach: l.reaches(x.largest), all: s}
	q.publish()
	begin := 0
	if !s.full { // some points by themselves, so that all cores know what is late
		begin = min(first, len(bmu))
		q.block(0, begin)
		s.settle()
		q.publish()
	}
	err := par.Blocks(ctx, len(bmu)-begin, size, func(_, from, to int) { q.block(begin+from, begin+to) })
	s.prune(2 * mostStrays)
	s.own()
	return err
}

// reaches returns what no squared distance of each landmark from a point exceeds, as distance64 rounds it. largest are
// the largest magnitudes of the columns of points, or more.
func (l *landmarks) reaches(largest []float32) []float64 {
	const size = 64
	out := make([]float64, l.code.Rows)
	_ = par.Blocks(context.Background(), len(out), size, func(_, from, to int) {
		for c := from; c < to; c++ {
			sum := 0.0
			for j, v := range l.code.Row(c) {
				e := float64(largest[j]) + math.Abs(float64(v))
				sum += float64(e * e)
			}
			out[c] = sum * (1 + 0x1p-20) // far more than all roundings, of less than 2^31 columns
		}
	})
	return out
}

// publish lets all cores know what has been settled. The lock is held, or nobody else is there.
func (q *straying) publish() {
	s := q.all
	q.settled.Store(&Strays{list: s.list[:s.settled:s.settled], settled: s.settled, cut: s.cut, full: s.full})
}

// block looks at some points.
func (q *straying) block(from, to int) {
	b := straysOf{straying: q, known: q.settled.Load()}
	limit := math.Inf(1)
	if b.known.full {
		limit = b.known.cut.time * (1 + 0x1p-20)
	}
	d := q.x.Cols
	var u [4]float64
	for i := from; i < to; i += len(u) {
		if n := min(len(u), to-i); n == len(u) {
			fourChances(q.x.Data[i*d:(i+n)*d], d, q.salt, &u)
		} else {
			for k := range n {
				u[k] = chance(q.x.Row(i+k), q.salt)
			}
		}
		for k, v := range u[:min(len(u), to-i)] {
			c := q.bmu[i+k]
			// -log u is no less than 1-u, so the point is late whatever its distance, of all points or of those whose
			// landmarks stay.
			if c < 0 || 1-v > limit*q.reach[c] && (!b.known.cut.pinned || q.l.pin(int(c))) {
				continue
			}
			b.at[b.n], b.u[b.n] = i+k, v
			if b.n++; b.n == len(b.at) {
				b.measure()
			}
		}
	}
	b.measure()
	q.take(b.found)
}

// take adds what a block has found.
func (q *straying) take(found []stray) {
	if len(found) == 0 {
		return
	}
	q.lock.Lock()
	defer q.lock.Unlock()
	for i := range found {
		if q.all.full && found[i].compare(&q.all.cut) >= 0 { // since the block was begun
			continue
		}
		q.all.list = append(q.all.list, found[i])
		if len(q.all.list) > 2*mostStrays {
			q.all.settle()
			q.publish()
		}
	}
}

// straysOf is what is found in a block of points. Some wait until there are enough to be measured together.
type straysOf struct {
	*straying
	known *Strays
	found []stray
	n     int // so many wait
	at    [4]int
	u     [4]float64
}

// measure finds the times of those that wait.
func (b *straysOf) measure() {
	var d2 [4]float64
	if b.n == len(b.at) {
		var x, landmark [4][]float32
		for k, i := range b.at {
			x[k], landmark[k] = b.x.Row(i), b.l.code.Row(int(b.bmu[i]))
		}
		distances64(&x, &landmark, &d2)
	} else {
		for k, i := range b.at[:b.n] {
			d2[k] = distance64(b.x.Row(i), b.l.code.Row(int(b.bmu[i])))
		}
	}
	for k, i := range b.at[:b.n] {
		b.consider(i, d2[k], b.u[k])
	}
	b.n = 0
}

// consider adds a point, if it may be drawn.
func (b *straysOf) consider(i int, d2, u float64) {
	if d2 == 0 {
		return
	}
	pinned, known := b.l.pin(int(b.bmu[i])), b.known
	if known.full && pinned == known.cut.pinned && (1-u)/d2 > known.cut.time { // -log u is no less than 1-u
		return
	}
	p := stray{pinned: pinned, lent: true, time: -math.Log(u) / d2, d2: d2, x: b.x.Row(i)}
	if !known.late(&p) {
		b.found = append(b.found, p)
	}
}
