package parts

import (
	"encoding/json"
	"slices"

	"blossom/model/document/state"
)

// GroupPair is two groups of points: labels of a column. The zero GroupPair is the first two labels of the first column
// of the sheet of samples that has two, or the first two files.
type GroupPair struct {
	Column string `json:"column,omitempty"` // its name, of the table or derived
	A      string `json:"a,omitempty"`
	B      string `json:"b,omitempty"`
}

// Lacks is the first of the groups that is not among labels, "" where both are.
func (p GroupPair) Lacks(labels []string) string {
	for _, g := range []string{p.A, p.B} {
		if !slices.Contains(labels, g) {
			return g
		}
	}
	return ""
}

// Contrast is the two groups whose densities the column of their difference compares.
var Contrast = state.Register(state.Kind[GroupPair]{
	ID: "contrast", Title: "Groups compared", Version: 1,
	Default: func() GroupPair { return GroupPair{} },
	Equal:   func(a, b GroupPair) bool { return a == b },
	Encode: func(p GroupPair, c state.Context) (json.RawMessage, error) {
		if p == (GroupPair{}) {
			return nil, nil
		}
		return encode(p, c)
	},
	Decode: func(raw json.RawMessage, _ int, c state.Context) (p GroupPair, err error) {
		if err = decode(raw, "the groups compared", &p); err != nil {
			return GroupPair{}, leftOut(c, "the groups that are compared are left out", err)
		}
		return p, nil
	},
})
