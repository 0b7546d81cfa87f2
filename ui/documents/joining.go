package documents

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/document/opening"
	"blossom/model/live"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/dialog"
)

// AskJoin asks for a file whose columns are joined to the data.
func (d *Documents) AskJoin() {
	d.w.Ask(desk.FileQuestion{Title: "Add columns", Folder: filepath.Dir(d.w.Desk().Doc.Files()[0]), Kind: "Data",
		Kinds: dialog.DataKinds(), Answer: d.Join})
}

// Join puts the columns of a table beside those of the open document, row by row, as --join does in commands. The
// history goes on: to undo it leaves the columns out.
func (d *Documents) Join(path string) {
	at, o := d.w.Desk(), d.Options.Reading
	data, taken, name := at.Doc.Data, at.Doc.Sampling, filepath.Base(path)
	d.w.Log("joining %s", path)
	d.jobs.Start("Joining "+name, func(ctx context.Context, j *work.Job) (func(), error) {
		wider, err := opening.Join(ctx, data, taken, path, o, j)
		return func() {
			if d.w.Desk() == at {
				d.w.WhenFresh(func() { d.widen(path, data, wider) })
			}
		}, err
	})
}

// widen gives the open document wider data, which was read for its data as it was; what another file has joined
// meanwhile stays.
func (d *Documents) widen(path string, was *dataset.Dataset, wider *opening.Wider) {
	at, name := d.w.Desk(), filepath.Base(path)
	if at.Doc.Data != was {
		d.Join(path)
		return
	}
	for file, print := range wider.Prints {
		at.Doc.Prints = at.Doc.Prints.With(file, print)
	}
	own := len(was.Columns)
	live.Widen(at.Map, wider.Data, "Add the columns of "+name)
	at.Fingerprint(nil, d.noteOtherContent)
	for _, w := range wider.Data.Warnings[len(was.Warnings):] {
		d.w.Log("%s: %s", name, w)
	}
	more := wider.Data.Columns[own:]
	d.w.Log("%s of %s added", problem.Count(len(more), "column"), name)
	first := slices.IndexFunc(more, func(c dataset.Column) bool {
		return c.Categories != nil || c.Role == dataset.Label
	})
	colour := more[max(0, first)].Name
	d.w.Note(desk.Note{Text: fmt.Sprintf("%s of %s: beside those of the data, not in the map",
		problem.Count(len(more), "column"), name), Actions: []desk.Action{
		{Label: "Colour by " + colour, Do: func() { d.w.Desk().ColourBy(colour) }}}})
}
