package live

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/train"
	"blossom/model/work/engine"
)

// summing is an engine that trains where its points are.
type summing struct {
	engine.Engine
	sums *int
}

type summingPoints struct {
	engine.Resident
	x    matrix.Matrix32
	sums *int
}

func (s summing) Name() string { return "summing" }

func (s summing) Load(ctx context.Context, x matrix.Source) (engine.Resident, error) {
	r, err := s.Engine.Load(ctx, x)
	m, _ := x.Memory()
	return summingPoints{r, m, s.sums}, err
}

func (s summingPoints) Caps() engine.Caps { return engine.Caps{Searcher: s, Summer: s} }

func (s summingPoints) Nearest(ctx context.Context, codebook matrix.Matrix32, from, to int, out []int32) error {
	return s.Resident.Caps().Searcher.Nearest(ctx, codebook, from, to, out)
}

func (s summingPoints) Sum(ctx context.Context, codebook matrix.Matrix32, from, to int, bmu []int32, _ []float32,
	sums []exact.Sum, counts []int64) error {
	*s.sums++
	if bmu == nil {
		bmu = make([]int32, to-from)
	}
	if err := s.Nearest(ctx, codebook, from, to, bmu); err != nil {
		return err
	}
	for i, m := range bmu {
		if m < 0 {
			continue
		}
		counts[m]++
		for j, v := range s.x.Row(from + i) {
			sums[int(m)*codebook.Cols+j].Add(v)
		}
	}
	return nil
}

func (s summingPoints) Smooth(ctx context.Context, pos matrix.Matrix32, sigma float64, sums []float64, counts []int64,
	out, weights []float64) error {
	return train.Smooth(ctx, pos, sigma, sums, counts, out, weights)
}

// An engine that sums by itself gives the same map, also if it is left in the middle of a run; and the
// time that a step takes is that of what was computed, not of what was asked for.
func TestTrainingWhereThePointsAre(t *testing.T) {
	const n, epochs = 5000, 6
	run := func(id string, wrap, leave bool) ([]float32, int) {
		o, err := opening.Load(context.Background(), []string{"demo:tesseract:5000"}, format.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		d := desktop(t, o, "cpu")
		sums := 0
		if wrap {
			d.dev.engines.Use(summing{d.dev.engines.Engine(), &sums})
			if err := d.dev.load(); err != nil {
				t.Fatal(err)
			}
		}
		d.Doc.Do("batch", func(s *state.State) {
			parts.Training.Put(s, parts.TrainingChoice{Algorithm: id,
				Values: step.Values{"epochs": epochs}})
		})
		if err := d.Training().Again(); err != nil {
			t.Fatal(err)
		}
		if leave {
			if err := d.training.Run().Do(2*n + 100); err != nil {
				t.Fatal(err)
			}
			d.training.Show()
			d.dev.engines.Use(d.dev.engines.Engine().(summing).Engine)
			if err := d.dev.load(); err != nil {
				t.Fatal(err)
			}
		}
		d.settle(t)
		return parts.Landmarks.Of(d.Doc.State()).Codebook.Data, sums
	}
	for _, id := range []string{"som-batch", "lloyd"} {
		want, _ := run(id, false, false)
		for _, leave := range []bool{false, true} {
			got, sums := run(id, true, leave)
			if sums != map[bool]int{false: epochs, true: 3}[leave] {
				t.Errorf("%s, left %v: %d sums", id, leave, sums)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s, left %v: another codebook than without sums of the engine", id, leave)
			}
		}
	}
	o, err := opening.Load(context.Background(), []string{"demo:tesseract:5000"}, format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := desktop(t, o, "cpu")
	sums, now := 0, time.Unix(0, 0)
	d.dev.engines.Use(summing{d.dev.engines.Engine(), &sums})
	if err := d.dev.load(); err != nil {
		t.Fatal(err)
	}
	d.Doc.Do("batch", func(s *state.State) {
		parts.Training.Put(s, parts.TrainingChoice{Algorithm: "som-batch", Values: step.Values{"epochs": 1000}})
	})
	if err := d.Training().Again(); err != nil {
		t.Fatal(err)
	}
	d.proj.sched.Clock = func() time.Time { now = now.Add(time.Millisecond); return now }
	for range 50 {
		if err := d.training.Run().Do(10); err != nil {
			t.Fatal(err)
		}
	}
	// One piece was computed, in one millisecond; the other steps took from it.
	_, unit := d.training.Run().Cost.Parts()
	if want := 1e6 / n; sums != 1 || math.Abs(unit-want) > want/100 {
		t.Errorf("%d sums; a sample costs %g ns, want %g", sums, unit, want)
	}
}
