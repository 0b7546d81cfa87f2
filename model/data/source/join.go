package source

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

// Join opens the file at path, a table with a row for each row of ds, and returns ds with its columns. o says how it is
// read, and how the points of ds were taken of their file: the same rows are taken of this one. The error is a Problem,
// or ctx's.
func Join(ctx context.Context, ds *dataset.Dataset, path string, o format.Options) (*dataset.Dataset, error) {
	if len(ds.Parts) > 1 && ds.Total > ds.Points {
		return nil, problem.New(path, "take all points, or join it to each file",
			"a sample of several files cannot be joined with another table")
	}
	table, err := Read(ctx, path, o)
	if err != nil {
		return nil, err
	}
	if table.Total != ds.Total {
		return nil, problem.New(path, "give a table with a row for each row of "+ds.Path, "it has %s, and %s has %d",
			problem.Count(table.Total, "row"), ds.Path, ds.Total)
	}
	named(table, path)
	return dataset.Join(ds, table), nil
}

// named calls columns that have no name of their own after their file.
func named(table *dataset.Dataset, path string) {
	stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	for i := range table.Columns {
		if c := &table.Columns[i]; dataset.IsDefaultName(c.Name) {
			if c.Name = stem; len(table.Columns) > 1 {
				c.Name = fmt.Sprintf("%s %d", stem, i+1)
			}
		}
	}
}
