package export

import (
	"context"
	"maps"
	"slices"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

// Rows is a table with what was made of each row of data, which is written as one file, or as one of each of something.
// The window and the commands write it alike.
type Rows struct {
	Data   *dataset.Dataset // as it was opened
	Each   Each             // how rows are parted into files
	Before *dataset.Dataset // the data that stand before what was made, with the values that are wanted; nil: none
	Made   *dataset.Dataset // coordinates and columns made of a map; nil: none
	// Append: the files are those of the data with what was made beside it, so that coordinates are only moved where a
	// format wants it, and not brought to a size.
	Append bool
	Names  *Names // the last columns: labels of the rows; nil: there are none
	// Paint gives labels the colours that somebody has chosen for them; nil: they have those of their file.
	Paint func(*dataset.Dataset) *dataset.Dataset
}

// Save writes the table, in the files that Paths names, among files that take their places together. It returns what
// of it a file of the format does not hold, in words. progress may be nil; it is told rows or files.
func (r *Rows) Save(ctx context.Context, to *format.Files, path string,
	progress func(done, total int64)) (lost []string, err error) {
	if err := r.CheckFiles(path); err != nil {
		return nil, err
	}
	paths, said := r.Paths(path)
	if r.Each == "" {
		all, err := r.table(ctx, path)
		if err != nil {
			return nil, err
		}
		return format.Lost(path, all), to.Save(ctx, path, all, progress)
	}
	if IsFolder(path) {
		to.Folder(path)
	}
	lost = said
	var all *dataset.Dataset
	for i, path := range paths {
		if i == 0 || !alike(path, paths[i-1]) {
			if all, err = r.table(ctx, path); err != nil {
				return nil, err
			}
		}
		part, err := r.part(ctx, all, i)
		if err == nil {
			for _, says := range format.Lost(path, part) {
				if !slices.Contains(lost, says) {
					lost = append(lost, says)
				}
			}
			err = to.Save(ctx, path, part, nil)
		}
		if err != nil {
			return nil, err
		}
		if progress != nil {
			progress(int64(i+1), int64(len(paths)))
		}
	}
	return lost, nil
}

// Like is what is made of other rows of the data, with nothing made yet.
func (r *Rows) Like(data *dataset.Dataset) *Rows {
	return &Rows{Data: data, Paint: r.Paint}
}

// SaveRanges is Save of one file of data that is an outline: each puts what was made of its ranges, in their order.
func (r *Rows) SaveRanges(ctx context.Context, to *format.Files, path string,
	each func(put func(*Rows) error) error) (lost []string, err error) {
	first := true
	err = to.SaveRanges(ctx, path, r.Data.Points, func(put func(*dataset.Dataset) error) error {
		return each(func(of *Rows) error {
			table, err := of.table(ctx, path)
			if err != nil {
				return err
			}
			if first {
				lost, first = format.Lost(path, table), false
			}
			return put(table)
		})
	})
	return lost, err
}

// Of is the table of some rows alone, in their order, as a file of a name would have them.
func (r *Rows) Of(ctx context.Context, path string, rows []int32) (*dataset.Dataset, error) {
	all, err := r.table(ctx, path)
	if err != nil {
		return nil, err
	}
	return dataset.Take(ctx, all, rows)
}

// alike says whether both files are of one format.
func alike(a, b string) bool {
	of, _ := format.ForPath(a)
	other, _ := format.ForPath(b)
	return of.Name == other.Name
}

// table is what is written of all rows into a file of a name: names of the rows, or the data with numbers of its rows,
// if these are wanted, then what was made, then labels.
func (r *Rows) table(ctx context.Context, path string) (*dataset.Dataset, error) {
	f, _ := format.ForPath(path)
	said, columns := map[string]string{}, r.index(f)
	if made := r.Made; made != nil {
		if f.Channels && (r.Append || r.Names != nil) {
			made = asChannels(made, !r.Append)
		}
		columns = append(columns, made.Columns...)
		maps.Copy(said, made.Metadata)
	}
	if r.Names != nil {
		labels, err := Populations(ctx, r.Names.Tree, r.Names.Labels, r.Names.All)
		if err == nil && r.Names.Selected != nil {
			var in dataset.Column
			in, err = membership(ctx, "selected", r.Names.Selected)
			labels = append(labels, in)
		}
		if err != nil {
			return nil, err
		}
		labels[0].Own = r.Names.own()
		columns, said[PopulationsKey] = append(columns, labels...), r.Names.keyText()
	}
	named := dataset.Beside(&dataset.Dataset{}, columns...) // each by a name of its own
	roles := slices.Clone(named.Columns)
	made, err := dataset.FromColumns(ctx, "rows", named.Columns)
	if err != nil {
		return nil, err
	}
	for i, c := range roles {
		made.Columns[i].Role, made.Columns[i].Why = c.Role, c.Why // as who made them says
	}
	if made.Metadata = said; r.Before != nil {
		made = Onto(r.Before, r.numbers(), made)
	}
	if r.Paint != nil {
		made = r.Paint(made)
	}
	return made, nil
}

// index is the column that names the rows, where a file of a format begins with it: labels do, so that programs find
// their rows by them.
func (r *Rows) index(f format.Format) []dataset.Column {
	at, places := r.Data.IndexAt(), r.Names == nil && r.Made != nil &&
		slices.ContainsFunc(r.Made.Columns, func(c dataset.Column) bool { return c.Role == dataset.Placed })
	if at < 0 || r.Before != nil || f.Index == format.NoIndex || f.Index == format.MayIndex && places {
		return nil
	}
	return []dataset.Column{r.Data.Columns[at]}
}

// numbers is the column of numbers of rows, where it is wanted.
func (r *Rows) numbers() []dataset.Column {
	if r.Each == EachPopulation {
		return []dataset.Column{r.Data.RowNumber()}
	}
	return r.Data.RowNumbers()
}

// Onto returns data with columns of numbers of its rows, if there are any, and those of another table, which has the
// same rows, after its own, and the keywords of both.
func Onto(data *dataset.Dataset, numbers []dataset.Column, made *dataset.Dataset) *dataset.Dataset {
	out := dataset.Beside(data, append(numbers, made.Columns...)...)
	if out.Metadata = maps.Clone(data.Metadata); out.Metadata == nil {
		out.Metadata = map[string]string{}
	}
	maps.Copy(out.Metadata, made.Metadata)
	return out
}
