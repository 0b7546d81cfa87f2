package bench

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/data/dataset"
	"blossom/model/document/opening"
	"blossom/model/job/run"
	"blossom/model/landmarks/train"
	"blossom/model/maps/tsne"
	"blossom/model/space/knn"
	"blossom/model/work/engine"
)

// readInput reads a file or a demo as the commands do. What can be wrong with it is a Problem.
func readInput(ctx context.Context, input string) (*dataset.Dataset, error) {
	s := run.Defaults()
	return s.Input.Read(ctx, input, nil)
}

// trainingInput is what the training of a map begins with, on an engine.
func trainingInput(start *opening.Start, caps engine.Caps) train.Input {
	l := start.Landmarks
	return train.Input{X: start.Table.X, Codebook: l.Codebook, Pos: l.Pos, Edges: l.Edges, Seed: 1,
		Searcher: caps.Searcher, Summer: caps.Summer}
}

// trained trains the map as the window does, to its end.
func trained(ctx context.Context, start *opening.Start, in train.Input) (matrix.Matrix32, error) {
	a, _ := train.ByID(start.Algorithm)
	t, err := a.New(in, start.Values)
	for p := (step.Progress{}); err == nil && !p.Rest; {
		p, err = t.Step(ctx, 1<<15)
	}
	if err != nil {
		return matrix.Matrix32{}, err
	}
	return t.Codebook(), nil
}

// nearOf finds neighbours exactly: by the engine that has the points, or by the processor.
func nearOf(ctx context.Context, x matrix.Matrix32, caps engine.Caps, q knn.Query) (*knn.Lists, error) {
	near := knn.NewLists(x, q)
	if caps.Neighbours != nil {
		return near, caps.Neighbours.Others(ctx, q, near)
	}
	return near, knn.Search(ctx, x, q, near)
}

// affinities are those of points for t-SNE.
func affinities(ctx context.Context, x matrix.Matrix32, caps engine.Caps, perplexity float64) (*tsne.Sparse, error) {
	_, k := tsne.Allowed(x.Rows, perplexity)
	near, err := nearOf(ctx, x, caps, knn.Query{K: k})
	if err != nil {
		return nil, err
	}
	return tsne.SparseOf(ctx, near, perplexity, caps.Joiner)
}
