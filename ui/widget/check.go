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
	shown, name := split(label)
	t := &u.theme
	w, h := u.avail(), u.snap(u.Pt(23))
	start := imgui.CursorScreenPos()
	noteW := float32(0)
	if o.Note != "" {
		noteW = min(u.Width(Small, o.Note), w*0.4)
	}
	var out CheckHit
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	var x, note hit
	rowW := w
	if o.NoteMenu && noteW > 0 {
		rowW = w - noteW - u.Pt(10)
	}
	x = u.hit(label, rowW, h, o.Tip, o.Disabled)
	if rowW < w {
		u.Group(name, func() {
			place(start.X+rowW, start.Y)
			note = u.hit("note", w-rowW, h, o.Tip, o.Disabled)
		})
	}
	imgui.PopStyleVar()
	if x.pressed {
		*on = !*on
		out.Toggled = true
	}
	out.Right = x.right || note.right
	out.Note = note.pressed
	out.Hovered = x.hovered || note.hovered

	dl := u.dl()
	back := R(start.X, start.Y, w, h).Inset(-u.Pt(6), 0)
	switch {
	case o.Selected:
		u.fill(dl, back, t.AccentSoft, u.Pt(5))
	case (x.hovered || note.hovered) && !o.Disabled:
		u.fill(dl, back, t.Row, u.Pt(5))
	}
	u.checkBox(dl, start.X, x.Center().Y, *on, o.Mixed, x)
	ink := t.Text
	if !*on && !o.Mixed || o.Dim {
		ink = t.Muted
	}
	left := start.X + u.Pt(24)
	room := start.X + w - left
	if noteW > 0 {
		room -= noteW + u.Pt(10)
	}
	used := u.textIn(dl, Body, R(left, start.Y, max(room, 0), h), 0, x.fade(ink), shown)
	if o.Secondary != "" && room-used > u.Pt(20) {
		gap := u.Pt(6)
		u.textIn(dl, Small, u.beside(R(left+used+gap, start.Y, room-used-gap, h), Small, Body), 0, x.fade(t.Muted),
			o.Secondary)
	}
	if noteW > 0 {
		c := t.Muted
		if note.hovered {
			c = t.Text
		}
		u.textIn(dl, Small, u.beside(R(start.X+w-noteW, start.Y, noteW, h), Small, Body), 1, x.fade(c), o.Note)
	}
	if x.focused {
		u.ring(dl, back, u.Pt(5))
	}
	return out
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
