package run

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
)

// Start is a training by passes before its first epoch: what begins it, and what it has to know of all points.
type Start struct {
	File      *landmark.File // the landmarks that it begins with
	Census    *train.Census
	algorithm train.Algorithm
	input     train.Input
	p         *Points
}

// Epochs makes the epochs of a training, here or elsewhere, and returns the codebook that it comes to.
type Epochs func(ctx context.Context, s *Start) (matrix.Matrix32, error)

// Passes begins the training.
func (s *Start) Passes() (*train.Passes, error) {
	return s.algorithm.Pass(s.input, s.Census, s.File.Values)
}

// Trained is the file of the landmarks that come of its epochs.
func (s *Start) Trained(ctx context.Context, epochs Epochs) (*landmark.File, error) {
	code, err := epochs(ctx, s)
	if err != nil {
		return nil, named(err, s.p.Data.Path)
	}
	s.File.Set, err = s.File.Set.WithCodebook(code)
	return s.File, named(err, s.p.Data.Path)
}

// StartByRanges begins what Train does, of points that PointsByRange has prepared, for epochs that are made elsewhere.
// The error is dataset.ErrWhole where the training or its beginning asks for all points at once.
func StartByRanges(ctx context.Context, p *Points, b Beginning, set *landmark.Set, c parts.TrainingChoice, seed uint64,
	report Report) (*Start, error) {
	return p.startByRanges(ctx, (&train.Census{}).Totalled(p.Table.X.Cols), b, set, c, seed, report)
}

// StartCounted is StartByRanges of points that are counted elsewhere: none of them is read here but for that.
func StartCounted(ctx context.Context, p *Points, by Elsewhere, b Beginning, set *landmark.Set, c parts.TrainingChoice,
	seed uint64) (*Start, error) {
	a, known := train.ByID(c.Algorithm)
	if c.Even || known && a.Pass == nil {
		return nil, dataset.ErrWhole
	}
	all, from, err := p.counted(ctx, by, !b.Zero(), seed)
	if err != nil {
		return nil, err
	}
	return p.start(ctx, all, from, b, set, c, seed)
}

func (p *Points) startByRanges(ctx context.Context, all *train.Census, b Beginning, set *landmark.Set,
	c parts.TrainingChoice, seed uint64, report Report) (*Start, error) {
	a, known := train.ByID(c.Algorithm)
	if c.Even || known && a.Pass == nil {
		return nil, dataset.ErrWhole
	}
	from, err := p.census(ctx, all, !b.Zero(), seed, report.Stage("looking"))
	if err != nil {
		return nil, err
	}
	return p.start(ctx, all, from, b, set, c, seed)
}

// StartOf is StartByRanges of points in memory, in the order of a window. The error is a Problem where the training
// asks for all points at once.
func StartOf(ctx context.Context, p *Points, b Beginning, set *landmark.Set, c parts.TrainingChoice,
	seed uint64) (*Start, error) {
	if a, known := train.ByID(c.Algorithm); c.Even || known && a.Pass == nil {
		return nil, usage("leave --equal-samples out, and use --algorithm "+problem.OneOf(ByPasses()...),
			"this training needs all points at once")
	}
	x := p.Table.X
	if p.Table.Invalid == x.Rows {
		return nil, problem.New(p.Data.Path, "give a table with at least one point", "there are no points to train on")
	}
	all := (&train.Census{}).Totalled(x.Cols)
	all.Add(x)
	return p.start(ctx, all, landmark.Pool{X: x}, b, set, c, seed)
}

// ByPasses are the trainings whose points may go by in any order.
func ByPasses() (ids []string) {
	for _, a := range train.All() {
		if a.Pass != nil {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

func (p *Points) start(ctx context.Context, all *train.Census, from landmark.Pool, b Beginning, set *landmark.Set,
	c parts.TrainingChoice, seed uint64) (*Start, error) {
	a, in, out, err := p.begin(ctx, from, b, set, c, seed)
	if err != nil {
		return nil, wholeIf(err, landmark.ErrAll)
	}
	return &Start{out, all, a, in, p}, nil
}
