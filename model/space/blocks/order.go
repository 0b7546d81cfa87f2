// Package blocks puts points in an order in which blocks of Size that follow each other are compact: what is far from a
// block's centre is far from all of its points, so that a search rules out blocks instead of points.
package blocks

import (
	"context"
	"math"
	"sync"

	"blossom/model/base/par"
)

// So many points of a part that is split say along which direction, in so many rounds of the power method.
const (
	directionSample = 192
	directionRounds = 5
)

// Size is how many points are in a block; the last may have fewer.
const Size = 64

// Order puts ids into that order: split at the median along the principal direction, and again. row gives the d values
// of an id. The order depends on the points and on that of ids alone, not on the threads. The error is ctx's.
func Order(ctx context.Context, threads, d int, ids []int32, row func(id int32) []float32) error {
	o := &splitter{d: d, free: make(chan struct{}, max(0, threads-1)), spare: make(chan *splitMemory, max(1, threads))}
	o.split(ctx, &within{table: row, d: d, many: len(ids)}, ids, newSplitMemory(d), threads)
	o.wait.Wait()
	return ctx.Err()
}

type splitter struct {
	d    int
	free chan struct{} // threads that are busy beside this one
	wait sync.WaitGroup

	spare chan *splitMemory // memory of threads that are done
}

func (o *splitter) memory() *splitMemory {
	select {
	case m := <-o.spare:
		return m
	default:
		return newSplitMemory(o.d)
	}
}

// splitMemory is what one thread needs.
type splitMemory struct {
	keys         []float32
	sample       []float32
	mean, v, sum []float32
	copies       [][]float32 // coordinates of parts within parts, which one after the other uses
	places       [][]int32
}

func newSplitMemory(d int) *splitMemory {
	return &splitMemory{sample: make([]float32, directionSample*d), mean: make([]float32, d), v: make([]float32, d),
		sum: make([]float32, d)}
}

// within are the values of some points: those of the table, or a copy of them side by side, in which splitting goes
// through the caches rather than through the memory.
type within struct {
	table func(id int32) []float32
	d     int
	copy  []float32 // coordinates of so many points; nil: the table itself
	many  int       // points
	deep  int       // copies of copies
}

func (w *within) row(i int32) []float32 {
	if w.copy == nil {
		return w.table(i)
	}
	return w.copy[int(i)*w.d : int(i+1)*w.d]
}

// copyEach is how much smaller a part is than what it was copied from when it is copied again; copyMost is the most
// values of a copy.
const (
	copyEach = 16
	copyMost = 1 << 23
)

// split puts a part in order. share is how many threads are there for it, of which all but one have nothing to do yet.
func (o *splitter) split(ctx context.Context, w *within, ids []int32, m *splitMemory, share int) {
	for len(ids) > Size && ctx.Err() == nil {
		if len(ids) <= min(w.many/copyEach, copyMost/max(1, o.d)) && len(ids) > 4*Size {
			o.apart(ctx, w, ids, m)
			return
		}
		blocks := par.Count(len(ids), Size)
		half := (blocks + 1) / 2 * Size
		o.direction(w, ids, m)
		if cap(m.keys) < len(ids) {
			m.keys = make([]float32, len(ids))
		}
		keys := m.keys[:len(ids)]
		_ = par.On(ctx, share, len(ids), max(Size, min(1<<14, 1<<20/max(1, o.d))), func(_, from, to int) {
			for i, id := range ids[from:to] {
				keys[from+i] = dot32(w.row(id), m.v)
			}
		})
		halve(keys, ids, half)
		rest := ids[half:]
		ids = ids[:half]
		share /= 2
		theirs := share
		select {
		case o.free <- struct{}{}:
			o.wait.Go(func() {
				m := o.memory()
				o.split(ctx, w, rest, m, theirs)
				select {
				case o.spare <- m:
				default:
				}
				<-o.free
			})
		default:
			o.split(ctx, w, rest, m, 1)
		}
	}
}

// apart splits a copy of a part, on this thread.
func (o *splitter) apart(ctx context.Context, w *within, ids []int32, m *splitMemory) {
	if w.deep == len(m.copies) {
		m.copies, m.places = append(m.copies, nil), append(m.places, nil)
	}
	if cap(m.places[w.deep]) < len(ids) {
		m.copies[w.deep], m.places[w.deep] = make([]float32, len(ids)*o.d), make([]int32, len(ids))
	}
	own := m.places[w.deep][:len(ids)]
	small := &within{d: o.d, copy: m.copies[w.deep][:len(ids)*o.d], many: len(ids), deep: w.deep + 1}
	for i, id := range ids {
		if i%Size == 0 && ctx.Err() != nil {
			return
		}
		copy(small.copy[i*o.d:(i+1)*o.d], w.row(id))
		own[i] = int32(i)
	}
	here := &splitter{d: o.d, free: make(chan struct{})} // nobody takes a part of it
	here.split(ctx, small, own, m, 1)
	for i, at := range own {
		own[i] = ids[at]
	}
	copy(ids, own)
}

// direction writes to m.v the direction in which a sample of the points varies the most, about.
func (o *splitter) direction(w *within, ids []int32, m *splitMemory) {
	d, n := o.d, min(len(ids), directionSample)
	s := m.sample[:n*d]
	clear(m.mean)
	scale := float32(1) / float32(n)
	for i := range n {
		row := w.row(ids[i*len(ids)/n])
		copy(s[i*d:], row)
		for c, v := range row {
			m.mean[c] += v * scale
		}
	}
	far, start := float32(-1), 0
	for i := range n {
		row, sum := s[i*d:i*d+d], float32(0)
		for c := range row {
			row[c] -= m.mean[c]
			sum += row[c] * row[c]
		}
		if sum > far {
			far, start = sum, i
		}
	}
	copy(m.v, s[start*d:start*d+d])
	for range directionRounds {
		if !unit(m.v) {
			clear(m.v)
			m.v[0] = 1 // values beyond float32's squares: any direction is right
			return
		}
		clear(m.sum)
		for i := range n {
			row := s[i*d : i*d+d]
			t := dot32(row, m.v)
			for c, v := range row {
				m.sum[c] += t * v
			}
		}
		copy(m.v, m.sum)
	}
	if !unit(m.v) {
		clear(m.v)
		m.v[0] = 1
	}
}

// unit makes v of length 1; false if it has none that float32 holds.
func unit(v []float32) bool {
	s := 0.0
	for _, x := range v {
		s += float64(x) * float64(x)
	}
	s = math.Sqrt(s)
	if !(s > 0) || math.IsInf(s, 1) {
		return false
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / s)
	}
	return true
}

func dot32(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// halve puts the k smallest keys first, with their ids; a key that is no number counts as large.
func halve(keys []float32, ids []int32, k int) {
	less := func(i, j int) bool { return before(keys[i], ids[i], keys[j], ids[j]) }
	swap := func(i, j int) {
		keys[i], keys[j] = keys[j], keys[i]
		ids[i], ids[j] = ids[j], ids[i]
	}
	lo, hi := 0, len(keys) // keys not in place yet
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2 // the median of three to lo
		if less(mid, lo) {
			swap(mid, lo)
		}
		if less(hi-1, lo) {
			swap(hi-1, lo)
		}
		if less(hi-1, mid) {
			swap(hi-1, mid)
		}
		swap(lo, mid)
		key, id := keys[lo], ids[lo]
		i, j := lo, hi
		for {
			for i++; i < hi && before(keys[i], ids[i], key, id); i++ {
			}
			for j--; before(key, id, keys[j], ids[j]); j-- {
			}
			if i >= j {
				break
			}
			swap(i, j)
		}
		swap(lo, j)
		switch {
		case j == k || j+1 == k:
			return
		case j < k:
			lo = j + 1
		default:
			hi = j
		}
	}
}

// before is a strict order of keys, then ids.
func before(a float32, i int32, b float32, j int32) bool {
	switch {
	case a < b:
		return true
	case a > b:
		return false
	case a == b:
		return i < j
	}
	if nan := a != a; nan != (b != b) {
		return !nan
	}
	return i < j
}
