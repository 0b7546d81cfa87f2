package linkage

import (
	"context"
	"math/rand/v2"
	"sync/atomic"

	"blossom/model/base/par"
	"blossom/model/base/problem"
)

// Verified is what was looked at to verify a hierarchy.
type Verified struct {
	Pairs int64 `json:"pairs"`
	All   bool  `json:"all"` // every pair was looked at
	Light int64 `json:"light"`
}

// String says what was looked at and found.
func (v Verified) String() string {
	which := "all " + problem.Grouped(v.Pairs) + " pairs of different points"
	if !v.All {
		which = problem.Grouped(v.Pairs) + " pairs at random"
	}
	lighter := "none is"
	if v.Light > 0 {
		lighter = problem.Grouped(v.Light) + " are"
	}
	return "verified: of " + which + " " + lighter + " closer than the tree says"
}

// Up to allPairs points every pair is looked at to verify, of more so many at random.
const (
	allPairs  = 20_000
	somePairs = 100_000_000
)

// Verify looks at pairs in float64, all of up to 20,000 points, and counts those that are lighter than the way through
// the tree: a tree with none is an MST. It does not use anything that the run has found but its tree.
func (r *Clustering) Verify(ctx context.Context, report func(done, total int64)) (Verified, error) {
	p, n := r.p, r.p.n
	pairs := int64(n) * int64(n-1) / 2
	v := Verified{Pairs: pairs, All: n <= allPairs}
	tree, err := r.body.tree(ctx)
	if err != nil {
		return v, err
	}
	links, err := newLinks(ctx, n, tree)
	if err != nil {
		return v, err
	}
	var light, done atomic.Int64
	const rows = 16
	tell := func(some int64) {
		if d := done.Add(some); report != nil {
			report(d, v.Pairs)
		}
	}
	if v.All {
		err := par.On(ctx, r.o.Threads, n, rows, func(_, from, to int) {
			for i := from; i < to && ctx.Err() == nil; i++ {
				for j := i + 1; j < n; j++ {
					if p.weight(int32(i), int32(j)) < links.apart(int32(i), int32(j)) {
						light.Add(1)
					}
				}
				tell(int64(n - 1 - i))
			}
		})
		v.Light = light.Load()
		return v, err
	}
	v.Pairs = somePairs
	const batch = 1 << 14
	err = par.On(ctx, r.o.Threads, somePairs, batch, func(b, from, to int) {
		rng := rand.New(rand.NewPCG(r.o.Seed, uint64(b)))
		for range to - from {
			i, j := int32(rng.IntN(n)), int32(rng.IntN(n-1))
			if j >= i {
				j++
			}
			if p.weight(i, j) < links.apart(i, j) {
				light.Add(1)
			}
		}
		tell(int64(to - from))
	})
	v.Light = light.Load()
	return v, err
}

// Error is a Problem if a pair was lighter.
func (v Verified) Error() error {
	if v.Light == 0 {
		return nil
	}
	return problem.New("", "use --algorithm light for the exact hierarchy", "%s", v)
}
