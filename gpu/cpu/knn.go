package cpu

import (
	"context"

	"blossom/model/space/knn"
	"blossom/model/work/engine"
)

var _ knn.Finder = (*resident)(nil)

// orderFrom is how many rows a search must have, and how many points, to be worth an order of the points, in which
// blocks of them are ruled out together. Tests set it.
var orderFrom = 4096

// firstBlocks is how many blocks rows are first compared with; chunkWork how many products a call may take, so that a
// search can be cancelled: some milliseconds. Tests set them.
var (
	firstBlocks = 8
	chunkWork   = 1 << 24
)

// packWork is how many products take as long as packing a value.
const packWork = 8

// Others implements knn.Finder: with the kernels of the variant, or in Go where it has none.
func (r *resident) Others(ctx context.Context, q knn.Query, out *knn.Lists) error {
	if err := q.Check(r.x); err != nil {
		return err
	}
	if r.e.v.others == nil || out.K == 0 {
		q.Threads = r.e.pool.threads
		return knn.Search(ctx, r.x, q, out)
	}
	return r.e.v.others(ctx, r.e.pool, r.x, q, out)
}

// Caps says that training can search here, and what looks for neighbours and at pairs.
func (r *resident) Caps() engine.Caps {
	return engine.Caps{Searcher: r, Neighbours: r, TSNE: r.e.tsne, UMAP: r.e.umap, Linkage: r}
}
