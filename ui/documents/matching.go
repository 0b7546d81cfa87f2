package documents

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
func (d *Documents) askMatching(u *opening.Undecided, path string) {
	for _, text := range u.Plan.Doubts() {
		d.w.Log("%s", text)
	}
	dialog.MatchColumns.Show(d.dialogs, dialog.Unmatched{Files: u, First: func(path string) { d.Open(path) },
		Open: func(u *opening.Undecided) { d.openMatched(u, path) }})
}

// openMatched opens the files of the dialog as one table, as it was decided; what is still in doubt stays apart.
func (d *Documents) openMatched(u *opening.Undecided, path string) {
	decided := *u
	decided.Plan = match.New(u.Plan.Files, u.Plan.Settled())
	if u.Old != nil {
		d.whenStill(func() {
			decided.Old = d.w.Desk().Doc.Copy()
			d.openDecided(&decided, path)
		})
		return
	}
	d.openDecided(&decided, path)
}

func (d *Documents) openDecided(decided *opening.Undecided, path string) {
	load := func(ctx context.Context, j *work.Job) (*opening.Opened, error) { return decided.Open(ctx, j) }
	d.opens("Opening "+dialog.FilesText(len(decided.Plan.Files)), path, load, func(string, string) {})
}

// readFiles reads the files of the open document anew, some of them more or fewer, and asks how their columns match.
func (d *Documents) readFiles(paths []string, how match.How, always bool) {
	d.whenStill(func() {
		doc, o, first := d.w.Desk().Doc.Copy(), d.Options.Reading, d.w.Desk().Doc.Files()[0]
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
		d.opens("Reading "+dialog.FilesText(len(paths)), first, load, func(string, string) {})
	})
}

// whenStill runs do when training rests and a transform that is being applied is there.
func (d *Documents) whenStill(do func()) {
	d.w.Desk().Runs().PauseAll()
	d.w.WhenFresh(do)
}

// ChangeFiles shows which columns of the open files are one.
func (d *Documents) ChangeFiles() {
	d.readFiles(slices.Clone(d.w.Desk().Doc.Files()), d.w.Desk().Doc.Sampling.Match, true)
}

// AskAdd asks for a file to be added to those that are open.
func (d *Documents) AskAdd() {
	d.w.Ask(desk.FileQuestion{Title: "Add file", Folder: filepath.Dir(d.w.Desk().Doc.Files()[0]), Kind: "Data",
		Kinds: dialog.DataKinds(), Answer: func(path string) { d.Add(path) }})
}

// Add opens files beside those that are open: one table, one map.
func (d *Documents) Add(paths ...string) {
	if d.w.Desk() == nil {
		d.Open(paths...)
		return
	}
	d.readFiles(slices.Concat(d.w.Desk().Doc.Files(), paths), d.w.Desk().Doc.Sampling.Match, false)
}

// Drop opens files that were dropped on the window: in place of what is open, beside it, or as a sheet of it; gates of
// other programs become populations of it.
func (d *Documents) Drop(paths []string) {
	switch {
	case d.Gates.these(paths):
	case d.w.Desk() == nil || d.Guest.Here() || slices.ContainsFunc(paths, session.Is):
		d.Open(paths...)
	case len(paths) == 1:
		d.Sheets.dropped(paths[0], func() { d.askDropped(paths) })
	default:
		d.askDropped(paths)
	}
}

// askDropped asks whether files take the place of what is open, or come beside it.
func (d *Documents) askDropped(paths []string) {
	if d.w.Desk() == nil {
		d.Open(paths...)
		return
	}
	about := filepath.Base(paths[0])
	if n := len(paths); n > 1 {
		about = fmt.Sprintf("%s and %d more", about, n-1)
	}
	dialog.Ask.Show(d.dialogs, dialog.Question{Title: "Add to the map, or open instead?", About: about,
		Says: []string{"Added, it is one table with " + d.w.Desk().Doc.Title + ", and the map stays",
			"Opened instead, " + d.w.Desk().Doc.Title + " is kept under File, Reopen"},
		Answers: []dialog.Button{{Label: "Cancel"}, {Label: "Add", Do: func() { d.Add(paths...) }},
			{Label: "Open instead", Kind: widget.Primary, Do: func() { d.Open(paths...) }}}})
}

// tellLost says, first of all and until it is closed, that the map has lost columns because not all files have them,
// with the ways to mend it: back to the map of before, or columns put together by hand.
func (d *Documents) tellLost(n *desk.Note, columns []string, former *opening.Kept) {
	text := strings.Join(columns[:min(len(columns), 4)], ", ")
	if more := len(columns) - 4; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	n.Text, n.Sticky = text+" left the map, because not all files have it", true
	if len(columns) > 1 {
		n.Text = text + " left the map, because not all files have them"
	}
	n.Actions = nil
	if former != nil {
		n.Actions = append(n.Actions, desk.Action{Label: "Undo", Do: func() { d.Shelf.Reopen(former) }})
	}
	n.Actions = append(n.Actions, desk.Action{Label: "Match by hand…", Do: d.ChangeFiles})
}

// RemoveFile takes one of several files away from those that are open.
func (d *Documents) RemoveFile(file int) {
	files := slices.Clone(d.w.Desk().Doc.Files())
	d.readFiles(slices.Delete(files, file, file+1), d.w.Desk().Doc.Sampling.Match.Without(file), false)
}
