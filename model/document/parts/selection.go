package parts

import (
	"encoding/json"

	"blossom/model/document/state"
	"blossom/model/maps/selection"
)

// Selection is the points that are selected, in all views. nil is none.
var Selection = state.Register(state.Kind[*selection.Set]{
	ID: "selection", Title: "Selection", Version: 1,
	Default: func() *selection.Set { return nil },
	Equal:   selection.Equal,
	Encode: func(s *selection.Set, c state.Context) (json.RawMessage, error) {
		if s.Empty() {
			return nil, nil
		}
		return encode(s, c)
	},
	Decode: func(raw json.RawMessage, _ int, c state.Context) (*selection.Set, error) {
		set, err := selection.Decode(raw, c.Data.Points, c.File)
		if err != nil {
			return nil, leftOut(c, "its selection is left out", err)
		}
		return set, nil
	},
	Bytes: (*selection.Set).Bytes,
})
