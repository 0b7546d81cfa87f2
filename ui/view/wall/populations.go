package wall

import (
	"context"

	"blossom/assets"
	"blossom/model/clusters/population"
	"blossom/model/maps/selection"
	"blossom/render"
	"blossom/ui/view"
	"blossom/ui/widget"
)

func init() {
	register(view.Kind{ID: "wall-populations", Title: "Wall of populations", Icon: assets.IconGrid3x3, Order: 22,
		Help: "A small map for each population, with its points alone in colour"},
		func(v *view.View) subject { return &populations{v} })
}

// populations are maps with the points of one population each.
type populations struct{ v *view.View }

func (x *populations) want(*Settings) (k key, tiles func(ctx context.Context) ([]tile, error), ok bool) {
	m := x.v.Scene().Map
	now, _ := m.Populations().Now()
	if now == nil {
		return key{}, nil, false
	}
	table, among := m.Table(), x.v.Among()
	k = key{made: now.Derived.Rev, with: table.Rev, among: among}
	return k, func(ctx context.Context) (out []tile, err error) {
		order := rows(table)
		for place, p := range now.Tree.All() {
			if len(out) == mostLabels || ctx.Err() != nil {
				break
			}
			set := now.Sets[place]
			if among != nil && among.Len() == set.Len() {
				set = selection.Intersect(set, among)
			}
			t := tile{name: p.Name, note: widget.Grouped(set.Count()), label: int(p.ID),
				inside: make([]uint8, min(len(order), sample))}
			for i := range t.inside {
				if set.Contains(int(order[i])) {
					t.inside[i] = render.Selected
				}
			}
			t.hide(order, among)
			out = append(out, t)
		}
		return out, ctx.Err()
	}, true
}

func (x *populations) empty() string {
	if x.v.Scene().Map.Populations().Tree().Len() == 0 {
		return "No populations yet. Select some points, then press Ctrl+G."
	}
	return "The maps are on their way."
}

func (x *populations) title() (title, of string) { return "Populations", "" }
func (x *populations) by(*Settings) string       { return "" }
func (x *populations) menu(*Settings) bool       { return false }

// pick shows the points of a population alone.
func (x *populations) pick(t *tile) {
	x.v.Scene().Gating.Chosen = population.ID(t.label)
	x.v.ShowOf(population.ID(t.label))
	x.v.ShowPoints()
}
