package dialog

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/problem"
	"blossom/model/document/recovery"
	"blossom/model/document/session"
	"blossom/ui/widget"
)

// LeftWork is the sessions with work that was not saved, and what other windows have open.
type LeftWork struct {
	List   func() []recovery.Item // asked in every frame
	Open   func(recovery.Item)
	Forget func([]recovery.Item)
}

// Recover lists what windows have left, to be opened or forgotten one by one.
var Recover = Register(Kind[LeftWork]{ID: "recover", Title: "Work that was not saved", Width: 860,
	New: func(w Window, work LeftWork) Dialog { return &leftWork{LeftWork: work, w: w, gone: map[string]bool{}} }})

type leftWork struct {
	LeftWork
	w     Window
	items []recovery.Item // the list in this frame
	apart []apart         // for each of them, how it is told from others of its name
	on    string          // ID of the one that Enter opens, "": the first that can be
	gone  map[string]bool // IDs of those that are forgotten when the dialog closes
}

func (l *leftWork) Face() (f Face, ok bool) {
	l.items = l.List()
	l.apart = namesApart(l.items, l.w.UI().Now())
	all, left := forgettable(l.items, nil), forgettable(l.items, l.gone)
	if len(all) > 1 {
		b := Button{Label: fmt.Sprintf("Forget all %d##all", len(left)),
			Tip: "They go when this list is closed; until then it can be undone"}
		if len(left) == 0 {
			b = Button{Label: "Forget none##all", Tip: "Take all of them back"}
		}
		b.Try = func() func() { l.mark(left); return nil }
		f.Buttons = append(f.Buttons, b)
	}
	end := "Not now"
	switch {
	case len(l.items) == 0:
		end = "OK"
	case len(l.gone) > 0:
		end = fmt.Sprintf("Forget %d##end", len(l.gone))
	}
	f.Buttons = append(f.Buttons, Button{Label: end, Kind: widget.Secondary, Do: l.end})
	f.Cancel = l.end
	return f, true
}

// mark has these forgotten when the dialog closes, and no others.
func (l *leftWork) mark(items []recovery.Item) {
	clear(l.gone)
	for _, i := range items {
		l.gone[i.ID] = true
	}
}

// end forgets what was marked, now that the dialog closes.
func (l *leftWork) end() {
	var todo []recovery.Item
	for _, i := range l.items {
		if l.gone[i.ID] {
			todo = append(todo, i)
		}
	}
	if len(todo) > 0 {
		l.Forget(todo)
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

// openable are the indices of what can be opened.
func (l *leftWork) openable() (out []int) {
	for k, i := range l.items {
		if !i.Held && i.Path != "" && !l.gone[i.ID] {
			out = append(out, k)
		}
	}
	return out
}

// selected is the index of the entry that Enter opens, after the arrow keys of this frame; -1: there is none.
func (l *leftWork) selected(step int) int {
	can := l.openable()
	if len(can) == 0 {
		return -1
	}
	at := max(slices.IndexFunc(can, func(k int) bool { return l.items[k].ID == l.on }), 0)
	at = min(max(at+step, 0), len(can)-1)
	l.on = l.items[can[at]].ID
	return can[at]
}

func (l *leftWork) Draw() (chosen func()) {
	u := l.w.UI()
	t := u.Theme()
	u.Wrapped(widget.Body, t.Muted, recoverSays(l.items))
	u.Space(8)
	if len(l.items) == 0 {
		return nil
	}
	step, enter := u.ListKeys(), u.Entered()
	if imgui.CurrentContext().NavCursorVisible() { // the keys are for the button with the focus
		step, enter = 0, false
	}
	at := l.selected(step)
	open := -1
	p, s, c := imgui.WindowPos(), imgui.WindowSize(), imgui.CursorScreenPos()
	// The dialog has 92 % of the window; what is below the list stays in sight.
	h := min(u.Pt(float32(widget.EntryHeight*len(l.items))),
		imgui.CurrentIO().DisplaySize().Y*0.92-(c.Y-p.Y)-u.Pt(24+100))
	imgui.SetCursorScreenPos(imgui.Vec2{X: p.X, Y: c.Y})
	imgui.BeginChildStrV("##sessions", imgui.Vec2{X: s.X, Y: max(h, u.Pt(widget.EntryHeight))},
		imgui.ChildFlagsNavFlattened, 0)
	for k := range l.items {
		i := &l.items[k]
		o := l.entry(k)
		if k == at {
			o.Kind = widget.Primary
			if step != 0 {
				imgui.SetScrollHereYV(0.5)
			}
		}
		pressed, dropped := u.Entry(i.Name+"##"+i.ID, o)
		switch {
		case pressed && l.gone[i.ID]:
			delete(l.gone, i.ID)
		case pressed:
			open = k
		case dropped:
			l.gone[i.ID] = true
		}
	}
	imgui.EndChild()
	y := imgui.CursorScreenPos().Y
	u.FillRect(imgui.WindowDrawList(), widget.Rect{X0: p.X, Y0: y, X1: p.X + s.X, Y1: y + max(u.Pt(1), 1)},
		t.Border, 0)
	u.Space(10)
	u.Note("Sizes are of the sessions, without their data")
	if enter && at >= 0 {
		open = at
	}
	if open < 0 {
		return nil
	}
	i := l.items[open]
	return func() { l.end(); l.Open(i) }
}

// recoverSays is what the list says of itself.
func recoverSays(items []recovery.Item) string {
	crashed, closed := 0, 0
	for _, i := range items {
		switch {
		case i.Lost():
			crashed++
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
	case len(items) > 0:
		return "There is no work that was not saved, but what other windows have open."
	}
	return "There is no work that was not saved. What is open is saved by itself every few seconds; after a crash it " +
		"is found here."
}

// entry is how an item is shown.
func (l *leftWork) entry(k int) widget.EntryOpts {
	i := &l.items[k]
	o := widget.EntryOpts{Beside: l.apart[k].folder, Text: dataText(i), Detail: changesText(i), Also: groupsText(i),
		Warning: i.Damage, When: l.apart[k].when, Since: sinceText(i),
		Size: widget.Bytes(i.Size), Action: "Open", Drop: "Forget " + i.Name,
		About: strings.Join(append([]string{dataText(i), changesText(i) + groupsText(i)}, i.Data...), "\n")}
	o.Picture = func(dl *imgui.DrawList, r widget.Rect) { drawSketch(l.w.UI(), dl, r, i.Picture) }
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
	case l.gone[i.ID]:
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
		out = append(out, text, widget.Grouped(i.Points)+" "+things)
	}
	if i.Landmarks > 0 {
		out = append(out, widget.Grouped(i.Landmarks)+" landmarks")
	}
	return strings.Join(out, " · ")
}

// changesText says what was done in a session: what tells two of the same data apart.
func changesText(i *recovery.Item) string {
	if i.Last == "" {
		return ""
	}
	return problem.Count(i.Changes, "change") + ", the last: " + i.Last
}

// groupsText says, after that, what points are called in a session.
func groupsText(i *recovery.Item) string {
	switch {
	case i.Populations == 0:
		return ""
	case i.Last == "":
		return problem.Count(i.Populations, "population")
	}
	return " · " + problem.Count(i.Populations, "population")
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

// When says a time as people do.
func When(at, now time.Time) string {
	text, clock := dayOf(at, now)
	return text + at.Local().Format(clock)
}

// toTheSecond is When with seconds, whatever the year.
func toTheSecond(at, now time.Time) string {
	text, _ := dayOf(at, now)
	return text + at.Local().Format(" 15:04:05")
}

// dayOf says the day of a time, and the layout of the time of day that people say with it.
func dayOf(at, now time.Time) (text, clock string) {
	at, now = at.Local(), now.Local()
	day := func(t time.Time) time.Time { y, m, d := t.Date(); return time.Date(y, m, d, 12, 0, 0, 0, time.UTC) }
	switch days := int(day(now).Sub(day(at)).Hours() / 24); {
	case days == 0:
		return "today", " 15:04"
	case days == 1:
		return "yesterday", " 15:04"
	case days > 1 && days < 7:
		return at.Format("Monday"), " 15:04"
	case at.Year() == now.Year():
		return at.Format("2 Jan"), " 15:04"
	}
	return at.Format("2 Jan 2006"), ""
}

// drawSketch draws the points of a session into all of r.
func drawSketch(u *widget.UI, dl *imgui.DrawList, r widget.Rect, p recovery.Picture) {
	d := max(u.Pt(1.2), 1)
	for i := range p.Len() {
		x, y, red, green, blue := p.At(i)
		at := imgui.Vec2{X: r.X0 + x*r.W() - d/2, Y: r.Y0 + y*r.H() - d/2}
		ink := widget.RGBA(red, green, blue, 255).Alpha(0.8)
		dl.AddRectFilledV(at, imgui.Vec2{X: at.X + d, Y: at.Y + d}, uint32(ink), 0, 0)
	}
}
