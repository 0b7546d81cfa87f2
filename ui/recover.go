package ui

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"time"

	"blossom/assets"
	"blossom/model/data/fingerprint"
	"blossom/model/document/parts"
	"blossom/model/document/recovery"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// listEvery is how often the list of what is left is made anew while it is shown: other windows open and close
// sessions. askEvery is how often it is beside an open map, for those of windows that ended meanwhile, in frames that
// there are anyhow.
const (
	listEvery = 5 * time.Second
	askEvery  = time.Minute
)

// about says what is to be known of the open session without opening it.
func (a *App) about() recovery.About {
	if a.desk == nil {
		return recovery.About{}
	}
	out := recovery.About{Name: a.stem(), Session: a.desk.Session, Changed: a.unsaved(),
		Landmarks: parts.Landmarks.Of(a.desk.Doc.State()).Len(), Things: "points"}
	if a.docs.saves.Name != "" {
		out.Name = a.docs.saves.Name
	}
	if out.Session != "" {
		out.Name = strings.TrimSuffix(filepath.Base(out.Session), session.Extension)
	}
	if a.desk.Doc.Data.Cytometry() {
		out.Things = "cells"
	}
	a.active().Sketch(thumbnailPoints, sketchRatio, func(x, y float32, c color.NRGBA) {
		out.Picture.Add(x, y, c.R, c.G, c.B)
	})
	if out.Picture.Len() == 0 {
		out.Picture = a.docs.saves.Picture(a.desk.Doc)
	}
	return out
}

// continues goes on with a session that was saved by itself as the user's own, if it was one: "save" writes to its
// file, after a question if that is not the one that it was.
func (a *App) continues(path string) {
	d := a.desk
	about := a.docs.saves.Continues(d.Doc, path, a.maker(), a.ctx.Now())
	d.Session, d.Saved, d.Written = "", state.Stamp{}, fingerprint.Print{}
	if info, err := os.Stat(about.Session); about.Session != "" && err == nil {
		d.Session = about.Session
		if info.ModTime().Equal(about.SessionAt) {
			d.Written, _ = fingerprint.Of(about.Session)
			if !about.Changed {
				d.Saved = d.Doc.State().Stamp(false)
			}
		}
	}
	a.docs.left.Find()
}

// sketchRatio is the width of a sketch to its height, in the list.
const sketchRatio = 66. / 50

// unsaved says whether there is work that no file of the user's has. A map that only trained by itself is none.
func (a *App) unsaved() bool {
	if a.desk.Session != "" {
		return a.desk.Saved != a.desk.Doc.State().Stamp(false)
	}
	h := a.desk.Doc.History()
	return a.docs.saves.Carried || h.Done() > 1 || h.Done() == 1 && !strings.HasPrefix(h.Name(0), "Train ")
}

// offerSessions says over a map, once of each, that crashes have left sessions; the welcome page has it in its own
// words.
func (a *App) offerSessions() {
	if text := a.docs.saves.News(); text != "" {
		a.log.add("%s", text)
	}
	if a.desk == nil {
		return
	}
	a.docs.left.Watch(askEvery)
	if left := a.docs.left.Fresh(); len(left) > 0 {
		a.note(note{text: crashText(left, a.ctx.Now()), sticky: true,
			actions: []action{{"Recover…", a.showSessions}}})
	}
}

func crashText(left []recovery.Item, now time.Time) string {
	if len(left) == 1 {
		return fmt.Sprintf("blossom ended without saving %s, %s", left[0].Name, dialog.When(left[0].At, now))
	}
	return fmt.Sprintf("blossom ended without saving %d sessions, the last one %s", len(left),
		dialog.When(left[0].At, now))
}

// recoverNotice says on the welcome page that a crash has left sessions.
func (a *App) recoverNotice() {
	left := a.docs.left.Crashed()
	if len(left) == 0 {
		return
	}
	a.docs.left.Fresh()
	a.ui.Space(8)
	if a.ui.Row(crashText(left, a.ctx.Now())+"##recover", widget.RowOpts{Icon: assets.IconTriangleAlert,
		Note: "Recover…", Tip: commandByID("recover").help}).Clicked {
		a.showSessions()
	}
}

// showSessions opens the dialog.
func (a *App) showSessions() {
	a.docs.left.Find()
	dialog.Recover.Show(a.dialogs, dialog.LeftWork{
		List: func() []recovery.Item {
			a.docs.left.Watch(listEvery)
			a.ctx.Within(listEvery)
			return a.docs.left.Unsaved(a.docs.saves.ID())
		},
		Open: a.openLeft,
		Forget: func(items []recovery.Item) {
			a.docs.left.Forget(items, func(text string) {
				a.say(text)
				a.note(note{text: widget.Sentence(text)})
			})
		}})
}

// openLeft goes on with a session that was left.
func (a *App) openLeft(i recovery.Item) {
	if len(i.Missing) == 0 {
		a.open(i.Path)
		return
	}
	// It is known what is not there: to be told so first would be a press more.
	a.lookFor(i.Path, i.Missing[0], func(wanted, chosen string) { a.openSession(i.Path, wanted, chosen) })
}
