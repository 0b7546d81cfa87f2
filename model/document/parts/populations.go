package parts

import (
	"encoding/json"

	"blossom/model/clusters/population"
	"blossom/model/document/state"
)

// Populations are the named sets of points. Which landmarks carry them is an aspect of the landmarks.
var Populations = state.Register(state.Kind[population.Tree]{
	ID: "populations", Title: "Populations", Version: 1,
	Default: func() population.Tree { return population.Tree{} },
	Equal:   population.Equal,
	Encode: func(t population.Tree, c state.Context) (json.RawMessage, error) {
		if t.Len() == 0 {
			return nil, nil
		}
		return encode(t, c)
	},
	Decode: func(raw json.RawMessage, _ int, c state.Context) (population.Tree, error) {
		note := c.Note
		if note == nil {
			note = func(string) {}
		}
		t, err := population.Decode(raw, c.Data.Points, note)
		if err != nil {
			return population.Tree{}, leftOut(c, "its populations are left out", err)
		}
		return t, nil
	},
	Bytes: population.Tree.Bytes,
})
