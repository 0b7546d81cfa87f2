package documents

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
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// Shelf is the documents that others have taken the place of: they were put aside, five deep, with their history.
type Shelf struct {
	part
	list opening.Shelf
}

// List returns the documents, that which was put aside last first.
func (s *Shelf) List() []*opening.Kept { return s.list.List() }

// setDown closes the map of the open document, before that is put aside. Work that no save has seen yet is saved.
func (s *Shelf) setDown() {
	d := s.w.Desk()
	d.Stage.Hand().Cancel()
	d.Stage.Keep()
	s.docs.Awaited.now()
	if s.docs.Unsaved() && s.docs.Autosave.SlotOf(d.Doc) == nil {
		s.docs.KeepNow()
	}
	d.Close()
}

// putAside puts the open document aside, which was set down, and returns the one that it has taken the last place
// from, or nil.
func (s *Shelf) putAside() (k, fallen *opening.Kept) {
	d := s.w.Desk()
	s.w.UI().HushAll(d.Doc)
	k = opening.Keep(d.Leave(), d.Session, d.Saved, s.docs.context.Now())
	k.Written = d.Written
	fallen = s.list.Put(k)
	s.docs.Autosave.Aside(d.Doc, k, fallen)
	s.w.Log("%s is kept under File, Reopen, with its history", k.Title)
	return k, fallen
}

// tell says in a note where a document went that was put aside, and one that made room for it.
func (s *Shelf) tell(n *desk.Note, k, fallen *opening.Kept) {
	if n.Text != "" {
		n.Text += " · "
	}
	n.Text += k.Title + " is kept under File, Reopen"
	if fallen != nil {
		s.w.Log("%s is under File, Recover from now on: %d later documents are kept", fallen.Title, opening.Deep)
		if fallen.Unsaved() {
			n.Text += "; " + fallen.Title + " is under File, Recover now"
		}
	}
	n.Actions = append(n.Actions, desk.Action{Label: "Reopen it", Do: func() { s.Reopen(k) }})
}

// Leave closes the open document, which is put aside, and shows the welcome page.
func (d *Documents) Leave() {
	if d.Guest.Here() {
		d.Guest.Go()
		return
	}
	if d.opening != nil {
		d.opening.Cancel()
		d.opening = nil
	}
	d.w.GiveUp()
	d.dialogs.Close("matching", "reading")
	d.Shelf.setDown()
	var n desk.Note
	k, fallen := d.Shelf.putAside()
	d.Shelf.tell(&n, k, fallen)
	d.w.Sit(nil)
	d.w.Note(n)
	d.context.SetTitle("blossom")
	d.context.Refresh()
}

// Reopen takes up a document that was put aside, in place of the open one.
func (s *Shelf) Reopen(k *opening.Kept) { s.reopenWith(k, "", "") }

// reopenWith does so with a file that the user has chosen in place of the one called wanted.
func (s *Shelf) reopenWith(k *opening.Kept, wanted, chosen string) {
	o := s.docs.Options.Reading
	load := func(ctx context.Context, j *work.Job) (*opening.Opened, error) {
		return k.Open(ctx, wanted, chosen, o, j)
	}
	s.docs.opens("Opening "+k.Title, keptPath(k), load,
		func(wanted, chosen string) { s.reopenWith(k, wanted, chosen) })
}

// keptPath is the file that a document which was put aside is known by.
func keptPath(k *opening.Kept) string {
	if k.Session != "" {
		return k.Session
	}
	return k.Files[0]
}

// goOn goes on with a document that was put aside and is the open one again.
func (s *Shelf) goOn(k *opening.Kept) {
	d := s.w.Desk()
	s.list.Take(k)
	s.docs.Autosave.Back(k, d.Doc, s.docs.Maker(), s.docs.context.Now())
	d.Session, d.Saved, d.Written = k.Session, k.Saved, k.Written
}

// about tells documents on the shelf apart: what was done, and when they were left.
func (s *Shelf) about(k *opening.Kept) string {
	text := fmt.Sprintf("left %s", k.At.Format("15:04"))
	if s.docs.context.Now().Sub(k.At) > 20*time.Hour {
		text = "left " + k.At.Format("2 Jan 15:04")
	}
	switch n := k.Changes(); n {
	case 0:
	case 1:
		text = "1 change, " + text
	default:
		text = fmt.Sprintf("%s changes, %s", widget.Grouped(n), text)
	}
	if k.Session != "" && k.Unsaved() {
		text += ", not all saved"
	}
	return text
}

// drawMenu draws the documents in a menu.
func (s *Shelf) drawMenu() {
	u, list := s.w.UI(), s.List()
	if len(list) == 0 {
		return
	}
	u.MenuSeparator()
	u.MenuTitle("Reopen")
	for i, k := range list {
		if u.MenuItem(fmt.Sprintf("%s##kept%d", k.Title, i), widget.MenuOpts{Icon: assets.IconHistory,
			Shortcut: s.about(k), Tip: keptPath(k)}) {
			s.Reopen(k)
		}
	}
}

// drawRows draws them on the welcome page.
func (s *Shelf) drawRows() {
	u, list := s.w.UI(), s.List()
	if len(list) == 0 {
		return
	}
	u.Heading("Reopen")
	u.Space(2)
	for i, k := range list {
		if u.Row(fmt.Sprintf("%s##kept%d", k.Title, i), widget.RowOpts{Icon: assets.IconHistory,
			Secondary: s.about(k), Tip: keptPath(k)}).Clicked {
			s.Reopen(k)
		}
	}
	u.Space(14)
}

// items are they in the palette.
func (s *Shelf) items() (out []dialog.Item) {
	for _, k := range s.List() {
		out = append(out, dialog.Item{Title: "Reopen " + k.Title, Help: filepath.Dir(keptPath(k)),
			Icon: assets.IconHistory, Can: true, Run: func() { s.Reopen(k) }})
	}
	return out
}

// savedStamp is what a session file holds from which a document was just opened, if it holds all of it.
func savedStamp(o *opening.Opened) (all state.Stamp) {
	if o.Session != "" && len(o.Notes) == 0 && parts.Settled(o.Doc.State()) {
		all = o.Doc.State().Stamp(false)
	}
	return all
}
