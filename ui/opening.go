package ui

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/live"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// askOpen asks for a file and opens it.
func (a *App) askOpen() {
	a.chooser.Ask(desk.FileQuestion{Title: "Open", Kind: "Data and sessions", Kinds: dialog.OpenKinds(),
		Answer: func(path string) { a.open(path) }, Several: func(paths []string) { a.open(paths...) }})
}

// open loads a data file, a session or "demo:NAME" as a job, or several data files as one table. What
// is open stays until that is done, and stays if it fails.
func (a *App) open(paths ...string) { a.openAs(dataset.Reading{}, paths...) }

// openAs opens data files of which texts are read as r says.
func (a *App) openAs(r dataset.Reading, paths ...string) {
	path := paths[0]
	name := filepath.Base(path)
	if len(paths) > 1 {
		name = fmt.Sprintf("%d files", len(paths))
	}
	a.log.add("opening %s", strings.Join(paths, ", "))
	o := a.reading()
	o.Reading = r
	load := func(ctx context.Context, j *work.Job) (*opening.Opened, error) {
		opened, err := opening.Load(ctx, paths, o, j)
		return opened, asUnread(ctx, err, paths, r)
	}
	a.opens("Opening "+name, path, load, func(wanted, chosen string) { a.openSession(path, wanted, chosen) })
}

// reading is how files are read that are opened.
func (a *App) reading() format.Options {
	return format.Options{MaxPoints: a.options.MaxPoints, Sample: a.options.Sample, Seed: a.options.Seed}
}

// opens adopts what load makes, as a job in place of another that is opening something. What load cannot decide is
// asked; again loads with a file that the user has chosen in place of the one called wanted.
func (a *App) opens(title, path string, load func(context.Context, *work.Job) (*opening.Opened, error),
	again func(wanted, chosen string)) {
	if a.docs.opening != nil {
		a.docs.opening.Cancel()
	}
	a.docs.opening = a.compute.jobs.Start(title, func(ctx context.Context, j *work.Job) (func(), error) {
		opened, err := load(ctx, j)
		if ask := a.opensWith(err, path, again); ask != nil {
			return func() { a.docs.opening = nil; ask() }, nil
		}
		return func() { a.adopt(opened, path) }, err
	})
}

// adopt makes an opened document the one in the window.
func (a *App) adopt(o *opening.Opened, path string) {
	a.docs.opening = nil
	a.dropExports()
	a.dialogs.Close("matching", "reading") // of what was open
	old := a.current()
	if old != nil {
		// The engines go over to the new map; what the old one held there is freed first.
		a.setDown()
	}
	m, err := live.NewMap(o, &a.compute.engines, a.buffers(), a.compute.jobs)
	if err != nil {
		a.fail(err)
		if old == nil {
			return
		}
		if err := old.Reload(); err != nil {
			a.fail(err)
		}
		return
	}
	m.Notice, m.Alert = a.say, func(text string) {
		a.say(text)
		a.note(note{text: widget.Sentence(text)})
	}
	var former, fallen *opening.Kept
	if o.Back != nil {
		a.docs.shelf.Take(o.Back) // first, lest the former one has it fall off
	}
	if old != nil {
		former, fallen = a.putAside()
	}
	a.sit(m)
	m.Fingerprint(o.Saved, a.noteOtherContent)
	a.revealed.panel = ""
	a.desk.Session, a.desk.Saved, a.desk.Written = o.Session, savedStamp(o), o.Written
	if o.Back != nil {
		a.back(o.Back)
	}
	a.remember(path)
	a.ctx.SetTitle(m.Doc.Title + " — blossom")
	for _, text := range o.Notes {
		a.log.add("%s: %s", m.Doc.Title, text)
	}
	for _, w := range m.Doc.Data.Warnings {
		a.log.add("%s: %s", m.Doc.Title, w)
	}
	if !o.Restored && !a.options.Still {
		if err := m.Training().Run(true); err != nil {
			a.fail(err)
		}
	}
	n := noteOf(a, o, former, fallen)
	a.note(n)
	a.say(o.Said)
}

// remember keeps the path that was opened among the last ones. A session that was saved by itself is the user's own,
// which goes on.
func (a *App) remember(path string) {
	if a.docs.saves.Owns(path) {
		a.continues(path)
	} else if !strings.HasPrefix(path, "demo:") {
		a.settings.opened(path)
		a.keepSettings()
	}
}

// noteOf says what was opened, and what became of the document before it.
func noteOf(a *App, o *opening.Opened, former, fallen *opening.Kept) (n note) {
	n.opened(a, o)
	if former != nil {
		n.add(a, former, fallen)
	}
	if len(o.Lost) > 0 {
		n.lost(a, o.Lost, former)
	}
	return n
}

// opened says what was opened, what is not as it should be with it, and what can be changed about it.
func (n *note) opened(a *App, o *opening.Opened) {
	n.text = o.Said
	data := o.Doc.Data
	if data.Unsure {
		n.sticky = true
		n.actions = append(n.actions, action{"Reading…", a.askReading})
	}
	n.actions = append(n.actions, action{"Change", func() { a.showPanel("transform") }})
	if !o.Restored {
		n.actions = append(n.actions, a.without(o.Doc)...)
	}
	if w := data.Warnings; len(w) > 0 {
		n.text += fmt.Sprintf(" · %d warnings", len(w))
		if len(w) == 1 {
			n.text = o.Said + " · " + w[0]
		}
		n.actions = append(n.actions, action{"Show", func() { a.showPanel("data") }})
	}
	if len(o.Notes) > 0 {
		n.text += " · " + strings.Join(o.Notes, " · ")
		n.sticky = true // what is lost is read before it goes
	}
}

// fit shows all points in the active view.
func (a *App) fit(smooth bool) { a.desk.Stage.Active().Content().Fit(smooth) }

func (a *App) resetView() { a.desk.Stage.Active().Content().Reset() }
