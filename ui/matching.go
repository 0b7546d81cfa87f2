package ui

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/data/match"
	"blossom/model/document/opening"
	"blossom/model/document/session"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// askMatching asks what belongs together before files are opened, or opened anew. path is the first of them, by which
// they are known.
func (a *App) askMatching(u *opening.Undecided, path string) {
	for _, text := range u.Plan.Doubts() {
		a.log.add("%s", text)
	}
	dialog.MatchColumns.Show(a.dialogs, dialog.Unmatched{Files: u, First: func(path string) { a.open(path) },
		Open: func(u *opening.Undecided) { a.openMatched(u, path) }})
}

// openMatched opens the files of the dialog as one table, as it was decided; what is still in doubt stays apart.
func (a *App) openMatched(u *opening.Undecided, path string) {
	decided := *u
	decided.Plan = match.New(u.Plan.Files, u.Plan.Settled())
	if u.Old != nil {
		a.whenStill(func() {
			decided.Old = a.desk.Doc.Copy()
			a.openDecided(&decided, path)
		})
		return
	}
	a.openDecided(&decided, path)
}

func (a *App) openDecided(decided *opening.Undecided, path string) {
	load := func(ctx context.Context, j *work.Job) (*opening.Opened, error) { return decided.Open(ctx, j) }
	a.opens("Opening "+dialog.FilesText(len(decided.Plan.Files)), path, load, func(string, string) {})
}

// again reads the files of the open document anew, some of them more or fewer, and asks how their columns match.
func (a *App) again(paths []string, how match.How, always bool) {
	a.whenStill(func() {
		doc, o, first := a.desk.Doc.Copy(), a.reading(), a.desk.Doc.Files()[0]
		s := doc.Sampling
		o.MaxPoints, o.Sample, o.Seed = s.MaxPoints, s.How, s.Seed
		load := func(ctx context.Context, j *work.Job) (*opening.Opened, error) {
			u, err := opening.Compare(ctx, paths, how, doc, o, j)
			if err != nil {
				return nil, err
			}
			if always || !u.Clear() {
				return nil, u
			}
			return u.Open(ctx, j)
		}
		a.opens("Reading "+dialog.FilesText(len(paths)), first, load, func(string, string) {})
	})
}

// whenStill runs do when training rests and a transform that is being applied is there.
func (a *App) whenStill(do func()) {
	a.desk.Runs().PauseAll()
	a.desk.Training().Pause()
	a.whenFresh(do)
}

// changeFiles shows which columns of the open files are one.
func (a *App) changeFiles() {
	a.again(slices.Clone(a.desk.Doc.Files()), a.desk.Doc.Sampling.Match, true)
}

// askAdd asks for a file to be added to those that are open.
func (a *App) askAdd() {
	a.chooser.Ask(desk.FileQuestion{Title: "Add file", Folder: filepath.Dir(a.desk.Doc.Files()[0]), Kind: "Data",
		Kinds: dialog.DataKinds(), Answer: func(path string) { a.add(path) }})
}

// add opens files beside those that are open: one table, one map.
func (a *App) add(paths ...string) {
	if a.desk == nil {
		a.open(paths...)
		return
	}
	a.again(slices.Concat(a.desk.Doc.Files(), paths), a.desk.Doc.Sampling.Match, false)
}

// dropped opens files that were dropped on the window: in place of what is open, or beside it.
func (a *App) dropped(paths []string) {
	if a.desk == nil || slices.ContainsFunc(paths, session.Is) {
		a.open(paths...)
		return
	}
	about := filepath.Base(paths[0])
	if n := len(paths); n > 1 {
		about = fmt.Sprintf("%s and %d more", about, n-1)
	}
	dialog.Ask.Show(a.dialogs, dialog.Question{Title: "Add to the map, or open instead?", About: about,
		Says: []string{"Added, it is one table with " + a.desk.Doc.Title + ", and the map stays",
			"Opened instead, " + a.desk.Doc.Title + " is kept under File, Reopen"},
		Answers: []dialog.Button{{Label: "Cancel"}, {Label: "Add", Do: func() { a.add(paths...) }},
			{Label: "Open instead", Kind: widget.Primary, Do: func() { a.open(paths...) }}}})
}

// lost says, first of all and until it is closed, that the map has lost columns because not all files have them, with
// the ways to mend it: back to the map of before, or columns put together by hand.
func (n *note) lost(a *App, columns []string, former *opening.Kept) {
	text := strings.Join(columns[:min(len(columns), 4)], ", ")
	if more := len(columns) - 4; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	n.text, n.sticky = text+" left the map, because not all files have it", true
	if len(columns) > 1 {
		n.text = text + " left the map, because not all files have them"
	}
	n.actions = nil
	if former != nil {
		n.actions = append(n.actions, action{"Undo", func() { a.reopen(former) }})
	}
	n.actions = append(n.actions, action{"Match by hand…", a.changeFiles})
}

// removeFile takes one of several files away from those that are open.
func (a *App) removeFile(file int) {
	files := slices.Clone(a.desk.Doc.Files())
	a.again(slices.Delete(files, file, file+1), a.desk.Doc.Sampling.Match.Without(file), false)
}
