package widget

import (
	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// MomentOpts are the details of a row of a history.
type MomentOpts struct {
	Time     string // at the right end
	Name     string // name of a bookmark, beside the label
	Tip      string
	Column   int  // column of its dot, 0 the outermost
	Through  uint // columns whose line goes on past this row, a bit each
	Above    bool // a line comes down to the dot in its own column
	Below    bool // and goes on from it
	From     bool // it comes from the column to the left: the first of a branch
	Done     bool // on the way to the present
	DoneOn   bool // the moment below is done too
	Past     uint // columns whose passing line is done
	Now      bool
	Undone   bool // on the line of the present, after it
	Bookmark bool
	More     bool // no moment but a stretch of them
}

// Columns of a history, in points.
const (
	momentHeight = 24
	momentColumn = 14
	momentsMost  = 6 // columns there is room for
	momentLine   = 1.5
)

// MomentRow draws a row of a history: its place on the lines, what was done, when.
func (u *UI) MomentRow(label string, o MomentOpts) RowHit {
	shown, _ := split(label)
	t := &u.theme
	x := u.rowHit(label, momentHeight, o.Tip, false)
	wide := x.Inset(-u.Pt(12), 0) // over the padding of the side bar, as in lists
	l := u.lineIn(x.Rect)
	l.dl.PushClipRectV(wide.Min(), wide.Max(), true)
	switch {
	case o.Now:
		u.fill(l.dl, wide, t.AccentSoft, 0)
	case x.hovered || x.focused:
		u.fill(l.dl, wide, t.Row, 0)
	}
	u.momentLines(l, &o)
	l.X0 = u.momentColumn(l, o.Column)
	u.momentDot(l, &o)
	l.X0 += u.Pt(14)
	if o.Column == 0 {
		l.X0 += u.Pt(2)
	}
	l.note(o.Time, u.Width(Small, o.Time), 8, t.Muted)
	u.momentName(l, shown, &o)
	l.dl.PopClipRect()
	if x.focused {
		u.ring(l.dl, x.Rect.Inset(0, u.Pt(2)), u.Pt(4))
	}
	return x.row()
}

// momentColumn is where the middle of a column of lines is.
func (u *UI) momentColumn(l line, i int) float32 {
	return l.X0 + u.Pt(7+momentColumn*float32(min(i, momentsMost)))
}

// momentInk is the colour of a line or a dot.
func (u *UI) momentInk(done bool) Color {
	if done {
		return u.theme.Accent
	}
	return u.theme.Faint
}

// momentLines draws the lines that pass a moment, and its own.
func (u *UI) momentLines(l line, o *MomentOpts) {
	w, y := u.Pt(momentLine), l.Center().Y
	upright := func(at, y0, y1 float32, done bool) {
		u.fill(l.dl, Rect{at - w/2, y0, at + w/2, y1}, u.momentInk(done), 0)
	}
	for c := range o.Column {
		if o.Through&(1<<c) != 0 {
			upright(u.momentColumn(l, c), l.Y0, l.Y1, o.Past&(1<<c) != 0)
		}
	}
	at := u.momentColumn(l, o.Column)
	switch {
	case o.From:
		from := u.momentColumn(l, o.Column-1)
		l.dl.AddBezierCubicV(imgui.Vec2{X: from, Y: l.Y0}, imgui.Vec2{X: from, Y: y - u.Pt(2)},
			imgui.Vec2{X: at, Y: l.Y0 + u.Pt(2)}, imgui.Vec2{X: at, Y: y}, uint32(u.momentInk(o.Done)), w, 0)
	case o.Above:
		upright(at, l.Y0, y, o.Done)
	}
	if o.Below {
		upright(at, y, l.Y1, o.DoneOn)
	}
}

// momentDot draws the sign of a moment at the left end of l.
func (u *UI) momentDot(l line, o *MomentOpts) {
	t, ink := &u.theme, uint32(u.momentInk(o.Done))
	at := imgui.Vec2{X: l.X0, Y: l.Center().Y}
	ground := t.Panel
	if o.Now {
		ground = t.AccentSoft
	}
	switch {
	case o.Now:
		l.dl.AddCircleFilledV(at, u.Pt(5), uint32(t.Accent), 0)
	case o.More:
		for i := range 3 {
			p := imgui.Vec2{X: at.X, Y: at.Y + u.Pt(4*float32(i-1))}
			l.dl.AddCircleFilledV(p, u.Pt(2.5), uint32(ground), 0)
			l.dl.AddCircleFilledV(p, u.Pt(1.2), ink, 0)
		}
	default:
		l.dl.AddCircleFilledV(at, u.Pt(4), uint32(ground), 0)
		l.dl.AddCircleV(at, u.Pt(3.25), ink, 0, u.Pt(momentLine))
	}
}

// momentName writes what was done, and the sign and the name of a bookmark after it.
func (u *UI) momentName(l line, shown string, o *MomentOpts) {
	t, ink := &u.theme, u.theme.Text
	switch {
	case o.More:
		ink = t.Accent
	case o.Undone:
		ink = t.Faint
		if t.Dark {
			ink = t.Faint.Mix(t.Muted, 0.5)
		}
	case !o.Done:
		ink = t.Muted
	}
	name, end := l, l.X1
	if o.Bookmark {
		name.X1 -= u.Pt(18)
	}
	used := name.names(shown, ink, 0, "", 0)
	if !o.Bookmark {
		return
	}
	u.icon(l.dl, name.X0+used+u.Pt(12), name.Center().Y, 12, t.Muted, assets.IconBookmark)
	name.X0, name.X1 = name.X0+used+u.Pt(22), end
	if o.Name != "" && name.W() > u.Pt(24) {
		name.small(0, t.Muted, o.Name)
	}
}

// SkipRow leaves the room of a row of a history free where it is out of sight, and says whether it did.
func (u *UI) SkipRow() bool {
	p := imgui.CursorScreenPos()
	h := u.snap(u.Pt(momentHeight))
	if imgui.IsRectVisibleVec2(p, imgui.Vec2{X: p.X + 1, Y: p.Y + h}) {
		return false
	}
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	imgui.Dummy(imgui.Vec2{X: 1, Y: h})
	imgui.PopStyleVar()
	return true
}
