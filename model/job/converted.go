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

func init() { Register(Kind{ID: "table", New: func() Want { return &Converted{} }, Plain: true}) }

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
