package enginetest

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

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
	s.searchRefuses()
}

// closeCalls checks that winners are those of float64 where rounding of float32 does not tell.
func closeCalls(s *suite) {
	for _, size := range []float64{1, 1e-14, 1e15, 1e-40, 1e30} {
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

// sum is the suite of train.Summer.Sum.
func sum(s *suite) {
	ctx := context.Background()
	for _, size := range trainingSizes {
		n, d, g := size[0], size[1], size[2]
		c := s.training(n, d, g)
		res, err := s.engine.Load(ctx, c.X)
		if err != nil {
			s.Fatal(err)
		}
		dev := res.Caps().Summer
		from := s.rng.IntN(n)
		before := make([]float64, g*d)
		for i := range before {
			before[i] = s.rng.NormFloat64()
		}
		start := func() ([]float64, []int64) { return slices.Clone(before), slices.Repeat([]int64{3}, g) }
		sums, counts := start()
		bmu := make([]int32, n-from)
		if err := dev.Sum(ctx, c.Codebook, from, n, bmu, sums, counts); err != nil {
			s.Fatalf("%v: %v", size, err)
		}
		summed(s, c, from, bmu, before, sums, counts)
		again, counts2 := start()
		if err := dev.Sum(ctx, c.Codebook, from, n, nil, again, counts2); err != nil {
			s.Fatal(err)
		}
		if !slices.Equal(again, sums) || !slices.Equal(counts2, counts) {
			s.Errorf("%v: equal calls give other bits, or nearest landmarks that are not asked for change them", size)
		}
		done, cancel := context.WithCancel(ctx)
		cancel()
		left, counts3 := start()
		if err := dev.Sum(done, c.Codebook, from, n, nil, left, counts3); !errors.Is(err, context.Canceled) {
			s.Errorf("%v: a cancelled sum returns %v", size, err)
		}
		if !slices.Equal(left, before) || slices.Max(counts3) != 3 {
			s.Errorf("%v: a cancelled sum leaves something behind", size)
		}
		res.Free()
	}
	s.sumRefuses()
}

// summed checks the sums of the points from from on, by their nearest landmarks bmu, that were added to before.
func summed(t testing.TB, c Case, from int, bmu []int32, before, sums []float64, counts []int64) {
	t.Helper()
	n, d, g := c.X.Rows, c.X.Cols, c.Codebook.Rows
	want, number := slices.Clone(before), slices.Repeat([]int64{3}, g)
	scale := make([]float64, g*d)
	won(t, c, from, bmu)
	for i, id := range bmu {
		if id < 0 {
			continue
		}
		number[id]++
		for q, v := range c.X.Row(from + i) {
			want[int(id)*d+q] += float64(v)
			scale[int(id)*d+q] += math.Abs(float64(v))
		}
	}
	if !slices.Equal(counts, number) {
		t.Errorf("%d x %d: counts %v, want %v", n, d, counts, number)
	}
	for i, w := range want {
		if !(math.Abs(sums[i]-w) <= 1e-9*(scale[i]+math.Abs(before[i])+1)) {
			t.Fatalf("%d x %d: number %d of the sums is %g, want %g", n, d, i, sums[i], w)
		}
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
	dev, sums, counts := res.Caps().Summer, make([]float64, 80), make([]int64, 20)
	allRefused(s, map[string]error{
		"points beyond the table": dev.Sum(ctx, c.Codebook, 0, 51, nil, sums, counts),
		"too little room":         dev.Sum(ctx, c.Codebook, 0, 50, nil, sums[1:], counts),
		"no room for counts":      dev.Sum(ctx, c.Codebook, 0, 50, nil, sums, counts[1:]),
		"no room for landmarks":   dev.Sum(ctx, c.Codebook, 0, 50, make([]int32, 49), sums, counts),
		"no landmarks":            dev.Sum(ctx, matrix.New(0, 4), 0, 9, nil, sums, counts),
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
			for i := range g {
				want, weight, scale := make([]float64, d), 0.0, 0.0
				for o, n := range counts {
					q := 0.0
					for x, v := range pos.Row(i) {
						q += (float64(v) - float64(pos.Row(o)[x])) * (float64(v) - float64(pos.Row(o)[x]))
					}
					if q /= sigma * sigma; n == 0 || !(q < train.Reach) {
						continue
					}
					h := math.Exp(-q)
					weight += h * float64(n)
					for x := range d {
						want[x] += h * sums[o*d+x]
						scale += h * math.Abs(sums[o*d+x])
					}
				}
				if !(math.Abs(weights[i]-weight) <= 1e-9*(weight+1e-9)) {
					s.Fatalf("%v, sigma %g: the weight of landmark %d is %g, want %g", size, sigma, i, weights[i],
						weight)
				}
				for x, w := range want {
					if !(math.Abs(out[i*d+x]-w) <= 1e-9*(scale+1e-9)) {
						s.Fatalf("%v, sigma %g: number %d of landmark %d is %g, want %g", size, sigma, x, i,
							out[i*d+x], w)
					}
				}
			}
		}
		res.Free()
	}
}
