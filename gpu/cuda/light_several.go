package cuda

import (
	"context"
	"errors"

	"blossom/model/clusters/linkage"
)

// several are holdings of the same places on several cards, which share rows to look at: each has all points and the
// same tree, and before that is made anew they tell each other what they have kept. The tree of a set of edges is the
// same everywhere (light_tree.cu), so that bounds are equal at any time, as the proof wants.
type several []*holding

// arrangeAll holds points on the card of r and on those beside it, in the order that r's finds where there is none.
func (r *resident) arrangeAll(ctx context.Context, l *linkage.Blocked, as arranged) (linkage.Holding, []int32, error) {
	if len(r.beside) == 0 {
		h, ids, err := r.hold(ctx, l, as)
		if err != nil {
			return nil, nil, err
		}
		return h, ids, nil
	}
	s := make(several, 1+len(r.beside))
	var ids []int32
	err := s.each(func(i int, _ *holding) (err error) {
		if i == 0 {
			s[0], ids, err = r.hold(ctx, l, as)
			return err
		}
		return r.beside[i-1].sendPoints(ctx) // meanwhile
	})
	if as == asRows {
		as = asPlaces
	}
	if err == nil {
		err = s.each(func(i int, _ *holding) (err error) {
			if i > 0 {
				other := *l // the same places; what is made of them is the card's
				s[i], _, err = r.beside[i-1].hold(ctx, &other, as)
			}
			return err
		})
	}
	if err != nil {
		s.Free()
		return nil, nil, err
	}
	return s, ids, nil
}

// sendPoints sends all points, where the card keeps them.
func (r *resident) sendPoints(ctx context.Context) error {
	if r.err != nil || r.plan == stream {
		return r.err
	}
	leave, err := r.e.c.Enter()
	if err != nil {
		return r.failed(err)
	}
	defer leave()
	return r.failed(r.send(ctx, 0, r.n))
}

// each works on all cards side by side.
func (s several) each(work func(i int, h *holding) error) error { return each(s, work) }

// first is the first error, so that of several a lost card or a cancel is said once.
func first(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Free implements linkage.Holding.
func (s several) Free() {
	for _, h := range s {
		if h != nil {
			h.Free()
		}
	}
}

// Nearest implements linkage.Holding, on the first card.
func (s several) Nearest(ctx context.Context, q linkage.Query, ids []int32, scores []float32) error {
	return s[0].Nearest(ctx, q, ids, scores)
}

// Abreast implements linkage.Holding.
func (s several) Abreast() int { return s[0].Abreast() }

// Weights implements linkage.Holding, on the first card.
func (s several) Weights(ctx context.Context, edges []linkage.Edge) error {
	return s[0].Weights(ctx, edges)
}

// Forest implements linkage.Holding, on the first card.
func (s several) Forest(ctx context.Context, edges []linkage.Edge, seed uint64) ([]linkage.Edge, error) {
	return s[0].Forest(ctx, edges, seed)
}

// First implements linkage.Holding: the first card's tree, with its representatives, is that of all.
func (s several) First(ctx context.Context) error {
	if err := s[0].First(ctx); err != nil {
		return err
	}
	edges, err := s[0].Tree(ctx)
	if err != nil {
		return err
	}
	s[0].tree.share = int64(len(s))
	return s.each(func(i int, h *holding) error {
		if i == 0 {
			return nil
		}
		return h.onCard(func() (err error) {
			if h.tree == nil {
				if h.tree, err = h.grown(); err != nil {
					return err
				}
			}
			t := h.tree
			t.share, t.kept = int64(len(s)), 0
			h.a.full = s[0].a.full
			return errors.Join(sendAll(ctx, &h.work, t.edges.at, edges), t.merge(ctx), t.bounds(true), h.work.s.Wait())
		})
	})
}

// Full implements linkage.Holding.
func (s several) Full() bool { return s[0].Full() }

// Together implements linkage.Holding.
func (s several) Together() int { return len(s) * s[0].Together() }

// Look implements linkage.Holding: cards take turns in the tasks.
func (s several) Look(ctx context.Context, tasks []linkage.Task, work *linkage.Work) (int, error) {
	had, works := make([]int64, len(s)), make([]linkage.Work, len(s))
	parts, kept := make([][]linkage.Task, len(s)), make([]int, len(s))
	for i, t := range tasks {
		parts[i%len(s)] = append(parts[i%len(s)], t)
	}
	err := s.each(func(i int, h *holding) (err error) {
		had[i] = h.tree.kept
		kept[i], err = h.Look(ctx, parts[i], &works[i])
		return err
	})
	all := 0
	for i, h := range s {
		if err != nil {
			h.tree.kept = had[i]
		}
		all += kept[i]
	}
	if err != nil {
		return 0, err
	}
	for i := range tasks {
		tasks[i] = parts[i%len(s)][i/len(s)]
	}
	for _, w := range works {
		work.Add(w)
	}
	return all, nil
}

// Refresh implements linkage.Holding.
func (s several) Refresh(ctx context.Context) error {
	lists := make([][]linkage.Edge, len(s))
	if err := s.each(func(i int, h *holding) error {
		return h.onCard(func() error {
			lists[i] = make([]linkage.Edge, h.tree.kept)
			return fetch(&h.work, lists[i], h.tree.begin())
		})
	}); err != nil {
		return err
	}
	return s.each(func(i int, h *holding) error {
		for k, list := range lists {
			if k == i {
				continue
			}
			if err := h.onCard(func() error { return h.tree.add(ctx, list) }); err != nil {
				return err
			}
		}
		return h.Refresh(ctx)
	})
}

// Tree implements linkage.Holding.
func (s several) Tree(ctx context.Context) ([]linkage.Edge, error) {
	for _, h := range s {
		if h.tree.kept > 0 {
			if err := s.Refresh(ctx); err != nil {
				return nil, err
			}
			break
		}
	}
	return s[0].Tree(ctx)
}
