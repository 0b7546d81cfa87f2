package job

import (
	"context"
	"slices"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/job/run"
	"blossom/model/space/transform"
)

// Converted wants columns of the data themselves, changed as Space says and otherwise raw, as a table.
type Converted struct {
	run.Space
	Values transform.Values `json:"values,omitempty"` // under names that say so; "": as Space says, with their names
	Output string           `json:"output,omitempty"`

	Made *dataset.Dataset `json:"-"`
}

func init() {
	Register(Kind{ID: "table", New: func() Want { return &Converted{} }, Plain: true,
		Ranges: func(w Want) func(context.Context, *Work) error { return w.(*Converted).ranges() }})
}

// What returns the ID of the kind.
func (c *Converted) What() string { return "table" }

// Paths are the files that it names.
func (c *Converted) Paths() (written, read []*string) {
	return []*string{&c.Output}, compensationFile(&c.Compensation)
}

// compensationFile is the file that a compensation names, if it names one.
func compensationFile(c *string) []*string {
	if run.CompensationPath(*c) == "" {
		return nil
	}
	return []*string{c}
}

// Check says what is wrong with the wish.
func (c *Converted) Check() error {
	if err := c.Space.Check(); err != nil {
		return err
	}
	if err := run.Wrong(context.Background(), c.Values.Check()); err != nil {
		return err
	}
	return knownTable(c.Output)
}

// Make makes the table.
func (c *Converted) Make(ctx context.Context, w *Work) (err error) {
	if _, session := w.State["transform"]; session && c.Values != "" {
		if err = w.Space(ctx); err != nil {
			return err
		}
	}
	if c.Made, err = c.Space.TableOf(ctx, w.table, c.Values, w.Points); err != nil {
		return err
	}
	c.Made = w.paint(c.Made)
	w.Notes = slices.Concat(w.Notes, w.notes, c.Made.Warnings, format.Lost(c.Output, c.Made))
	if c.Output == "" {
		return nil
	}
	return w.Files.Save(ctx, c.Output, c.Made, w.Options.Report.Stage("writing"))
}

// ranges is what makes the table by ranges: of columns as they are.
func (c *Converted) ranges() func(context.Context, *Work) error {
	if c.Output == "" || c.Values != "" || len(c.Transforms) > 0 || c.Scale || c.Compensation != "" || c.Fill != "" ||
		!format.WritesRanges(c.Output) {
		return nil
	}
	return c.makeByRanges
}

// makeByRanges writes the rows as they go by.
func (c *Converted) makeByRanges(ctx context.Context, w *Work) error {
	cols, err := c.Space.Chosen(w.table)
	if err != nil {
		return err
	}
	columns := make([]dataset.Column, len(cols))
	for k, i := range cols {
		columns[k] = w.table.Columns[i]
	}
	made := w.table.Described(columns)
	made.Rows = w.table.Picked(cols)
	if !alikeInRanges(made) {
		return dataset.ErrWhole
	}
	c.Made = w.paint(made)
	w.Notes = slices.Concat(w.Notes, w.notes, made.Warnings, format.Lost(c.Output, made))
	written := w.Options.Report.Stage("writing")
	return w.Files.SaveRanges(ctx, c.Output, made.Points, func(put func(*dataset.Dataset) error) error {
		return made.EachRange(ctx, func(from int, rows *dataset.Dataset) error {
			if written != nil {
				written(int64(from), int64(made.Points))
			}
			return put(rows)
		})
	})
}
