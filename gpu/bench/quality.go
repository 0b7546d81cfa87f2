package bench

import (
	"context"
	"time"

	"blossom/model/base/step"
	"blossom/model/data/dataset"
	"blossom/model/job/run"
	"blossom/model/landmarks/train"
	"blossom/model/work/engine"
)

// Quality is how near to the points the training is that a map begins with, beside a batch SOM that has converged
// at the same last sigma from the same start.
type Quality struct {
	Bench   string  `json:"bench"` // "train"
	Stage   string  `json:"stage"` // "quality"
	Input   string  `json:"input"`
	Engine  string  `json:"engine"`
	Variant string  `json:"variant"` // the training
	N       int     `json:"n"`
	D       int     `json:"d"`
	G       int     `json:"g"`
	Seconds float64 `json:"seconds"` // of the whole training

	Quantization float64 `json:"quantization"` // mean distance of a point to its landmark
	Topographic  float64 `json:"topographic"`  // share of points whose two nearest landmarks are no neighbours
	// Of the batch SOM; 0 where it was not trained, because there are more points than ConvergedPoints.
	Batch            float64 `json:"batch,omitempty"`
	BatchTopographic float64 `json:"batch_topographic,omitempty"`
	Ratio            float64 `json:"ratio,omitempty"` // of Quantization to Batch
}

// ConvergedPoints is up to how many points a batch SOM is trained beside: it takes 130 epochs.
const ConvergedPoints = 1 << 20

// qualityPoints is how many points both errors are measured on.
const qualityPoints = 20_000

// TrainQuality trains the map that an input begins with as the window does, and measures it. most is up to how many
// points a batch SOM is trained beside. What can be wrong with the input is a Problem.
func TrainQuality(ctx context.Context, input string, name string, o engine.Options, most int, say func(string)) (
	Quality, error) {
	s := run.Defaults()
	ds, err := s.Read(ctx, input, nil)
	if err != nil {
		return Quality{}, err
	}
	return qualityOf(ctx, ds, input, name, o, most, say)
}

func qualityOf(ctx context.Context, ds *dataset.Dataset, input, name string, o engine.Options, most int,
	say func(string)) (Quality, error) {
	start, err := run.Begin(ctx, ds, 1, nil)
	if err != nil {
		return Quality{}, err
	}
	engines, err := engine.Open(name, o)
	if err != nil {
		return Quality{}, err
	}
	defer engines.Close()
	resident, err := engines.Engine().Load(ctx, start.Table.X)
	if err != nil {
		return Quality{}, err
	}
	defer resident.Free()
	l := start.Landmarks
	in := train.Input{X: start.Table.X, Codebook: l.Codebook, Pos: l.Pos, Edges: l.Edges, Seed: 1,
		Searcher: resident.Caps().Searcher, Summer: resident.Caps().Summer}
	q := Quality{Bench: "train", Stage: "quality", Input: input,
		Engine:  engine.FullName(engines.Engine().Name(), engines.Engine().Variant()),
		Variant: start.Algorithm, N: in.X.Rows, D: in.X.Cols, G: l.Len()}
	say("train " + input)
	a, _ := train.ByID(start.Algorithm)
	began := time.Now()
	t, err := a.New(in, start.Values)
	for p := (step.Progress{}); err == nil && !p.Rest; {
		p, err = t.Step(ctx, 1<<15)
	}
	if err != nil {
		return q, err
	}
	q.Seconds = time.Since(began).Seconds()
	m, err := train.Measure(ctx, in.X, t.Codebook(), l.Pos, qualityPoints, 1)
	if err != nil {
		return q, err
	}
	if q.Quantization, q.Topographic = m.Quantization, m.Topographic; in.X.Rows > most {
		return q, nil
	}
	say("a batch SOM of " + input)
	code, err := train.Converged(ctx, in, start.Values, nil)
	if err != nil {
		return q, err
	}
	if m, err = train.Measure(ctx, in.X, code, l.Pos, qualityPoints, 1); err != nil {
		return q, err
	}
	q.Batch, q.BatchTopographic = m.Quantization, m.Topographic
	if m.Quantization > 0 {
		q.Ratio = q.Quantization / m.Quantization
	}
	return q, nil
}
