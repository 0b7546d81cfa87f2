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
	Hidden bool // no view shows its points
	NoEye  bool // it cannot be hidden
	Wrong  bool // it could not be made: Tip says why
}

// RowCarry is how far a row is carried to another place.
type RowCarry uint8

const (
	NotCarried RowCarry = iota
	Carried             // it is under way, with the mouse
	Dropped             // it is let go of in this frame
)

// PopulationHit is what the user did to the row of a population.
type PopulationHit struct {
	RowHit
	Folds, Hides, Recolour bool // the chevron, the eye, the square of its colour was clicked
	Swatch                 Rect
	Carry                  RowCarry
}

// populationHeight is the height of a row, points.
const populationHeight = 24

// deepestRow is how far rows are indented at most: deeper ones are drawn there.
const deepestRow = 8

// PopulationRow draws a row of the tree of populations: a chevron, an eye, its colour, its name, where it comes from,
// how many points it has, and their share. Its ID is not its name, which may hold anything.
func (u *UI) PopulationRow(id string, o PopulationOpts) (out PopulationHit) {
	t := &u.theme
	x := u.rowHit(id, populationHeight, o.Tip, false)
	out.RowHit, out.Carry = x.row(), u.carried(x)
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
	if o.Dim || o.Hidden {
		ink = quiet
	}
	l.X0 += u.Pt(14 * float32(min(o.Depth, deepestRow)))
	u.populationMarks(&l, x, id, &o, &out)
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

// populationMarks draws the chevron, the eye and the square of the colour, which are places of their own for the mouse.
func (u *UI) populationMarks(l *line, x hit, id string, o *PopulationOpts, out *PopulationHit) {
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
	eye := Rect{l.X0 - u.Pt(2), l.Y0, l.X0 + u.Pt(15), l.Y1}
	if !o.NoEye {
		if icon, ink := assets.IconEye, u.theme.Muted; o.Hidden {
			u.icon(l.dl, l.X0+u.Pt(6), l.Center().Y, 12, u.theme.Text, assets.IconEyeOff)
		} else if x.hovered || x.focused || o.Chosen {
			u.icon(l.dl, l.X0+u.Pt(6), l.Center().Y, 12, ink, icon)
		}
		u.mark(id+".eye", eye)
	}
	l.X0 += u.Pt(17)
	out.Swatch = Rect{l.X0 - u.Pt(2), l.Y0, l.X0 + u.Pt(14), l.Y1}
	u.mark(id+".colour", out.Swatch)
	ink := o.Ink
	if o.Hidden {
		ink = ink.Alpha(0.35)
	}
	l.square(ink, 10, 17)
	if x.pressed {
		m := imgui.MousePos()
		out.Folds = o.Fold != NoFold && chevron.Has(m)
		out.Hides = !out.Folds && !o.NoEye && eye.Has(m)
		out.Recolour = !out.Folds && !out.Hides && out.Swatch.Has(m)
	}
}

// carried says whether a row that is held has been taken away from its place. Esc lets it lie there.
func (u *UI) carried(x hit) RowCarry {
	u.grab(x)
	u.cancelled(x)
	away := !x.Rect.Has(imgui.MousePos())
	if was, dropped := u.drop(x); dropped {
		if !was.over && away {
			return Dropped
		}
		return NotCarried
	}
	if u.holds(x) && away && imgui.IsMouseDown(imgui.MouseButtonLeft) {
		return Carried
	}
	return NotCarried
}

// CarriedRow draws the name of a row that is carried beside the mouse, and where it would come to lie: in the row at,
// or where into is false on a line at its upper edge, or its lower one where below.
func (u *UI) CarriedRow(name string, at Rect, into, below bool, depth int) {
	dl, t := imgui.WindowDrawList(), &u.theme
	if at.H() > 0 {
		at.X0 += u.Pt(14 * float32(min(depth, deepestRow)))
		if into {
			dl.AddRectV(at.Min(), at.Max(), uint32(t.Accent), u.Pt(4), 0, u.Pt(1.5))
		} else {
			y := at.Y0
			if below {
				y = at.Y1
			}
			u.fill(dl, Rect{at.X0, y - u.Pt(1), at.X1, y + u.Pt(1)}, t.Accent, u.Pt(1))
		}
	}
	m := imgui.MousePos()
	u.Tip(R(m.X, m.Y, 1, 1), name)
}

// Upright says how far down in a rectangle the mouse is, 0 at its upper edge and 1 at its lower one, and whether it is
// in it.
func (u *UI) Upright(r Rect) (part float32, in bool) {
	m := imgui.MousePos()
	if r.H() <= 0 || m.Y < r.Y0 || m.Y >= r.Y1 || m.X < r.X0-u.Pt(12) || m.X >= r.X1+u.Pt(12) {
		return 0, false
	}
	return (m.Y - r.Y0) / r.H(), true
}
