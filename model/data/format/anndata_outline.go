package format

import (
	"context"
	"slices"

	"blossom/model/data/dataset"
)

// outline reads all but the values of an annotated matrix: they go into a spool, some rows at a time. Of a matrix that
// lies column by column a range of rows is as long to read as all are, so that it is read as a whole.
func (a *anndata) outline(ctx context.Context) (*dataset.Dataset, error) {
	p, err := a.choose(ctx)
	if err != nil {
		return nil, err
	}
	from, count, err := a.in.taken(a.obs.rows)
	if err != nil {
		return nil, err
	}
	if a.byColumns(p) {
		return nil, dataset.ErrWhole
	}
	report := a.in.o.Progress
	a.in.every = true
	var t *h5Table
	s, err := a.in.spooled(ctx, from, count, a.width(p), nil, func(ctx context.Context, rows picked) ([]dataset.Column,
		[]tally, error) {
		warned, first := a.in.warnings, t == nil
		t = &h5Table{in: a.in, rows: rows, total: count, held: rows}
		a.narrow(t)
		a.in.o.Progress = nil
		err := a.columns(ctx, t, p)
		if a.in.o.Progress = report; !first {
			a.in.warnings = warned
		}
		return t.columns, t.tallies, err
	})
	if err != nil {
		return nil, err
	}
	for _, j := range t.own { // the first window has had few of the labels
		warned := slices.Clone(a.in.warnings)
		if err := a.in.colours(ctx, a.uns, &s.columns[j]); err != nil {
			return nil, err
		}
		a.in.warnings = warned
	}
	t.columns = s.columns
	t.headed()
	ds, err := s.outline(ctx, a.in.warnings)
	if err != nil {
		return nil, err
	}
	t.describe(ds)
	return ds, a.describe(ctx, ds, p)
}

// byColumns says whether one of the matrices that are read lies column by column.
func (a *anndata) byColumns(p *h5Plan) bool {
	is := func(m *h5Matrix) bool { return m.turned || m.sparse != nil && m.sparse.byColumns }
	return is(p.matrix) || p.genes != nil && is(p.genes.matrix) || slices.ContainsFunc(a.obsm, func(name string) bool {
		m := a.found["obsm:"+name]
		return m.cols >= 2 && m.cols <= 3 && is(m)
	})
}
