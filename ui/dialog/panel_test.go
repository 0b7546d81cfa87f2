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
