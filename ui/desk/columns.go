package desk

import (
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
)

// columnList is what Columns returns, made anew only when it may have changed: a table may have tens of thousands.
type columnList struct {
	data     revision.Revision
	views    []shownView
	clusters bool              // there are some
	names    bool              // there are populations
	samples  revision.Revision // the sheet of samples
	compared bool              // there are two groups of points to compare
	list     []live.ColumnInfo
	rev      revision.Revision
}

// shownView is what derived columns there are depends on.
type shownView struct {
	recipe embedding.Recipe
	dims   int
	failed bool
}

// ColumnList lists the columns that points can be coloured by: those of the table, in its order, then those that can be
// made of the map. rev changes with the list.
func (d *Desk) ColumnList() (list []live.ColumnInfo, rev revision.Revision) {
	c, views := &d.columns, parts.Views.Of(d.Doc.State()).Views
	clusters, names := d.Clusters().Hierarchy() != nil, d.Populations().Tree().Len() > 0
	samples, compared := d.Populations().Samples().Rev(), d.Populations().Contrast().Can()
	same := c.list != nil && c.data == d.Doc.Data.Rev && len(views) == len(c.views) && c.clusters == clusters &&
		c.names == names && c.samples == samples && c.compared == compared
	for i := 0; same && i < len(views); i++ {
		same = d.seen(views[i].Recipe).equal(c.views[i])
	}
	if !same {
		*c = columnList{data: d.Doc.Data.Rev, rev: revision.Next(), clusters: clusters, names: names,
			samples: samples, compared: compared}
		for _, v := range views {
			c.views = append(c.views, d.seen(v.Recipe))
		}
		c.list = d.Columns()
	}
	return c.list, c.rev
}

// seen describes the embedding of a view. Views that wait behind a maximised one have none, and are given none.
func (d *Desk) seen(r embedding.Recipe) shownView {
	out := shownView{recipe: r}
	if e := d.Existing(r); e != nil {
		out.dims, out.failed = e.Dims(), e.Err() != nil
	}
	return out
}

func (v shownView) equal(o shownView) bool {
	return v.recipe.Equal(o.recipe) && v.dims == o.dims && v.failed == o.failed
}

// ColumnTitle is the shortest name of a column of the table or a derived one: people say CD4, not BUV563-A.
func (d *Desk) ColumnTitle(name string) string {
	list, _ := d.ColumnList()
	for i := range list {
		if list[i].Name == name {
			return list[i].Title
		}
	}
	return name
}

// Spec is the transform of the map.
func (d *Desk) Spec() transform.Spec { return parts.Transform.Of(d.Doc.State()) }

// Respec changes the transform as one entry of the history, unless the result makes no sense; then it says why.
func (d *Desk) Respec(name string, change func(*transform.Spec)) {
	spec := d.Spec().Clone()
	change(&spec)
	if err := spec.Validate(d.Doc.Data); err != nil {
		d.Window.Fail(err)
		return
	}
	d.Doc.Do(name, func(s *state.State) { parts.PutTransform(s, spec) })
}
