package parts

import (
	"encoding/json"
	"slices"

	"blossom/model/document/state"
	"blossom/model/space/transform"
)

// TableChoice is how tables of coordinates and of labels are written: what was last chosen for them. The zero value is
// what a document begins with.
type TableChoice struct {
	Ending      string          `json:"ending,omitempty"` // ending of their format, ".csv"; "": the first that there is
	Coordinates CoordinateTable `json:"coordinates,omitzero"`
	Labels      LabelTable      `json:"labels,omitzero"`
	Derived     []string        `json:"derived,omitempty"` // columns made from the map, ascending
}

// CoordinateTable is a form of tables of coordinates.
type CoordinateTable struct {
	Columns bool             `json:"columns,omitempty"` // the columns of the data stand before them
	Values  transform.Values `json:"values,omitempty"`  // these of them; "": raw
	Alone   bool             `json:"alone,omitempty"`   // no session is written beside it
	Append  bool             `json:"append,omitempty"`  // they go on with the data
	Each    string           `json:"each,omitempty"`    // the Each of export
}

// LabelTable is a form of tables of labels of populations.
type LabelTable struct {
	All         bool             `json:"all,omitempty"` // a column of each population
	Columns     bool             `json:"columns,omitempty"`
	Coordinates bool             `json:"coordinates,omitempty"`
	Values      transform.Values `json:"values,omitempty"`
	Each        string           `json:"each,omitempty"`
}

// mostDerived is how many columns are noted.
const mostDerived = 10_000

// Equal compares two choices.
func (t TableChoice) Equal(o TableChoice) bool {
	return t.Ending == o.Ending && t.Coordinates == o.Coordinates && t.Labels == o.Labels &&
		slices.Equal(t.Derived, o.Derived)
}

// sane returns the choice without what no form can choose.
func (t TableChoice) sane() TableChoice {
	for _, v := range []*transform.Values{&t.Coordinates.Values, &t.Labels.Values} {
		if !slices.Contains(transform.AllValues, string(*v)) {
			*v = ""
		}
	}
	t.Derived = slices.Compact(slices.Sorted(slices.Values(t.Derived[:min(len(t.Derived), mostDerived)])))
	return t
}

// Tables is how tables are written. Its changes are no entries of the history.
var Tables = state.Register(state.Kind[TableChoice]{
	ID: "tables", Title: "Form of tables", Version: 1, View: true,
	Default: func() TableChoice { return TableChoice{} },
	Equal:   TableChoice.Equal,
	Encode: func(t TableChoice, c state.Context) (json.RawMessage, error) {
		if t.Equal(TableChoice{}) {
			return nil, nil
		}
		return encode(t, c)
	},
	Decode: func(raw json.RawMessage, _ int, c state.Context) (t TableChoice, err error) {
		if err = decode(raw, "the form of tables", &t); err != nil {
			return TableChoice{}, leftOut(c, "the form of tables is left out", err)
		}
		return t.sane(), nil
	},
})
