package documents

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
	"blossom/ui/desk"
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

// A sketch of a document, in the list, has so many points, and its width to its height is sketchRatio.
const (
	sketchPoints = 900
	sketchRatio  = 66. / 50
)

// About says what is to be known of the open session without opening it.
func (d *Documents) About() recovery.About {
	now := d.w.Desk()
	if now == nil {
		return recovery.About{}
	}
	out := recovery.About{Name: d.Stem(), Session: now.Session, Changed: d.Unsaved(),
		Landmarks: parts.Landmarks.Of(now.Doc.State()).Len(), Things: "points",
		Populations: parts.Populations.Of(now.Doc.State()).Len()}
	out.Changes, out.Last = changes(now.Doc.History())
	if d.Autosave.Name != "" {
		out.Name = d.Autosave.Name
	}
	if out.Session != "" {
		out.Name = strings.TrimSuffix(filepath.Base(out.Session), session.Extension)
	}
	if now.Doc.Data.Cytometry() {
		out.Things = "cells"
	}
	now.Stage.Scatter().Sketch(sketchPoints, sketchRatio, func(x, y float32, c color.NRGBA) {
		out.Picture.Add(x, y, c.R, c.G, c.B)
	})
	if out.Picture.Len() == 0 {
		out.Picture = d.Autosave.Picture(now.Doc)
	}
	return out
}

// Unsaved says whether there is work that no file of the user's has. A map that only trained by itself is none.
func (d *Documents) Unsaved() bool {
	now := d.w.Desk()
	if now.Session != "" {
		return now.Saved != now.Doc.State().Stamp(false)
	}
	n, _ := changes(now.Doc.History())
	return d.Autosave.Carried || n > 0
}

// changes are how many the user has made on the way to the present state, and the name of the last: a map that trained
// by itself when it was opened is none.
func changes(h *state.History) (n int, last string) {
	if n = h.Done(); n > 0 && strings.HasPrefix(h.Name(0), "Train ") {
		n--
	}
	if n > 0 {
		last = h.Name(h.Done() - 1)
	}
	return n, last
}

// Recovery is the sessions that windows have left, offered to go on with.
type Recovery struct {
	part
	Left Left
}

// goOn goes on with a session that was saved by itself as the user's own, if it was one: "save" writes to its
// file, after a question if that is not the one that it was.
func (r *Recovery) goOn(path string) {
	d := r.w.Desk()
	about := r.docs.Autosave.Continues(d.Doc, path, r.docs.Maker(), r.docs.context.Now())
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
	r.Left.Find()
}

// offer says over a map, once of each, that crashes have left sessions; the welcome page has it in its own
// words.
func (r *Recovery) offer() {
	if text := r.docs.Autosave.News(); text != "" {
		r.w.Log("%s", text)
	}
	if r.w.Desk() == nil {
		return
	}
	r.Left.Watch(askEvery)
	if left := r.Left.Fresh(); len(left) > 0 {
		r.w.Note(desk.Note{Text: crashText(left, r.docs.context.Now()), Sticky: true,
			Actions: []desk.Action{{Label: "Recover…", Do: r.Show}}})
	}
}

func crashText(left []recovery.Item, now time.Time) string {
	if len(left) == 1 {
		return fmt.Sprintf("blossom ended without saving %s, %s", left[0].Name, dialog.When(left[0].At, now))
	}
	return fmt.Sprintf("blossom ended without saving %d sessions, the last one %s", len(left),
		dialog.When(left[0].At, now))
}

// continueLast goes on with the session that was worked on last.
const continueLast = "Continue the last session"

// drawLast offers to go on with the session that was worked on last, in the line that was begun.
func (r *Recovery) drawLast() {
	last, u := r.Left.Last(), r.w.UI()
	if last == nil {
		return
	}
	u.Same()
	if u.Button(continueLast+"##last", widget.ButtonOpts{Icon: assets.IconHistory,
		Tip: "Go on with " + last.Name + ", from " + dialog.When(last.At, r.docs.context.Now())}) {
		r.docs.Open(last.Path)
	}
}

// drawRow says on the welcome page that a crash has left sessions.
func (r *Recovery) drawRow() {
	left := r.Left.Crashed()
	if len(left) == 0 {
		return
	}
	r.Left.Fresh()
	u := r.w.UI()
	u.Space(8)
	if u.Row(crashText(left, r.docs.context.Now())+"##recover", widget.RowOpts{Icon: assets.IconTriangleAlert,
		Note: "Recover…", Tip: r.w.Command("recover").Help}).Clicked {
		r.Show()
	}
}

// Show opens the dialog.
func (r *Recovery) Show() {
	r.Left.Find()
	dialog.Recover.Show(r.docs.dialogs, dialog.LeftWork{
		List: func() []recovery.Item {
			r.Left.Watch(listEvery)
			r.docs.context.Within(listEvery)
			return r.Left.Unsaved(r.docs.Autosave.ID())
		},
		Open: r.open,
		Forget: func(items []recovery.Item) {
			r.Left.Forget(items, func(text string) {
				r.w.Say(text)
				r.docs.note(widget.Sentence(text))
			})
		}})
}

// open goes on with a session that was left.
func (r *Recovery) open(i recovery.Item) {
	if len(i.Missing) == 0 {
		r.docs.Open(i.Path)
		return
	}
	// It is known what is not there: to be told so first would be a press more.
	r.docs.lookFor(i.Path, i.Missing[0], func(wanted, chosen string) { r.docs.openSession(i.Path, wanted, chosen) })
}
