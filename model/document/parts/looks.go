package parts

import (
	"encoding/json"
	"maps"
	"math"

	"blossom/model/data/dataset"
	"blossom/model/document/state"
	"blossom/model/space/transform"
)

// Look is how the points of a view are coloured and drawn; it moves none of them.
type Look struct {
	Column  string // name of the column to colour by, "" for one colour
	Palette string // "" for the default of the column's kind
	Reverse bool
	Low     float64 // percentiles that the ends of the palette stand for, 0 to 100
	High    float64
	Size    float64 // disc diameter in points; 0 adapts to density
	Opacity float64 // 0 adapts to density
	Drawing
	// From and To are the values at the ends of the palette, transformed as in the map, in place of percentiles while
	// points are coloured by the column Of: values of one column say nothing of another's.
	From float64 `json:",omitempty"`
	To   float64 `json:",omitempty"`
	Of   string  `json:",omitempty"`
	// And is a second column, whose values colour the points beside those of Column; "": there is none.
	And string `json:",omitempty"`
	// Spread says how values are spread over the palette; where that is not as in the map, From and To are raw.
	Spread transform.Spread `json:",omitempty"`
	// Centred says that the middle of a diverging palette lies at the raw value Centre.
	Centred bool    `json:",omitempty"`
	Centre  float64 `json:",omitempty"`
	// Inks are colours that were chosen for labels of the column.
	Inks dataset.LabelInks `json:",omitempty"`
}

// Choice is the part of a look that is kept for its column.
func (l Look) Choice() Look {
	return Look{Palette: l.Palette, Reverse: l.Reverse, Low: l.Low, High: l.High, From: l.From, To: l.To, Of: l.Of,
		Spread: l.Spread, Centred: l.Centred, Centre: l.Centre, Inks: l.Inks}
}

// Chosen returns the look with what was chosen for its column.
func (l Look) Chosen(c Look) Look {
	c = c.Choice()
	c.Column, c.And, c.Size, c.Opacity, c.Drawing = l.Column, l.And, l.Size, l.Opacity, l.Drawing
	return c
}

// ByValue says whether the ends of the palette are values rather than percentiles.
func (l Look) ByValue() bool { return l.Of != "" && l.Of == l.Column && l.From < l.To }

// DefaultLook is what a view is drawn with that has no look of its own.
func DefaultLook() Look { return Look{Low: 1, High: 99} }

// LookTable is the looks by the IDs of views. It is never changed in place.
type LookTable map[string]Look

// Get returns the look of a view.
func (t LookTable) Get(view string) Look {
	if l, ok := t[view]; ok {
		return l
	}
	return DefaultLook()
}

// With returns the table with another look of a view.
func (t LookTable) With(view string, l Look) LookTable {
	out := LookTable{}
	maps.Copy(out, t)
	out[view] = l
	return out
}

// Looks is how the points of each view are coloured and drawn.
var Looks = state.Register(looksKind)

var looksKind = state.Kind[LookTable]{
	ID: "looks", Title: "Colours", Version: 1,
	Default: func() LookTable { return LookTable{} },
	Equal:   func(a, b LookTable) bool { return maps.Equal(a, b) },
	Encode:  encode[LookTable],
	Decode: func(raw json.RawMessage, _ int, c state.Context) (LookTable, error) {
		t := LookTable{}
		if err := decode(raw, "the colours", &t); err != nil {
			return LookTable{}, leftOut(c, "its colours are left out", err)
		}
		at := c.Data.Places()
		for id, l := range t {
			if i, ok := at[l.Column]; ok {
				l.Column = c.Data.Columns[i].Name
			}
			if i, ok := at[l.And]; ok {
				l.And = c.Data.Columns[i].Name
			}
			t[id] = l.sane()
		}
		return t, nil
	},
}

// sane replaces numbers that make no sense.
func (l Look) sane() Look {
	d := DefaultLook()
	l.Drawing = l.Drawing.Sane()
	if !l.Spread.Known() {
		l.Spread = transform.SpreadMap
	}
	if l.Centre-l.Centre != 0 {
		l.Centred, l.Centre = false, 0
	}
	if !(l.Low >= 0 && l.High <= 100 && l.Low < l.High) {
		l.Low, l.High = d.Low, d.High
	}
	if !(l.From < l.To) || l.To-l.From > math.MaxFloat32 {
		l.From, l.To, l.Of = 0, 0, ""
	}
	if !(l.Size >= 0 && l.Size <= 64) {
		l.Size = d.Size
	}
	if !(l.Opacity >= 0 && l.Opacity <= 1) {
		l.Opacity = d.Opacity
	}
	return l
}
