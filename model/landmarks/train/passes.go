package train

import (
	"context"
	"errors"
	"fmt"
	"math"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/step"
)

// Census is what a training by passes has to know of its points before.
type Census struct {
	Rows    int       // how many there are
	Valid   int       // how many of them have neither NaN nor Inf
	Largest []float32 // the largest magnitude of each column among the valid ones
	// Sums are those of the columns of the valid ones, by which the same points are known again; nil: nobody asks.
	Sums []exact.Bins

	elsewhere []exact.Sum // sums of further points, which were counted elsewhere
}

// Sum is that of a column of a census that is Totalled.
func (e *Census) Sum(column int) (sum exact.Sum) {
	if column < len(e.Sums) {
		sum = e.Sums[column].Sum()
	}
	if column < len(e.elsewhere) {
		sum.Merge(&e.elsewhere[column])
	}
	return sum
}

// Summed has a census have sums that were found elsewhere.
func (e *Census) Summed(sums []exact.Sum) { e.elsewhere = sums }

// Merge adds the census of other points. False: it is of other columns, and nothing was added.
func (e *Census) Merge(o *Census) bool {
	d := len(o.Largest)
	if e.Largest == nil {
		e.Largest = make([]float32, d)
	}
	if len(e.Largest) != d {
		return false
	}
	e.Rows, e.Valid = e.Rows+o.Rows, e.Valid+o.Valid
	sums := make([]exact.Sum, d)
	for j := range d {
		e.Largest[j] = max(e.Largest[j], o.Largest[j])
		other := o.Sum(j)
		sums[j] = e.Sum(j)
		sums[j].Merge(&other)
	}
	e.Sums, e.elsewhere = nil, sums
	return true
}

// Add adds points.
func (e *Census) Add(x matrix.Matrix32) {
	p := look(x)
	e.Rows += x.Rows
	e.Valid += p.span.valid
	if e.Largest == nil {
		e.Largest = make([]float32, x.Cols)
	}
	for j, v := range p.largest {
		e.Largest[j] = max(e.Largest[j], v)
	}
	if e.Sums == nil {
		return
	}
	_ = par.Blocks(context.Background(), x.Cols, 1, func(_, j, _ int) {
		for i := range x.Rows {
			if row := x.Row(i); p.valid == nil || finite(row) {
				e.Sums[j].Add(row[j])
			}
		}
	})
}

// Totalled has the columns summed, too, of points of d columns.
func (e *Census) Totalled(d int) *Census {
	e.Sums = make([]exact.Bins, d)
	return e
}

// Same says whether sums are of the points of a census that is Totalled.
func (e *Census) Same(s *Sums) bool {
	if s.Rows != int64(e.Rows) || s.Valid() != int64(e.Valid) {
		return false
	}
	for j, sum := range s.Columns() {
		if j >= len(e.Largest) || sum != e.Sum(j) {
			return false
		}
	}
	return true
}

// Passes is a training of points that go by once in each epoch, some at a time and always in the same order. What
// comes of it is what comes of all points at once where the trainer sums, to the last bit: sums are exact. It is used
// from one goroutine.
type Passes struct {
	batch *batch
}

// registerBatch adds an algorithm that visits all points in order, however they come.
func registerBatch(a Algorithm, batchOf func(Input) *batch) {
	a.New = func(in Input, v step.Values) (Trainer, error) { return newBatch(in, v, batchOf(in)) }
	a.Pass = func(in Input, all *Census, v step.Values) (*Passes, error) {
		in.X = matrix.Matrix32{Cols: len(all.Largest)}
		in.Searcher, in.Summer = nil, nil
		if all.Rows > math.MaxInt32 {
			return nil, fmt.Errorf("training: %d points are more than %d", all.Rows, math.MaxInt32)
		}
		b, err := newBatch(in, v, batchOf(in))
		if err != nil {
			return nil, err
		}
		b.span, b.largest = span{all: all.Rows, valid: all.Valid}, all.Largest
		return &Passes{b}, nil
	}
	Register(a)
}

// Take visits the next points. s finds the nearest landmarks of these alone, numbered from 0, and sum sums them; nil:
// the trainer does. With the last point of an epoch landmarks move. After an error, ctx's or a device's, the training
// is of no use.
func (p *Passes) Take(ctx context.Context, x matrix.Matrix32, s Searcher, sum Summer) error {
	b := p.batch
	b.points.Matrix32, b.span.from, b.searcher, b.summer = x, b.sums.cursor, s, sum
	if b.span.from+x.Rows > b.span.all {
		return fmt.Errorf("training: %d points have become more", b.span.all)
	}
	_, err := b.Step(ctx, x.Rows)
	return err
}

// Epoch ends an epoch by the sums of all of its points, which somebody else has made for the present codebook, instead
// of Take. The error is ctx's, after which the training is of no use; other points than those of the census are one,
// too.
func (p *Passes) Epoch(ctx context.Context, s *Sums) error {
	b := p.batch
	if s.Rows != int64(b.span.all) || s.Valid() != int64(b.span.valid) || len(s.sums) != len(b.sums.total) ||
		len(s.Counts) != len(b.sums.counts) || b.sums.cursor > 0 {
		return errors.New("training: the sums are of other points or landmarks")
	}
	b.sums.given = true
	copy(b.sums.counts, s.Counts)
	for i := range s.sums {
		b.sums.total[i] = s.sums[i].Float64()
	}
	if l := b.rule.strays; l != nil {
		*l = s.strays
	}
	b.done, b.sums.cursor = b.done+s.Rows, b.span.all
	return b.end(ctx)
}

// Salt is what Strays of the epoch under way are drawn by, for Summing; false: the training asks for none.
func (p *Passes) Salt() (salt uint64, asked bool) {
	if p.batch.rule.salt == nil {
		return 0, false
	}
	return p.batch.rule.salt(p.batch), true
}

// Progress is how far the training has come.
func (p *Passes) Progress() step.Progress { return p.batch.progress() }

// Codebook returns the current codebook, valid until the next Take.
func (p *Passes) Codebook() matrix.Matrix32 { return p.batch.Codebook() }
