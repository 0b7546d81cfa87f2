package widget

import "github.com/AllenDang/cimgui-go/imgui"

// line is the room that is left of a row while it is written from both of its ends.
type line struct {
	Rect
	u  *UI
	dl *imgui.DrawList
}

func (u *UI) lineIn(r Rect) line { return line{r, u, u.dl()} }

// least is what a second text needs to be written at all, in points.
const least = 20

// names writes a name at the left and, a gap of points after it, smaller, what else there is to say of it, where there
// is room. It returns the width of the name.
func (l *line) names(name string, ink Color, gap float32, second string, quiet Color) (used float32) {
	used = l.u.textIn(l.dl, Body, l.Rect, 0, ink, name)
	if second != "" && l.W()-used > l.u.Pt(least) {
		l.X0 += used + l.u.Pt(gap)
		l.small(0, quiet, second)
	}
	return used
}

// note writes small text at the right end, w wide, and leaves a gap of points free before it.
func (l *line) note(text string, w, gap float32, ink Color) {
	if text == "" {
		return
	}
	end := *l
	end.X0 = l.X1 - w
	end.small(1, ink, text)
	l.X1 -= w + l.u.Pt(gap)
}

// small writes small text on the baseline of the rest.
func (l *line) small(align float32, ink Color, text string) {
	l.u.textIn(l.dl, Small, l.u.beside(l.Rect, Small, Body), align, ink, text)
}

// square draws a small square of a colour, a side of points wide, and takes so many points for it.
func (l *line) square(ink Color, side, room float32) {
	s := l.u.Pt(side)
	l.u.fill(l.dl, R(l.u.snap(l.X0), l.u.snap(l.Center().Y-s/2), s, s), ink, l.u.Pt(3))
	l.X0 += l.u.Pt(room)
}

// rowHit reserves a row over all the width that is left, h points high; nothing lies between it and the next.
func (u *UI) rowHit(label string, h float32, tip string, disabled bool) hit {
	return u.rowHitIn(label, u.avail(), h, tip, disabled)
}

// rowHitIn is rowHit of a row that is w wide, in screen units.
func (u *UI) rowHitIn(label string, w, h float32, tip string, disabled bool) hit {
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	defer imgui.PopStyleVar()
	return u.hit(label, w, u.Pt(h), tip, disabled)
}

// row is what the user did to a row.
func (x hit) row() RowHit {
	return RowHit{Clicked: x.pressed, Double: x.double, Right: x.right, Hovered: x.hovered, Rect: x.Rect}
}
