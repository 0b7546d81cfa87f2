package parts

import (
	"encoding/json"

	"blossom/model/data/panel"
	"blossom/model/data/sheet"
	"blossom/model/document/state"
)

// Panel is what a panel says of the columns. The data of the document are as it has them: see panel.Panel.On.
var Panel = state.Register(state.Kind[panel.Panel]{
	ID: "panel", Title: "Panel", Version: 1,
	Default: func() panel.Panel { return panel.Panel{} },
	Equal:   panel.Equal,
	Encode: func(p panel.Panel, c state.Context) (json.RawMessage, error) {
		if p.Empty() {
			return nil, nil
		}
		return encode(p, c)
	},
	Decode: func(raw json.RawMessage, _ int, c state.Context) (panel.Panel, error) {
		p, err := panel.Decode(raw)
		if err != nil {
			return panel.Panel{}, leftOut(c, "its panel is left out", err)
		}
		return p, nil
	},
	Bytes: panel.Panel.Bytes,
})

// PanelIn is the panel among parts in a file, whose data have to be read with it; an empty one where there is none that
// can be read.
func PanelIn(all map[string]state.Encoded) panel.Panel {
	p, err := panel.Decode(all["panel"].Value)
	if err != nil {
		return panel.Panel{}
	}
	return p
}

// SamplesIn is the sheet of samples among parts in a file, an empty one where there is none that can be read.
func SamplesIn(all map[string]state.Encoded) sheet.Sheet {
	s, err := sheet.Decode(all["samples"].Value)
	if err != nil {
		return sheet.Sheet{}
	}
	return s
}
