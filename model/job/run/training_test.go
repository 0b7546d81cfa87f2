package run

import (
	"context"
	"testing"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/landmarks/train"
	"blossom/model/work/engine"
)

// summer stands for an engine that trains where its points are.
type summer struct {
	engine.Resident
	nearest, sums, smooths int
}

func (s *summer) Caps() engine.Caps { return engine.Caps{Searcher: s, Summer: s} }

func (s *summer) Nearest(context.Context, matrix.Matrix32, int, int, []int32) error {
	s.nearest++
	return nil
}

func (s *summer) Sum(_ context.Context, code matrix.Matrix32, from, to int, bmu []int32, _ []float32,
	sums []exact.Sum, counts []int64) error {
	s.sums++
	counts[0] += int64(to - from)
	return nil
}

func (s *summer) Smooth(_ context.Context, _ matrix.Matrix32, _ float64, _ []float64, _ []int64, _,
	weights []float64) error {
	s.smooths++
	return nil
}

// searcher is one that can only find the nearest.
type searcher struct {
	engine.Resident
	nearest int
}

func (a *searcher) Caps() engine.Caps { return engine.Caps{Searcher: a} }

func (a *searcher) Nearest(context.Context, matrix.Matrix32, int, int, []int32) error {
	a.nearest++
	return nil
}

// none is one that can do nothing for a training.
type none struct{ engine.Resident }

func (none) Caps() engine.Caps { return engine.Caps{} }

// A batch training uses the most that the engine offers.
func TestTrainingUsesTheEngine(t *testing.T) {
	a, _ := train.ByID("som-batch")
	epoch := func(r engine.Resident) {
		t.Helper()
		in := train.Input{X: matrix.New(10, 2), Codebook: matrix.New(4, 2), Pos: matrix.New(4, 2)}
		useEngine(&in, r)
		tr, err := a.New(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := tr.Step(context.Background(), 10); err != nil || p.Done != 10 {
			t.Fatal(p, err)
		}
	}
	s, n := &summer{}, &searcher{}
	epoch(s)
	epoch(n)
	epoch(none{})
	if s.nearest != 0 || s.sums != 1 || s.smooths != 1 || n.nearest != 1 {
		t.Errorf("%d searches, %d sums and %d smoothings; %d searches by the other", s.nearest, s.sums, s.smooths,
			n.nearest)
	}
}
