package enginetest

import (
	"context"
	"errors"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/maps/tsne"
	"blossom/model/space/knn"
)

// joints are the tests of what an engine joins.
type joints struct {
	s  *suite
	by tsne.Joiner
}

// ofJoints makes a part of a suite.
func ofJoints(run func(joints)) func(*suite) {
	return func(s *suite) {
		res, err := s.engine.Load(context.Background(), matrix.New(1, 1))
		if err != nil {
			s.Fatal(err)
		}
		defer res.Free()
		run(joints{s, res.Caps().Joiner})
	}
}

// lists are k others of n points in any order; a part of the points have the first points as theirs.
func (j joints) lists(n, k int, hubs float64) (*knn.Lists, []float32) {
	s := j.s
	near := &knn.Lists{N: n, K: k, Index: make([]int32, 0, n*k), Beyond: make([]float32, n*k)}
	value := make([]float32, n*k)
	for i := range n {
		from := len(near.Index)
		for len(near.Index) < from+k {
			other := int32(s.rng.IntN(n))
			if s.rng.Float64() < hubs {
				other = int32(s.rng.IntN(min(n, k+1)))
			}
			if int(other) != i && !slices.Contains(near.Index[from:], other) {
				near.Index = append(near.Index, other)
			}
		}
	}
	for e := range value {
		if value[e] = s.rng.Float32(); s.rng.IntN(4) == 0 {
			value[e] = 0
		}
	}
	return near, value
}

// union compares graphs of lists with those of the processor, bit by bit: rows of a few pairs and of thousands.
func (j joints) union() {
	s, by, ctx := j.s, j.by, context.Background()
	for _, c := range []struct {
		n, k, first int
		hubs        float64
	}{{1, 0, 0, 0}, {2, 1, 1, 0}, {40, 39, 39, 0}, {300, 7, 5, 0.1}, {1000, 30, 30, 0.2}, {9000, 3, 3, 0.9}} {
		near, value := j.lists(c.n, c.k, c.hubs)
		value = value[:c.n*c.first]
		for _, b := range []knn.Blend{{}, {Over: 1 + 1000*s.rng.Float64()}} {
			want, err := knn.Join(ctx, near, c.first, value, b)
			if err != nil {
				s.Fatal(err)
			}
			got, err := by.Join(ctx, near, c.first, value, b)
			switch {
			case err != nil:
				s.Fatalf("%d points, %d neighbours: %v", c.n, c.first, err)
			case !slices.Equal(got.Start, want.Start) || !slices.Equal(got.Column, want.Column):
				s.Errorf("%d points, %d neighbours, %+v: other pairs", c.n, c.first, b)
			case !sameBits(got.Value, want.Value):
				s.Errorf("%d points, %d neighbours, %+v: other values", c.n, c.first, b)
			}
		}
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	near, value := j.lists(100, 5, 0)
	if _, err := by.Join(stopped, near, 5, value, knn.Blend{}); !errors.Is(err, context.Canceled) {
		s.Errorf("cancelled: %v", err)
	}
}

// affinities compares affinities with those of the processor, bit by bit.
func (j joints) affinities() {
	s, by, ctx := j.s, j.by, context.Background()
	for _, c := range []struct {
		n, k       int
		perplexity float64
	}{{1, 0, 30}, {3, 2, 5}, {5, 4, 30}, {6, 5, 30}, {7, 6, 3}, {9, 8, 2}, {60, 59, 30}, {500, 30, 5},
		{1500, 95, 30}} {
		x := matrix.New(c.n, 4)
		for i := range x.Data {
			x.Data[i] = float32(s.rng.NormFloat64() * math.Exp(3*s.rng.NormFloat64()))
		}
		for i := 0; i < c.n/3; i++ { // some spots have more points than the perplexity
			copy(x.Row(i), x.Row(i%3))
		}
		near, err := knn.Of(ctx, x, c.k)
		if err != nil {
			s.Fatal(err)
		}
		want, err := tsne.SparseOf(ctx, near, c.perplexity, nil)
		if err != nil {
			s.Fatal(err)
		}
		got, err := by.Affinities(ctx, near, c.perplexity)
		switch {
		case err != nil:
			s.Fatalf("%d points, perplexity %g: %v", c.n, c.perplexity, err)
		case !slices.Equal(got.Start, want.Start) || !slices.Equal(got.Column, want.Column):
			s.Errorf("%d points, perplexity %g: other pairs", c.n, c.perplexity)
		case !sameBits(got.Value, want.Value):
			s.Errorf("%d points, perplexity %g: other values", c.n, c.perplexity)
		case got.N != want.N || got.Perplexity != want.Perplexity ||
			!(math.Abs(got.Entropy-want.Entropy) <= 1e-12*math.Abs(want.Entropy)):
			s.Errorf("%d points, perplexity %g: %g of %d, entropy %g; want %g of %d, entropy %g", c.n, c.perplexity,
				got.Perplexity, got.N, got.Entropy, want.Perplexity, want.N, want.Entropy)
		}
	}
}
