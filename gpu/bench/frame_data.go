//go:build cgo && !static

package bench

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/maps/embedsom"
	"blossom/model/space/transform"
)

const (
	framePopulations = 24
	framePart        = 1 << 16 // points that one random source makes
	frameSample      = 200_000 // points that the grid is laid through
)

// frameData is n points of several populations, with a grid of landmarks, and none of the raw table that
// a file would have: 4 frameD bytes a point.
func frameData(ctx context.Context, n int) (*opening.Opened, error) {
	x := matrix.New(n, frameD)
	centres := matrix.New(framePopulations, frameD)
	rng := rand.New(rand.NewPCG(1, 0))
	for i := range centres.Data {
		centres.Data[i] = rng.Float32()
	}
	ranges := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for part := range ranges {
				scatter(x, centres, part*framePart, min(n, (part+1)*framePart))
			}
		})
	}
	for part := 0; part*framePart < n && ctx.Err() == nil; part++ {
		ranges <- part
	}
	close(ranges)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	first := matrix.Matrix32{Rows: min(n, frameSample), Cols: frameD, Data: x.Data[:min(n, frameSample)*frameD]}
	l, err := landmark.StartGrid(ctx, first, landmark.Shape{Cols: frameSide, Rows: frameSide}, landmark.Rect, 1)
	if err != nil {
		return nil, err
	}
	p := embedsom.Defaults()
	p.K = frameK
	var now state.State
	parts.Landmarks.Put(&now, l)
	parts.Projection.Put(&now, p)
	parts.Training.Put(&now, parts.TrainingChoice{Algorithm: train.DefaultID(false),
		Values: train.Values(train.DefaultID(false), n, l.Pos)})
	doc := state.New(&dataset.Dataset{Name: "bench", Points: n}, "bench", 1, now)
	return &opening.Opened{Doc: doc, Table: &transform.Table{X: x, Rev: revision.Next()}}, nil
}

// scatter fills the rows [from, to): each value is that of a population's centre and the sum of two
// uniform numbers, so that a value costs half a random word.
func scatter(x, centres matrix.Matrix32, from, to int) {
	const spread = 0.1
	r := rand.NewPCG(1, uint64(from)+1)
	for i := from; i < to; i++ {
		c := centres.Row(int(r.Uint64() % framePopulations))
		row := x.Row(i)
		for j := range row {
			w := r.Uint64()
			row[j] = c[j] + spread*(float32(w>>40)+float32(w&0xffffff))/(1<<24) - spread
		}
	}
}
