package colour

import (
	"blossom/model/data/dataset"
	"blossom/model/space/transform"
	"testing"
)

// The ends of a bar of dates are days.
func TestTheBarOfDatesSaysDays(t *testing.T) {
	c := dataset.Column{Name: "when", Values: []float32{0, 10, 365, 20780}}
	ds, err := dataset.FromColumns(t.Context(), "dates", []dataset.Column{c})
	if err != nil {
		t.Fatal(err)
	}
	ds.Columns[0].Role, ds.Columns[0].Why = dataset.Time, dataset.Dates
	v := Of(&ds.Columns[0], transform.Column{}, nil)
	k := v.Colouring(Settings{Low: 0, High: 100})
	l := v.Legend(k)
	if m := l.Marks(3); len(m) != 2 || m[0].Text != "1970-01-01" || m[1].Text != "2026-11-23" {
		t.Errorf("%+v", m)
	}
	if raw, _ := v.Reading(k, 1); raw != "2026-11-23" {
		t.Errorf("its end reads %q", raw)
	}
}
