package quality

import (
	"context"

	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
)

// Landmarks are those near each point of a sample, kept from one measure to the next: they are looked for where the
// codebook has changed.
type Landmarks struct {
	Far Far // points that are far from all of them

	of   *Space
	code revision.Revision
	find int     // landmarks of each point
	ids  []int32 // points x find, the nearest first
}

// Project returns the positions of a sample by EmbedSOM (points x dims), from the float64 reference: what engines agree
// with, and nothing has to be brought from a card. code is another whenever the codebook of l is.
func (n *Landmarks) Project(ctx context.Context, s *Space, code revision.Revision, l *landmark.Set, p embedsom.Params,
	w Work) (pos []float32, dims int, err error) {
	r, err := embedsom.NewReference(l.Codebook, l.Pos, p)
	if err != nil {
		return nil, 0, err
	}
	_, find := p.Neighbours(l.Len())
	if n.of != s || n.code != code || n.find != find {
		fresh := Landmarks{of: s, code: code, find: find, ids: make([]int32, s.Len()*find)}
		if err = blocks(ctx, r, s.Len(), w, func(k *embedsom.Worker, i int) {
			k.Neighbours(s.X.Row(i), fresh.ids[i*find:i*find], nil)
		}); err != nil {
			return nil, 0, err
		}
		if fresh.Far, err = s.Far(ctx, l.Codebook, w); err != nil {
			return nil, 0, err
		}
		*n = fresh
	}
	dims = r.Dims()
	pos = make([]float32, s.Len()*dims)
	err = blocks(ctx, r, s.Len(), w, func(k *embedsom.Worker, i int) {
		var y [3]float64
		k.PointFrom(s.X.Row(i), n.ids[i*find:(i+1)*find], y[:dims])
		for c := range dims {
			pos[i*dims+c] = float32(y[c])
		}
	})
	return pos, dims, err
}

// blocks calls work for every point of a sample, and pauses now and then.
func blocks(ctx context.Context, r *embedsom.Reference, n int, w Work, work func(k *embedsom.Worker, i int)) error {
	size := 64 * max(1, w.Threads) // a block of a Reference for each goroutine
	for from := 0; from < n; from += size {
		if err := r.Each(ctx, from, min(n, from+size), w.Threads, work); err != nil {
			return err
		}
		if w.Pause != nil {
			w.Pause()
		}
	}
	return ctx.Err()
}
