package format

import (
	"context"
	"fmt"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// h5Table collects the columns of a table, with what each is.
type h5Table struct {
	in      *h5Input
	rows    picked
	total   int64  // rows that there are
	held    picked // rows of those that series have
	columns []dataset.Column
	tallies []tally                   // values of the columns that float32 does not hold
	as      []func(c *dataset.Column) // gives a column its role, once its values are known
	own     []int                     // columns that may have colours of their own
}

// pick says which of so many rows are read, of about so many columns.
func (t *h5Table) pick(rows int64, columns int) (err error) {
	t.rows, t.total, err = t.in.pick(rows, columns)
	t.held = t.rows
	return err
}

func (t *h5Table) add(c dataset.Column, lost tally, as func(c *dataset.Column)) {
	t.columns, t.tallies, t.as = append(t.columns, c), append(t.tallies, lost), append(t.as, as)
}

// series adds a column that has been read.
func (t *h5Table) series(s *h5Series, name string, as func(c *dataset.Column)) {
	c, lost := s.of(name, t.held, t.in.every)
	t.add(c, lost, as)
}

// Roles that the values show are kept where they say more than where a column stands.

func asMarker(c *dataset.Column) {
	switch c.Role {
	case dataset.Scatter, dataset.Ignored, dataset.Viability, dataset.Unlabelled:
	case dataset.Time:
		if c.Why == dataset.Dates {
			c.SetRole(dataset.Marker)
		}
	default:
		c.SetRole(dataset.Marker)
	}
}

func asGene(c *dataset.Column) {
	asMarker(c)
	c.Aside, c.Why = true, "asked for to colour by"
}

func asNoted(c *dataset.Column) {
	c.Noted = true
	switch c.Role {
	case dataset.Label, dataset.Ignored, dataset.Time, dataset.Index:
	default:
		c.SetRole(dataset.Measure)
	}
}

func asIndex(c *dataset.Column) {
	c.Role, c.Why, c.Noted = dataset.Index, "names of the points", true
}

func asPlace(c *dataset.Column) { c.SetRole(dataset.Placed) }

// matrix adds columns of a matrix.
func (t *h5Table) matrix(ctx context.Context, p *h5Plan, as func(c *dataset.Column)) error {
	columns, tallies, err := p.matrix.read(ctx, t.in, t.rows, p.cols)
	if err != nil {
		return err
	}
	order, place := p.cols, make(map[int]int, len(p.cols))
	for k, at := range p.cols {
		place[at] = k
	}
	if p.asked != nil {
		order = p.asked
	}
	for _, at := range order {
		c := columns[place[at]]
		c.Name = p.names[at]
		if p.labels != nil && p.labels[at] != c.Name {
			c.Label = p.labels[at]
		}
		t.add(c, tallies[place[at]], as)
	}
	return nil
}

// finish makes the table.
func (t *h5Table) finish(ctx context.Context) (*dataset.Dataset, error) {
	t.headed()
	ds, err := t.in.finish(ctx, t.columns, t.total, t.in.warnings)
	if err != nil {
		return nil, err
	}
	ds.Points = int(t.rows.n)
	t.describe(ds)
	return ds, nil
}

// headed has the columns be called differently.
func (t *h5Table) headed() {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.Name
	}
	t.in.warn(uniqueNames(names)...)
	for i := range t.columns {
		t.columns[i].Name = names[i]
	}
}

// describe tells the table what its columns are for.
func (t *h5Table) describe(ds *dataset.Dataset) {
	ds.Unread = t.in.unread
	for i := range ds.Columns {
		t.as[i](&ds.Columns[i])
	}
}

// table makes the table of an annotated matrix: the matrix, what obs notes of each cell, and embeddings of two or three
// dimensions.
func (a *anndata) table(ctx context.Context) (*dataset.Dataset, error) {
	p, err := a.choose(ctx)
	if err != nil {
		return nil, err
	}
	t := &h5Table{in: a.in}
	if err := t.pick(a.obs.rows, a.width(p)); err != nil {
		return nil, err
	}
	a.narrow(t)
	if err := a.columns(ctx, t, p); err != nil {
		return nil, err
	}
	ds, err := t.finish(ctx)
	if err != nil {
		return nil, err
	}
	return ds, a.describe(ctx, ds, p)
}

// width is about how many columns the table has.
func (a *anndata) width(p *h5Plan) int {
	width := len(p.cols) + len(a.obs.order) + 1 + 3*len(a.obsm)
	if p.genes != nil {
		width += len(p.genes.cols)
	}
	return width
}

// narrow has obs read the rows of a range alone.
func (a *anndata) narrow(t *h5Table) {
	if a.obs.part = nil; t.rows.list == nil && t.rows.n < a.obs.rows {
		a.obs.part, t.held = &t.rows, picked{n: t.rows.n}
	}
}

// columns reads those of the table.
func (a *anndata) columns(ctx context.Context, t *h5Table, p *h5Plan) error {
	if err := t.matrix(ctx, p, asMarker); err != nil {
		return err
	}
	if err := a.noted(ctx, t); err != nil {
		return err
	}
	for _, name := range a.obsm {
		m := a.found["obsm:"+name]
		if m == p.matrix || m.cols < 2 || m.cols > 3 {
			continue
		}
		q, err := a.named(ctx, m)
		if err != nil {
			return err
		}
		q.cols = upTo(m.cols)
		if err := t.matrix(ctx, q, asPlace); err != nil {
			return err
		}
	}
	if p.genes == nil {
		return nil
	}
	return t.matrix(ctx, p.genes, asGene) // last, so that one that is read later stands where it will stand again
}

// describe tells a table what the file says of it besides its columns.
func (a *anndata) describe(ctx context.Context, ds *dataset.Dataset, p *h5Plan) error {
	ds.Metadata, ds.Reading = a.described(p), a.in.o.Reading
	if err := a.note(ctx, ds); err != nil {
		return err
	}
	for _, name := range a.all() {
		m := a.found[name]
		ds.Matrices = append(ds.Matrices, dataset.Matrix{Name: name, Rows: int(m.rows), Columns: int(m.cols),
			Sparse: m.sparse != nil, Taken: m == p.matrix})
	}
	return nil
}

// noted adds the columns of obs, its index first.
func (a *anndata) noted(ctx context.Context, t *h5Table) error {
	names, err := a.obs.named(ctx)
	if err != nil {
		return err
	}
	title := strings.TrimPrefix(a.obs.index, "_")
	t.series(names, title, asIndex)
	var left []string
	for _, name := range a.obs.order {
		s, why, err := a.obs.series(ctx, name)
		if err != nil {
			return err
		}
		if s == nil {
			left = append(left, fmt.Sprintf("%q (%s)", name, why))
			continue
		}
		t.own = append(t.own, len(t.columns))
		t.series(s, name, asNoted)
		if err := t.in.colours(ctx, a.uns, &t.columns[len(t.columns)-1]); err != nil {
			return err
		}
	}
	if len(left) > 0 {
		more := ""
		if len(left) > 5 {
			more = fmt.Sprintf(" and %d others", len(left)-5)
		}
		t.in.warn("columns of obs that cannot be read are left out: " +
			strings.Join(left[:min(5, len(left))], ", ") + more)
	}
	return nil
}

// matrixKey is the keyword that names the matrix of a table.
const matrixKey = "matrix"

// described tells of what the file holds.
func (a *anndata) described(p *h5Plan) map[string]string {
	out := map[string]string{matrixKey: p.matrix.name}
	tell := func(names []string, prefix string) string {
		var words []string
		for _, name := range names {
			m := a.found[prefix+name]
			kind := "dense"
			if m.sparse != nil {
				kind = "sparse"
			}
			words = append(words, fmt.Sprintf("%s (%d x %d, %s)", name, m.rows, m.cols, kind))
		}
		return strings.Join(words, ", ")
	}
	if len(a.matrices) > 0 {
		out["matrices"] = tell(a.matrices, "")
	}
	if len(a.obsm) > 0 {
		out["embeddings"] = tell(a.obsm, "obsm:")
	}
	return out
}

// inPart says of a Problem in which part of the file it is.
func inPart(err error, part string) error {
	p, ok := err.(*problem.Problem)
	if !ok {
		return err
	}
	return h5At(p, part)
}
