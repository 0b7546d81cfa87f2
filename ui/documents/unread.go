package documents

import (
	"context"

	"blossom/model/data/dataset"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/work"
	"blossom/ui/dialog"
)

// Unread are the columns of the file that the open document has not.
type Unread struct{ part }

// Read reads one of them, puts it beside the others and colours by it. The history goes on: to undo it leaves the
// column out.
func (d *Unread) Read(name string) {
	at, o := d.w.Desk(), d.docs.Options.Reading
	data, taken, says := at.Doc.Data, at.Doc.Sampling, parts.Panel.Of(at.Doc.State())
	if len(data.Joined) > 0 { // its columns stand before those, so all are read again
		as := data.Reading
		as.Genes = append(as.Genes[:len(as.Genes):len(as.Genes)], name)
		d.docs.readAgain(at.Doc.Files()[:1], as, false)
		return
	}
	d.docs.jobs.Start("Reading "+name, func(ctx context.Context, j *work.Job) (func(), error) {
		wider, err := opening.ReadColumn(ctx, data, taken, says, name, o, j)
		return func() {
			if d.w.Desk() == at {
				d.w.WhenFresh(func() { d.widenBy(name, data, wider) })
			}
		}, err
	})
}

// severalMatrices says whether the file of the open document holds several matrices.
func (d *Documents) severalMatrices() bool {
	return d.whole() && len(d.w.Desk().Doc.Data.Matrices) > 1 && len(d.w.Desk().Doc.Data.Parts) == 0
}

// AskMatrix asks which matrix of the file the map is made of, and opens the table so: its map is another one.
func (d *Documents) AskMatrix() {
	if !d.severalMatrices() {
		return
	}
	doc := d.w.Desk().Doc
	files := doc.Files()
	dialog.Matrix.Show(d.dialogs, dialog.Matrices{File: files[0], List: doc.Data.Matrices, Choose: func(name string) {
		as := doc.Data.Reading
		as.Matrix = name
		d.OpenAs(as, files[0])
	}})
}

// widenBy gives the open document the column that was read for its data as it was.
func (d *Unread) widenBy(name string, was, wider *dataset.Dataset) {
	at := d.w.Desk()
	if at.Doc.Data != was {
		d.Read(name) // another file or column has come meanwhile
		return
	}
	live.Widen(at.Map, wider, "Read "+name)
	at.ColourBy(wider.Columns[len(was.Columns)].Name)
	d.w.Log("%s was read from %s", name, wider.Path)
}
