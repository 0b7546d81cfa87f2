package dataset

import (
	"context"

	"blossom/model/base/problem"
)

// Images are a column of bytes of images, of which none is kept: that of a row is read from its file when it is looked
// at.
type Images struct {
	Name string // the column in the file
	// Read reads the bytes of a row of the file, counted from 0; none: it has no image. The error is a Problem, or
	// ctx's.
	Read func(ctx context.Context, row int64) ([]byte, error)
}

// ImageBytes reads the bytes of the image of a row from its file; none: it has no image. Of a sample of the rows of a
// file nobody knows which these are.
func (ds *Dataset) ImageBytes(ctx context.Context, row int) ([]byte, error) {
	at, points, total := int64(row), ds.Points, ds.Total
	if s := ds.Subset; s != nil {
		at, points, total = int64(s.Rows[row]), s.Points, s.Total
	}
	if total > points {
		return nil, problem.New(ds.Path, "open all points of the file", "shows no images of a sample of its rows")
	}
	return ds.Images.Read(ctx, at)
}
