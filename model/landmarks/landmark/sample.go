package landmark

import (
	"context"
	"math/rand/v2"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
)

// errNoPoints is the answer to a start from data without a single valid point.
func errNoPoints() error {
	return problem.New("", "choose columns that have finite values in the same rows",
		"no point is valid, so there is nothing to start from")
}

// sampleRows returns up to limit rows of x that have only finite values, chosen at random without
// repetition, ascending. All of them if there are no more.
func sampleRows(ctx context.Context, x matrix.Matrix32, limit int, seed uint64) ([]int32, error) {
	r := rand.New(rand.NewPCG(seed, 0x5a3b1e))
	if x.Rows > 4*limit {
		// Draw; look at no more rows than needed.
		seen := make([]uint64, (x.Rows+63)/64)
		rows := make([]int32, 0, limit)
		for tries := 0; tries < 2*limit && len(rows) < limit; tries++ {
			if tries%4096 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			i := r.IntN(x.Rows)
			if seen[i/64]&(1<<(i%64)) != 0 {
				continue
			}
			seen[i/64] |= 1 << (i % 64)
			if notFinite(x.Row(i)) < 0 {
				rows = append(rows, int32(i))
			}
		}
		if len(rows) == limit {
			slices.Sort(rows)
			return rows, nil
		}
		// Most rows are invalid or were drawn twice: look at all of them.
	}
	var rows []int32
	for i := range x.Rows {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if notFinite(x.Row(i)) < 0 {
			rows = append(rows, int32(i))
		}
	}
	if len(rows) > limit {
		for i := range limit {
			j := i + r.IntN(len(rows)-i)
			rows[i], rows[j] = rows[j], rows[i]
		}
		rows = rows[:limit]
		slices.Sort(rows)
	}
	return rows, nil
}
