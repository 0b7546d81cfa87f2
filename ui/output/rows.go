package output

import (
	"context"
	"os"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/job/export"
	"blossom/model/maps/derived"
	"blossom/render/colour"
	"blossom/render/palette"
)

// withNearest are derived columns with that of the nearest landmark, where there are landmarks.
func (o *Output) withNearest(columns []string) []string {
	doc := o.w.Desk().Doc
	name := derived.ByID("nearest").ColumnName(doc.Data, "")
	if parts.Landmarks.Of(doc.State()).Len() == 0 || slices.Contains(columns, name) {
		return columns
	}
	return append(slices.Clip(columns), name)
}

// appended gives rows that are appended to their data the names of the populations, where there are any.
func (o *Output) appended(rows *export.Rows) error {
	now := o.w.Desk().Populations()
	if !rows.Append || now.Tree().Len() == 0 {
		return nil
	}
	of, fresh := now.Now()
	if of == nil || !fresh {
		return problem.New("", "export again in a moment", "the points of populations are being looked for")
	}
	rows.Names = &export.Names{Data: rows.Data, Tree: of.Tree, Labels: of.Labels, Colour: palette.Ink}
	return nil
}

// save writes rows with places that are made now, and with the data before them that are made then, if any are.
func save(ctx context.Context, rows *export.Rows, path string, places, before func(context.Context) (*dataset.Dataset,
	error), progress func(done, total int64)) (said []string, err error) {
	if rows.Made, err = places(ctx); err != nil {
		return nil, err
	}
	if before != nil {
		if rows.Before, err = before(ctx); err != nil {
			return nil, err
		}
		if rows.Append { // as a command has its data, with the sheet of samples
			rows.Data = rows.Before
		}
	}
	var files format.Files
	defer files.Discard()
	if said, err = rows.Save(ctx, &files, path, progress); err != nil {
		return nil, err
	}
	return said, files.Commit()
}

// paint gives labels the colours that are chosen for them now.
func (o *Output) paint() func(*dataset.Dataset) *dataset.Dataset {
	chosen := parts.Palettes.Of(o.w.Desk().Doc.State())
	return func(ds *dataset.Dataset) *dataset.Dataset { return chosen.Painted(ds, colour.OfLabels) }
}

// beside is where a file stands that goes with an output: beside a folder, not in it.
func beside(output string) string { return strings.TrimRight(output, string(os.PathSeparator)) }
