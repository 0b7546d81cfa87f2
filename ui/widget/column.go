package widget

import (
	"math"

	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// ColumnOpts are the details of the row of a column.
type ColumnOpts struct {
	Secondary string    // after the name, smaller
	Active    bool      // points are coloured by it
	Dim       bool      // it is left out of everything
	Fixed     bool      // the box cannot be changed; BoxTip says why
	Spark     []float32 // counts of its values, drawn at the right; nil: none
	Value     string    // a number before that, which is of some points; "": none
	Mark      float32   // where Value is in the histogram, from 0 to 1; NaN: nowhere
	Tip       string    // tooltip of the name
	BoxTip    string
}

// ColumnHit is what the user did to the row of a column.
type ColumnHit struct {
	Toggled     bool // the box was clicked; *on is changed
	NameClicked bool // the rest of the row was: colour by it
	Right       bool // right click: open a context menu
	Hovered     bool
	Rect        Rect
}

// ColumnRow draws a column of the data: a box that takes it into the map or out of it, its name, that colours by it,
// and a histogram. The row reaches from edge to edge of the area.
func (u *UI) ColumnRow(label string, on *bool, o ColumnOpts) ColumnHit {
	shown, _ := split(label)
	p, w := imgui.CursorScreenPos(), u.avail()
	box, x := u.columnHits(label, o, w)
	if box.pressed {
		*on = !*on
	}
	out := ColumnHit{NameClicked: x.pressed, Toggled: box.pressed, Right: x.right || box.right,
		Hovered: x.hovered || box.hovered, Rect: R(p.X, p.Y, w, box.H())}
	u.columnGround(out, o.Active)
	l := u.lineIn(out.Rect)
	u.checkBox(l.dl, p.X, box.Center().Y, *on, false, box)
	l.X0 += u.Pt(checkText)
	u.columnMark(&l, o, w, x.hovered)
	ink, quiet := u.theme.Text, u.theme.Muted
	switch {
	case o.Active:
		quiet = quiet.Mix(ink, 0.3) // as readable there as on the panel
	case o.Dim:
		ink = quiet
	}
	l.names(shown, ink, 7, o.Secondary, quiet)
	if x.focused {
		u.ring(l.dl, x.Inset(u.Pt(1), u.Pt(3)), u.Pt(4))
	}
	if box.focused {
		u.ring(l.dl, R(p.X, u.snap(box.Center().Y-u.Pt(7)), u.Pt(14), u.Pt(14)), u.Pt(4))
	}
	return out
}

// columnHits reserves the room of a column: its box, and the rest.
func (u *UI) columnHits(label string, o ColumnOpts, w float32) (box, x hit) {
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	defer imgui.PopStyleVar()
	_, name := split(label)
	p, h := imgui.CursorScreenPos(), u.snap(u.Pt(checkHeight))
	left := min(u.Pt(22), w/2)
	u.Group(name, func() { box = u.hit("box", left, h, o.BoxTip, o.Fixed) })
	place(p.X+left, p.Y)
	return box, u.hit(label, max(w-left, 1), h, o.Tip, false)
}

// columnGround draws what the row of a column lies on, over the whole width of the window.
func (u *UI) columnGround(x ColumnHit, active bool) {
	dl, win, size := u.dl(), imgui.WindowPos(), imgui.WindowSize()
	back := Rect{win.X + u.hair(), x.Rect.Y0, win.X + size.X, x.Rect.Y1}
	dl.PushClipRectV(win, win.Add(size), false)
	switch {
	case active:
		u.fill(dl, back, u.theme.AccentSoft, 0)
	case x.Hovered:
		u.fill(dl, back, u.theme.Row, 0)
	}
	dl.PopClipRect()
}

// columnMark draws at the end of the row of a column that it colours the points, or a histogram of its values.
func (u *UI) columnMark(l *line, o ColumnOpts, w float32, hovered bool) {
	t := &u.theme
	switch {
	case o.Active:
		u.icon(l.dl, l.X1-u.Pt(7), l.Center().Y, 14, t.Accent, assets.IconPalette)
		l.X1 -= u.Pt(14 + sparkGap)
	case len(o.Spark) > 0:
		s, h := u.Pt(sparkWidth), u.Pt(14)
		if w < u.Pt(240) {
			s = u.Pt(sparkNarrow)
		}
		ink := t.quiet()
		if hovered {
			ink = t.Faint
		}
		r := R(l.X1-s, u.snap(l.Center().Y-h/2), s, h)
		u.Spark(l.dl, r, o.Spark, ink)
		if o.Value != "" && o.Mark == o.Mark {
			wide := max(u.snap(u.Pt(2)), u.hair())
			u.fill(l.dl, R(u.snap(r.X0+o.Mark*(s-wide)), r.Y0, wide, h), t.Accent, 0)
		}
		l.X1 -= s + u.Pt(sparkGap)
	}
	l.note(o.Value, u.Width(Small, o.Value), sparkGap, t.Text)
}

// The widths of a histogram in a row, in points: usually, and in a narrow panel; and the gap before it.
const (
	sparkWidth  = 44
	sparkNarrow = 24
	sparkGap    = 8
)

// Spark draws counts as a small filled curve; heights are square roots, so that few are seen beside many.
func (u *UI) Spark(dl *imgui.DrawList, r Rect, counts []float32, c Color) {
	top := float32(0)
	for _, n := range counts {
		if !math.IsInf(float64(n), 0) {
			top = max(top, n) // NaN is not larger
		}
	}
	if !(top > 0) || len(counts) == 0 {
		u.fill(dl, Rect{r.X0, r.Y1 - u.hair(), r.X1, r.Y1}, c, 0)
		return
	}
	height := func(n float32) float32 {
		if !(n > 0) {
			return 0
		}
		return r.H() * float32(math.Sqrt(float64(min(n/top, 1))))
	}
	step := r.W() / float32(len(counts))
	dl.PathLineTo(imgui.Vec2{X: r.X0, Y: r.Y1})
	for i, n := range counts {
		dl.PathLineTo(imgui.Vec2{X: r.X0 + (float32(i)+0.5)*step, Y: r.Y1 - height(n)})
	}
	dl.PathLineTo(imgui.Vec2{X: r.X1, Y: r.Y1})
	dl.PathFillConcave(uint32(c))
}
