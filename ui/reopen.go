package ui

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"blossom/assets"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// What another document takes the place of is put aside, five deep, with its history.

// setDown closes the map of the open document, before that is put aside. Work that no save has seen yet is saved.
func (a *App) setDown() {
	a.desk.Stage.Hand().Cancel()
	a.desk.Stage.Keep()
	if a.unsaved() && a.docs.saves.SlotOf(a.desk.Doc) == nil {
		if err := a.docs.saves.Keep(a.desk.Map, a.about(), a.maker(), a.ctx.Now()); err != nil {
			a.log.add("%v", err)
		}
	}
	a.desk.Close()
}

// putAside puts the open document aside, which was set down, and returns the one that it has taken the last place
// from, or nil.
func (a *App) putAside() (k, fallen *opening.Kept) {
	m := a.desk.Map
	a.ui.HushAll(m.Doc)
	k = opening.Keep(m.Leave(), a.desk.Session, a.desk.Saved, a.ctx.Now())
	k.Written = a.desk.Written
	fallen = a.docs.shelf.Put(k)
	a.docs.saves.Aside(a.desk.Doc, k, fallen)
	a.log.add("%s is kept under File, Reopen, with its history", k.Title)
	return k, fallen
}

// add says in a note where a document went that was put aside, and one that made room for it.
func (n *note) add(a *App, k, fallen *opening.Kept) {
	if n.text != "" {
		n.text += " · "
	}
	n.text += k.Title + " is kept under File, Reopen"
	if fallen != nil {
		a.log.add("%s is under File, Recover from now on: %d later documents are kept", fallen.Title, opening.Deep)
		if fallen.Unsaved() {
			n.text += "; " + fallen.Title + " is under File, Recover now"
		}
	}
	n.actions = append(n.actions, action{"Reopen it", func() { a.reopen(k) }})
}

// leave closes the open document, which is put aside, and shows the welcome page.
func (a *App) leave() {
	if a.docs.opening != nil {
		a.docs.opening.Cancel()
		a.docs.opening = nil
	}
	a.dropExports()
	a.dialogs.Close("matching", "reading")
	a.setDown()
	var n note
	k, fallen := a.putAside()
	n.add(a, k, fallen)
	a.desk.Stage.Free()
	a.desk, a.rooms.panels, a.rooms.docks, a.revealed.panel = nil, nil, nil, ""
	a.note(n)
	a.ctx.SetTitle("blossom")
	a.ctx.Refresh()
}

// reopen takes up a document that was put aside, in place of the open one.
func (a *App) reopen(k *opening.Kept) { a.reopenWith(k, "", "") }

// reopenWith does so with a file that the user has chosen in place of the one called wanted.
func (a *App) reopenWith(k *opening.Kept, wanted, chosen string) {
	o := a.reading()
	load := func(ctx context.Context, j *work.Job) (*opening.Opened, error) {
		return k.Open(ctx, wanted, chosen, o, j)
	}
	a.opens("Opening "+k.Title, keptPath(k), load,
		func(wanted, chosen string) { a.reopenWith(k, wanted, chosen) })
}

// keptPath is the file that a document which was put aside is known by.
func keptPath(k *opening.Kept) string {
	if k.Session != "" {
		return k.Session
	}
	return k.Files[0]
}

// back goes on with a document that was put aside and is the open one again.
func (a *App) back(k *opening.Kept) {
	a.docs.shelf.Take(k)
	a.docs.saves.Back(k, a.desk.Doc, a.maker(), a.ctx.Now())
	a.desk.Session, a.desk.Saved, a.desk.Written = k.Session, k.Saved, k.Written
}

// keptText tells documents on the shelf apart: what was done, and when they were left.
func (a *App) keptText(k *opening.Kept) string {
	text := fmt.Sprintf("left %s", k.At.Format("15:04"))
	if a.ctx.Now().Sub(k.At) > 20*time.Hour {
		text = "left " + k.At.Format("2 Jan 15:04")
	}
	switch n := k.Changes(); n {
	case 0:
	case 1:
		text = "1 change, " + text
	default:
		text = fmt.Sprintf("%s changes, %s", grouped(n), text)
	}
	if k.Session != "" && k.Unsaved() {
		text += ", not all saved"
	}
	return text
}

// keptItems draws the documents that were put aside in a menu.
func (a *App) keptItems() {
	list := a.docs.shelf.List()
	if len(list) == 0 {
		return
	}
	a.ui.MenuSeparator()
	a.ui.MenuTitle("Reopen")
	for i, k := range list {
		if a.ui.MenuItem(fmt.Sprintf("%s##kept%d", k.Title, i), widget.MenuOpts{Icon: assets.IconHistory,
			Shortcut: a.keptText(k), Tip: keptPath(k)}) {
			a.reopen(k)
		}
	}
}

// keptRows draws them on the welcome page.
func (a *App) keptRows() {
	list := a.docs.shelf.List()
	if len(list) == 0 {
		return
	}
	a.ui.Space(12)
	a.ui.Heading("Reopen")
	for i, k := range list {
		if a.ui.Row(fmt.Sprintf("%s##kept%d", k.Title, i), widget.RowOpts{Icon: assets.IconHistory,
			Secondary: a.keptText(k), Tip: keptPath(k)}).Clicked {
			a.reopen(k)
		}
	}
}

// keptCommands are they in the palette.
func (a *App) keptCommands() (out []dialog.Item) {
	for _, k := range a.docs.shelf.List() {
		out = append(out, dialog.Item{Title: "Reopen " + k.Title, Help: filepath.Dir(keptPath(k)),
			Icon: assets.IconHistory, Can: true, Run: func() { a.reopen(k) }})
	}
	return out
}

// savedStamp is what a session file holds from which a document was just opened, if it holds all of it.
func savedStamp(o *opening.Opened) (s state.Stamp) {
	if o.Session != "" && len(o.Notes) == 0 && parts.Settled(o.Doc.State()) {
		s = o.Doc.State().Stamp(false)
	}
	return s
}
