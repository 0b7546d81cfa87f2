package cuda

import (
	"context"
	"slices"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/landmarks/train"
)

var _ train.Summer = (*spread)(nil)

// Sum implements train.Summer: cards share the points. Their sums are exact, and add up to those of one card.
func (s *spread) Sum(ctx context.Context, codebook matrix.Matrix32, from, to int, bmu []int32, largest []float32,
	sums []exact.Sum, counts []int64) error {
	n, k := to-from, len(s.all)
	if n < k*sumLeast {
		return s.resident.Sum(ctx, codebook, from, to, bmu, largest, sums, counts)
	}
	all, err := s.trainers()
	if err != nil {
		return err
	}
	d := all[0].d
	for _, t := range all { // one that refuses has no other work for nothing
		if err := t.checkSum(codebook, from, to, bmu, largest, sums, counts); err != nil {
			return err
		}
	}
	parts := make([][]fixed, k)
	err = each(all, func(i int, t *trainer) (err error) {
		low, high := n*i/k, n*(i+1)/k
		var near []int32
		if bmu != nil {
			near = bmu[low:high]
		}
		parts[i], err = t.sumShare(ctx, codebook, int64(from+low), int64(from+high), near, largest[:d])
		return s.all[i].failed(err)
	})
	if err != nil {
		return err
	}
	fixedSums{largest[:d], sums, counts}.add(slices.Concat(parts...))
	return nil
}

// sumLeast is how many points a card sums, at least. Tests need less.
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
