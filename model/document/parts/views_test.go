package parts

import (
	"encoding/json"
	"testing"

	"blossom/model/document/state"
)

// How contours are shown is kept with the view; a word that is not known shows none.
func TestViewsKeepTheirContours(t *testing.T) {
	for word, want := range map[Contours]Contours{NoContours: NoContours, ContoursOver: ContoursOver,
		ContoursAlone: ContoursAlone, "shaded": NoContours} {
		list := oneView().Edit(FirstView, func(v *View) { v.Contours = word })
		raw, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readViews(raw, state.Context{})
		if err != nil || got.Views[0].Contours != want || list.Views[0].equal(oneView().Views[0]) != (word == "") {
			t.Errorf("%q is read as %q, %v", word, got.Views[0].Contours, err)
		}
	}
}
