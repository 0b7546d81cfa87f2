package dataset

import (
	"context"
	"path/filepath"
	"strings"

	"blossom/model/base/problem"
)

// Subset says which rows of other data a table has: those of a population, whose map is made apart.
type Subset struct {
	Name       string  // the name of the rows there
	Of         string  // name of the other data
	Population int32   // its number there
	Rows       []int32 // the place of each row in the other data, ascending
	Points     int     // rows of the other data
	Total      int     // Total of the other data
	Parent     []byte  // the session of the document that has named them, as a file
}

// Among returns the rows of ds that s lists, as a table of its own that knows where they are from. The error is ctx's,
// or a Problem where there are none or ds has other rows than they were chosen of.
func Among(ctx context.Context, ds *Dataset, s Subset) (*Dataset, error) {
	switch n := len(s.Rows); {
	case ds.Points != s.Points:
		return nil, problem.New(ds.file(), "open the data that they were chosen of",
			"%s was chosen of %s, and this has %d", s.Name, problem.Count(s.Points, "row"), ds.Points)
	case n == 0:
		return nil, problem.New(ds.file(), "choose a population that has points", "%s has no points", s.Name)
	}
	out, err := Take(ctx, ds, s.Rows)
	if err != nil {
		return nil, err
	}
	s.Of, s.Total = ds.Name, ds.Total
	out.Subset, out.Total = &s, out.Points
	out.Name = strings.TrimSuffix(ds.Name, filepath.Ext(ds.Name)) + " · " + s.Name
	return out, nil
}

// RowNumbers is the column of RowNumber for a subset; none of a table that is all that was read.
func (ds *Dataset) RowNumbers() []Column {
	if ds.Subset == nil {
		return nil
	}
	return []Column{ds.RowNumber()}
}

// RowNumber is a column of the numbers of the rows, from 1, those of a subset as in the other data.
func (ds *Dataset) RowNumber() Column {
	c, of, numbers := Column{Name: "row", Role: Index, Provenance: Derived}, ds.Name, make([]float64, ds.Points)
	for i := range numbers {
		numbers[i] = float64(i + 1)
	}
	if s := ds.Subset; s != nil {
		of = s.Of
		for i, row := range s.Rows {
			numbers[i] = float64(row + 1)
		}
	}
	c.From, c.Stats = "rows of "+of, Summarise(numbers)
	c.SetExact(numbers) // float32 does not hold all of many
	return c
}
