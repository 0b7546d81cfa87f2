package parts

import (
	"encoding/json"
	"testing"

	"blossom/model/document/state"
)

// A session that says nonsense of the form of pictures has the usual one in its place.
func TestTheFormOfPicturesIsOneThatCanBeChosen(t *testing.T) {
	for text, want := range map[string]FigureChoice{
		`{}`: {},
		`{"size":"paper","paper":{"width_mm":85,"height_mm":60,"dpi":300,"font_pt":7},"letters":true}`: {
			Size: FigureOnPaper, Paper: FigurePaper{85, 60, 300, 7}, Letters: true},
		`{"size":"wall","ground":"green","columns":-3,"moments":1000,"ending":".pdf"}`: {Ending: ".pdf"},
		`{"pixels":{"width":1000000,"height":20,"scale":1}}`:                           {},
		`{"paper":{"width_mm":1e300,"height_mm":60,"dpi":300,"font_pt":7}}`:            {},
		`{"without":["1","2","3","4","5","6"]}`: {
			Without: []string{"1", "2", "3", "4"}},
		`{"moments":"many"}`: {},
	} {
		s, _, err := state.Decode(map[string]state.Encoded{"figure": {Version: 1, Value: json.RawMessage(text)}},
			state.Context{Partial: true})
		if got := Figure.Of(s); err != nil || !got.Equal(want) {
			t.Errorf("%s is read as %+v, %v", text, got, err)
		}
	}
}
