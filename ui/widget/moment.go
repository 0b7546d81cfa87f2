package widget

import (
	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// MomentOpts are the details of a row of a history.
type MomentOpts struct {
	Time     string // at the right end
	Name     string // of a bookmark, beside the label
	Tip      string
	Column   int  // of its dot, 0 the outermost
	Through  uint // columns whose line goes on past this row, a bit each
	Above    bool // a line comes down to the dot in its own column
	Below    bool // and goes on from it
	From     bool // it comes from the column to the left: the first of a branch
	Done     bool // on the way to the present
	DoneOn   bool // what goes on below is done
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
)

// MomentRow draws a row of a history: its place on the lines, what was done, when.
func (u *UI) MomentRow(label string, o MomentOpts) RowHit {
	shown, _ := split(label)
	t := &u.theme
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	x := u.hit(label, u.avail(), u.Pt(momentHeight), o.Tip, false)
	imgui.PopStyleVar()
	dl, y := u.dl(), x.Center().Y
	wide := Rect{x.X0 - u.Pt(12), x.Y0, x.X1 + u.Pt(12), x.Y1} // over the padding of the side bar, as in lists
	dl.PushClipRectV(wide.Min(), wide.Max(), true)
	switch {
	case o.Now:
		u.fill(dl, wide, t.AccentSoft, 0)
	case x.hovered || x.focused:
		u.fill(dl, wide, t.Row, 0)
	}
	column := func(i int) float32 { return x.X0 + u.Pt(7+momentColumn*float32(min(i, momentsMost))) }
	ink := func(done bool) Color {
		if done {
			return t.Accent
		}
		return t.Faint
	}
	w := u.Pt(1.5)
	upright := func(at, y0, y1 float32, c Color) { u.fill(dl, Rect{at - w/2, y0, at + w/2, y1}, c, 0) }
	for c := range o.Column {
		if o.Through&(1<<c) != 0 {
			upright(column(c), x.Y0, x.Y1, ink(o.Past&(1<<c) != 0))
		}
	}
	at := column(o.Column)
	switch {
	case o.From:
		from := column(o.Column - 1)
		dl.AddBezierCubicV(imgui.Vec2{X: from, Y: x.Y0}, imgui.Vec2{X: from, Y: y - u.Pt(2)},
			imgui.Vec2{X: at, Y: x.Y0 + u.Pt(2)}, imgui.Vec2{X: at, Y: y}, uint32(ink(o.Done)), w, 0)
	case o.Above:
		upright(at, x.Y0, y, ink(o.Done))
	}
	if o.Below {
		upright(at, y, x.Y1, ink(o.DoneOn))
	}
	ground := t.Panel
	if o.Now {
		ground = t.AccentSoft
	}
	switch c := (imgui.Vec2{X: at, Y: y}); {
	case o.Now:
		dl.AddCircleFilledV(c, u.Pt(5), uint32(t.Accent), 0)
	case o.More:
		for i := range 3 {
			dl.AddCircleFilledV(imgui.Vec2{X: at, Y: y + u.Pt(4*float32(i-1))}, u.Pt(2.5), uint32(ground), 0)
			dl.AddCircleFilledV(imgui.Vec2{X: at, Y: y + u.Pt(4*float32(i-1))}, u.Pt(1.2), uint32(ink(o.Done)), 0)
		}
	default:
		dl.AddCircleFilledV(c, u.Pt(4), uint32(ground), 0)
		dl.AddCircleV(c, u.Pt(3.25), uint32(ink(o.Done)), 0, w)
	}
	in := Rect{at + u.Pt(14), x.Y0, x.X1, x.Y1}
	if o.Column == 0 {
		in.X0 += u.Pt(2)
	}
	if o.Time != "" {
		tw := u.Width(Small, o.Time)
		u.textIn(dl, Small, u.beside(Rect{in.X1 - tw, in.Y0, in.X1, in.Y1}, Small, Body), 1, t.Muted, o.Time)
		in.X1 -= tw + u.Pt(8)
	}
	text := t.Text
	switch {
	case o.More:
		text = t.Accent
	case o.Undone:
		text = t.Faint
		if t.Dark {
			text = t.Faint.Mix(t.Muted, 0.5)
		}
	case !o.Done:
		text = t.Muted
	}
	name := in
	if o.Bookmark {
		name.X1 -= u.Pt(18)
	}
	used := u.textIn(dl, Body, name, 0, text, shown)
	if o.Bookmark {
		u.icon(dl, name.X0+used+u.Pt(12), y, 12, t.Muted, assets.IconBookmark)
		name.X0 += used + u.Pt(22)
		if o.Name != "" && in.X1-name.X0 > u.Pt(24) {
			name.X1 = in.X1
			u.textIn(dl, Small, u.beside(name, Small, Body), 0, t.Muted, o.Name)
		}
	}
	dl.PopClipRect()
	if x.focused {
		u.ring(dl, x.Rect.Inset(0, u.Pt(2)), u.Pt(4))
	}
	return RowHit{Clicked: x.pressed, Double: x.double, Right: x.right, Hovered: x.hovered, Rect: x.Rect}
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
