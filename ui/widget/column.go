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
	Tip       string    // of the name
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
	shown, name := split(label)
	t := &u.theme
	w, h := u.avail(), u.snap(u.Pt(23))
	p := imgui.CursorScreenPos()
	boxW := min(u.Pt(22), w/2)
	var box, x hit
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	u.Group(name, func() { box = u.hit("box", boxW, h, o.BoxTip, o.Fixed) })
	place(p.X+boxW, p.Y)
	x = u.hit(label, max(w-boxW, 1), h, o.Tip, false)
	imgui.PopStyleVar()
	out := ColumnHit{NameClicked: x.pressed, Toggled: box.pressed, Right: x.right || box.right,
		Hovered: x.hovered || box.hovered, Rect: R(p.X, p.Y, w, h)}
	if out.Toggled {
		*on = !*on
	}

	dl := u.dl()
	win, size := imgui.WindowPos(), imgui.WindowSize()
	back := Rect{win.X + u.hair(), p.Y, win.X + size.X, p.Y + h}
	dl.PushClipRectV(imgui.Vec2{X: win.X, Y: win.Y}, win.Add(size), false)
	switch {
	case o.Active:
		u.fill(dl, back, t.AccentSoft, 0)
	case out.Hovered:
		u.fill(dl, back, t.Row, 0)
	}
	dl.PopClipRect()
	u.checkBox(dl, p.X, box.Center().Y, *on, false, box)

	in := Rect{p.X + u.Pt(24), p.Y, p.X + w, p.Y + h}
	mark := Rect{in.X1 - u.Pt(14), in.Y0, in.X1, in.Y1}
	switch {
	case o.Active:
		u.icon(dl, mark.Center().X, mark.Center().Y, 14, t.Accent, assets.IconPalette)
		in.X1 = mark.X0 - u.Pt(8)
	case len(o.Spark) > 0:
		s := u.Pt(sparkWidth)
		if w < u.Pt(240) {
			s = u.Pt(sparkNarrow)
		}
		ink := t.quiet()
		if x.hovered {
			ink = t.Faint
		}
		u.Spark(dl, R(in.X1-s, u.snap(p.Y+(h-u.Pt(14))/2), s, u.Pt(14)), o.Spark, ink)
		in.X1 -= s + u.Pt(8)
	}
	ink, quiet := t.Text, t.Muted
	switch {
	case o.Active:
		quiet = t.Muted.Mix(t.Text, 0.3) // as readable there as on the panel
	case o.Dim:
		ink = t.Muted
	}
	used := u.textIn(dl, Body, in, 0, ink, shown)
	if rest := in.W() - used - u.Pt(7); o.Secondary != "" && rest > u.Pt(20) {
		in.X0 += used + u.Pt(7)
		u.textIn(dl, Small, u.beside(in, Small, Body), 0, quiet, o.Secondary)
	}
	if x.focused {
		u.ring(dl, x.Inset(u.Pt(1), u.Pt(3)), u.Pt(4))
	}
	if box.focused {
		u.ring(dl, R(p.X, u.snap(box.Center().Y-u.Pt(7)), u.Pt(14), u.Pt(14)), u.Pt(4))
	}
	return out
}

// The widths of a histogram in a row, in points: usually, and in a narrow panel.
const (
	sparkWidth  = 44
	sparkNarrow = 24
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
