package parts

import (
	"encoding/json"
	"maps"

	"blossom/model/base/revision"
	"blossom/model/document/state"
	"blossom/model/space/transform"
)

// MeasuredTable is what the map's points took from the data, by the names of the columns: deviations that they are
// divided by, floors. The codebook is in their units. It is never changed in place.
type MeasuredTable struct {
	For     revision.Revision // the transform that they were made with
	Columns map[string]transform.Measured
}

// Measured follows from the data and the transform, and is kept for the day when the data is another: it is no entry of
// the history.
var Measured = state.Register(state.Kind[MeasuredTable]{
	ID: "measured", Title: "Units of the map", Version: 1, View: true,
	Follows: []string{"transform"},
	Default: func() MeasuredTable { return MeasuredTable{} },
	Equal: func(a, b MeasuredTable) bool {
		return a.For == b.For && maps.Equal(a.Columns, b.Columns)
	},
	Encode: func(t MeasuredTable, c state.Context) (json.RawMessage, error) {
		if len(t.Columns) == 0 || t.For != Transform.Rev(c.State) {
			return nil, nil // measured with another transform: its points are on their way
		}
		return encode(t.Columns, c)
	},
	Decode: func(raw json.RawMessage, _ int, c state.Context) (t MeasuredTable, err error) {
		t.For = Transform.Rev(c.State)
		return t, decode(raw, "the units of the map", &t.Columns)
	},
})

// Measure keeps what the points of a map, which were made with the present transform, took from the data.
func Measure(d *state.Document, t *transform.Table) {
	out := MeasuredTable{For: Transform.Rev(d.State()), Columns: map[string]transform.Measured{}}
	for j, m := range t.Measured() {
		out.Columns[d.Data.Columns[t.Cols[j]].Name] = m
	}
	d.Look(func(s *state.State) { Measured.Put(s, out) })
}

// Remeasured brings the landmarks of a document, which were made from other data, into the units of the table of this:
// without that they would move where a deviation is another one. It says whether anything did change.
func Remeasured(d *state.Document, t *transform.Table) (changed bool) {
	l, known := *Landmarks.Of(d.State()), Measured.Of(d.State())
	was := make([]transform.Measured, len(t.Cols))
	for j, c := range t.Cols {
		was[j] = ofColumn(known.Columns, &d.Data.Columns[c])
	}
	if l.Codebook, changed = t.Remeasured(was, l.Codebook); changed {
		l.CodeRev = revision.Next()
		d.Always(func(s *state.State) { Landmarks.Put(s, Landmarks.Of(*s).WithCodeOf(&l)) })
	}
	Measure(d, t)
	return changed
}
