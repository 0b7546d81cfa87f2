package glcompute

import (
	"math"
	"math/rand/v2"
	"testing"

	"blossom/gpu/enginetest"
	"blossom/model/base/matrix"
	"blossom/model/landmarks/train"
	"blossom/model/work/engine"
)

func TestNearestIsExact(t *testing.T) {
	e := openEngine(t, engine.Options{})
	defer e.Close()
	rng := rand.New(rand.NewPCG(1, 1))
	for _, size := range [][3]int{{500, 16, 256}, {300, 3, 1}, {300, 1, 2}, {100, 39, 1000}, {40, 300, 33},
		{1500, 2, 64}, {40, 40, 5000}} {
		n, d, g := size[0], size[1], size[2]
		c := enginetest.Blobs(rng, n, d, g, 3, 2)
		copy(c.X.Row(0), c.Codebook.Row(g-1))
		c.X.Row(5)[0] = float32(math.NaN())
		c.X.Row(6)[d-1] = float32(math.Inf(-1))
		c.X.Row(7)[0] = 1e38
		r := load(t, e, c.X)
		for round := range 3 {
			from := rng.IntN(n / 3)
			if round == 0 {
				from = 0
			}
			out := make([]int32, n-from)
			must(t, r.Nearest(ctx, c.Codebook, from, n, out))
			for i, id := range out {
				if want := train.Winner(c.Codebook, c.X.Row(from+i)); int(id) != want {
					t.Fatalf("landmark %d for point %d, want %d", id, from+i, want)
				}
			}
			c.Codebook.Data[rng.IntN(len(c.Codebook.Data))] += 1 // in place: it must be noticed
		}
		r.Free()
	}
}

func TestNearestTies(t *testing.T) {
	e := openEngine(t, engine.Options{})
	defer e.Close()
	r := load(t, e, matrix.Matrix32{Rows: 3, Cols: 2, Data: []float32{0, 0, 1, 1, 5, 5}})
	defer r.Free()
	code := matrix.Matrix32{Rows: 5, Cols: 2, Data: []float32{1, 0, 0, 1, 1, 2, 2, 1, 1, 0}}
	out := make([]int32, 3)
	must(t, r.Nearest(ctx, code, 0, 3, out))
	if out[0] != 0 || out[1] != 0 || out[2] != 2 {
		t.Errorf("ties go to %v, want [0 0 2]", out)
	}
	if r.Nearest(ctx, matrix.New(0, 2), 0, 3, out) == nil || r.Nearest(ctx, code, 0, 4, out) == nil ||
		r.Nearest(ctx, matrix.New(5, 3), 0, 3, out) == nil {
		t.Error("wrong sizes are accepted")
	}
}

// Training and projecting take turns on one resident, with codebooks of other sizes.
func TestNearestLeavesNeighbours(t *testing.T) {
	e := openEngine(t, engine.Options{})
	defer e.Close()
	c := enginetest.Uniform(rand.New(rand.NewPCG(2, 2)), 200, 6, 50, 10, 2)
	all := engine.Range{From: 0, To: 200}
	want, err := enginetest.Embed(e, c, all)
	must(t, err)
	r := load(t, e, c.X)
	defer r.Free()
	out, l := make([]int32, 200), c.Landmarks()
	dst := newTarget(t, 200, 2)
	must(t, r.Nearest(ctx, c.Codebook, 0, 200, out), r.Neighbours(ctx, l, c.P, all))
	other := matrix.Matrix32{Rows: 20, Cols: 6, Data: c.Codebook.Data[:120]}
	must(t, r.Nearest(ctx, other, 0, 200, out), r.Project(ctx, l, c.P, dst, all))
	for i, v := range dst.Data {
		if v != want.Data[i] {
			t.Fatalf("point %d is at %v, want %v", i/2, dst.Data[i/2*2:i/2*2+2], want.Row(i/2))
		}
	}
}

// Points that are as near to two landmarks as rounding can tell have the winner of float64.
func TestNearestOfCloseCalls(t *testing.T) {
	e := openEngine(t, engine.Options{})
	defer e.Close()
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for _, size := range []float64{1, 1e-12, 1e12, 1e30} {
		for _, shape := range [][3]int{{200, 1, 7}, {300, 3, 60}, {200, 16, 200},
			{100, 1 + rng.IntN(70), 1 + rng.IntN(90)}} {
			n, d, g := shape[0], shape[1], shape[2]
			c := enginetest.CloseCalls(rng, n, d, g, size)
			r, out := load(t, e, c.X), make([]int32, n)
			must(t, r.Nearest(ctx, c.Codebook, 0, n, out))
			r.Free()
			for i, id := range out {
				if want := train.Winner(c.Codebook, c.X.Row(i)); int(id) != want {
					t.Fatalf("%d x %d, %g: landmark %d for point %d, want %d", n, d, size, id, i, want)
				}
			}
		}
	}
}
