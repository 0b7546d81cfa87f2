package opening

import (
	"path/filepath"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/panel"
	"blossom/model/document/state"
)

// A column that is read later is as the panel of the document says, and the others stay so.
func TestAColumnThatIsReadLaterIsAsThePanelSays(t *testing.T) {
	var columns []dataset.Column
	for _, name := range []string{"GENE1", "GENE2", "umap1", "umap2"} {
		c := dataset.Column{Name: name}
		for row := range 40 {
			c.Values = append(c.Values, float32((row*(len(columns)+3))%17)/4)
		}
		columns = append(columns, c)
	}
	ds, err := dataset.FromColumns(t.Context(), "x", columns)
	if err != nil {
		t.Fatal(err)
	}
	for c := range 2 {
		ds.Columns[2+c].SetRole(dataset.Placed)
	}
	path := filepath.Join(t.TempDir(), "cells.h5ad")
	if err := format.Save(t.Context(), path, ds, nil); err != nil {
		t.Fatal(err)
	}
	data, err := format.Open(t.Context(), path, format.Options{Reading: dataset.Reading{Matrix: "obsm:X_umap"}})
	if err != nil {
		t.Fatal(err)
	}
	first := data.Columns[0].Name
	says := panel.Of(panel.Row{Column: "GENE2", Label: "CD3", Class: panel.State},
		panel.Row{Column: first, Label: "first"}, panel.Row{Column: "GENE1", Label: "CD4"})
	data = says.On(data)
	wider, err := ReadColumn(t.Context(), data, state.Sampling{}, says, "GENE2", format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &wider.Columns[len(data.Columns)]
	if c.Name != "GENE2" || c.Label != "CD3" || c.Given == nil || c.Why != panel.State.Why() ||
		len(wider.Columns) != len(data.Columns)+1 {
		t.Errorf("it is read as %+v", c)
	}
	if wider.Columns[0].Label != "first" || len(wider.Unread) != 1 {
		t.Errorf("the others are %q, unread %v", wider.Columns[0].Label, wider.Unread)
	}
}
