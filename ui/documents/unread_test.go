package documents

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/ui/uitest"
)

// annotated writes an h5ad file of 300 cells with 5 columns in X and a map of them.
func annotated(t *testing.T, path string) {
	t.Helper()
	var columns []dataset.Column
	for c := range 7 {
		name := fmt.Sprintf("GENE%d", c+1)
		if c >= 5 {
			name = fmt.Sprintf("umap%d", c-4)
		}
		column := dataset.Column{Name: name}
		for row := range 300 {
			column.Values = append(column.Values, float32((row*(c*7+3)+c)%101)/4)
		}
		columns = append(columns, column)
	}
	ds, err := dataset.FromColumns(t.Context(), "x", columns)
	if err != nil {
		t.Fatal(err)
	}
	for c := range 2 {
		ds.Columns[5+c].SetRole(dataset.Placed)
	}
	if err := format.Save(t.Context(), path, ds, nil); err != nil {
		t.Fatal(err)
	}
}

// A column that the file has and the table has not is read when points are to be coloured by it: the map goes on, it
// can be undone, and a session has it. Another matrix of the file takes the place of the first where that is asked for.
func TestAColumnOfTheFileIsReadWhenItIsAskedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cells.h5ad")
	annotated(t, path)
	a, d := enter(t, 1280, 800, Options{}, path)
	opened(t, a, d)
	first := a.Desk().Doc
	uitest.Do(func() { a.docs.OpenAs(dataset.Reading{Matrix: "obsm:X_umap"}, path) })
	d.Wait("it is read otherwise", time.Minute, func() bool { return a.Desk() != nil && a.Desk().Doc != first })
	opened(t, a, d)
	doc, data := a.Desk().Doc, a.Desk().Doc.Data
	own := len(data.Columns)
	if len(data.Unread) != 5 || data.Unread[2].Name != "GENE3" || len(data.Matrices) != 2 {
		t.Fatalf("unread are %v, matrices %v", data.Unread, data.Matrices)
	}
	uitest.Do(func() { a.docs.Unread.Read("GENE3") })
	d.Wait("it is read", time.Minute, func() bool { return len(a.Desk().Doc.Data.Columns) == own+1 })
	rest(t, a, d)
	read := a.Desk().Doc.Data
	c := &read.Columns[own]
	if a.Desk().Doc != doc || c.Name != "GENE3" || c.At(7) != float64((7*17+2)%101)/4 ||
		a.Desk().Look().Column != "GENE3" || uses(a, own)[0] != transform.ColourOnly || len(read.Unread) != 4 {
		t.Errorf("%s, %g, coloured by %s, used %v, unread %v", c.Name, c.At(7), a.Desk().Look().Column, uses(a, own),
			read.Unread)
	}
	uitest.Do(func() { (*state.Document).Undo(a.Desk().Doc) })
	uitest.Do(func() { (*state.Document).Undo(a.Desk().Doc) })
	rest(t, a, d)
	if u := uses(a, own); u[0] != transform.Off {
		t.Errorf("undone it is used as %v", u)
	}
	uitest.Do(func() { (*state.Document).Redo(a.Desk().Doc) })
	uitest.Do(func() { (*state.Document).Redo(a.Desk().Doc) })
	rest(t, a, d)

	session := filepath.Join(t.TempDir(), "s.blossom")
	uitest.Do(func() { a.docs.Saving.SessionTo(session) })
	rest(t, a, d)
	uitest.Do(func() { a.docs.Open(session) })
	d.Wait("the session is open", 10*time.Second, func() bool { return a.Desk().Doc != doc || a.troubled() != nil })
	if p := a.troubled(); p != nil {
		t.Fatal(p)
	}
	opened(t, a, d)
	back := a.Desk().Doc.Data
	if _, there := back.Places()["GENE3"]; !there || a.Desk().Look().Column != "GENE3" || a.troubled() != nil ||
		!slices.Equal(back.Reading.Genes, []string{"GENE3"}) || len(back.Unread) != 4 {
		t.Errorf("coloured by %q, %v, genes %v", a.Desk().Look().Column, a.troubled(), back.Reading.Genes)
	}

	uitest.Do(a.docs.AskMatrix)
	d.Frames(3)
	d.ClickOn("matrix/matrix X")
	d.Wait("X is read", time.Minute, func() bool {
		at := a.Desk()
		return at != nil && len(at.Doc.Data.Matrices) > 0 && at.Doc.Data.Matrices[0].Taken
	})
	opened(t, a, d)
	if in := a.Desk().Table().Cols; len(in) != 5 || a.Desk().Doc.Data.Columns[in[4]].Name != "GENE5" {
		t.Errorf("the map is of %v", in)
	}
}
