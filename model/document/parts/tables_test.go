package parts

import (
	"encoding/json"
	"testing"

	"blossom/model/document/state"
)

// A session that says nonsense of the form of tables has the usual one in its place.
func TestTheFormOfTablesIsOneThatCanBeChosen(t *testing.T) {
	for text, want := range map[string]TableChoice{
		`{}`: {},
		`{"ending":".csv","coordinates":{"columns":true,"values":"map","each":"file"},"derived":["b","a","b"]}`: {
			Ending: ".csv", Coordinates: CoordinateTable{Columns: true, Values: "map", Each: "file"},
			Derived: []string{"a", "b"}},
		`{"labels":{"all":true,"values":"squared"}}`: {Labels: LabelTable{All: true}},
		`{"derived":"all"}`:                          {},
	} {
		s, _, err := state.Decode(map[string]state.Encoded{"tables": {Version: 1, Value: json.RawMessage(text)}},
			state.Context{Partial: true})
		if got := Tables.Of(s); err != nil || !got.Equal(want) {
			t.Errorf("%s is read as %+v, %v", text, got, err)
		}
	}
}
