package derived

import (
	"context"
	"slices"

	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/data/sheet"
)

// fromSheet is what columns of the sheet of samples are made from.
const fromSheet = "the sheet of samples"

// OfSheet is what a column of the sheet of samples says of the rows of data; nil: it has no such column.
func OfSheet(s sheet.Sheet, data *dataset.Dataset, column string) *Labels {
	if numbers, ok := s.Numbers(data, column); ok {
		return &Labels{Numbers: numbers, From: fromSheet, Rev: revision.Next()}
	}
	values, groups, counts, ok := s.Labels(data, column)
	if !ok {
		return nil
	}
	return &Labels{Values: values, Names: groups, Counts: counts, None: "no " + column, From: fromSheet,
		Rev: revision.Next()}
}

// Sampled returns data with the columns of the sheet of samples beside its own, each by its own name where data has
// none of that name, else as the window calls it. The error is ctx's.
func Sampled(ctx context.Context, s sheet.Sheet, data *dataset.Dataset) (*dataset.Dataset, error) {
	var more []dataset.Column
	for _, name := range s.Columns() {
		in := Inputs{Data: data, Of: name, Sheet: OfSheet(s, data, name)}
		c, err := ByID("sheet").Column(ctx, in, nil)
		if err != nil {
			return nil, err
		}
		more = append(more, PlainName(c, data))
	}
	if len(more) == 0 {
		return data, nil
	}
	return dataset.Beside(data, more...), nil
}

// IsSampled says whether a table has columns of a sheet of samples beside its own.
func IsSampled(data *dataset.Dataset) bool {
	return slices.ContainsFunc(data.Columns, OfSamples)
}

// OfSamples says whether a column is one of a sheet of samples.
func OfSamples(c dataset.Column) bool { return c.Provenance == dataset.Derived && c.From == fromSheet }

// PlainName is a column of the sheet of samples by its own name, where the table has none of that name; others are as
// they are.
func PlainName(c dataset.Column, data *dataset.Dataset) dataset.Column {
	if k, of, made := Named(data, c.Name, nil); made && k.Prefix != "" {
		c.Label = ""
		if _, taken := data.Places()[of]; !taken {
			c.Name = of
		}
	}
	return c
}

// The sheet of samples says something of the sample that a point is from: a column for each of the sheet's, of labels
// or of numbers.
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
