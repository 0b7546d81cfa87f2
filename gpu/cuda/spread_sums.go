package cuda

import (
	"context"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/landmarks/train"
)

var _ train.Summer = (*spread)(nil)

// Sum implements train.Summer: cards share each piece of points. Their sums are exact, and add up to those of one card.
func (s *spread) Sum(ctx context.Context, codebook matrix.Matrix32, from, to int, bmu []int32, largest []float32,
	sums []exact.Sum, counts []int64) error {
	if to-from < 2*sumLeast {
		return s.resident.Sum(ctx, codebook, from, to, bmu, largest, sums, counts)
	}
	all, err := s.trainers()
	if err != nil {
		return err
	}
	one := all[0]
	if err := one.checkSum(codebook, from, to, bmu, largest, sums, counts); err != nil {
		return err
	}
	w := together{s: s, ctx: ctx, all: all}
	return eachPiece(from, to, one.piece, bmu, fixedSums{largest[:one.d], sums, counts}, func(low, high int64,
		near []int32, out fixedSums) error {
		return w.sum(codebook, low, high, near, out)
	})
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

// together is cards that share pieces.
type together struct {
	s   *spread
	ctx context.Context
	all []*trainer
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

// sum adds a piece.
func (w *together) sum(codebook matrix.Matrix32, low, high int64, bmu []int32, out fixedSums) error {
	n, k := high-low, int64(len(w.all))
	parts := make([][]fixed, k)
	err := w.onEach(codebook.Rows, func(i int, t *trainer) (err error) {
		if err := t.sendCodebook(codebook); err != nil {
			return err
		}
		from, to := n*int64(i)/k, n*int64(i+1)/k
		var near []int32
		if bmu != nil {
			near = bmu[from:to]
		}
		parts[i], err = t.sumPiece(w.ctx, codebook.Rows, low+from, low+to, near, out.largest)
		return err
	})
	if err != nil {
		return err
	}
	for _, p := range parts {
		out.add(p)
	}
	return nil
}
