package scale

import (
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
)

func init() { job.AllRowsOf = allRowsOf }

// allRowsOf is all rows that the data of a job are a sample of, with what was counted in them of the populations of a
// state. Where counts are damaged they are there without them, with the Problem.
func allRowsOf(path string, sample *dataset.Dataset, now state.State) (*job.AllRows, error) {
	w, err := WholeOf(path)
	if w == nil {
		return nil, err // who draws their density says what is wrong with that
	}
	all := &job.AllRows{Folder: w.Folder, Rows: w.Rows}
	c, err := w.Counted()
	if c == nil || sample.Subset != nil {
		return all, err
	}
	asked, err := c.Asked(sample)
	if err != nil {
		return all, err
	}
	all.Counted = c.Known(parts.Populations.Of(now), LooksOf(asked), LooksOf(now))
	return all, nil
}
