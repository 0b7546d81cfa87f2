package dataset

import (
	"encoding/json"
	"testing"
)

// Sessions and jobs keep a reading as JSON, and take it for none where nothing is asked for.
func TestAReadingComesBackFromJSON(t *testing.T) {
	for _, r := range []Reading{{}, {Matrix: "raw"}, {Genes: []string{"CD3E"}}, {Modality: "rna"}, {Separator: ";"}} {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back Reading
		if err := json.Unmarshal(text, &back); err != nil || !back.Equal(r) || back.IsZero() != (string(text) == "{}") {
			t.Errorf("%s became %+v, %v", text, back, err)
		}
		if r.IsZero() != (r.OfText().IsZero() && r.OfMatrices().IsZero()) || r.Equal(Reading{Header: "no"}) {
			t.Errorf("%+v", r)
		}
	}
}
