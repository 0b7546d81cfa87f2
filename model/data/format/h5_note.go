package format

import (
	"context"
	"math"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/hdf5"
)

// Names in uns: the matrix of spillover with its names, and what else is known of the columns.
const (
	spilloverKey = "spillover"
	noteKey      = "blossom"
)

// mostDetectors is how many detectors a matrix of spillover may have.
const mostDetectors = 1 << 10

// note tells a table what uns notes of it. What is wrong with that costs it alone.
func (a *anndata) note(ctx context.Context, ds *dataset.Dataset) error {
	if a.uns == nil || !a.uns.IsGroup() {
		return nil
	}
	note, err := a.columnNote(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		ds.Warnings = append(ds.Warnings, "what is noted of the columns is left out: "+problem.As(err).What)
	}
	matrix, err := a.spillover(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		ds.Warnings = append(ds.Warnings, "the compensation matrix was left out: "+problem.As(err).What)
	}
	note.Spillover = matrix
	if a.in.o.Reading.Matrix != "" { // somebody has said what the map is made of
		for i := range ds.Columns {
			if one, noted := note.Columns[ds.Columns[i].Name]; noted && ds.Columns[i].Role == dataset.Marker {
				one.Role = ""
				note.Columns[ds.Columns[i].Name] = one
			}
		}
	}
	ds.Warnings = append(ds.Warnings, note.Tell(ds)...)
	return nil
}

// columnNote is what is noted of the columns.
func (a *anndata) columnNote(ctx context.Context) (note dataset.Note, err error) {
	o, err := a.uns.Child(noteKey)
	if err != nil || o == nil || !o.IsDataset() {
		return note, err
	}
	d, err := o.Dataset()
	if err != nil || !d.Type.IsText() || len(d.Shape) > 1 {
		return note, err
	}
	texts, err := o.Texts(ctx)
	if err != nil || len(texts) != 1 {
		return note, err
	}
	return dataset.ParseNote(texts[0])
}

// spillover is the matrix of spillover; nil: there is none, or what is called so is another thing.
func (a *anndata) spillover(ctx context.Context) (*dataset.SpilloverNote, error) {
	o, err := a.uns.Child(spilloverKey)
	if err != nil || o == nil || !o.IsGroup() {
		return nil, err
	}
	var parts [2]*hdf5.Object
	for i, name := range []string{"names", "matrix"} {
		if parts[i], err = o.Child(name); err != nil || parts[i] == nil || !parts[i].IsDataset() {
			return nil, err
		}
		d, err := parts[i].Dataset()
		if err != nil || i == 0 != d.Type.IsText() || i == 1 != d.Type.Number() || len(d.Shape) != 1+i ||
			d.Shape[0] > mostDetectors || d.Shape[i] > mostDetectors {
			return nil, err
		}
	}
	names, err := parts[0].Texts(ctx)
	if err != nil {
		return nil, err
	}
	numbers, err := parts[1].Floats(ctx)
	if err != nil {
		return nil, err
	}
	width := max(1, int(math.Sqrt(float64(len(numbers)))))
	out := &dataset.SpilloverNote{Keyword: "uns/" + spilloverKey, Names: names}
	for from := 0; from+width <= len(numbers); from += width {
		out.Matrix = append(out.Matrix, numbers[from:from+width])
	}
	return out, nil
}
