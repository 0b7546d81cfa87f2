package format

import (
	"context"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/frame"
)

// frameOutline reads all but the values of a table that lies in a file column by column: they go into a spool, some
// rows at a time. Columns of images are read where they are shown, and leave the table to be read as a whole.
func (in *input) frameOutline(ctx context.Context, t frame.Table) (*dataset.Dataset, error) {
	f, width, err := in.framed(ctx, t)
	if err != nil {
		return nil, err
	}
	from, count, err := in.taken(f.total)
	if err != nil {
		return nil, err
	}
	if f.image >= 0 {
		return nil, dataset.ErrWhole
	}
	f.every, f.report = true, nil
	index := []bool(nil)
	p, err := in.spooled(ctx, from, count, width, f.starts, func(ctx context.Context, rows picked) ([]dataset.Column,
		[]tally, error) {
		series := len(f.series)
		f.rows, f.n = rows, int(rows.n)
		f.words.Store(in.o.Memory / 4)
		if err := f.values(ctx); err != nil {
			return nil, nil, err
		}
		if index != nil && len(f.series) < series {
			index = nil
			return nil, nil, errOtherColumns
		}
		var columns []dataset.Column
		var err error
		columns, index, err = f.columns(ctx)
		return columns, f.tallied(), err
	})
	if err != nil {
		return nil, err
	}
	ds, err := p.outline(ctx, f.headed(p.columns))
	if err != nil {
		return nil, err
	}
	ds.Total = int(count)
	nameRows(ds, index)
	return ds, nil
}

// tallied says of each column of the table what float32 does not hold of it.
func (f *framed) tallied() (out []tally) {
	for _, s := range f.series {
		for _, t := range s.tallies {
			if s.of.Kind != frame.Number {
				t = tally{}
			}
			out = append(out, t)
		}
	}
	return out
}
