package output

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/live"
	"blossom/model/scale"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// Work on all rows of a folder may have been begun before the window was opened, by another window or by a command. If
// it goes on it is followed, with its progress in the status bar; if it was left off that is told.

// Begun looks for it, of the folder whose sample has come to the desk.
func (a *AllRows) Begun() {
	d := a.of.w.Desk()
	all := live.AllRowsOf(d.Map)
	if all == nil || a.job != nil {
		return
	}
	a.of.jobs.Aside("Looking beside "+all.Folder, func(ctx context.Context, _ *work.Job) (func(), error) {
		list, err := all.Whole.Begun(ctx)
		return func() { a.takeUp(d, all, list) }, err
	})
}

// takeUp follows what goes on of what was begun, or else tells of the last that was left off or has ended.
func (a *AllRows) takeUp(d *desk.Desk, all *live.AllRows, list []*scale.Begun) {
	if a.of.w.Desk() != d || live.AllRowsOf(d.Map) != all || a.job != nil {
		return
	}
	var last *scale.Begun
	for _, b := range slices.Backward(list) {
		switch {
		case b.Phase == scale.Going:
			a.remake(a.before(d, all, b))
			return
		case last == nil && b.Phase == scale.LeftOff, last == nil && !b.Counts(all.Whole):
			last = b
		}
	}
	switch {
	case last == nil:
	case last.Phase == scale.LeftOff:
		a.tellLeft(a.before(d, all, last), last)
	default:
		a.of.w.Note(desk.Note{Text: "All rows were embedded again, in " + filepath.Base(last.Folder()),
			Actions: []desk.Action{a.opens(last.Folder())}})
	}
}

// before is what was begun before, as others go on with it.
func (a *AllRows) before(d *desk.Desk, all *live.AllRows, b *scale.Begun) *remake {
	r := a.counting(d, all)
	if !b.Counts(all.Whole) {
		r = a.embedding(d, all, b.Folder())
	}
	r.folder, r.by, r.hands = b.Folder(), b.Placed, others
	return r
}

// Making says of a folder of parts that is not finished how far it is, and opens it when it is. False: that is not
// what the path is.
func (a *AllRows) Making(path string) bool {
	if !scale.IsFolder(path) || scale.Shown(path) != path {
		return false
	}
	a.of.jobs.Aside("Looking at "+path, func(ctx context.Context, _ *work.Job) (func(), error) {
		if err := scale.Opens(path); err != nil {
			return nil, err
		}
		b, err := scale.BegunIn(ctx, path)
		return func() { a.unfinished(b) }, err
	})
	return true
}

// unfinished follows how a folder is made that is to be opened, or asks what is to become of it.
func (a *AllRows) unfinished(b *scale.Begun) {
	folder := b.Folder()
	if a.job != nil {
		a.of.w.Fail(problem.New(folder, "wait until that is done, or cancel it in the status bar",
			"is not finished, and this window has something else made: %s", a.job.Title))
		return
	}
	r := &remake{title: "Making " + filepath.Base(folder), folder: folder, by: b.Placed, hands: others,
		failed: "the parts could not be made: %s", done: func(folder string) (func(), error) {
			_, _, err := finished(folder)
			return func() { a.made(folder) }, err
		}}
	far := fmt.Sprintf("%s of %s, %s of %s rows", problem.Grouped(int64(b.Status.Done)),
		problem.Count(b.Status.Parts, "part"), problem.Grouped(b.Status.RowsDone), problem.Grouped(b.Status.Rows))
	switch b.Phase {
	case scale.Ended: // by now
		a.made(folder)
	case scale.Going:
		a.remake(r)
		a.of.w.Note(desk.Note{Text: filepath.Base(folder) + " is being made, and has " + far +
			". It opens when it is finished"})
	case scale.LeftOff:
		a.askLeft(r, far, b.Status.Why())
	}
}

// askLeft asks what is to become of a folder whose parts nothing makes. why: some could not be made.
func (a *AllRows) askLeft(r *remake, far, why string) {
	q := dialog.Question{Title: "The folder is not finished", About: r.folder,
		Says: []string{"it has " + far + ". Nothing that can be seen from here makes the others"},
		Hint: "Go on has them made by what has begun it: " + r.by.Title() + ". Wait opens the folder when something " +
			"else has finished it: a scheduler, or blossom resume.",
		Answers: []dialog.Button{{Label: "Cancel"}, {Label: "Wait", Do: func() {
			if a.job == nil {
				r.hands = whoever
				a.remake(r)
			}
		}}, {Label: "Go on", Kind: widget.Primary, Do: func() { a.goOn(r) }}}}
	if why != "" {
		q.Says = append(q.Says, "what went wrong the last time: "+why)
	}
	dialog.Ask.Show(a.of.dialogs, q)
}

// made opens a folder that is finished now, or offers to, where something else has been opened meanwhile.
func (a *AllRows) made(folder string) {
	text := filepath.Base(folder) + " is finished"
	a.of.w.Say(text)
	if a.of.w.Desk() == nil {
		a.of.Documents.Open(folder)
		return
	}
	a.of.w.Note(desk.Note{Text: text, Sticky: true, Actions: []desk.Action{a.opens(folder)}})
}
