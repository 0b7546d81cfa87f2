package cpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/gpu/enginetest"
	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// Where all landmarks have moved, line weights are computed where they are needed, and later in the table of all pairs.
// Nobody can tell: whatever is moved in whatever order, the positions are those of an engine that knows only the last.
func TestLineWeightsAreTheSameWithAndWithoutATable(t *testing.T) {
	ctx := context.Background()
	for _, name := range Conforming() {
		for dims := 2; dims <= 3; dims++ {
			t.Run(fmt.Sprint(name, dims), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(6, uint64(dims)))
				c := enginetest.Blobs(rng, 70, 5, 60, 9, dims)
				copy(c.Codebook.Row(3), c.Codebook.Row(4)) // no line joins them
				e, err := NewVariant(name, engine.Options{Threads: 2})
				if err != nil {
					t.Fatal(err)
				}
				defer e.Close()
				open := func() *resident {
					r, err := e.Load(ctx, c.X)
					if err != nil {
						t.Fatal(err)
					}
					return r.(*resident)
				}
				all := engine.Range{From: 0, To: c.X.Rows}
				project := func(r *resident, l *landmark.Set, p embedsom.Params, dst embedsom.Target) {
					t.Helper()
					if err := r.Neighbours(ctx, l, p, all); err != nil {
						t.Fatal(err)
					}
					if err := r.Project(ctx, l, p, dst, all); err != nil {
						t.Fatal(err)
					}
				}
				long, l, p := open(), *c.Landmarks(), c.P
				defer long.Free()
				got, want := embedsom.NewHostTarget(c.X.Rows, dims), embedsom.NewHostTarget(c.X.Rows, dims)
				flown, tabled := 0, 0
				for step := range 60 {
					l.Pos = l.Pos.Clone()
					l.PosRev = revision.Next()
					switch {
					case step%20 == 7: // a layout has moved all, some to one place
						for i := range l.Pos.Data {
							l.Pos.Data[i] += float32(rng.NormFloat64())
						}
						copy(l.Pos.Row(5), l.Pos.Row(6))
					case step%20 == 13:
						p.Adjust += 0.3
					case step%20 == 17: // training
						l.Codebook = l.Codebook.Clone()
						l.Codebook.Data[8] += 0.1
						l.CodeRev = revision.Next()
					case step%3 == 0: // the hand has moved one
						l.Pos.Row(rng.IntN(60))[0] += 0.5
					}
					project(long, &l, p, got)
					if long.linesOld {
						flown++
					} else {
						tabled++
					}
					fresh := open()
					project(fresh, &l, p, want)
					if !fresh.linesOld {
						t.Fatal("a table is made at once")
					}
					if !slices.Equal(got.Host(), want.Host()) {
						t.Fatalf("step %d: other bits than from the beginning", step)
					}
					fresh.Free()
				}
				if flown < 10 || tabled < 10 {
					t.Fatalf("%d times without a table, %d times with one", flown, tabled)
				}
			})
		}
	}
}
