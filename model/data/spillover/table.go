package spillover

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

// readTable reads a matrix from a table in one of the formats of data: the matrix that an FCS file brings, or a square
// of numbers.
func readTable(ctx context.Context, path string) ([]Matrix, error) {
	ds, err := format.Open(ctx, path, format.Options{})
	if err != nil {
		return nil, err
	}
	if ds.Spillover != nil {
		return []Matrix{{Spillover: *ds.Spillover, Samples: []string{ds.Metadata["$FIL"]}}}, nil
	}
	var m dataset.Spillover
	var cols []*dataset.Column
	for i := range ds.Columns {
		if c := &ds.Columns[i]; c.Categories == nil {
			cols, m.Names = append(cols, c), append(m.Names, c.Name)
		}
	}
	if n := len(cols); n == 0 || ds.Points != n || n > maxDetectors {
		return nil, problem.New(path, remedy, "a matrix of compensation has as many rows as detectors, this has %d "+
			"rows and %d columns of numbers", ds.Points, n)
	}
	for r := range ds.Points {
		row := make([]float64, len(cols))
		for j, c := range cols {
			row[j] = c.At(r)
		}
		m.M = append(m.M, row)
	}
	return []Matrix{{Spillover: m}}, nil
}
