package derived

import (
	"context"

	"blossom/model/base/par"
	"blossom/model/data/dataset"
)

// The coordinates of an embedding, each a column: to export them, to colour by them, to take them as the axes of
// another view.
func init() {
	for axis, name := range []string{"x", "y", "z"} {
		needs := NeedPositions
		if axis == 2 {
			needs |= NeedDepth
		}
		Register(Kind{
			ID: name, Title: name + " of the embedding", Name: name,
			Help:  "Where a point is on the map, along " + name + ".",
			Order: 50 + axis, Needs: needs,
			Compute: func(ctx context.Context, in Inputs, _ func(done, total int64)) (dataset.Column, error) {
				return coordinate(ctx, in, axis)
			},
		})
	}
}

func coordinate(ctx context.Context, in Inputs, axis int) (dataset.Column, error) {
	p := in.Positions
	values := make([]float32, len(p.Pos)/p.Dims)
	err := par.Blocks(ctx, len(values), 1<<16, func(_, from, to int) {
		for i := from; i < to; i++ {
			values[i] = p.Pos[i*p.Dims+axis]
		}
	})
	if err != nil {
		return dataset.Column{}, err
	}
	c := dataset.Column{From: p.from()}
	c.Values, err = in.Rows(ctx, values)
	return c, err
}
