package opening

import (
	"context"
	"os"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/texts"
	"blossom/model/data/format"
	"blossom/model/data/panel"
	"blossom/model/data/sheet"
)

// Recognised is a file that says something of data that are open: a sheet of their samples or a panel of their columns.
// Both nil: it is neither.
type Recognised struct {
	Samples *sheet.Found
	Panel   *panel.Found
}

// mostOfSheet is how large a file is looked at as a sheet, in bytes: tables of points are larger, as a rule.
const mostOfSheet = 4 << 20

// LooksLikeSheet says whether a file is a small text whose columns are called as those of a sheet. It takes no longer
// than a frame.
func LooksLikeSheet(path string) bool {
	f, ok := format.ForPath(path)
	st, err := os.Stat(path)
	if !ok || !format.NamesText(f.Name) || err != nil || !st.Mode().IsRegular() || st.Size() > mostOfSheet {
		return false
	}
	table := texts.Heads(path)
	return table != nil && (sheet.Named(table) || panel.Named(table))
}

// Recognise looks whether a file is a sheet for data whose samples s says: a text whose columns are called as those of
// a sheet, and which names samples or columns of the data. The error is ctx's.
func Recognise(ctx context.Context, path string, data *dataset.Dataset, s sheet.Sheet) (r Recognised, err error) {
	table, err := texts.Read(ctx, path)
	if err != nil {
		return r, ctx.Err()
	}
	names, _ := s.Of(data)
	if sheet.Named(table) {
		if found, err := sheet.Look(table, names, s.By()); err == nil {
			r.Samples = found
			return r, nil
		}
	}
	if found, err := panel.Look(table); err == nil && found.Fits(data) {
		r.Panel = found
	}
	return r, nil
}
