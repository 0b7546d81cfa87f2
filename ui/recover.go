package ui

import (
	"context"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/data/fingerprint"
	"blossom/model/document/parts"
	"blossom/model/document/recovery"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// leftSessions are the sessions that windows have left behind or have open, as they were listed last.
type leftSessions struct {
	items   []recovery.Item
	sketch  map[string]*thumbnail // by the items' IDs
	listing bool
	again   bool // list once more
	listed  time.Time
	looked  time.Time       // at what list of those an offer was made
	offered map[string]bool // IDs of those that were offered in this window
}

// listEvery is how often the list is made anew while it is shown: other windows open and close sessions. askEvery is
// how often it is beside an open map, for those of windows that ended meanwhile, in frames that there are anyhow.
const (
	listEvery = 5 * time.Second
	askEvery  = time.Minute
)

// findSessions lists what is left, off the main thread.
func (a *App) findSessions() {
	l := &a.left
	if l.listing {
		l.again = true
		return
	}
	l.listing, l.again = true, false
	store := a.saves.Store
	a.jobs.Quiet(func(ctx context.Context) (func(), error) {
		items, err := store.List(ctx)
		sketches := map[string]*thumbnail{}
		for i := range items {
			sketches[items[i].ID] = sketched(items[i].Picture)
			items[i].Picture = nil
		}
		return func() {
			l.listing, l.items, l.sketch, l.listed = false, items, sketches, a.ctx.Now()
			if err != nil {
				a.log.add("%v", err)
			}
			if l.again {
				a.findSessions()
			}
		}, nil
	})
}

// sketched makes what is drawn of a picture.
func sketched(p recovery.Picture) *thumbnail {
	t := &thumbnail{}
	for i := range p.Len() {
		x, y, r, g, b := p.At(i)
		t.pos = append(t.pos, x-0.5, 0.5-y)
		t.colour = append(t.colour, widget.RGBA(r, g, b, 255))
	}
	return t
}

// unsaved are those with work that was not saved, and what other windows have open.
func (l *leftSessions) unsaved(own string) (out []recovery.Item) {
	for _, i := range l.items {
		if i.ID != own && (i.Held || i.Changed || i.Crashed()) {
			out = append(out, i)
		}
	}
	return out
}

// crashed are those whose window ended without closing, and without saving what was done in it.
func (l *leftSessions) crashed() (out []recovery.Item) {
	for _, i := range l.items {
		if i.Lost() {
			out = append(out, i)
		}
	}
	return out
}

// last is the session that was worked on last, and that no window has open, or nil.
func (l *leftSessions) last() *recovery.Item {
	for k := range l.items {
		if i := &l.items[k]; !i.Held && i.Path != "" {
			return i
		}
	}
	return nil
}

// about says what is to be known of the open session without opening it.
func (a *App) about() recovery.About {
	if a.desk == nil {
		return recovery.About{}
	}
	out := recovery.About{Name: a.stem(), Session: a.desk.Session, Changed: a.unsaved(),
		Landmarks: parts.Landmarks.Of(a.desk.Doc.State()).Len(), Things: "points"}
	if a.saves.Name != "" {
		out.Name = a.saves.Name
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
		out.Picture = a.saves.Picture(a.desk.Doc)
	}
	return out
}

// continues goes on with a session that was saved by itself as the user's own, if it was one: "save" writes to its
// file, after a question if that is not the one that it was.
func (a *App) continues(path string) {
	d := a.desk
	about := a.saves.Continues(d.Doc, path, a.maker(), a.ctx.Now())
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
	a.findSessions()
}

// sketchRatio is the width of a sketch to its height, in the list.
const sketchRatio = 66. / 50

// unsaved says whether there is work that no file of the user's has. A map that only trained by itself is none.
func (a *App) unsaved() bool {
	if a.desk.Session != "" {
		return a.desk.Saved != a.desk.Doc.State().Stamp(false)
	}
	h := a.desk.Doc.History()
	return a.saves.Carried || h.Done() > 1 || h.Done() == 1 && !strings.HasPrefix(h.Name(0), "Train ")
}

// fresh are the crashed ones that were not offered yet; from now on they were.
func (l *leftSessions) fresh() (out []recovery.Item) {
	for _, i := range l.crashed() {
		if !l.offered[i.ID] {
			out = append(out, i)
		}
	}
	for _, i := range out {
		if l.offered == nil {
			l.offered = map[string]bool{}
		}
		l.offered[i.ID] = true
	}
	return out
}

// offerSessions says over a map, once of each, that crashes have left sessions; the welcome page has it in its own
// words.
func (a *App) offerSessions() {
	if text := a.saves.News(); text != "" {
		a.log.add("%s", text)
	}
	l := &a.left
	if a.desk == nil || l.listed.IsZero() {
		return
	}
	if !l.listing && a.ctx.Now().Sub(l.listed) >= askEvery {
		a.findSessions()
	}
	if l.listed == l.looked {
		return
	}
	l.looked = l.listed
	if left := l.fresh(); len(left) > 0 {
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
	left := a.left.crashed()
	if len(left) == 0 {
		return
	}
	a.left.fresh()
	a.ui.Space(8)
	if a.ui.Row(crashText(left, a.ctx.Now())+"##recover", widget.RowOpts{Icon: assets.IconTriangleAlert,
		Note: "Recover…", Tip: commandByID("recover").help}).Clicked {
		a.showSessions()
	}
}

// showSessions opens the dialog.
func (a *App) showSessions() {
	a.findSessions()
	l := &a.left
	dialog.Recover.Show(a.dialogs, dialog.LeftWork{
		List: func() []recovery.Item {
			if a.ctx.Now().Sub(l.listed) >= listEvery {
				a.findSessions()
			}
			a.ctx.Within(listEvery)
			return l.unsaved(a.saves.ID())
		},
		Sketch: func(id string) func(*imgui.DrawList, widget.Rect) {
			s := l.sketch[id]
			if s == nil {
				return nil
			}
			return func(dl *imgui.DrawList, r widget.Rect) { s.fill(a.ui, dl, r) }
		},
		Open: a.openLeft, Forget: a.forgetSessions})
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

// forgetSessions deletes what was marked in the dialog.
func (a *App) forgetSessions(todo []recovery.Item) {
	store := a.saves.Store
	a.jobs.Quiet(func(context.Context) (func(), error) {
		var said []string
		for _, i := range todo {
			if err := store.Forget(i); err != nil {
				said = append(said, fmt.Sprintf("%s was not forgotten: %v", i.Name, err))
			}
		}
		return func() {
			for _, text := range said {
				a.say(text)
				a.note(note{text: widget.Sentence(text)})
			}
			a.findSessions()
		}, nil
	})
}

// fill draws a sketch into all of r.
func (t *thumbnail) fill(u *widget.UI, dl *imgui.DrawList, r widget.Rect) {
	d := max(u.Pt(1.2), 1)
	c := r.Center()
	for i := range t.colour {
		x, y := c.X+t.pos[2*i]*r.W()-d/2, c.Y-t.pos[2*i+1]*r.H()-d/2
		dl.AddRectFilledV(imgui.Vec2{X: x, Y: y}, imgui.Vec2{X: x + d, Y: y + d}, uint32(t.colour[i].Alpha(0.8)), 0, 0)
	}
}
