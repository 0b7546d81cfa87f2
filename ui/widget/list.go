package widget

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
)

// RowOpts are the details of a list row.
type RowOpts struct {
	Icon      string  // " " leaves the room of one free
	Swatch    Color   // a colour square before the name
	Colors    []Color // a strip of colours before the name
	Bands     bool    // they stand beside each other, not in between
	Secondary string  // smaller, after the name
	Note      string  // at the right end
	Shortcut  string  // key caps at the right end
	Tip       string
	Selected  bool
	Cursor    bool // the keyboard is on it
	Disabled  bool
	Dim       bool
	Height    float32 // points; 0: 27
	Drop      string  // tip of a cross at the right end, which takes the row off its list; "": none
}

// RowHit is what the user did to a row.
type RowHit struct {
	Clicked, Double, Right, Hovered bool

	Dropped bool // by its cross
	Rect    Rect
}

// Row draws a row of a list.
func (u *UI) Row(label string, o RowOpts) RowHit {
	shown, _ := split(label)
	if o.Height <= 0 {
		o.Height = 27
	}
	room := float32(0)
	if o.Drop != "" {
		room = u.Pt(rowCross)
	}
	x := u.rowHitIn(label, u.avail()-room, o.Height, o.Tip, o.Disabled)
	ink, quiet := u.rowGround(x, &o)
	l := u.lineIn(x.Inset(u.Pt(9), 0))
	u.rowMarks(&l, x, &o)
	gap := float32(10)
	w := min(u.Width(Small, o.Note), max(l.W()*0.45, l.W()-u.Width(Body, shown)-u.Pt(gap)))
	l.note(o.Note, w, gap, x.fade(quiet))
	l.names(shown, x.fade(ink), 6, o.Secondary, x.fade(quiet))
	out := x.row()
	if o.Drop != "" {
		_, name := split(label)
		imgui.SameLineV(0, 0)
		place(x.X1+u.Pt(2), u.snap(x.Center().Y-u.Pt(rowCross-4)/2))
		out.Dropped = u.iconButton(name+"/drop", assets.IconX, o.Drop, rowCross-4, false).pressed
		place(x.X0, x.Y1)
	}
	return out
}

// rowCross is the room of the cross of a row, in points.
const rowCross = 26

// rowGround draws what a row lies on, and returns the colours of what is written there.
func (u *UI) rowGround(x hit, o *RowOpts) (ink, quiet Color) {
	t := &u.theme
	ink, quiet = t.Text, t.Muted
	switch {
	case o.Selected:
		u.fill(u.dl(), x.Rect, t.AccentSoft, u.Pt(5))
		quiet = t.Muted.Mix(t.Text, 0.3) // as readable there as on the panel
	case o.Cursor || x.hovered || x.focused:
		u.fill(u.dl(), x.Rect, t.Control, u.Pt(5))
	}
	if o.Dim {
		ink = t.Muted
	}
	return ink, quiet
}

// rowMarks draws what stands before the name of a row, and its keys at the end.
func (u *UI) rowMarks(l *line, x hit, o *RowOpts) {
	t, y := &u.theme, x.Center().Y
	if o.Icon != "" {
		if o.Icon != " " {
			u.icon(l.dl, l.X0+u.Pt(7), y, 14, x.fade(t.Muted), o.Icon)
		}
		l.X0 += u.Pt(22)
	}
	if o.Swatch != 0 {
		l.square(x.fade(o.Swatch), 11, 19)
	}
	if len(o.Colors) > 0 {
		l.X0 += u.strip(l.dl, l.Rect, o.Colors, o.Bands, x.fade)
	}
	if o.Shortcut != "" {
		w, fill := u.keysWidth(o.Shortcut), t.Control
		if o.Cursor || x.hovered {
			fill = t.Hover
		}
		u.keys(l.dl, l.X1-w, y, o.Shortcut, fill, t.Muted)
		l.X1 -= w + u.Pt(10)
	}
}
