package derived

import (
	"context"
	"fmt"

	"blossom/model/data/dataset"
	"blossom/model/maps/quality"
)

// How much of a point's neighbourhood in the space is lost in an embedding.
func init() {
	Register(Kind{
		ID: "loss", Title: "neighbourhood loss", Order: 34, Needs: NeedPositions | NeedTable,
		Help: "The share of a point's 32 nearest points in the space that are not among its 32 nearest on the map: " +
			"0, all are kept. Of many points, neighbours are looked for among a sample.",
		Compute: func(ctx context.Context, in Inputs, progress func(done, total int64)) (dataset.Column, error) {
			p, work := in.Positions, quality.Work{Progress: progress}
			lost, err := quality.Loss(ctx, in.Table.X, p.Pos, p.Dims, quality.LossWork, work)
			if err != nil {
				return dataset.Column{}, err
			}
			c := dataset.Column{From: fmt.Sprintf("the points of the map and %s: the %d nearest", p.from(), lost.K)}
			if lost.Sample < lost.Of {
				c.From += fmt.Sprintf(" among a sample of %d of %d", lost.Sample, lost.Of)
			}
			c.Values, err = in.Rows(ctx, lost.Share)
			return c, err
		},
	})
}
