package landmark

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"blossom/model/base/matrix"
)

// Pool is the points that landmarks begin at: all of a table, or, of one that memory does not hold, those of its rows
// that a beginning may draw (Drawn).
type Pool struct {
	X  matrix.Matrix32
	Of []int32 // which points of all those in X are, ascending; nil: X has all
	N  int     // how many there are, where Of says so
}

// ErrAll is the error of a beginning that would have to look at all points of a pool that has some: too few of these
// are valid, or there are not many more in all.
var ErrAll = errors.New("landmarks begin at all points here")

// MostDrawn is how many points a beginning looks at, at most, of very many.
const MostDrawn = max(pcaRows, plusPlusRows)

// drawing is the stream of random numbers that points are drawn by.
const drawing = 0x5a3b1e

// all is how many points there are.
func (p Pool) all() int {
	if p.Of == nil {
		return p.X.Rows
	}
	return p.N
}

// Drawn are the points, of n, that a beginning of this seed may draw, ascending. They are no more than twice MostDrawn.
func Drawn(n int, seed uint64) []int32 {
	var out []int32
	draws(n, 2*MostDrawn, seed, func(i int) bool {
		out = append(out, int32(i))
		return true
	})
	slices.Sort(out)
	return out
}

// draws calls each with points of n at random, none twice, in tries tries or until it returns false.
func draws(n, tries int, seed uint64, each func(i int) bool) {
	r := rand.New(rand.NewPCG(seed, drawing))
	seen := make([]uint64, (n+63)/64)
	for range tries {
		i := r.IntN(n)
		if seen[i/64]&(1<<(i%64)) != 0 {
			continue
		}
		seen[i/64] |= 1 << (i % 64)
		if !each(i) {
			return
		}
	}
}

// drawn returns limit rows of X that have only finite values, drawn from all, ascending; nil: they were not found soon.
func (p Pool) drawn(ctx context.Context, limit int, seed uint64) ([]int32, error) {
	rows := make([]int32, 0, limit)
	looked := 0
	draws(p.all(), 2*limit, seed, func(i int) bool {
		if looked++; looked%4096 == 0 && ctx.Err() != nil {
			return false
		}
		if p.Of != nil {
			at, there := slices.BinarySearch(p.Of, int32(i))
			if !there {
				return true
			}
			i = at
		}
		if notFinite(p.X.Row(i)) < 0 {
			rows = append(rows, int32(i))
		}
		return len(rows) < limit
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(rows) < limit {
		return nil, nil
	}
	slices.Sort(rows)
	return rows, nil
}
