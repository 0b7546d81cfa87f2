package format

import (
	"context"
	"errors"
	"slices"

	"blossom/model/data/dataset"
)

// outlineText reads a text table as readText does, but for its values, which go into a spool.
func outlineText(ctx context.Context, in *input, ext string) (*dataset.Dataset, error) {
	s, err := newSpool()
	if err != nil {
		return nil, err
	}
	t := &textTable{in: in, meter: newMeter(in.size, in.o.Progress), spool: s}
	ds, err := t.outline(ctx, ext)
	if err != nil {
		s.file.Close()
		if errors.Is(err, dataset.ErrWhole) {
			return nil, err
		}
		return nil, fileProblem(err, in.path)
	}
	return ds, nil
}

// outline reads all but the values.
func (t *textTable) outline(ctx context.Context, ext string) (*dataset.Dataset, error) {
	if t.in.o.Count > 0 && t.in.o.Span == nil {
		return nil, dataset.ErrWhole // its rows have to be counted first
	}
	if err := t.start(ctx, ext); err != nil {
		return nil, err
	}
	if len(t.d.names) > widest {
		return nil, dataset.ErrWhole
	}
	for {
		columns, err := t.parse(ctx)
		if err != nil {
			return nil, err
		}
		if !dataset.Surveyable(int64(t.rows)) {
			return nil, dataset.ErrWhole
		}
		if err := t.in.asMany(int64(t.rows)); err != nil {
			return nil, err
		}
		if err := t.asBegun(columns); err != nil {
			return nil, err
		}
		again := t.d.exact == nil && t.in.o.Count == 0 && t.reconsider(columns)
		ds, coarse, err := t.surveyed(ctx, columns)
		if err != nil || !coarse && !again {
			return ds, err
		}
	}
}

// surveyed is the outline of columns whose values are in the spool. again says that there are columns among them that
// float32 does not hold, and that the spool has as float32.
func (t *textTable) surveyed(ctx context.Context, columns []dataset.Column) (ds *dataset.Dataset, again bool,
	err error) {
	exact := make([]bool, len(columns))
	columns, warn, unsure := t.headed(slices.Clone(columns))
	ds, err = t.spool.outline(ctx, t.in.path, columns, t.rows, func(j int, far func() (bool, error)) (bool, error) {
		rounded, inexact := t.inexact(j)
		exact[j] = inexact && rounded
		if inexact && !rounded {
			var err error
			if exact[j], err = far(); err != nil {
				return false, err
			}
		}
		again = again || exact[j] && !t.spool.wide[j]
		return t.spool.wide[j], nil
	})
	if err != nil {
		return nil, false, err
	}
	t.d.exact = exact
	ds.Warnings = warn
	t.describe(ds, unsure)
	return ds, again, nil
}
