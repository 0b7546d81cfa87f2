package derived

import (
	"context"

	"blossom/model/data/dataset"
)

// Which file a point is from: the table has that column already, where it was put together from several.
func init() {
	Register(Kind{
		ID: "sample", Title: "sample", Help: "Which of the files a point is from.", Order: 40, Label: true,
		Needs: NeedFiles,
		Compute: func(_ context.Context, in Inputs, _ func(done, total int64)) (dataset.Column, error) {
			return *in.Data.Origin(), nil
		},
	})
}
