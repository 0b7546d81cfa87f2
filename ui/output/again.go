package output

import (
	"context"
	"errors"
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
func (a *AllRows) CanAgain() bool {
	d := a.of.w.Desk()
	if d == nil || a.job != nil {
		return false
	}
	all := live.AllRowsOf(d.Map)
	return all != nil && all.ByLandmarks() && all.Footing() == live.Moved && d.Map.Landmarks().Len() > 0
}

// AskAgain asks whether all rows are to be embedded again, and says into which folder.
func (a *AllRows) AskAgain() {
	if !a.CanAgain() {
		return
	}
	all := live.AllRowsOf(a.of.w.Desk().Map)
	folder := scale.Beside(all.Folder)
	q := dialog.Question{Title: "Embed all rows again", About: folder,
		Says: []string{fmt.Sprintf("all %s rows are placed by the landmarks as they are now, in %s, in this new folder",
			problem.Grouped(all.Rows), problem.Count(all.Parts, "part")),
			"what makes them is what has made " + filepath.Base(all.Folder) + ": " + all.Placed.Title()},
		Hint: "The folder " + filepath.Base(all.Folder) + " stays as it is. When this is cancelled or the window is " +
			"closed, what is made stays, and blossom resume goes on.",
		Answers: []dialog.Button{{Label: "Cancel"}, {Label: "Embed again", Kind: widget.Primary,
			Do: func() { a.Again(folder) }}}}
	if !all.Placed.Here() {
		q.Hint = "The folder " + filepath.Base(all.Folder) + " stays as it is. This goes on when the window is " +
			"closed; when it is cancelled, what is made stays, and blossom resume goes on."
	}
	dialog.Ask.Show(a.of.dialogs, q)
}

// Again plans the map of the window in a folder, once nothing is stale, and has its parts made.
func (a *AllRows) Again(folder string) {
	program, err := a.of.self()
	if err != nil {
		a.of.w.Fail(problem.Wrap(err, folder, "use blossom embed", "the program does not know where it is"))
		return
	}
	a.of.WhenFresh(func() {
		d := a.of.w.Desk()
		all := live.AllRowsOf(d.Map)
		if all == nil || a.job != nil {
			return
		}
		asked, err := scale.AskedBy(d.Doc.Snapshot(d.Doc.State()), d.Table(), d.Doc.Title, "blossom "+a.of.Version)
		if err != nil {
			a.of.w.Fail(err)
			return
		}
		r := a.embedding(d, all, folder)
		r.program, r.by = program, all.Placed
		r.plan = func(ctx context.Context, report run.Report) (string, error) {
			for {
				_, err := all.Whole.Again(ctx, asked, folder, "blossom "+a.of.Version, report)
				if !errors.Is(err, scale.ErrOther) {
					return folder, err
				}
				folder = scale.Beside(all.Folder) // another window has taken that one meanwhile
			}
		}
		a.remake(r)
	})
}

// embedding is a folder in which all rows of that of a desk are embedded again.
func (a *AllRows) embedding(d *desk.Desk, all *live.AllRows, folder string) *remake {
	return &remake{title: "Embedding again: " + filepath.Base(folder), folder: folder, skip: all.Skipped > 0,
		failed: "all rows could not be embedded again: %s",
		done: func(folder string) (func(), error) {
			w, print, err := finished(folder)
			return func() { a.remade(d, all.Whole, w, print) }, err
		}}
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

// remade shows the density of a folder in the place of that of another one, if its sample is still on the desk and has
// moved from that; else it offers to open it.
func (a *AllRows) remade(at *desk.Desk, was, w *scale.Whole, print fingerprint.Print) {
	name := filepath.Base(w.Folder)
	text := fmt.Sprintf("All %s rows are embedded again, in %s", problem.Grouped(w.Rows), name)
	a.of.w.Say(text)
	d := a.of.w.Desk()
	if d == nil || d != at || live.AllRowsOf(d.Map) == nil || live.AllRowsOf(d.Map).Folder != was.Folder ||
		live.AllRowsOf(d.Map).Footing() == live.Saved || !print.Same(d.Doc.Prints[was.Sample()]) {
		a.of.w.Note(desk.Note{Text: text, Sticky: true, Actions: []desk.Action{a.opens(w.Folder)}})
		return
	}
	if err := live.AllRowsOf(d.Map).Rehouse(w, print); err != nil {
		a.of.w.Fail(err)
		return
	}
	d.Doc.Title = name
	a.of.context.SetTitle(name + " — blossom")
	a.of.Documents.Autosave.Renew() // so that it goes on with the new folder
	a.of.w.Note(desk.Note{Text: text + ", which the window shows now"})
}

// opens offers to open a folder.
func (a *AllRows) opens(folder string) desk.Action {
	return desk.Action{Label: "Open " + filepath.Base(folder), Do: func() { a.of.Documents.Open(folder) }}
}
