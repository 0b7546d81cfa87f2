package landmark

import (
	"context"
	"math/rand/v2"
	"slices"

	"blossom/model/base/problem"
)

// errNoPoints is the answer to a start from data without a single valid point.
func errNoPoints() error {
	return problem.New("", "choose columns that have finite values in the same rows",
		"no point is valid, so there is nothing to start from")
}

// sampleRows returns up to limit rows of the table of a pool that have only finite values, chosen at random without
// repetition, ascending. All of them if there are no more.
func sampleRows(ctx context.Context, p Pool, limit int, seed uint64) ([]int32, error) {
	x := p.X
	if p.all() > 4*limit {
		// Draw; look at no more rows than needed.
		rows, err := p.drawn(ctx, limit, seed)
		if err != nil || rows != nil {
			return rows, err
		}
		// Most rows are invalid or were drawn twice: look at all of them.
	}
	if p.Of != nil {
		return nil, ErrAll
	}
	r := rand.New(rand.NewPCG(seed, drawing))
	if x.Rows > 4*limit {
		for range 2 * limit { // as many have been drawn
			r.IntN(x.Rows)
		}
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
