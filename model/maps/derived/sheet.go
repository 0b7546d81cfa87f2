package derived

import (
	"context"

	"blossom/model/data/dataset"
)

// What the sheet of samples says of the sample that a point is from: a column for each of the sheet's.
func init() {
	Register(Kind{
		ID: "sheet", Title: "sheet of samples", Prefix: "sample: ", Order: 42, Label: true, Needs: NeedSheet, Quick: true,
		Help: "What the sheet of samples says of the sample that a point is from.",
		Compute: func(_ context.Context, in Inputs, _ func(done, total int64)) (dataset.Column, error) {
			return in.Sheet.column(), nil
		},
	})
}
