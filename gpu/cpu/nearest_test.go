package cpu

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"blossom/gpu/enginetest"
	"blossom/model/base/matrix"
	"blossom/model/landmarks/train"
	"blossom/model/work/engine"
)

func TestNearestIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, size := range [][3]int{{500, 16, 256}, {300, 3, 1}, {300, 1, 2}, {100, 39, 1000}, {40, 300, 33},
		{1500, 2, 64}} {
		n, d, g := size[0], size[1], size[2]
		c := enginetest.Blobs(rng, n, d, g, 3, 2)
		copy(c.X.Row(0), c.Codebook.Row(g-1))
		c.X.Row(5)[0] = float32(math.NaN())
		c.X.Row(6)[d-1] = float32(math.Inf(-1))
		c.X.Row(7)[0] = 1e38
		s, err := NewSearch(c.X, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for round := range 3 {
			from := rng.IntN(n / 3)
			if round == 0 {
				from = 0
			}
			out := make([]int32, n-from)
			if err := s.Nearest(context.Background(), c.Codebook, from, n, out); err != nil {
				t.Fatal(err)
			}
			for i, id := range out {
				if want := train.Winner(c.Codebook, c.X.Row(from+i)); int(id) != want {
					t.Fatalf("%v: landmark %d for point %d, want %d", size, id, from+i, want)
				}
			}
			c.Codebook.Data[rng.IntN(len(c.Codebook.Data))] += 1 // in place: it must be noticed
		}
		s.Close()
	}
}

func TestNearestTies(t *testing.T) {
	x := matrix.Matrix32{Rows: 3, Cols: 2, Data: []float32{0, 0, 1, 1, 5, 5}}
	code := matrix.Matrix32{Rows: 5, Cols: 2, Data: []float32{1, 0, 0, 1, 1, 2, 2, 1, 1, 0}}
	s, err := NewSearch(x, engine.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	out := make([]int32, 3)
	if err := s.Nearest(context.Background(), code, 0, 3, out); err != nil {
		t.Fatal(err)
	}
	if out[0] != 0 || out[1] != 0 || out[2] != 2 {
		t.Errorf("ties go to %v, want [0 0 2]", out)
	}
	if s.Nearest(context.Background(), matrix.New(0, 2), 0, 3, out) == nil ||
		s.Nearest(context.Background(), code, 0, 4, out) == nil ||
		s.Nearest(context.Background(), matrix.New(5, 3), 0, 3, out) == nil {
		t.Error("wrong sizes are accepted")
	}
}

// Every way to compute finds the same winners, those of float64: also of points that are as near to two landmarks as
// rounding can tell, of any magnitude, far from 0, and farther from all landmarks than these are from each other.
func TestWinnersOfEveryVariant(t *testing.T) {
	seed := rand.Uint64()
	for _, v := range variants {
		if !v.has() {
			continue
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		for _, size := range []float64{1, 1e-3, 1e-14, 3e10, 1e15, 1e-40, 1e30} {
			for _, shape := range [][3]int{{90, 1, 9}, {90, 2, 40}, {120, 3, 200}, {90, 16, 256}, {50, 33, 130},
				{50, 64, 70}, {50, 1 + rng.IntN(100), 1 + rng.IntN(300)}} {
				n, d, g := shape[0], shape[1], shape[2]
				c := enginetest.CloseCalls(rng, n, d, g, size)
				away := []float32{0, 300, 1e5, 1e7}[rng.IntN(4)] * float32(size)
				together := rng.IntN(2) == 0 // or points alone
				for i := range c.X.Data {
					c.X.Data[i] += away
				}
				for i := range c.Codebook.Data {
					if together {
						c.Codebook.Data[i] += away
					}
				}
				s, err := NewSearch(c.X, engine.Options{Threads: 2})
				if err != nil {
					t.Fatal(err)
				}
				s.variant = v
				out := make([]int32, n)
				if err := s.Nearest(t.Context(), c.Codebook, 0, n, out); err != nil {
					t.Fatal(err)
				}
				s.Close()
				for i, id := range out {
					if want := train.Winner(c.Codebook, c.X.Row(i)); int(id) != want {
						t.Fatalf("%s, %v, size %g: landmark %d for point %d, want %d", v.name, shape, size, id, i, want)
					}
				}
			}
		}
	}
}

// A training searches with the variant that its engine was opened with.
func TestATrainingSearchesWithItsVariant(t *testing.T) {
	for _, name := range Variants() {
		e, err := New(engine.Options{Variant: name})
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Load(t.Context(), matrix.New(3, 2))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Caps().Searcher.Nearest(t.Context(), matrix.New(2, 2), 0, 3, make([]int32, 3)); err != nil {
			t.Fatal(err)
		}
		if got := r.(*resident).nearest.variant.name; got != name {
			t.Errorf("%s searches with %s", name, got)
		}
		r.Free()
		e.Close()
	}
}
