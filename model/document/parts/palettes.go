package parts

import (
	"encoding/json"
	"maps"

	"blossom/model/document/state"
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
