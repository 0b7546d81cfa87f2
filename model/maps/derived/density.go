package derived

import (
	"context"

	"blossom/model/base/par"
	"blossom/model/data/dataset"
	"blossom/model/maps/density"
	"blossom/model/space/transform"
)

// The density of points on the map: how many times denser than evenly spread ones they are, shown as log10.
func init() {
	Register(Kind{
		ID: "density", Title: "density", Order: 10, Needs: NeedPositions,
		Help:  "How many times denser points lie on the map than if they were evenly spread over it.",
		Shown: transform.Column{Op: transform.Log, Weight: 1},
		Compute: func(ctx context.Context, in Inputs, progress func(done, total int64)) (dataset.Column, error) {
			p, c := in.Positions, dataset.Column{From: in.Positions.from()}
			low, high, _ := Core(p) // without a finite point there is no region, and no density
			field, err := density.Of(ctx, p.Pos, p.Dims, low, high)
			if err != nil {
				return c, err
			}
			progress(1, 2)
			values := make([]float32, len(p.Pos)/p.Dims)
			err = par.Blocks(ctx, len(values), 1<<14, func(_, from, to int) {
				for i := from; i < to; i++ {
					values[i] = float32(field.At(p.Pos[i*p.Dims : (i+1)*p.Dims]))
				}
			})
			if err == nil {
				progress(2, 2)
				c.Values, err = in.Rows(ctx, values)
			}
			return c, err
		},
	})
}
