package parts

import (
	"encoding/json"
	"testing"

	"blossom/model/document/state"
	"blossom/model/maps/embedsom"
)

// A document of a boost that makes points jump comes back with the highest that does not.
func TestBoostOfADocument(t *testing.T) {
	for raw, want := range map[string]float32{`{"K":10,"Boost":60,"Adjust":0.2}`: embedsom.MaxBoost,
		`{"K":10,"Boost":7.5,"Adjust":0.2}`: 7.5} {
		p, err := decodeProjection(json.RawMessage(raw), 1, state.Context{File: "f"})
		if err != nil || p.Boost != want {
			t.Errorf("%s: %+v, %v", raw, p, err)
		}
	}
}
