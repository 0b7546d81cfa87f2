package wall

import (
	"context"

	"blossom/assets"
	"blossom/model/data/dataset"
	"blossom/model/live"
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
type samples struct {
	v     *view.View
	named live.Followed // keeps the name of the column that is chosen
}

// choice is a column whose labels can be samples.
type choice struct{ title, name string }

// choices are those of the sheet of samples, then those of the table. Labels of the sheet are made for points only
// where they are chosen.
func (x *samples) choices() (out []choice) {
	data, of := x.v.Data(), x.v.Scene().Map.Populations().Samples()
	for _, name := range of.Sheet().Columns() {
		made := of.Column(name)
		out = append(out, choice{made, made})
	}
	for i := range data.Columns {
		if c := &data.Columns[i]; few(c) {
			out = append(out, choice{c.Short(), c.Name})
		}
	}
	return out
}

// few says whether labels of a column can be samples.
func few(c *dataset.Column) bool {
	return c != nil && colour.IsLabel(c) && len(c.Categories) <= mostLabels
}

// find is the column of a name, where its labels can be samples; else nil.
func (x *samples) find(name string) *dataset.Column {
	data, m := x.v.Data(), x.v.Scene().Map
	for i := range data.Columns {
		if c := &data.Columns[i]; c.Name == name {
			if few(c) {
				return c
			}
			return nil
		}
	}
	of := m.Populations().Samples()
	for _, known := range of.Sheet().Columns() {
		if of.Column(known) == name {
			if c, _, err := m.Column(name); err == nil && few(c) {
				return c
			}
		}
	}
	return nil
}

// column is the one whose labels are samples; nil: there is none.
func (x *samples) column(s *Settings) *dataset.Column {
	if s.Column = x.named.Of(x.v.Scene().Map.Populations().Samples(), s.Column); s.Column != "" {
		if c := x.find(s.Column); c != nil {
			return c
		}
	}
	if own := x.v.Data().Origin(); own != nil {
		return own
	}
	of := x.v.Scene().Map.Populations().Samples()
	for _, name := range of.Sheet().Columns() {
		if c := x.find(of.Column(name)); c != nil {
			return c
		}
	}
	for i := range x.v.Data().Columns {
		if c := &x.v.Data().Columns[i]; few(c) {
			return c
		}
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
	if len(x.choices()) == 0 {
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
	for _, c := range x.choices() {
		if x.v.Scene().UI.MenuItem(c.title+"##"+c.name, widget.MenuOpts{Checked: now != nil && c.name == now.Name,
			Tip: "A map for each of its labels"}) {
			s.Column, changed = c.name, true
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
