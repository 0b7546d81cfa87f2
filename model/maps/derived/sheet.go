package derived

import (
	"context"

	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/data/sheet"
)

// OfSheet is what a column of the sheet of samples says of the rows of data; nil: it has no such column.
func OfSheet(s sheet.Sheet, data *dataset.Dataset, column string) *Labels {
	values, groups, counts, ok := s.Labels(data, column)
	if !ok {
		return nil
	}
	return &Labels{Values: values, Names: groups, Counts: counts, None: "no " + column, From: "the sheet of samples",
		Rev: revision.Next()}
}

// The sheet of samples says something of the sample that a point is from: a column for each of the sheet's.
func init() {
	Register(Kind{
		ID: "sheet", Title: "sheet of samples", Prefix: "sample: ", Order: 42, Label: true,
		Needs: NeedSheet, Quick: true,
		Help: "What the sheet of samples says of the sample that a point is from.",
		Compute: func(_ context.Context, in Inputs, _ func(done, total int64)) (dataset.Column, error) {
			return in.Sheet.column(), nil
		},
	})
}
