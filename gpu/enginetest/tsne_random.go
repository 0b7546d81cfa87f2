package enginetest

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"

	"blossom/model/base/matrix"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/tsne"
)

// tsneRandom runs all methods on small inputs with what is hard: duplicates, points on a line, few points, starts on a
// spot. Each is finite and ends by its units. BLOSSOM_MANY says how many, 40 as a rule.
func tsneRandom(s *suite) {
	many, err := strconv.Atoi(os.Getenv("BLOSSOM_MANY"))
	if err != nil {
		many = 40
	}
	ctx := context.Background()
	d, free := s.device()
	defer free()
	for range many {
		n, dims := 1+s.rng.IntN(24), 2+s.rng.IntN(2)
		x := matrix.New(n, 1+s.rng.IntN(4))
		kind := s.rng.IntN(4)
		for i := range n {
			along := float32(s.rng.NormFloat64())
			for c := range x.Cols {
				switch kind {
				case 0: // a cloud
					along = float32(s.rng.NormFloat64())
				case 1: // few places
					along = float32(s.rng.IntN(2))
				case 3: // one place
					along = 7
				}
				x.Row(i)[c] = along // or a line
			}
		}
		o := tsne.DefaultsIn(dims)
		o.Perplexity, o.Until, o.Total, o.Seed = 1+10*s.rng.Float64(), s.rng.IntN(8), 9, s.rng.Uint64()
		p, err := tsne.Affine(ctx, x, o.Perplexity)
		if err != nil {
			s.Fatal(err)
		}
		y, err := tsne.PCAStart(ctx, x, dims, o.Seed)
		if err != nil {
			s.Fatal(err)
		}
		if s.rng.IntN(4) == 0 {
			clear(y)
		}
		for _, m := range append(d.Traits(dims).Methods, tsne.Auto) {
			o.Method = m
			l, err := tsne.Start(ctx, d, p.Sparse(), y, o)
			if err != nil {
				s.Fatal(err)
			}
			got, err := l.Step(ctx, 1000)
			out := embedsom.NewHostTarget(n, dims)
			if err = errors.Join(err, l.Positions(ctx, out)); err != nil {
				s.Fatal(err)
			}
			l.Close()
			if !got.Rest || slices.ContainsFunc(out.Data, func(v float32) bool { return v-v != 0 }) {
				s.Fatalf("%s in %dD, %d points of kind %d, perplexity %g, seed %d: %+v %v", m, dims, n, kind,
					o.Perplexity, o.Seed, got, out.Data)
			}
		}
	}
}
