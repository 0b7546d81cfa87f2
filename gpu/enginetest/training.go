package enginetest

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/landmarks/train"
)

// won checks the landmarks that an engine calls the nearest of the points from on.
func won(t testing.TB, c Case, from int, bmu []int32) {
	t.Helper()
	for i, id := range bmu {
		if want := train.Winner(c.Codebook, c.X.Row(from+i)); int(id) != want {
			t.Fatalf("%s, %d x %d, %d landmarks: landmark %d is called the nearest of point %d, which is %d", c.Name,
				c.X.Rows, c.X.Cols, c.Codebook.Rows, id, from+i, want)
		}
	}
}

// training is points and a codebook with what is hard: points on landmarks, equal landmarks, points that are
// not finite.
func (s *suite) training(n, d, g int) Case {
	c := Blobs(s.rng, n, d, g, 3, 2)
	for i := 0; i < n; i += 7 {
		copy(c.X.Row(i), c.Codebook.Row(s.rng.IntN(g)))
	}
	if g > 2 {
		copy(c.Codebook.Row(g-1), c.Codebook.Row(0))
	}
	for i, v := range []float32{nan, inf, -inf} {
		if at := 5 + 11*i; at < n {
			c.X.Row(at)[s.rng.IntN(d)] = v
		}
	}
	return c
}

var trainingSizes = [][3]int{{1, 1, 1}, {31, 3, 2}, {32, 16, 33}, {33, 5, 40}, {700, 9, 130}, {300, 39, 64}}

// search is the suite of train.Searcher.
func search(s *suite) {
	ctx := context.Background()
	for _, size := range trainingSizes {
		c := s.training(size[0], size[1], size[2])
		res, err := s.engine.Load(ctx, c.X)
		if err != nil {
			s.Fatal(err)
		}
		find := res.Caps().Searcher
		for round := range 3 {
			from, to := 0, c.X.Rows
			if round > 0 {
				from = s.rng.IntN(c.X.Rows)
				to = from + s.rng.IntN(c.X.Rows-from+1)
			}
			out := slices.Repeat([]int32{-7}, to-from+1)
			if err := find.Nearest(ctx, c.Codebook, from, to, out); err != nil {
				s.Fatalf("%v, points %d to %d: %v", size, from, to, err)
			}
			won(s, c, from, out[:to-from])
			if out[to-from] != -7 {
				s.Errorf("%v: it writes beyond its points", size)
			}
			c.Codebook.Data[s.rng.IntN(len(c.Codebook.Data))] += 1 // in place: it must be noticed
		}
		res.Free()
	}
	for _, size := range []float64{1, 1e-14, 1e15, 1e-40, 1e30} {
		closeCalls(size, s)
	}
	s.searchRefuses()
}

// closeCalls checks that winners are those of float64 where rounding of float32 does not tell, for coordinates of a
// size.
func closeCalls(size float64, s *suite) {
	for _, shape := range [][3]int{{100, 1, 7}, {200, 2, 33}, {150, 5, 70}, {60, 64, 130}, {40, 1 + s.rng.IntN(90),
		1 + s.rng.IntN(200)}} {
		c := CloseCalls(s.rng, shape[0], shape[1], shape[2], size)
		if s.rng.IntN(2) == 0 { // far from 0, where centring rounds
			c = shift(c, float32(size*1000))
		}
		res, err := s.engine.Load(s.Context(), c.X)
		if err != nil {
			s.Fatal(err)
		}
		out := make([]int32, c.X.Rows)
		if err := res.Caps().Searcher.Nearest(s.Context(), c.Codebook, 0, c.X.Rows, out); err != nil {
			s.Fatal(err)
		}
		won(s, c, 0, out)
		res.Free()
	}
}

// searchRefuses checks what a search does not do, and that it leaves neighbours and tables of the projection alone.
func (s *suite) searchRefuses() {
	ctx := context.Background()
	c := s.training(100, 4, 20)
	res, err := s.engine.Load(ctx, c.X)
	if err != nil {
		s.Fatal(err)
	}
	defer res.Free()
	find, out := res.Caps().Searcher, make([]int32, 100)
	allRefused(s, map[string]error{
		"points beyond the table": find.Nearest(ctx, c.Codebook, 50, 101, out),
		"a negative range":        find.Nearest(ctx, c.Codebook, -1, 5, out),
		"a reversed range":        find.Nearest(ctx, c.Codebook, 9, 5, out),
		"too little room":         find.Nearest(ctx, c.Codebook, 0, 100, out[:99]),
		"no landmarks":            find.Nearest(ctx, matrix.New(0, 4), 0, 9, out),
		"other columns":           find.Nearest(ctx, matrix.New(9, 5), 0, 9, out),
	})
	done, cancel := context.WithCancel(ctx)
	cancel()
	if err := find.Nearest(done, c.Codebook, 0, 100, out); !errors.Is(err, context.Canceled) {
		s.Errorf("a cancelled search returns %v", err)
	}
	// It leaves neighbours and tables of the projection alone.
	want, l := s.embed(c), c.Landmarks()
	dst := newRecorder(100, 2)
	all := matrix.Range{To: 100}
	err = errors.Join(res.Neighbours(ctx, l, c.P, all), find.Nearest(ctx, rows(c.Codebook, 0, 11), 0, 100, out),
		res.Project(ctx, l, c.P, dst, all))
	if err != nil || !sameBits(dst.Data, want.Data) {
		s.Errorf("after a search between both stages positions differ (%v)", err)
	}
}

// allRefused checks that each of these was an error with a remedy.
func allRefused(t testing.TB, calls map[string]error) {
	t.Helper()
	for what, err := range calls {
		refused(t, what, err)
	}
}

// Largest returns the largest magnitude of each column among the points of x without NaN and Inf.
func Largest(x matrix.Matrix32) []float32 {
	var c train.Census
	c.Add(x)
	return c.Largest
}

// Summed adds the points of x from from on, of the landmarks bmu, to sums and counts.
func Summed(x matrix.Matrix32, from int, bmu []int32, sums []exact.Sum, counts []int64) {
	for i, id := range bmu {
		if id < 0 {
			continue
		}
		counts[id]++
		for q, v := range x.Row(from + i) {
			sums[int(id)*x.Cols+q].Add(v)
		}
	}
}

// sum is the suite of train.Summer.Sum.
func sum(s *suite) {
	for i, size := range trainingSizes {
		c := s.training(size[0], size[1], size[2])
		if i%2 > 0 { // values of which what a card's first pass takes is not all
			for j := range c.X.Data {
				c.X.Data[j] *= float32(math.Pow(2, -30*float64(s.rng.IntN(5))))
			}
		}
		res, err := s.engine.Load(s.Context(), c.X)
		if err != nil {
			s.Fatal(err)
		}
		summed(c, s, res.Caps().Summer)
		res.Free()
	}
	s.sumRefuses()
}

// summed checks the sums of an engine that has the points of c.
func summed(c Case, s *suite, dev train.Summer) {
	ctx, n, g, d := s.Context(), c.X.Rows, c.Codebook.Rows, c.X.Cols
	from := s.rng.IntN(n)
	before, largest := make([]exact.Sum, g*d), Largest(c.X)
	for i := range before {
		before[i].Add(float32(s.rng.NormFloat64()))
	}
	start := func() ([]exact.Sum, []int64) { return slices.Clone(before), slices.Repeat([]int64{3}, g) }
	sums, counts := start()
	bmu := make([]int32, n-from)
	if err := dev.Sum(ctx, c.Codebook, from, n, bmu, largest, sums, counts); err != nil {
		s.Fatalf("%d x %d: %v", n, d, err)
	}
	won(s, c, from, bmu)
	want, number := start()
	Summed(c.X, from, bmu, want, number)
	if !slices.Equal(sums, want) || !slices.Equal(counts, number) {
		s.Errorf("%d x %d: the sums are not exact", n, d)
	}
	for i := range largest {
		largest[i] *= 3
	}
	again, counts2 := start()
	if err := dev.Sum(ctx, c.Codebook, from, n, nil, largest, again, counts2); err != nil {
		s.Fatal(err)
	}
	if !slices.Equal(again, sums) || !slices.Equal(counts2, counts) {
		s.Errorf("%d x %d: a larger largest magnitude, or nearest landmarks that are not asked for, change sums", n, d)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	left, counts3 := start()
	if err := dev.Sum(done, c.Codebook, from, n, nil, largest, left, counts3); !errors.Is(err, context.Canceled) {
		s.Errorf("%d x %d: a cancelled sum returns %v", n, d, err)
	}
	if !slices.Equal(left, before) || slices.Max(counts3) != 3 {
		s.Errorf("%d x %d: a cancelled sum leaves something behind", n, d)
	}
}

// sumRefuses checks what a device does not sum.
func (s *suite) sumRefuses() {
	ctx := context.Background()
	c := s.training(50, 4, 20)
	res, err := s.engine.Load(ctx, c.X)
	if err != nil {
		s.Fatal(err)
	}
	defer res.Free()
	dev, sums, counts := res.Caps().Summer, make([]exact.Sum, 80), make([]int64, 20)
	top := Largest(c.X)
	allRefused(s, map[string]error{
		"points beyond the table": dev.Sum(ctx, c.Codebook, 0, 51, nil, top, sums, counts),
		"too little room":         dev.Sum(ctx, c.Codebook, 0, 50, nil, top, sums[1:], counts),
		"no room for counts":      dev.Sum(ctx, c.Codebook, 0, 50, nil, top, sums, counts[1:]),
		"no room for landmarks":   dev.Sum(ctx, c.Codebook, 0, 50, make([]int32, 49), top, sums, counts),
		"no largest magnitudes":   dev.Sum(ctx, c.Codebook, 0, 50, nil, top[1:], sums, counts),
		"no landmarks":            dev.Sum(ctx, matrix.New(0, 4), 0, 9, nil, top, sums, counts),
	})
	if slices.Max(counts) != 0 {
		s.Error("a refused sum changes counts")
	}
}

// smooth is the suite of train.Summer.Smooth.
func smooth(s *suite) {
	ctx := context.Background()
	for _, size := range [][3]int{{1, 1, 2}, {2, 5, 2}, {33, 3, 3}, {100, 17, 2}} {
		g, d, dims := size[0], size[1], size[2]
		res, err := s.engine.Load(ctx, Uniform(s.rng, 5, d, g, 3, dims).X)
		if err != nil {
			s.Fatal(err)
		}
		pos := grid(s.rng, g, dims)
		sums, counts := make([]float64, g*d), make([]int64, g)
		for i := range g {
			counts[i] = s.rng.Int64N(4) // some have none
			for q := range d {
				if counts[i] > 0 {
					sums[i*d+q] = s.rng.NormFloat64()
				}
			}
		}
		for _, sigma := range []float64{0.1, 1.3, 50} {
			out, weights := make([]float64, g*d), make([]float64, g)
			if err := res.Caps().Summer.Smooth(ctx, pos, sigma, sums, counts, out, weights); err != nil {
				s.Fatalf("%v: %v", size, err)
			}
			want, weight := make([]float64, g*d), make([]float64, g)
			if err := train.Smooth(s.Context(), pos, sigma, sums, counts, want, weight); err != nil {
				s.Fatal(err)
			}
			if !slices.Equal(out, want) || !slices.Equal(weights, weight) {
				s.Fatalf("%v, sigma %g: other bits than the trainer's", size, sigma)
			}
		}
		res.Free()
	}
}
