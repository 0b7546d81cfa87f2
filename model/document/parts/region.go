package parts

import (
	"encoding/json"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
)

// LiveRegion is what the selection follows: a region of a map, drawn among the points of a population. It is immutable.
type LiveRegion struct {
	Rule *population.Region
	In   population.ID // 0: among all points
}

// Region is the live region that the selection follows; nil: the selected points are fixed.
var Region = state.Register(state.Kind[*LiveRegion]{
	ID: "region", Title: "Live region", Version: 1,
	Default: func() *LiveRegion { return nil },
	Equal: func(a, b *LiveRegion) bool {
		return a == b || a != nil && b != nil && a.In == b.In && a.Rule.Equal(b.Rule)
	},
	Encode: encodeRegion,
	Decode: decodeRegion,
	Bytes: func(r *LiveRegion) (n int) {
		if r != nil {
			for _, s := range r.Rule.Strokes {
				n += 32 + 16*len(s.Path)
			}
		}
		return n
	},
})

type encodedRegion struct {
	Rule json.RawMessage `json:"rule"`
	In   population.ID   `json:"in,omitempty"`
}

func encodeRegion(r *LiveRegion, c state.Context) (json.RawMessage, error) {
	if r == nil {
		return nil, nil
	}
	rule, err := population.EncodeRule(r.Rule)
	if err != nil {
		return nil, err
	}
	return encode(encodedRegion{rule, r.In}, c)
}

// decodeRegion reads what encodeRegion wrote. One that is damaged is left out and noted: the points stay selected.
func decodeRegion(raw json.RawMessage, _ int, c state.Context) (*LiveRegion, error) {
	var e encodedRegion
	if err := decode(raw, "the live region", &e); err != nil {
		return nil, leftOut(c, "its live region is left out", err)
	}
	rule, err := population.DecodeRule(e.Rule, c.Data.Points)
	if err != nil {
		return nil, leftOut(c, "its live region is left out", err)
	}
	of, ok := rule.(*population.Region)
	if !ok {
		return nil, leftOut(c, "its live region is left out", problem.New(c.File, remedy, "it is no region"))
	}
	return &LiveRegion{of, e.In}, nil
}

// Select makes a set the selection: its points are fixed from then on.
func Select(s *state.State, set *selection.Set) {
	Selection.Put(s, set)
	Region.Put(s, nil)
}

// SelectLive makes a set the selection, which follows a live region from then on.
func SelectLive(s *state.State, r *LiveRegion, set *selection.Set) {
	Selection.Put(s, set)
	Region.Put(s, r)
}
