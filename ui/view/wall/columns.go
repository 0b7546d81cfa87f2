package wall

import (
	"context"

	"blossom/assets"
	"blossom/model/space/transform"
	"blossom/render/colour"
	"blossom/ui/view"
	"blossom/ui/widget"
)

func init() {
	register(view.Kind{ID: "wall-columns", Title: "Wall of columns", Icon: assets.IconGrid3x3, Order: 20,
		Help: "A small map for each column of the map, coloured by it"},
		func(v *view.View) subject { return &columns{v} })
}

// columns are maps coloured by one column of the map each.
type columns struct{ v *view.View }

func (x *columns) want(*Settings) (k key, tiles func(ctx context.Context) ([]tile, error), ok bool) {
	m := x.v.Scene().Map
	table, data := m.Table(), m.Doc.Data
	how := x.v.Look().Spread
	return key{made: table.Rev, with: data.Rev, spread: how}, func(ctx context.Context) (out []tile, err error) {
		order := rows(table)
		mixed := transform.AllMixed(data, table.Spec, table.Cols)
		for _, i := range table.Cols {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			c := &data.Columns[i]
			out = append(out, tile{name: c.Short(), column: c.Name,
				values: colour.Again(nil, mixed[i], table.Spec.Columns[i], how, order[:min(len(order), sample)])})
		}
		return out, nil
	}, len(table.Cols) > 0
}

func (x *columns) empty() string {
	if len(x.v.MapColumns()) == 0 {
		return "No column is in the map. Take some in, in the Data panel."
	}
	return "The maps are on their way."
}

func (x *columns) title() (title, of string) { return "Columns", "" }

// ranges are the ways in which colours are spread.
var ranges = []struct {
	title, help string
	common      bool
}{
	{"ranges of their own", "Each column has the palette for itself", false},
	{"one range", "From the lowest to the highest end of all columns, as the transform gives them", true},
}

func (x *columns) by(s *Settings) string {
	if s.Common {
		return ranges[1].title
	}
	return ranges[0].title
}

func (x *columns) menu(s *Settings) (changed bool) {
	for _, r := range ranges {
		if x.v.Scene().UI.MenuItem(widget.Sentence(r.title), widget.MenuOpts{Checked: r.common == s.Common,
			Tip: r.help}) {
			s.Common, changed = r.common, true
		}
	}
	return changed
}

func (x *columns) pick(t *tile) {
	x.v.ColourBy(t.column)
	x.v.ShowPoints()
}
