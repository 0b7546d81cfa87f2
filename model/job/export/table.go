// Package export makes the tables and the landmark files that are written of a map. The window and the
// commands share it, so that the same map gives the same bytes.
package export

import (
	"context"
	"maps"
	"strconv"
	"strings"

	"blossom/model/base/par"
	"blossom/model/data/dataset"
)

// EmbedSOM begins the names of its coordinates: see CoordinateName.
const EmbedSOM = "embedsom"

// Keywords of a table of coordinates, in formats that have such: what computed it, that landmarks were moved by hand,
// and what derived columns were made of.
const (
	EngineKey   = "BLOSSOM_ENGINE"
	ArrangedKey = "BLOSSOM_ARRANGED"
	DerivedKey  = "BLOSSOM_DERIVED"
)

// CoordinateName is the name of a column of coordinates, counted from 0: "embedsom1".
func CoordinateName(embedding string, i int) string { return embedding + strconv.Itoa(i+1) }

// Coordinates returns n x dims positions, row-major, as a table with the columns embedding1, embedding2 and so
// on. Its rows are those of the data: order says which row each position belongs to, another for each (nil: they are in
// order). The error is ctx's.
func Coordinates(ctx context.Context, embedding string, pos []float32, dims int, order []int32) (*dataset.Dataset,
	error) {
	n := len(pos) / dims
	cols := make([]dataset.Column, dims)
	for j := range cols {
		cols[j] = dataset.Column{Name: CoordinateName(embedding, j), Values: make([]float32, n)}
	}
	if err := par.Blocks(ctx, n, 1<<14, func(_, from, to int) {
		for i := from; i < to; i++ {
			at := i
			if order != nil {
				at = int(order[i])
			}
			for j := range cols {
				cols[j].Values[at] = pos[i*dims+j]
			}
		}
	}); err != nil {
		return nil, err
	}
	ds, err := dataset.FromColumns(ctx, "embedding", cols)
	if err != nil {
		return nil, err
	}
	for j := range ds.Columns {
		ds.Columns[j].SetRole(dataset.Placed)
	}
	return ds, nil
}

// WithDerived returns a table of coordinates with derived columns after its own, and with what all of those are made of
// in its keywords.
func WithDerived(table *dataset.Dataset, more ...dataset.Column) *dataset.Dataset {
	if len(more) == 0 {
		return table
	}
	out := dataset.Beside(table, more...)
	if out.Metadata = maps.Clone(table.Metadata); out.Metadata == nil {
		out.Metadata = map[string]string{}
	}
	said := Provenance(more)
	if before := out.Metadata[DerivedKey]; before != "" {
		said = before + "; " + said
	}
	out.Metadata[DerivedKey] = said
	return out
}

// Provenance says in words what derived columns were made of.
func Provenance(columns []dataset.Column) string {
	var out []string
	for _, c := range columns {
		out = append(out, c.Name+": "+c.From)
	}
	return strings.Join(out, "; ")
}
