package parts

import (
	"encoding/json"

	"blossom/model/data/sheet"
	"blossom/model/document/state"
)

// Samples is what is known of the samples: their sheet.
var Samples = state.Register(state.Kind[sheet.Sheet]{
	ID: "samples", Title: "Samples", Version: 1,
	Default: func() sheet.Sheet { return sheet.Sheet{} },
	Equal:   sheet.Equal,
	Encode: func(s sheet.Sheet, c state.Context) (json.RawMessage, error) {
		if s.Empty() {
			return nil, nil
		}
		return encode(s, c)
	},
	Decode: func(raw json.RawMessage, _ int, c state.Context) (sheet.Sheet, error) {
		s, err := sheet.Decode(raw)
		if err != nil {
			return sheet.Sheet{}, leftOut(c, "its sheet of samples is left out", err)
		}
		return s, nil
	},
	Bytes: sheet.Sheet.Bytes,
})
