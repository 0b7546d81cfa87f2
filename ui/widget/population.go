package widget

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
)

// Fold says whether what lies below a row of a tree is shown.
type Fold uint8

const (
	NoFold Fold = iota // nothing lies below it
	Folded
	Unfolded
)

// PopulationOpts are the details of the row of a population.
type PopulationOpts struct {
	Name   string
	Depth  int
	Fold   Fold
	Ink    Color
	Origin string  // icon of where it comes from
	Count  string  // points in it
	Part   float32 // the length of its bar, 0 to 1; below 0: none is drawn
	Share  string
	Tip    string
	Chosen bool
	Dim    bool
	Wrong  bool // it could not be made: Tip says why
}

// PopulationHit is what the user did to the row of a population.
type PopulationHit struct {
	RowHit
	Folds, Recolour bool // the chevron, the square of its colour was clicked
	Swatch          Rect
}

// populationHeight is the height of a row, points.
const populationHeight = 24

// PopulationRow draws a row of the tree of populations: a chevron, its colour, its name, where it comes from, how many
// points it has, and their share. Its ID is not its name, which may hold anything.
func (u *UI) PopulationRow(id string, o PopulationOpts) (out PopulationHit) {
	t := &u.theme
	x := u.rowHit(id, populationHeight, o.Tip, false)
	out.RowHit = x.row()
	wide := x.Inset(-u.Pt(12), 0) // over the padding of the side bar, as in lists
	l := u.lineIn(x.Rect)
	l.dl.PushClipRectV(wide.Min(), wide.Max(), true)
	switch {
	case o.Chosen:
		u.fill(l.dl, wide, t.AccentSoft, 0)
	case x.hovered || x.focused:
		u.fill(l.dl, wide, t.Row, 0)
	}
	ink, quiet := t.Text, t.Muted
	if o.Dim {
		ink = quiet
	}
	const deepest = 8 // deeper ones are drawn there
	l.X0 += u.Pt(14 * float32(min(o.Depth, deepest)))
	out.Folds, out.Recolour, out.Swatch = u.populationMarks(&l, x, id, &o)
	right := u.textIn(l.dl, Number, l.Rect, 1, ink, o.Share)
	l.X1 -= max(right, u.Pt(44)) + u.Pt(6)
	if bar := u.Pt(30); o.Part >= 0 && l.W() > u.Pt(150) {
		y, h := l.Center().Y, u.Pt(4)
		u.fill(l.dl, Rect{l.X1 - bar, y - h/2, l.X1, y + h/2}, t.Control, h/2)
		if o.Part > 0 {
			u.fill(l.dl, Rect{l.X1 - bar, y - h/2, l.X1 - bar + max(bar*min(o.Part, 1), h), y + h/2}, o.Ink, h/2)
		}
		l.X1 -= bar + u.Pt(6)
	}
	l.X1 -= u.textIn(l.dl, Number, l.Rect, 1, quiet, o.Count) + u.Pt(8)
	switch {
	case o.Wrong:
		u.icon(l.dl, l.X1-u.Pt(7), l.Center().Y, 12, t.Warning, assets.IconCircleAlert)
		l.X1 -= u.Pt(18)
	case o.Origin != "" && l.W()-u.Width(Body, o.Name) > u.Pt(18):
		u.icon(l.dl, l.X1-u.Pt(7), l.Center().Y, 12, quiet, o.Origin)
		l.X1 -= u.Pt(18)
	}
	l.names(o.Name, ink, 0, "", 0)
	l.dl.PopClipRect()
	if x.focused {
		u.ring(l.dl, x.Rect.Inset(0, u.Pt(2)), u.Pt(4))
	}
	return out
}

// populationMarks draws the chevron and the square of the colour, which are places of their own for the mouse.
func (u *UI) populationMarks(l *line, x hit, id string, o *PopulationOpts) (folds, recolour bool, swatch Rect) {
	chevron := Rect{l.X0 - u.Pt(4), l.Y0, l.X0 + u.Pt(14), l.Y1}
	if o.Fold != NoFold {
		icon := assets.IconChevronRight
		if o.Fold == Unfolded {
			icon = assets.IconChevronDown
		}
		u.icon(l.dl, l.X0+u.Pt(5), l.Center().Y, 12, u.theme.Muted, icon)
		u.mark(id+".fold", chevron)
	}
	l.X0 += u.Pt(16)
	swatch = Rect{l.X0 - u.Pt(3), l.Y0, l.X0 + u.Pt(14), l.Y1}
	u.mark(id+".colour", swatch)
	l.square(o.Ink, 10, 17)
	if x.pressed {
		m := imgui.MousePos()
		folds = o.Fold != NoFold && chevron.Has(m)
		recolour = !folds && swatch.Has(m)
	}
	return folds, recolour, swatch
}
