package cpu

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"blossom/gpu/enginetest"
	"blossom/model/base/matrix"
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
				checkNearest(t, c.X.Row(from+i), c.Codebook, id)
			}
			c.Codebook.Data[rng.IntN(len(c.Codebook.Data))] += 1 // in place: it must be noticed
		}
		s.Close()
	}
}

// checkNearest allows for rounding: no landmark may be nearer by more than 1e-6 of the scale of things.
func checkNearest(t *testing.T, x []float32, codebook matrix.Matrix32, id int32) {
	t.Helper()
	best := int32(-1)
	var dist []float64
	for i := range codebook.Rows {
		var s float64
		for c, l := range codebook.Row(i) {
			v := float64(x[c]) - float64(l)
			s += v * v
		}
		dist = append(dist, s)
		if !math.IsNaN(s) && !math.IsInf(s, 0) && (best < 0 || s < dist[best]) {
			best = int32(i)
		}
	}
	if best < 0 || id < 0 {
		if best != id {
			t.Fatalf("got %d, want %d", id, best)
		}
		return
	}
	if id != best && !(dist[id]-dist[best] <= 1e-6*dist[best]) {
		t.Fatalf("landmark %d at %g, but %d is at %g", id, dist[id], best, dist[best])
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
