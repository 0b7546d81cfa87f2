package derived

import (
	"context"

	"blossom/model/data/dataset"
	"blossom/model/maps/embedsom"
)

// How badly the landmarks near a point agree on where it lies on the map.
func init() {
	Register(Kind{
		ID: "residual", Title: "fit residual", Order: 32, Needs: NeedTable | NeedLandmarks | NeedProjection,
		Help: "How badly the landmarks near a point agree on its place: 0, all of them say the same; 1, they differ " +
			"by as much as they are apart. High where the map is folded, torn or squeezed.",
		Compute: func(ctx context.Context, in Inputs, progress func(done, total int64)) (dataset.Column, error) {
			c := dataset.Column{From: "the landmarks and the points of the map"}
			values, err := embedsom.Residuals(ctx, in.Table.X, in.Landmarks.Codebook, in.Landmarks.Pos, in.Projection,
				progress)
			if err == nil {
				c.Values, err = in.Rows(ctx, values)
			}
			return c, err
		},
	})
}
