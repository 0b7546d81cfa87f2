package exchange

import (
	"context"
	"math"
	"slices"
	"strconv"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

func init() {
	for i, k := range []Kind{{ID: "csv", Title: "Table (.csv)", Ending: ".csv"}, {ID: "tsv", Title: "Table (.tsv)",
		Ending: ".tsv"}} {
		k.Raw, k.Order = true, 2+i
		k.Help = "A row for each landmark: its codebook by the names of the columns, its position, name and pin"
		k.Write = func(ctx context.Context, path string, f *File) ([]string, error) {
			t, err := f.table(ctx)
			if err != nil {
				return nil, err
			}
			return []string{path}, format.Save(ctx, path, t, nil)
		}
		Register(k)
	}
}

// table is the landmarks as a table: codebook, positions, and names and pins where there are any.
func (f *File) table(ctx context.Context) (*dataset.Dataset, error) {
	var cols []dataset.Column
	for j, c := range f.Columns {
		cols = append(cols, dataset.Column{Name: c.Name, Label: c.Label, Values: column(f.Set.Codebook, j)})
	}
	out, err := dataset.FromColumns(ctx, "landmarks", slices.Clip(cols))
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	for _, c := range f.Columns {
		taken[c.Name] = true
	}
	word := "position"
	for taken[word+"1"] || taken[word+"2"] {
		word = "map " + word
	}
	for c := range f.Set.Pos.Cols {
		out.Columns = append(out.Columns, dataset.Column{Name: word + strconv.Itoa(c+1), Values: column(f.Set.Pos, c)})
	}
	if slices.ContainsFunc(f.Set.Names, func(s string) bool { return s != "" }) && !taken["name"] {
		out.Columns = append(out.Columns, labels(f.Set.Names))
	}
	if slices.Contains(f.Set.Pinned, true) && !taken["pinned"] {
		pins := make([]float32, f.Set.Len())
		for i, on := range f.Set.Pinned {
			if on {
				pins[i] = 1
			}
		}
		out.Columns = append(out.Columns, dataset.Column{Name: "pinned", Values: pins})
	}
	return out, nil
}

// labels makes a column of texts.
func labels(names []string) dataset.Column {
	c := dataset.Column{Name: "name", Values: make([]float32, len(names))}
	for i, s := range names {
		if s == "" {
			c.Values[i] = float32(math.NaN())
			continue
		}
		at := slices.Index(c.Categories, s)
		if at < 0 {
			at = len(c.Categories)
			c.Categories = append(c.Categories, s)
		}
		c.Values[i] = float32(at)
	}
	return c
}
