package wall

import (
	"context"

	"blossom/assets"
	"blossom/model/data/dataset"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
	"blossom/render"
	"blossom/render/colour"
	"blossom/ui/view"
	"blossom/ui/widget"
)

func init() {
	register(view.Kind{ID: "wall-samples", Title: "Wall of samples", Icon: assets.IconGrid3x3, Order: 21,
		Help: "A small map for each file, or each label of a column, with the points of it alone in colour"},
		func(v *view.View) subject { return &samples{v: v} })
}

// mostLabels is how many labels a column may have whose labels are samples.
const mostLabels = 400

// samples are maps with the points of one label of a column each; of several files, those of one file.
type samples struct{ v *view.View }

// columns are those whose labels can be samples: those of the sheet of samples, then those of the table.
func (x *samples) columns() (out []*dataset.Column) {
	data, m := x.v.Data(), x.v.Scene().Map
	for _, name := range m.Populations().Samples().Sheet().Columns() {
		c, _, err := m.Column(m.Populations().Samples().Column(name))
		if err == nil && c != nil && len(c.Categories) <= mostLabels {
			out = append(out, c)
		}
	}
	for i := range data.Columns {
		if c := &data.Columns[i]; colour.IsLabel(c) && len(c.Categories) <= mostLabels {
			out = append(out, c)
		}
	}
	return out
}

// column is the one whose labels are samples; nil: there is none.
func (x *samples) column(s *Settings) *dataset.Column {
	all := x.columns()
	for _, c := range all {
		if c.Name == s.Column {
			return c
		}
	}
	if own := x.v.Data().Origin(); own != nil {
		return own
	}
	if len(all) > 0 {
		return all[0]
	}
	return nil
}

func (x *samples) want(s *Settings) (k key, tiles func(ctx context.Context) ([]tile, error), ok bool) {
	table, c := x.v.Scene().Map.Table(), x.column(s)
	if c == nil {
		return key{}, nil, false
	}
	among := x.v.Among()
	return key{what: c.Name, made: table.Rev, with: c.Rev, among: among}, func(ctx context.Context) ([]tile, error) {
		return ofLabels(c, rows(table), among), ctx.Err()
	}, true
}

// ofLabels are the maps of the labels of a column that points have, which are in an order, with those points that are
// among the rows in sight, nil: all.
func ofLabels(c *dataset.Column, order []int32, among *selection.Set) (out []tile) {
	v := colour.Of(c, transform.Column{}, order)
	n := min(len(order), sample)
	at, counts := make([]int, len(v.Labels)), v.Counts
	if among != nil {
		counts = make([]int, len(v.Labels))
		for i, l := range v.Numbers {
			if l == l && among.Contains(int(order[i])) {
				counts[int(l)]++
			}
		}
	}
	for label, name := range v.Labels {
		if v.Counts[label] == 0 {
			continue
		}
		out = append(out, tile{name: name, note: widget.Grouped(counts[label]), column: c.Name, label: label,
			inside: make([]uint8, n)})
		at[label] = len(out)
	}
	for i, l := range v.Numbers[:n] {
		if l == l && at[int(l)] > 0 {
			out[at[int(l)]-1].inside[i] = render.Selected
		}
	}
	for i := range out {
		out[i].hide(order, among)
	}
	return out
}

func (x *samples) empty() string {
	if len(x.columns()) == 0 {
		return "No column has labels. Open several files together, or add columns that name samples."
	}
	return "The maps are on their way."
}

func (x *samples) title() (title, of string) { return "Samples", "" }

func (x *samples) by(s *Settings) string {
	if c := x.column(s); c != nil {
		return c.Short()
	}
	return ""
}

func (x *samples) menu(s *Settings) (changed bool) {
	now := x.column(s)
	for _, c := range x.columns() {
		if x.v.Scene().UI.MenuItem(c.Short()+"##"+c.Name, widget.MenuOpts{Checked: c == now,
			Tip: "A map for each of its labels"}) {
			s.Column, changed = c.Name, true
		}
	}
	return changed
}

// pick selects the points of a sample that are in sight.
func (x *samples) pick(t *tile) {
	scene := x.v.Scene()
	c, _, err := scene.Map.Column(t.column)
	if err != nil || c == nil {
		return
	}
	v := colour.Of(c, transform.Column{}, nil)
	words := make([]uint64, (len(v.Numbers)+63)/64)
	for row, l := range v.Numbers {
		if l == l && int(l) == t.label {
			words[row/64] |= 1 << (row % 64)
		}
	}
	set := selection.FromBits(len(v.Numbers), words)
	if among := x.v.Among(); among != nil {
		set = selection.Intersect(set, among)
	}
	scene.SelectNamed(t.name, set)
	x.v.ShowPoints()
}
