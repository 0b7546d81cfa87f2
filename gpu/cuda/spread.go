package cuda

import (
	"context"
	"sync"

	"blossom/model/base/matrix"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/maps/embedsom"
	"blossom/model/space/knn"
	"blossom/model/work/engine"
)

// spread is one table of points on several cards: rows that are embedded are shared by stripes, the cards taking turns,
// so that any range of many rows is shared evenly, and a row is always the same card's; in a training each has a part.
// A point is answered for without any other, so that results are those of one card, to the bit.
type spread struct {
	*resident             // on the first card; those on the others are beside it
	all       []*resident // the first, too
	stripe    int         // rows
	calls     calls
}

var (
	_ engine.Resident = (*spread)(nil)
	_ train.Searcher  = (*spread)(nil)
	_ knn.Finder      = (*spread)(nil)
)

// Rows are shared by stripes of stripeLeast rows at least, so that fewer stay on one card, whose launches they do not
// fill; and so that each card has stripesOf of them, where there are many rows. Tests need less.
var stripeLeast = page

const stripesOf = 16

// othersLeast is of how many rows a card looks for the neighbours, at least. Tests need less.
var othersLeast = 1 << 13

// spreadOver shares the points of r with the cards beside it.
func spreadOver(r *resident) *spread {
	s := &spread{resident: r, all: append([]*resident{r}, r.beside...)}
	turns := stripesOf * len(s.all) * stripeLeast
	s.stripe = max(1, (r.x.Rows+turns-1)/turns) * stripeLeast
	s.calls.of = s.all
	return s
}

// owner is the card that has a row.
func (s *spread) owner(row int) int { return row / s.stripe % len(s.all) }

// shares calls work for the stripes of a range, those of a card after each other and the cards side by side. The error
// is that of the first card that has one.
func (s *spread) shares(rg engine.Range, work func(r *resident, part engine.Range) error) error {
	first, last := rg.From/s.stripe, (rg.To-1)/s.stripe
	if rg.Len() <= s.stripe && first == last {
		return work(s.all[s.owner(rg.From)], rg)
	}
	return each(s.all, func(i int, r *resident) error {
		for _, part := range s.parts(rg, i) {
			if err := work(r, part); err != nil {
				return err
			}
		}
		return nil
	})
}

// parts are the stripes of a range that a card has.
func (s *spread) parts(rg engine.Range, card int) (parts []engine.Range) {
	for stripe := rg.From / s.stripe; stripe*s.stripe < rg.To; stripe++ {
		if stripe%len(s.all) == card {
			parts = append(parts, engine.Range{From: max(rg.From, stripe*s.stripe),
				To: min(rg.To, (stripe+1)*s.stripe)})
		}
	}
	return parts
}

// each works on all cards side by side.
func each[T any](all []T, work func(i int, of T) error) error {
	errs := make([]error, len(all))
	var wait sync.WaitGroup
	for i, of := range all {
		wait.Go(func() { errs[i] = work(i, of) })
	}
	wait.Wait()
	return first(errs)
}

// Neighbours implements embedsom.Device.
func (s *spread) Neighbours(ctx context.Context, l *landmark.Set, p embedsom.Params, rg engine.Range) error {
	if err := s.check(l, p, rg); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil || rg.Len() == 0 {
		return err
	}
	_, find := p.Neighbours(l.Len())
	for _, r := range s.all { // also one that has no share of it
		r.expect(l.Len(), find)
	}
	return s.calls.do(engine.StageNeighbours, rg, s.stripe, func() error {
		return s.shares(rg, func(r *resident, part engine.Range) error { return r.Neighbours(ctx, l, p, part) })
	})
}

// Project implements embedsom.Device.
func (s *spread) Project(ctx context.Context, l *landmark.Set, p embedsom.Params, dst embedsom.Target,
	rg engine.Range) error {
	if err := s.check(l, p, rg); err != nil {
		return err
	}
	if err := engine.CheckTarget(dst, s.x.Rows, l.Pos.Cols); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil || rg.Len() == 0 {
		return err
	}
	into := apart{dst}
	err := s.calls.do(engine.StageProject, rg, s.stripe, func() error {
		return each(s.all, func(i int, r *resident) error {
			return r.projectParts(ctx, l, p, into, s.parts(rg, i))
		})
	})
	if err != nil {
		return err
	}
	dst.Upload(rg.From, rg.To)
	return nil
}

// apart is a target that several goroutines write to, each other rows of its memory: whoever asked for the positions
// says so once all of them have.
type apart struct{ embedsom.Target }

func (apart) Upload(from, to int) {}

// GLBuffer says that there is none: only one card could write to it.
func (apart) GLBuffer() (buffer uint32, storage uint64) { return 0, 0 }

// Caps are those of a card, shared.
func (s *spread) Caps() engine.Caps {
	c := s.resident.Caps()
	c.Chunk, c.Async, c.Searcher, c.Summer, c.Neighbours = s.stripe*len(s.all), s, s, s, s
	return c
}

// Nearest implements train.Searcher: cards share the points as they do for sums.
func (s *spread) Nearest(ctx context.Context, codebook matrix.Matrix32, from, to int, out []int32) error {
	n, k := to-from, len(s.all)
	if n < k*sumLeast || from < 0 || to > s.x.Rows || len(out) < n {
		return s.resident.Nearest(ctx, codebook, from, to, out) // little, nothing, or it says why not
	}
	all, err := s.trainers()
	if err != nil {
		return err
	}
	for _, t := range all {
		if err := t.check(codebook, from, to); err != nil {
			return err
		}
	}
	return each(s.all, func(i int, r *resident) error {
		low, high := n*i/k, n*(i+1)/k
		return r.Nearest(ctx, codebook, from+low, from+high, out[low:high])
	})
}

// Others implements knn.Finder: each card has all points, and looks for the neighbours of its share of the rows.
func (s *spread) Others(ctx context.Context, q knn.Query, out *knn.Lists) error {
	if err := q.Check(s.x); err != nil {
		return err
	}
	if out.N < 2*othersLeast || out.K == 0 || out.K > nearestMost {
		return s.resident.Others(ctx, q, out)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.makeCells(ctx, &q, out.N, s.Nearest); err != nil { // rows are shared by cells
		return err
	}
	if told := q.Progress; told != nil {
		q.Progress = nil
		var mu sync.Mutex
		did := make([]int64, len(s.all))
		return each(s.all, func(i int, r *resident) error {
			mine := q
			mine.Progress = func(done, total int64) {
				mu.Lock()
				defer mu.Unlock()
				did[i] = done
				all := int64(0)
				for _, n := range did {
					all += n
				}
				told(all, total)
			}
			return r.others(ctx, mine, out, i, len(s.all))
		})
	}
	return each(s.all, func(i int, r *resident) error { return r.others(ctx, q, out, i, len(s.all)) })
}

// Status adds up what cards keep.
func (s *spread) Status() (all engine.Status) {
	for i, r := range s.all {
		one := r.Status()
		if i == 0 {
			all.Path = one.Path
		}
		if all.Plan == "" {
			all.Plan = one.Plan
		}
		all.Points, all.Neighbours, all.Other = all.Points+one.Points, all.Neighbours+one.Neighbours,
			all.Other+one.Other
	}
	return all
}

// Wait implements engine.Async.
func (s *spread) Wait() error {
	return each(s.all, func(_ int, r *resident) error { return r.Wait() })
}

// Timings implements engine.Async.
func (s *spread) Timings(yield func(engine.Timing)) { s.calls.report(yield) }
