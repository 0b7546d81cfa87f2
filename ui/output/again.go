package output

import (
	"context"
	"fmt"
	"path/filepath"

	"blossom/model/base/problem"
	"blossom/model/data/fingerprint"
	"blossom/model/job/run"
	"blossom/model/live"
	"blossom/model/scale"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// Embedding all rows of a finished folder again, whose sample is open, as its landmarks are now: into another folder,
// by the runner that has made it.

// CanAgain says whether all rows can be embedded again: they lie elsewhere than the landmarks of the window would place
// them, and nothing does so yet.
func (o *Output) CanAgain() bool {
	d := o.w.Desk()
	if d == nil || o.again != nil {
		return false
	}
	all := live.AllRowsOf(d.Map)
	return all != nil && all.ByLandmarks() && all.Footing() == live.Moved && d.Map.Landmarks().Len() > 0
}

// AskAgain asks whether all rows are to be embedded again, and says into which folder.
func (o *Output) AskAgain() {
	if !o.CanAgain() {
		return
	}
	all := live.AllRowsOf(o.w.Desk().Map)
	folder := scale.Beside(all.Folder)
	q := dialog.Question{Title: "Embed all rows again", About: folder,
		Says: []string{fmt.Sprintf("all %s rows are placed by the landmarks as they are now, in %s, in this new folder",
			problem.Grouped(all.Rows), problem.Count(all.Parts, "part")),
			"what makes them is what has made " + filepath.Base(all.Folder) + ": " + all.Placed.Title()},
		Hint: "The folder " + filepath.Base(all.Folder) + " stays as it is. When this is cancelled or the window is " +
			"closed, what is made stays, and blossom resume goes on.",
		Answers: []dialog.Button{{Label: "Cancel"}, {Label: "Embed again", Kind: widget.Primary,
			Do: func() { o.Again(folder) }}}}
	if !all.Placed.Here() {
		q.Hint = "The folder " + filepath.Base(all.Folder) + " stays as it is. This goes on when the window is " +
			"closed; when it is cancelled, what is made stays, and blossom resume goes on."
	}
	dialog.Ask.Show(o.dialogs, q)
}

// Again plans the map of the window in a folder, once nothing is stale, and has its parts made.
func (o *Output) Again(folder string) {
	program, err := o.self()
	if err != nil {
		o.w.Fail(problem.Wrap(err, folder, "use blossom embed", "the program does not know where it is"))
		return
	}
	o.WhenFresh(func() {
		d := o.w.Desk()
		all := live.AllRowsOf(d.Map)
		if all == nil || o.again != nil {
			return
		}
		asked, err := scale.AskedBy(d.Doc.Snapshot(d.Doc.State()), d.Table(), d.Doc.Title, "blossom "+o.Version)
		if err != nil {
			o.w.Fail(err)
			return
		}
		o.remake(&remake{program: program, title: "Embedding again: " + filepath.Base(folder), like: all.Whole,
			failed: "all rows could not be embedded again: %s",
			plan: func(ctx context.Context, report run.Report) (string, error) {
				_, err := all.Whole.Again(ctx, asked, folder, "blossom "+o.Version, report)
				return folder, err
			},
			done: func(folder string) (func(), error) {
				w, print, err := finished(folder)
				return func() { o.remade(d, all.Whole, w, print) }, err
			}})
	})
}

// finished is what a folder has whose parts are made, and what its sample is known by.
func finished(folder string) (w *scale.Whole, print fingerprint.Print, err error) {
	sample := scale.SampleIn(folder)
	if w, err = scale.WholeOf(sample); err == nil && w == nil {
		err = problem.New(folder, "finish it: blossom finish "+folder, "is not finished")
	}
	if err == nil {
		print, err = fingerprint.Of(sample)
	}
	return w, print, err
}

// remade shows the density of a folder in the place of that of another one, if its sample is still on the desk.
func (o *Output) remade(at *desk.Desk, was, w *scale.Whole, print fingerprint.Print) {
	name := filepath.Base(w.Folder)
	text := fmt.Sprintf("All %s rows are embedded again, in %s", problem.Grouped(w.Rows), name)
	o.w.Say(text)
	d := o.w.Desk()
	if d == nil || d != at || live.AllRowsOf(d.Map) == nil || live.AllRowsOf(d.Map).Folder != was.Folder ||
		!print.Same(d.Doc.Prints[was.Sample()]) {
		o.w.Note(desk.Note{Text: text, Sticky: true, Actions: []desk.Action{{Label: "Open " + name,
			Do: func() { o.Documents.Open(w.Folder) }}}})
		return
	}
	if err := live.AllRowsOf(d.Map).Rehouse(w, print); err != nil {
		o.w.Fail(err)
		return
	}
	d.Doc.Title = name
	o.context.SetTitle(name + " — blossom")
	o.w.Note(desk.Note{Text: text + ", which the window shows now"})
}
