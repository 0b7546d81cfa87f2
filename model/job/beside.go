package job

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/space/transform"
)

// Beside is which columns of the data stand before those that are made of them.
type Beside struct {
	WithData bool             `json:"with_data,omitempty"`
	Values   transform.Values `json:"values,omitempty"` // scale of those columns; "": raw, which is noted
}

// checkOutput says what is wrong with the wish, and whether tables can be written under the name of the output.
func (b Beside) checkOutput(path string) error {
	if err := knownTable(path); err != nil {
		return err
	}
	if b.Values != "" && !b.WithData {
		return run.Usage{Err: problem.New("", "say with_data (--with-data) too, or leave it out",
			"values of the data are asked for, and none of its columns")}
	}
	return run.Wrong(context.Background(), b.Values.Check())
}

// table is a table that was made of points, with their data before its own columns if that is wanted. What there is to
// say of that goes to each of notes.
func (b Beside) table(ctx context.Context, made *dataset.Dataset, p *run.Points,
	notes ...*[]string) (*dataset.Dataset, error) {
	data, err := b.data(ctx, p, notes...)
	if err != nil || data == nil {
		return made, err
	}
	return export.Onto(data, p.Data.RowNumbers(), made), nil
}

// data are the columns of the data that stand before others; nil: none do.
func (b Beside) data(ctx context.Context, p *run.Points, notes ...*[]string) (*dataset.Dataset, error) {
	if !b.WithData {
		return nil, nil
	}
	data, err := p.As(ctx, b.Values)
	if err != nil {
		return nil, err
	}
	for _, c := range p.Cols {
		if b.Values == "" && p.Spec.Compensated(c) {
			for _, to := range notes {
				*to = append(*to, "the columns of the data are raw, and the map is of compensated values: "+
					"--values compensated writes those")
			}
			break
		}
	}
	return data, nil
}
