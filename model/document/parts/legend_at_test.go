package parts

import (
	"encoding/json"
	"testing"

	"blossom/model/document/state"
)

// How a legend stands is kept with its view; a session that says nonsense of it has it in its corner.
func TestViewsKeepHowTheirLegendStands(t *testing.T) {
	for text, want := range map[string]LegendAt{
		`{}`:                               {},
		`{"folded":true,"x":0.25,"y":1}`:   {Folded: true, X: 0.25, Y: 1},
		`{"room":"over"}`:                  {Room: LegendOver},
		`{"x":-1,"y":0.5,"room":"beside"}`: {Room: LegendBeside},
		`{"x":1e300}`:                      {},
		`{"room":"elsewhere","x":1}`:       {X: 1},
	} {
		list := oneView()
		raw, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		var open map[string]any
		if err := json.Unmarshal(raw, &open); err != nil {
			t.Fatal(err)
		}
		open["views"].([]any)[0].(map[string]any)["legendAt"] = json.RawMessage(text)
		if raw, err = json.Marshal(open); err != nil {
			t.Fatal(err)
		}
		got, err := readViews(raw, state.Context{})
		if err != nil || got.Views[0].LegendAt != want {
			t.Errorf("%s is read as %+v, %v", text, got.Views[0].LegendAt, err)
		}
	}
}
