package run

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/space/transform"
	"blossom/model/work/engine"
)

// TrainByRanges is Train of points that PointsByRange has prepared, by one pass over them in each epoch, and one
// before. What comes of it is the same to the last bit. The error is dataset.ErrWhole where the training or its
// beginning asks for all points at once.
func TrainByRanges(ctx context.Context, p *Points, e engine.Engine, b Beginning, set *landmark.Set,
	c parts.TrainingChoice, seed uint64, report Report) (*landmark.File, error) {
	s, err := p.startByRanges(ctx, &train.Census{}, b, set, c, seed, report)
	if err != nil {
		return nil, err
	}
	return s.Trained(ctx, func(ctx context.Context, s *Start) (matrix.Matrix32, error) {
		t, err := s.Passes()
		for err == nil && !t.Progress().Rest {
			err = p.EachRange(ctx, false, func(rows *Points) error { return p.pass(ctx, e, t, rows, report) })
		}
		if err != nil {
			return matrix.Matrix32{}, err
		}
		return t.Codebook().Clone(), nil
	})
}

// wholeIf is dataset.ErrWhole for an error that says the same of points.
func wholeIf(err, same error) error {
	if errors.Is(err, same) {
		return dataset.ErrWhole
	}
	return err
}

// pass has a training visit a range of the points.
func (p *Points) pass(ctx context.Context, e engine.Engine, t *train.Passes, rows *Points, report Report) error {
	r, err := e.Load(ctx, rows.Table.X)
	if err != nil {
		return err
	}
	defer r.Free()
	caps := r.Caps()
	if err := t.Take(ctx, rows.Table.X, caps.Searcher, caps.Summer); err != nil {
		return err
	}
	if report != nil {
		now := t.Progress()
		report("training", now.Done, now.Total)
	}
	return nil
}

// drawn is the pool of points that a training may begin at, without their values, and the rows that these are.
func (p *Points) drawn(begins bool, seed uint64) (from landmark.Pool, rows []uint32) {
	n := p.Data.Points
	from.N = n
	if !begins || n == 0 {
		return from, nil
	}
	order := transform.Shuffle(n, seed)
	from.Of = landmark.Drawn(n, seed)
	from.X = matrix.New(len(from.Of), p.Table.X.Cols)
	for _, i := range from.Of {
		rows = append(rows, uint32(order[i]))
	}
	return from, rows
}

// Elsewhere counts the points of a training elsewhere, with those of some rows: see Counted.
type Elsewhere func(ctx context.Context, p *Points, drawn []uint32) (*Counted, error)

// counted is census of points that are counted elsewhere. The first of them has to be what it is here.
func (p *Points) counted(ctx context.Context, by Elsewhere, begins bool, seed uint64) (*train.Census, landmark.Pool,
	error) {
	from, rows := p.drawn(begins, seed)
	c, err := by(ctx, p, rows)
	if err != nil {
		return nil, from, err
	}
	if c.Census.Rows != p.Data.Points || len(c.Seats) != len(rows) || len(c.Census.Largest) != p.Table.X.Cols {
		return nil, from, problem.New(p.Data.Path, "see that no file changes", "what was counted is not of all points")
	}
	if c.Census.Valid == 0 {
		return nil, from, problem.New(p.Data.Path, "give a table with at least one point",
			"there are no points to train on")
	}
	if err := p.known(ctx, c); err != nil {
		return nil, from, err
	}
	table := *p.Table
	table.Invalid = c.Census.Rows - c.Census.Valid
	p.Table = &table
	copy(from.X.Data, c.X) // by their seats
	return &c.Census, from, nil
}

// mostKnown is how many rows are read here that were counted elsewhere, at most.
const mostKnown = 256

// known says whether points that were counted elsewhere are those that this table has: parts of several files may have
// matched their columns otherwise.
func (p *Points) known(ctx context.Context, c *Counted) error {
	d, step := p.Table.X.Cols, max(1, (len(c.Rows)+mostKnown-1)/mostKnown)
	for i := 0; i < len(c.Rows); i += step {
		row := int(c.Rows[i])
		if row < 0 || row >= p.Data.Points {
			return problem.New(p.Data.Path, "see that no file changes", "what was counted is not of all points")
		}
		values, err := p.view.Range(ctx, row, row+1)
		if err != nil {
			return err
		}
		table, err := p.Table.Of(ctx, values)
		if err != nil {
			return err
		}
		if !slices.EqualFunc(table.X.Row(0), c.Firsts[i*d:(i+1)*d], func(a, b float32) bool {
			return a == b || a != a && b != b
		}) {
			return problem.New(p.Data.Path, "see that all files have the columns under the same names, or train on "+
				"one machine, without --runner", "the points of the files one by one are not those of all together")
		}
	}
	return nil
}

// census adds to all what a training has to know of all points of an outline, and returns those that it may begin at,
// where that is asked for: points are numbered as in a window, in which they lie in a random order.
func (p *Points) census(ctx context.Context, all *train.Census, begins bool, seed uint64,
	progress func(done, total int64)) (landmark.Pool, error) {
	type drawn struct{ row, at int32 } // a row of the file, and which of the points of the pool it is
	n := p.Data.Points
	from, numbers := p.drawn(begins, seed)
	var rows []drawn
	for at, row := range numbers {
		rows = append(rows, drawn{int32(row), int32(at)})
	}
	slices.SortFunc(rows, func(a, b drawn) int { return cmp.Compare(a.row, b.row) })
	done := 0
	err := p.EachRange(ctx, false, func(of *Points) error {
		x := of.Table.X
		all.Add(x)
		for ; len(rows) > 0 && int(rows[0].row) < done+x.Rows; rows = rows[1:] {
			copy(from.X.Row(int(rows[0].at)), x.Row(int(rows[0].row)-done))
		}
		done += x.Rows
		if progress != nil {
			progress(int64(done), int64(n))
		}
		return nil
	})
	if err == nil && all.Valid == 0 {
		err = problem.New(p.Data.Path, "give a table with at least one point", "there are no points to train on")
	}
	return from, err
}
