package documents

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live"
	"blossom/model/scale"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// AskOpen asks for a file and opens it.
func (d *Documents) AskOpen() {
	d.w.Ask(desk.FileQuestion{Title: "Open", Kind: "Data and sessions", Kinds: dialog.OpenKinds(),
		Folders: scale.IsFolder,
		Answer:  func(path string) { d.Open(path) }, Several: func(paths []string) { d.Open(paths...) }})
}

// Open loads a data file, a session or "demo:NAME" as a job, or several data files as one table. What is open stays
// until that is done, and stays if it fails. Gates of other programs become populations of it. A folder of finished
// parts is the sample of it.
func (d *Documents) Open(paths ...string) {
	if d.Gates.these(paths) {
		return
	}
	if len(paths) == 1 {
		paths = []string{scale.ShownOf(paths[0])}
	}
	d.OpenAs(dataset.Reading{}, paths...)
}

// OpenAs opens data files of which texts are read as r says.
func (d *Documents) OpenAs(r dataset.Reading, paths ...string) {
	path := paths[0]
	if len(paths) == 1 && d.w.Making(path) {
		return
	}
	name := d.Autosave.calls(path)
	if len(paths) > 1 {
		name = fmt.Sprintf("%d files", len(paths))
	}
	if d.Autosave.Owns(path) {
		d.w.Log("opening %s", name)
	} else {
		d.w.Log("opening %s", strings.Join(paths, ", "))
	}
	o, sheets := d.Options.Reading, d.Options.Sheets
	o.Reading, d.Options.Sheets = r, opening.Sheets{}
	seen := make(chan struct{})
	load := func(ctx context.Context, j *work.Job) (*opening.Opened, error) {
		await(ctx, seen)
		opened, err := sheets.Load(ctx, paths, o, j)
		return opened, asUnread(ctx, err, paths, r)
	}
	d.opens("Opening "+name, path, load, func(wanted, chosen string) { d.openSession(path, wanted, chosen) })
	d.Ahead.look(path, seen)
}

// opens adopts what load makes, as a job in place of another that is opening something. What load cannot decide is
// asked; again loads with a file that the user has chosen in place of the one called wanted.
func (d *Documents) opens(title, path string, load func(context.Context, *work.Job) (*opening.Opened, error),
	again func(wanted, chosen string)) {
	d.Guest.comes(title, func(ctx context.Context, j *work.Job) (func(), error) {
		opened, err := load(ctx, j)
		if ask := d.opensWith(err, path, again); ask != nil {
			return func() { d.opening = nil; ask() }, nil
		}
		return func() { d.Adopt(opened, path) }, d.Autosave.unnamed(err)
	})
}

// comes makes the document that comes next by load, as a job in place of another that is opening something.
func (p part) comes(title string, load func(context.Context, *work.Job) (func(), error)) {
	d := p.docs
	if d.opening != nil {
		d.opening.Cancel()
	}
	job := d.jobs.Start(title, load)
	job.Dropped = func() {
		if d.opening == job {
			d.opening = nil
		}
	}
	d.opening = job
}

// Adopt makes an opened document the one in the window.
func (d *Documents) Adopt(o *opening.Opened, path string) {
	d.opening = nil
	ahead := d.Ahead.leave()
	d.Ahead.sweep()
	d.Guest.Go()
	d.w.GiveUp()
	d.dialogs.Close("matching", "reading", "matrix") // these asked about the former document
	old := d.current()
	if old != nil {
		// The engines go over to the new map; what the old one held there is freed first.
		d.Shelf.setDown()
	}
	m := d.Guest.mapOf(o, old)
	if m == nil {
		return
	}
	if all := live.AllRowsOf(m); all != nil {
		all.Reuse(ahead)
		nameByFolder(m, all, o)
	}
	var former, fallen *opening.Kept
	if o.Back != nil {
		d.Shelf.list.Take(o.Back) // first, lest the former one has it fall off
	}
	if old != nil {
		former, fallen = d.Shelf.putAside()
	}
	d.w.Sit(m)
	m.Fingerprint(o.Saved, d.noteOtherContent)
	now := d.w.Desk()
	now.Session, now.Saved, now.Written = o.Session, savedStamp(o), o.Written
	now.Stage.Scene.Gating.Chosen = o.Population
	if o.Back != nil {
		d.Shelf.goOn(o.Back)
	}
	d.Awaited.begins()
	d.remember(path, o)
	d.context.SetTitle(m.Doc.Title + " — blossom")
	for _, text := range slices.Concat(o.Notes, m.Doc.Data.Warnings) {
		d.w.Log("%s: %s", m.Doc.Title, text)
	}
	if !o.Restored && d.Recent.Grid {
		m.Doc.Always(func(s *state.State) {
			parts.Training.Edit(s, func(t *parts.TrainingChoice) { t.Then = "" })
		})
	}
	if !o.Restored && !d.Options.Still {
		if err := m.Training().Again(); err != nil {
			d.w.Fail(err)
		}
		m.Training().LayOut()
	}
	d.w.Note(d.noteOf(o, former, fallen))
	d.w.Say(o.Said)
}

// nameByFolder calls a document, whose points are a sample of a folder, as that is called, and says what it is.
func nameByFolder(m *live.Map, all *live.AllRows, o *opening.Opened) {
	if m.Doc.Title != m.Doc.Data.Name {
		return
	}
	m.Doc.Title = filepath.Base(all.Folder)
	if o.Session == "" {
		o.Said = fmt.Sprintf("%s: a sample of %s of %s rows", m.Doc.Title, widget.Grouped(m.Doc.Data.Points),
			problem.Grouped(all.Rows))
		if int64(m.Doc.Data.Points) == all.Rows {
			o.Said = fmt.Sprintf("%s: all %s rows", m.Doc.Title, problem.Grouped(all.Rows))
		}
	}
}

// mapOf puts an opened document on the engine, which the map of the former one, or nil, has left. Where that fails it
// is said, the former one is there again, and there is no map.
func (p part) mapOf(o *opening.Opened, former *live.Map) *live.Map {
	d := p.docs
	m, err := live.NewMap(o, d.engines, d.w.Buffers(), d.jobs)
	if err != nil {
		d.w.Fail(err)
		if former == nil {
			return nil
		}
		if err := former.Reload(); err != nil {
			d.w.Fail(err)
		}
		return nil
	}
	m.Notice, m.Alert = d.w.Say, func(text string) {
		d.w.Say(text)
		d.note(widget.Sentence(text))
	}
	return m
}

// remember keeps the path that was opened among the last ones. A session that was saved by itself is the user's own,
// which goes on.
func (d *Documents) remember(path string, o *opening.Opened) {
	switch files := o.Doc.Files(); {
	case d.Autosave.Owns(path):
		if !strings.HasPrefix(files[0], "demo:") {
			d.Recent.Folder = beside(files[0])
		}
		d.Recovery.goOn(path)
		return
	case strings.HasPrefix(path, "demo:"), d.Awaited.here():
		return
	case o.Session == "" && len(files) > 1 && path == files[0]:
		d.Recent.opened(files...)
	default:
		d.Recent.opened(path)
	}
	d.w.Remember()
}

// note shows a message over the map for a while.
func (d *Documents) note(text string) { d.w.Note(desk.Note{Text: text}) }

// noteOf says what was opened, and what became of the document before it.
func (d *Documents) noteOf(o *opening.Opened, former, fallen *opening.Kept) desk.Note {
	n := d.openedNote(o)
	if former != nil {
		d.Shelf.tell(&n, former, fallen)
	}
	if len(o.Lost) > 0 {
		d.tellLost(&n, o.Lost, former)
	}
	return n
}

// openedNote says what was opened, what is not as it should be with it, and what can be changed about it.
func (d *Documents) openedNote(o *opening.Opened) (n desk.Note) {
	n.Text = o.Said
	data := o.Doc.Data
	if data.Unsure {
		n.Sticky = true
		n.Actions = append(n.Actions, desk.Action{Label: "Reading…", Do: d.AskReading})
	}
	if len(data.Matrices) > 1 && len(data.Parts) == 0 && data.Subset == nil && !o.Restored {
		n.Actions = append(n.Actions, desk.Action{Label: "Matrix…", Do: d.AskMatrix})
	}
	if !o.Restored || o.Session == "" { // nothing was chosen for what is as it was saved
		n.Actions = append(n.Actions, desk.Action{Label: "Change", Do: func() { d.w.Reveal("transform") }})
	}
	switch {
	case data.Subset != nil:
		n.Actions = append(n.Actions, desk.Action{Label: "Back to the whole", Do: d.Subset.Back})
	case !o.Restored:
		n.Actions = append(n.Actions, d.without(o.Doc)...)
	}
	if w := data.Warnings; len(w) > 0 {
		n.Text += fmt.Sprintf(" · %d warnings", len(w))
		if len(w) == 1 {
			n.Text = o.Said + " · " + w[0]
		}
		n.Actions = append(n.Actions, desk.Action{Label: "Show", Do: func() { d.w.Reveal("data") }})
	}
	if len(o.Notes) > 0 {
		n.Text += " · " + strings.Join(o.Notes, " · ")
		n.Sticky = true // losses are read before the note goes
	}
	return n
}
