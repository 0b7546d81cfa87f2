package cuda

import (
	"context"
	"errors"
	"slices"
	"unsafe"

	"blossom/model/base/matrix"
	"blossom/model/landmarks/train"
)

var _ train.Summer = (*spread)(nil)

// Sum implements train.Summer: cards share each piece of points, whose columns have one unit on all of them, that of
// the largest magnitude on any; so that their sums, which are integers, add up to those of one card.
func (s *spread) Sum(ctx context.Context, codebook matrix.Matrix32, from, to int, bmu []int32, sums []float64,
	counts []int64) error {
	if to-from < 2*sumLeast {
		return s.resident.Sum(ctx, codebook, from, to, bmu, sums, counts)
	}
	all, err := s.trainers()
	if err != nil {
		return err
	}
	g, one := codebook.Rows, all[0]
	if err := one.checkSum(codebook, from, to, bmu, sums, counts); err != nil {
		return err
	}
	more, number := make([]float64, g*one.d), make([]int64, g) // a failure must leave no part behind
	copy(more, sums)
	copy(number, counts)
	for low := int64(from); low < int64(to); low += one.piece {
		high := min(int64(to), low+one.piece)
		var near []int32
		if bmu != nil {
			near = bmu[low-int64(from) : high-int64(from)]
		}
		w := together{s: s, ctx: ctx, all: all, from: low, to: high}
		if err := w.sum(codebook, near, more, number); err != nil {
			return err
		}
	}
	copy(sums, more)
	copy(counts, number)
	return nil
}

// sumLeast is how many points of a piece a card sums, at least. Tests need less.
var sumLeast = 1 << 14

func (s *spread) trainers() ([]*trainer, error) {
	all := make([]*trainer, len(s.all))
	for i, r := range s.all {
		var err error
		if all[i], err = r.training(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// together is a piece that cards share.
type together struct {
	s        *spread
	ctx      context.Context
	all      []*trainer
	from, to int64
}

// onEach works on all cards side by side.
func (w *together) onEach(g int, work func(i int, t *trainer) error) error {
	return each(w.all, func(i int, t *trainer) error {
		leave, err := t.c.Enter()
		if err != nil {
			return w.s.all[i].failed(err)
		}
		defer leave()
		return w.s.all[i].failed(t.fits(g, work(i, t)))
	})
}

func (w *together) sum(codebook matrix.Matrix32, bmu []int32, sums []float64, counts []int64) error {
	g, n := codebook.Rows, w.to-w.from
	begun := make([]piece, len(w.all))
	largest := make([][]uint32, len(w.all))
	err := w.onEach(g, func(i int, t *trainer) error {
		if err := t.sendCodebook(codebook); err != nil {
			return err
		}
		k := int64(len(w.all))
		p, err := t.beginPiece(w.ctx, g, w.from+n*int64(i)/k, w.from+n*int64(i+1)/k)
		if err != nil {
			return err
		}
		begun[i] = p
		if err := t.read(p.largest, 4*int64(t.d)); err != nil {
			return err
		}
		largest[i] = slices.Clone(unsafe.Slice((*uint32)(t.host.at), t.d))
		return nil
	})
	if err != nil {
		return err
	}
	most := largest[0]
	for _, of := range largest[1:] {
		for c, bits := range of {
			most[c] = max(most[c], bits) // as the numbers are ordered, which are not negative
		}
	}
	words := make([][]int64, len(w.all))
	err = w.onEach(g, func(i int, t *trainer) error {
		p := begun[i]
		if err := errors.Join(t.s.ToDevice(p.largest, unsafe.Pointer(&most[0]), 4*int64(t.d)),
			t.endPiece(w.ctx, p)); err != nil {
			return err
		}
		if bmu != nil {
			if err := t.readNearest(bmu[p.from-w.from : p.to-w.from]); err != nil {
				return err
			}
		}
		got, _, err := t.readSums(p)
		words[i] = slices.Clone(got)
		return err
	})
	if err != nil {
		return err
	}
	for _, of := range words[1:] {
		for i, v := range of {
			words[0][i] += v
		}
	}
	addFixed(begun[0].cells, words[0], most, sums, counts)
	return nil
}
