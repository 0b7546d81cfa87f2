package cpu

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"blossom/gpu/enginetest"
	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// Landmarks much nearer to each other than to the points, as in a map of thousands: few pairs of them say where a point
// lies, and their lines are nearly parallel. The kernels do such points themselves, and agree with the reference.
func TestPointsBetweenCrowdedLandmarks(t *testing.T) {
	ctx := context.Background()
	for dims := 2; dims <= 3; dims++ {
		rng := rand.New(rand.NewPCG(9, uint64(dims)))
		c := enginetest.Case{X: matrix.New(1500, 12), Codebook: matrix.New(40*40, 12), Pos: matrix.New(40*40, dims),
			P: embedsom.Defaults()}
		if dims == 2 {
			c.P.Boost = 6 // the nearest two say nearly all
		}
		for i := range c.X.Data {
			c.X.Data[i] = float32(rng.NormFloat64())
		}
		for i := range c.Codebook.Rows {
			u, v := float64(i%40)-19.5, float64(i/40)-19.5
			for q := range c.Codebook.Cols {
				a := float64(q)
				c.Codebook.Row(i)[q] = float32(0.01*(u*math.Cos(a)+v*math.Sin(a)) + 0.06*math.Sin(u/9+a) +
					0.003*rng.NormFloat64())
			}
			p := c.Pos.Row(i)
			p[0], p[1] = float32(u+0.05*rng.NormFloat64()), float32(v+0.05*rng.NormFloat64())
			if dims == 3 {
				p[2] = float32(4 * math.Sin(u/7) * math.Cos(v/7))
			}
		}
		want, err := embedsom.Embed(ctx, c.X, c.Codebook, c.Pos, c.P)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range Conforming() {
			e, err := NewVariant(name, engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			res, err := e.Load(ctx, c.X)
			if err != nil {
				t.Fatal(err)
			}
			r := res.(*resident)
			l := &landmark.Set{Codebook: c.Codebook, Pos: c.Pos, CodeRev: revision.Next(), PosRev: revision.Next()}
			all, out := engine.Range{From: 0, To: c.X.Rows}, embedsom.NewHostTarget(c.X.Rows, dims)
			if err := r.Neighbours(ctx, l, c.P, all); err != nil {
				t.Fatal(err)
			}
			if err := r.Project(ctx, l, c.P, out, all); err != nil {
				t.Fatal(err)
			}
			left := 0
			for from := 0; from < c.X.Rows; from += 500 {
				left += r.kernel.project(c.X.Data, from, from+500, 10, r.find, c.P.Boost, r.cache, out.Host(),
					&r.scratch[0])
			}
			got := matrix.Matrix32{Rows: c.X.Rows, Cols: dims, Data: out.Host()}
			m := enginetest.Measure(got, want, enginetest.Extent(c.Pos))
			if why := m.Fails(nil); why != "" {
				t.Errorf("%dD %s: %s: %v", dims, name, why, m)
			}
			if plain := name == plainGo.name; plain != (left > c.X.Rows/5) || !plain && left > c.X.Rows/500 {
				t.Errorf("%dD %s: %d of %d points are left to the reference", dims, name, left, c.X.Rows)
			}
			res.Free()
			e.Close()
		}
	}
}
