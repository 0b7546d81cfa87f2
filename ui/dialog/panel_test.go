package dialog

import (
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/panel"
)

// An antigen that is emptied by hand is taken away, stays so when the dialog is shown again, and is written so.
func TestAnAntigenThatIsEmptiedIsTakenAway(t *testing.T) {
	ds, err := dataset.FromColumns(t.Context(), "cells", []dataset.Column{
		{Name: "FL1-A", Label: "CD3", Values: []float32{1, 2, 4}},
		{Name: "FL2-A", Label: "CD4", Values: []float32{3, 1, 2}}})
	if err != nil {
		t.Fatal(err)
	}
	p := newPanelled(nil, PanelSheet{Data: ds})
	if !p.made().Empty() {
		t.Errorf("untouched it says %+v", p.made().Rows())
	}
	p.rows[0].label = " "
	made := p.made()
	now := made.On(ds)
	if now.Columns[0].Label != "" || now.Columns[1].Label != "CD4" {
		t.Errorf("the labels are %q and %q", now.Columns[0].Label, now.Columns[1].Label)
	}
	again := newPanelled(nil, PanelSheet{Data: now, Now: made})
	if again.rows[0].label != "" || again.rows[0].given != "CD3" || !panel.Equal(again.made(), made) {
		t.Errorf("again it is %+v of %+v", again.rows[0], again.made().Rows())
	}
	if rows := again.all(); !rows[0].Bare || rows[0].Label != "" || rows[1].Bare || rows[1].Label != "CD4" {
		t.Errorf("written are %+v", rows)
	}
}

// A panel that says of some columns that they make the map leaves those out that it has no row of; a column that
// somebody leaves as it is stays in it, also when the dialog is shown again.
func TestColumnsThatAPanelDoesNotNameAreNoneOfItsMarkers(t *testing.T) {
	var columns []dataset.Column
	for _, name := range []string{"FL1-A", "FL2-A", "FL3-A"} {
		columns = append(columns, dataset.Column{Name: name, Values: []float32{1, 2, 4}})
	}
	ds, err := dataset.FromColumns(t.Context(), "cells", columns)
	if err != nil {
		t.Fatal(err)
	}
	p := newPanelled(nil, PanelSheet{Data: ds, File: &panel.Found{File: "p.csv", Rows: []panel.FoundRow{
		{Row: panel.Row{Column: "FL1-A", Class: panel.Type}}}}})
	if p.inMap() != 1 || p.rows[1].class != panel.None || p.rows[1].says != "not in the file" {
		t.Errorf("of the file %d columns are in the map: %+v", p.inMap(), p.rows)
	}
	p.rows[2].class = panel.Unsaid
	made := p.made()
	if cols, err := made.On(ds).MapColumns("", ""); err != nil || len(cols) != 2 || cols[1] != 2 {
		t.Errorf("the map has %v, %v", cols, err)
	}
	again := newPanelled(nil, PanelSheet{Data: made.On(ds), Now: made})
	if !panel.Equal(again.made(), made) || again.inMap() != 2 {
		t.Errorf("again it is %+v", again.made().Rows())
	}
	left := panel.Of(panel.Row{Column: "FL1-A", Class: panel.Type})
	if again = newPanelled(nil, PanelSheet{Data: left.On(ds), Now: left}); again.inMap() != 1 {
		t.Errorf("of a panel of one column %d are in the map", again.inMap())
	}
}
