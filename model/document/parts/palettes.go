package parts

import (
	"encoding/json"
	"maps"
	"slices"

	"blossom/model/data/dataset"
	"blossom/model/document/state"
	"blossom/model/maps/derived"
)

// Palettes is what was chosen for each column while points were coloured by it, by its name: palette, range, scale and
// centre, see Look.Choice. A column that nothing was chosen for has what the view has.
var Palettes = state.Register(palettesKind)

var palettesKind = state.Kind[LookTable]{
	ID: "palettes", Title: "Colours of columns", Version: 1,
	Default: func() LookTable { return LookTable{} },
	Equal:   func(a, b LookTable) bool { return maps.Equal(a, b) },
	Encode: func(t LookTable, c state.Context) (json.RawMessage, error) {
		if len(t) == 0 {
			return nil, nil
		}
		return encode(t, c)
	},
	Decode: func(raw json.RawMessage, _ int, c state.Context) (LookTable, error) {
		t := LookTable{}
		if err := decode(raw, "the colours of columns", &t); err != nil {
			return LookTable{}, leftOut(c, "they are left out", err)
		}
		at, out := c.Data.Places(), LookTable{}
		for name, l := range t {
			if i, ok := at[name]; ok {
				name = c.Data.Columns[i].Name
			}
			l = l.sane().Choice()
			if l.Of != "" {
				l.Of = name
			}
			out[name] = l
		}
		return out, nil
	},
}

// EditLook changes the look of a view in s. A column that the view is coloured by anew has what was chosen for it; what
// is chosen now is kept. Colours of labels are those of every view that is coloured by the column.
func EditLook(s *state.State, view string, change func(*Look)) {
	t, kept := Looks.Of(*s), Palettes.Of(*s)
	was := t.Get(view)
	now := was
	change(&now)
	chosen, known := kept[now.Column]
	switch same := now.Choice() == was.Choice(); {
	case now.Column != "" && now.Column == was.Column && !same:
		Palettes.Put(s, kept.With(now.Column, now.Choice()))
	case now.Column != was.Column && known && same:
		now = now.Chosen(chosen)
	case now.Column != was.Column && same: // values of another column say nothing of this one
		now.From, now.To, now.Of, now.Centred, now.Centre, now.Inks = 0, 0, "", false, 0, ""
	}
	t = t.With(view, now)
	if now.Column == was.Column && now.Inks != was.Inks { // a label has one colour wherever it is seen
		for other, l := range t {
			if l.Column == now.Column && l.Inks != now.Inks {
				l.Inks = now.Inks
				t = t.With(other, l)
			}
		}
	}
	Looks.Put(s, t)
}

// Painter is what knows colours: it gives those of the labels of a column by the palette and the colours that were
// chosen for it, four bytes for each as dataset.Column.Own has them; "" where nothing was chosen.
type Painter func(c *dataset.Column, palette string, chosen dataset.LabelInks) string

// Painted is a table in which labels have the colours that were chosen for their columns, so that its files have them.
func (t LookTable) Painted(ds *dataset.Dataset, by Painter) *dataset.Dataset {
	out := ds
	for i := range ds.Columns {
		c := &ds.Columns[i]
		l, chosen := t[c.Name]
		if !chosen && derived.OfSamples(*c) { // the window calls it otherwise than files do
			l, chosen = t[derived.ByID("sheet").ColumnName(ds, c.Name)]
		}
		if !chosen || by == nil {
			continue
		}
		own := by(c, l.Palette, l.Inks)
		if own == "" {
			continue
		}
		if out == ds {
			copied := *ds
			copied.Columns = slices.Clone(ds.Columns)
			out = &copied
		}
		out.Columns[i].Own = own
	}
	return out
}
