package widget

import (
	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// CheckOpts are the details of a check row.
type CheckOpts struct {
	Secondary string // after the label, smaller
	Note      string // at the right end, smaller
	NoteMenu  bool   // the note can be clicked
	Tip       string
	Dim       bool // the label is muted, whatever the box says
	Disabled  bool
	Mixed     bool // neither on nor off: some of a group
	Selected  bool // the row is highlighted
}

// CheckHit is what the user did to a check row.
type CheckHit struct {
	Toggled bool // the box or the row was clicked; *on is changed
	Right   bool // right click on the row: open a context menu
	Note    bool // click on the note
	Hovered bool
}

// Check draws a row with a box, a name, secondary text and a note. The label is muted while it is off.
func (u *UI) Check(label string, on *bool, o CheckOpts) CheckHit {
	shown, _ := split(label)
	start, w := imgui.CursorScreenPos(), u.avail()
	noteW := min(u.Width(Small, o.Note), w*0.4)
	x, note := u.checkHits(label, o, w, noteW)
	if x.pressed {
		*on = !*on
	}
	out := CheckHit{Toggled: x.pressed, Right: x.right || note.right, Note: note.pressed,
		Hovered: x.hovered || note.hovered}

	t, back := &u.theme, R(start.X, start.Y, w, u.snap(u.Pt(checkHeight)))
	around := back.Inset(-u.Pt(6), 0)
	l := u.lineIn(back)
	switch {
	case o.Selected:
		u.fill(l.dl, around, t.AccentSoft, u.Pt(5))
	case out.Hovered && !o.Disabled:
		u.fill(l.dl, around, t.Row, u.Pt(5))
	}
	u.checkBox(l.dl, start.X, x.Center().Y, *on, o.Mixed, x)
	l.X0 += u.Pt(checkText)
	ink, quiet := t.Text, t.Muted
	if !*on && !o.Mixed || o.Dim {
		ink = t.Muted
	}
	if note.hovered {
		quiet = t.Text
	}
	l.note(o.Note, noteW, checkGap, x.fade(quiet))
	l.names(shown, x.fade(ink), 6, o.Secondary, x.fade(t.Muted))
	if x.focused {
		u.ring(l.dl, around, u.Pt(5))
	}
	return out
}

// Lengths of a row with a box, in points.
const (
	checkHeight = 23
	checkText   = 24 // from the left end to the name
	checkGap    = 10 // before the note
)

// checkHits reserves the room of a row with a box: all of it, or where the note is a button two places.
func (u *UI) checkHits(label string, o CheckOpts, w, noteW float32) (x, note hit) {
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	defer imgui.PopStyleVar()
	_, name := split(label)
	start, h := imgui.CursorScreenPos(), u.snap(u.Pt(checkHeight))
	if !o.NoteMenu || noteW <= 0 {
		return u.hit(label, w, h, o.Tip, o.Disabled), hit{}
	}
	rest := w - noteW - u.Pt(checkGap)
	x = u.hit(label, rest, h, o.Tip, o.Disabled)
	u.Group(name, func() {
		place(start.X+rest, start.Y)
		note = u.hit("note", w-rest, h, o.Tip, o.Disabled)
	})
	return x, note
}

func (u *UI) checkBox(dl *imgui.DrawList, left, y float32, on, mixed bool, x hit) {
	t := &u.theme
	s := u.snap(u.Pt(14))
	box := R(u.snap(left), u.snap(y-s/2), s, s)
	round := u.Pt(3.5)
	if on || mixed {
		u.fill(dl, box, x.fade(x.tone(t.Accent, t.AccentHover, t.AccentPress)), round)
		mark := assets.IconCheck
		if mixed {
			mark = assets.IconMinus
		}
		u.icon(dl, box.Center().X, box.Center().Y, 11, x.fade(t.AccentText), mark)
		return
	}
	edge := x.tone(t.Muted, t.Text, t.Text)
	u.stroke(dl, box.Inset(u.hair()/2, u.hair()/2), x.fade(edge), round, max(u.Pt(1.2), 1/u.pixel))
}

// Switch draws a row with a label at the left and a small switch at the right; it reports a change.
func (u *UI) Switch(label string, on *bool, tip string) bool {
	shown, _ := split(label)
	t := &u.theme
	x := u.hit(label, u.avail(), u.Pt(rowHeight), tip, false)
	if x.pressed {
		*on = !*on
	}
	dl := u.dl()
	w, h := u.Pt(26), u.Pt(15)
	box := R(x.X1-w, u.snap(x.Center().Y-h/2), w, h)
	fill, k := x.tone(t.Press, t.Faint, t.Faint), box.X0+h/2
	if *on {
		fill, k = x.tone(t.Accent, t.AccentHover, t.AccentPress), box.X1-h/2
	}
	u.textIn(dl, Body, Rect{x.X0, x.Y0, box.X0 - u.Pt(8), x.Y1}, 0, t.Muted, shown)
	u.fill(dl, box, fill, h/2)
	dl.AddCircleFilledV(imgui.Vec2{X: k, Y: box.Center().Y}, h/2-u.Pt(2), uint32(Hex(0xffffff)), 24)
	if x.focused {
		u.ring(dl, box, h/2)
	}
	return x.pressed
}
