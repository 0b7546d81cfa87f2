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
	"blossom/ui/widget"
)

// leftSessions are the sessions that windows have left behind or have open, as they were listed last, and the dialog
// that shows them.
type leftSessions struct {
	open    bool
	items   []recovery.Item
	sketch  map[string]*thumbnail // by the items' IDs
	gone    map[string]bool       // IDs of those that are forgotten when the dialog closes
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
	store := a.saves.store
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

// unsaved says whether a crash took a window with work that no session of the user has.
func unsaved(i *recovery.Item) bool { return i.Crashed() && (i.Changed || i.Session == "") }

// crashed are those whose window ended without closing, and without saving what was done in it.
func (l *leftSessions) crashed() (out []recovery.Item) {
	for _, i := range l.items {
		if unsaved(&i) {
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
	if a.saves.name != "" {
		out.Name = a.saves.name
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
	if out.Picture.Len() == 0 && a.saves.doc == a.desk.Doc {
		out.Picture = a.saves.about.Picture
	}
	return out
}

// continues goes on with a session that was saved by itself as the user's own, if it was one: "save" writes to its
// file, after a question if that is not the one that it was.
func (a *App) continues(path string) {
	d := a.desk
	about := a.saves.continues(d.Doc, path, a.maker(), a.ctx.Now())
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
	return a.saves.carried || h.Done() > 1 || h.Done() == 1 && !strings.HasPrefix(h.Name(0), "Train ")
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
	if text := a.saves.news(); text != "" {
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
		return fmt.Sprintf("blossom ended without saving %s, %s", left[0].Name, when(left[0].At, now))
	}
	return fmt.Sprintf("blossom ended without saving %d sessions, the last one %s", len(left), when(left[0].At, now))
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
	a.left.open, a.left.gone = true, map[string]bool{}
	a.findSessions()
}

func (a *App) recoverDialog() {
	l := &a.left
	was := l.open
	var items []recovery.Item
	if l.open {
		items = l.unsaved(a.saves.id())
		if a.ctx.Now().Sub(l.listed) >= listEvery {
			a.findSessions()
		}
		a.ctx.Within(listEvery)
	}
	all := forgettable(items, nil)
	left := forgettable(items, l.gone)
	var buttons []widget.ModalButton
	if len(all) > 1 {
		b := widget.ModalButton{Label: fmt.Sprintf("Forget all %d##all", len(left)),
			Tip: "They go when this list is closed; until then it can be undone"}
		if len(left) == 0 {
			b = widget.ModalButton{Label: "Forget none##all", Tip: "Take all of them back"}
		}
		buttons = append(buttons, b)
	}
	kind := widget.Secondary
	end := "Not now"
	if len(l.gone) > 0 {
		end = fmt.Sprintf("Forget %d##end", len(l.gone))
	}
	if len(items) == 0 {
		end = "OK"
	}
	buttons = append(buttons, widget.ModalButton{Label: end, Kind: kind})
	var open *recovery.Item
	chosen := a.ui.Modal("Work that was not saved##recover", &l.open, widget.ModalOpts{Width: 760, Buttons: buttons},
		func() { open = a.recoverBody(items) })
	if chosen == 0 && len(buttons) == 2 {
		l.open = true
		clear(l.gone)
		for _, i := range left {
			l.gone[i.ID] = true
		}
	}
	if open != nil {
		l.open = false
	}
	if was && !l.open {
		a.forgetSessions(items)
	}
	switch {
	case open == nil:
	case len(open.Missing) > 0: // it is known what is not there: to be told so first would be a press more
		path := open.Path
		a.lookFor(path, open.Missing[0], func(wanted, chosen string) { a.openSession(path, wanted, chosen) })
	default:
		a.open(open.Path)
	}
}

// forgettable are the items that no window has open, but those that are marked.
func forgettable(items []recovery.Item, gone map[string]bool) (out []recovery.Item) {
	for _, i := range items {
		if !i.Held && !gone[i.ID] {
			out = append(out, i)
		}
	}
	return out
}

// forgetSessions deletes what was marked, now that the dialog is closed.
func (a *App) forgetSessions(items []recovery.Item) {
	var todo []recovery.Item
	for _, i := range items {
		if a.left.gone[i.ID] {
			todo = append(todo, i)
		}
	}
	a.left.gone = nil
	if len(todo) == 0 {
		return
	}
	store := a.saves.store
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

// recoverBody draws the list, and returns what is to be opened, or nil.
func (a *App) recoverBody(items []recovery.Item) (open *recovery.Item) {
	u, t := a.ui, a.ui.Theme()
	u.Wrapped(widget.Body, t.Muted, recoverSays(items))
	u.Space(8)
	if len(items) > 0 {
		p, s, c := imgui.WindowPos(), imgui.WindowSize(), imgui.CursorScreenPos()
		// The dialog has 92 % of the window; what is below the list stays in sight.
		h := min(u.Pt(float32(widget.EntryHeight*len(items))), a.ctx.Size().Y*0.92-(c.Y-p.Y)-u.Pt(24+100))
		imgui.SetCursorScreenPos(imgui.Vec2{X: p.X, Y: c.Y})
		imgui.BeginChildStrV("##sessions", imgui.Vec2{X: s.X, Y: max(h, u.Pt(widget.EntryHeight))}, 0, 0)
		primary := true
		for k := range items {
			i := &items[k]
			o := a.entry(i)
			if o.Action != "" && !o.Blocked && !o.Gone && primary {
				o.Kind, primary = widget.Primary, false
			}
			pressed, dropped := u.Entry(i.Name+"##"+i.ID, o)
			switch {
			case pressed && a.left.gone[i.ID]:
				delete(a.left.gone, i.ID)
			case pressed:
				open = i
			case dropped:
				a.left.gone[i.ID] = true
			}
		}
		imgui.EndChild()
		y := imgui.CursorScreenPos().Y
		u.FillRect(imgui.WindowDrawList(), widget.Rect{X0: p.X, Y0: y, X1: p.X + s.X, Y1: y + max(u.Pt(1), 1)},
			t.Border, 0)
		u.Space(10)
		u.Note("Sizes are of the sessions, without their data")
	}
	return open
}

// recoverSays is what the list says of itself.
func recoverSays(items []recovery.Item) string {
	crashed, closed, saved := 0, 0, 0
	for _, i := range items {
		switch {
		case unsaved(&i):
			crashed++
		case i.Crashed():
			saved++
		case !i.Held:
			closed++
		}
	}
	of := func(n int) string {
		if n == 1 {
			return "one session"
		}
		return fmt.Sprintf("%d sessions", n)
	}
	switch {
	case crashed > 0 && closed > 0:
		stays := ", which stay here until you open or forget them. "
		if crashed == 1 {
			stays = ", which stays here until you open or forget it. "
		}
		return "blossom ended without saving " + of(crashed) + stays +
			"Of those that were closed without saving, the last 20 stay."
	case crashed == 1:
		return "blossom ended without saving one session. It stays here until you open or forget it."
	case crashed > 1:
		return "blossom ended without saving " + of(crashed) + ". They stay here until you open or forget them."
	case closed > 0:
		return "These were closed without saving. The last 20 stay here until you open or forget them."
	case saved > 0:
		return "All of it is saved. It stays here until you open or forget it."
	case len(items) > 0:
		return "There is no work that was not saved, but what other windows have open."
	}
	return "There is no work that was not saved. What is open is saved by itself every few seconds; after a crash it " +
		"is found here."
}

// entry is how an item is shown.
func (a *App) entry(i *recovery.Item) widget.EntryOpts {
	now := a.ctx.Now()
	o := widget.EntryOpts{Text: dataText(i), Warning: i.Damage, When: when(i.At, now), Since: sinceText(i),
		Size: widget.Bytes(i.Size), Action: "Open", Drop: "Forget " + i.Name,
		About: dataText(i) + "\n" + strings.Join(i.Data, "\n")}
	if s := a.left.sketch[i.ID]; s != nil {
		o.Picture = func(dl *imgui.DrawList, r widget.Rect) { s.fill(a.ui, dl, r) }
	}
	if len(i.Missing) > 0 {
		if o.Warning != "" {
			o.Warning += "; "
		}
		o.Warning += "the data file is not where it was"
		o.Action = "Look for it…"
	}
	switch {
	case i.Held:
		o.Remark, o.When, o.Since = "open elsewhere", "now", ""
	case a.left.gone[i.ID]:
		o.Gone, o.Action, o.Since, o.Tip = true, "Undo", "will be forgotten", "Keep it"
	case i.Path == "":
		o.Blocked = true
	}
	return o
}

// dataText says what a session is of.
func dataText(i *recovery.Item) string {
	var out []string
	if n := len(i.Data); n > 0 {
		text := session.Base(i.Data[0])
		if n > 1 {
			text = fmt.Sprintf("%s and %d more", text, n-1)
		}
		things := i.Things
		if things == "" {
			things = "points"
		}
		out = append(out, text, grouped(i.Points)+" "+things)
	}
	if i.Landmarks > 0 {
		out = append(out, grouped(i.Landmarks)+" landmarks")
	}
	return strings.Join(out, " · ")
}

// sinceText says what of a session its user has saved.
func sinceText(i *recovery.Item) string {
	var out string
	switch d := i.At.Sub(i.SessionAt); {
	case i.Path == "":
		return ""
	case !i.Changed && i.Session != "":
		out = "all of it is saved"
	case i.SessionAt.IsZero():
		out = "never saved"
	case d < time.Minute:
		out = "changed since the last save"
	case d < time.Hour:
		out = fmt.Sprintf("%d min after the last save", int(d.Minutes()))
	case d < 48*time.Hour:
		out = fmt.Sprintf("%d h after the last save", int(d.Hours()))
	default:
		out = fmt.Sprintf("%d days after the last save", int(d.Hours()/24))
	}
	if i.Closed {
		out = "closed, " + out
	}
	return out
}

// when says a time as people do.
func when(at, now time.Time) string {
	at, now = at.Local(), now.Local()
	day := func(t time.Time) time.Time { y, m, d := t.Date(); return time.Date(y, m, d, 12, 0, 0, 0, time.UTC) }
	switch days := int(day(now).Sub(day(at)).Hours() / 24); {
	case days == 0:
		return "today " + at.Format("15:04")
	case days == 1:
		return "yesterday " + at.Format("15:04")
	case days > 1 && days < 7:
		return at.Format("Monday 15:04")
	case at.Year() == now.Year():
		return at.Format("2 Jan 15:04")
	}
	return at.Format("2 Jan 2006")
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
