package widget

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Marks that are drawn on a view by hand: where the hand is, what it encloses, how much that is.

// HoverRing marks the point under the mouse.
func (u *UI) HoverRing(dl *imgui.DrawList, p imgui.Vec2) {
	dl.AddCircleV(p, u.Pt(6), uint32(u.theme.Panel), 40, u.Pt(4))
	dl.AddCircleV(p, u.Pt(6), uint32(u.theme.Accent), 40, u.Pt(2))
}

// PinDot marks a point that is pinned.
func (u *UI) PinDot(dl *imgui.DrawList, p imgui.Vec2) {
	dl.AddCircleFilled(p, u.Pt(5), uint32(u.theme.Panel))
	dl.AddCircleFilled(p, u.Pt(3.5), uint32(u.theme.Text))
}

// DropLine joins a point of a 3D view to where it stands over the ground, dotted.
func (u *UI) DropLine(dl *imgui.DrawList, from, to imgui.Vec2) {
	d := to.Sub(from)
	length := float32(math.Hypot(float64(d.X), float64(d.Y)))
	ring := u.Pt(8) // the ring stays free
	if length > ring {
		start := from.Add(d.Mul(ring / length))
		u.line(dl, []imgui.Vec2{start, to}, u.theme.Panel.Alpha(0.7), u.Pt(3), 0)
		u.line(dl, []imgui.Vec2{start, to}, u.theme.Accent, u.Pt(1.25), u.Pt(2.5))
	}
	dl.AddCircleFilledV(to, u.Pt(3.5), uint32(u.theme.Panel), 20)
	dl.AddCircleFilledV(to, u.Pt(2.5), uint32(u.theme.Accent), 20)
}

// CountChip says how much a stroke encloses, near its end at p, within bounds: a number, what it counts ("cells") and
// the share of all, "" for none. It returns its place.
func (u *UI) CountChip(dl *imgui.DrawList, p imgui.Vec2, bounds Rect, count, what, share string) Rect {
	t := &u.theme
	gap := float32(0)
	if what != "" {
		gap = u.Width(Body, " ")
	}
	w := max(u.Width(Strong, count)+gap+u.Width(Body, what), u.Width(Small, share)) + u.Pt(22)
	h := u.Pt(27)
	if share != "" {
		h = u.Pt(43)
	}
	size := imgui.Vec2{X: u.snap(w), Y: u.snap(h)}
	r := PlaceCard(size, R(p.X-u.Pt(14), p.Y-u.Pt(14), u.Pt(28), u.Pt(28)), bounds, nil)
	r = R(u.snap(r.X0), u.snap(r.Y0), size.X, size.Y)
	u.shadow(dl, r, u.Pt(7), u.Pt(12))
	u.fill(dl, r, t.Panel, u.Pt(7))
	u.stroke(dl, r, t.Border, u.Pt(7), u.hair())
	line := R(r.X0+u.Pt(11), r.Y0, r.W()-u.Pt(22), u.Pt(27))
	if share != "" {
		line.Y0 += u.Pt(5)
		line.Y1 -= u.Pt(2)
		u.textIn(dl, Small, Rect{line.X0, line.Y1 - u.Pt(2), line.X1, line.Y1 + u.Pt(14)}, 0, t.Muted, share)
	}
	used := u.textIn(dl, Strong, line, 0, t.Text, count)
	line.X0 += used + gap
	u.textIn(dl, Body, line, 0, t.Text, what)
	return r
}

// SelectRect draws the rectangle that is dragged out from a to b.
func (u *UI) SelectRect(dl *imgui.DrawList, a, b imgui.Vec2) {
	r := Rect{u.snap(min(a.X, b.X)), u.snap(min(a.Y, b.Y)), u.snap(max(a.X, b.X)), u.snap(max(a.Y, b.Y))}
	u.fill(dl, r, u.theme.Accent.Alpha(0.1), 0)
	u.stroke(dl, r, u.theme.Panel.Alpha(0.8), 0, u.Pt(3.5))
	u.stroke(dl, r, u.theme.Accent, 0, u.Pt(1.5))
}

// SelectEllipse draws the ellipse in the box that is dragged out from a to b.
func (u *UI) SelectEllipse(dl *imgui.DrawList, a, b imgui.Vec2) {
	middle := a.Add(b).Mul(0.5)
	half := imgui.Vec2{X: max(a.X, b.X) - middle.X, Y: max(a.Y, b.Y) - middle.Y}
	dl.AddEllipseFilledV(middle, half, uint32(u.theme.Accent.Alpha(0.1)), 0, ellipseSides)
	dl.AddEllipseV(middle, half, uint32(u.theme.Panel.Alpha(0.8)), 0, ellipseSides, u.Pt(3.5))
	dl.AddEllipseV(middle, half, uint32(u.theme.Accent), 0, ellipseSides, u.Pt(1.5))
}

// ellipseSides are as many as it takes for an ellipse as large as a screen to look round.
const ellipseSides = 128

// EllipseMark draws an ellipse as a mark of an option, like an icon.
func EllipseMark(dl *imgui.DrawList, x, y, side float32, c Color) {
	dl.AddEllipseV(imgui.Vec2{X: x, Y: y}, imgui.Vec2{X: 0.45 * side, Y: 0.32 * side}, uint32(c), 0, 0, side/12)
}

// LassoOpts are the details of a lasso.
type LassoOpts struct {
	Closed bool // the stroke has ended: its ends are joined by a line like the rest, not a dashed one
	Dashed bool // it follows the points in it: a region, not a set of points
	Clip   Rect // the lasso is drawn inside of this; empty: no limit
}

// Lasso draws a lasso through points of the screen, filled by the even-odd rule, which is that of selections. It
// draws at most lassoMost of them, however many there are.
func (u *UI) Lasso(dl *imgui.DrawList, path []imgui.Vec2, o LassoOpts) {
	if len(path) < 2 {
		return
	}
	tolerance := max(u.Pt(0.5), 1/u.pixel)
	u.scratch.lasso = Decimate(u.scratch.lasso[:0], path, tolerance, lassoMost)
	if len(u.scratch.lasso) < 2 {
		return
	}
	if !o.Clip.Empty() {
		dl.PushClipRectV(o.Clip.Min(), o.Clip.Max(), true)
		defer dl.PopClipRect()
	}
	u.fillEvenOdd(dl, u.scratch.lasso, o.Clip, u.theme.Accent.Alpha(0.1))
	dash := pick(o.Dashed, u.Pt(4))
	first, last := u.scratch.lasso[0], u.scratch.lasso[len(u.scratch.lasso)-1]
	if o.Closed {
		u.scratch.lasso = append(u.scratch.lasso, first)
	} else {
		u.line(dl, []imgui.Vec2{last, first}, u.theme.Accent.Alpha(0.7), max(u.Pt(1), 1/u.pixel), u.Pt(3))
	}
	u.line(dl, u.scratch.lasso, u.theme.Panel.Alpha(0.8), u.Pt(3.5), dash)
	u.line(dl, u.scratch.lasso, u.theme.Accent, u.Pt(1.5), dash)
}

// lassoMost bounds what a lasso costs to draw.
const lassoMost = 2048

// Decimate appends to out a path of at most `most` points (at least 2) that looks like path: points nearer than
// tolerance to the one before are left out, and with more points left than that, the tolerance grows. What is not
// finite is left out. The ends are kept.
func Decimate(out, path []imgui.Vec2, tolerance float32, most int) []imgui.Vec2 {
	base := len(out)
	for {
		out = out[:base]
		var last, end imgui.Vec2
		for _, p := range path {
			if !finite(p) {
				continue
			}
			end = p
			if d := p.Sub(last); len(out) == base || d.X*d.X+d.Y*d.Y >= tolerance*tolerance {
				out = append(out, p)
				last = p
				if len(out)-base > most {
					break
				}
			}
		}
		if n := len(out) - base; n <= most {
			if n > 1 && out[len(out)-1] != end {
				out[len(out)-1] = end
			}
			return out
		}
		tolerance *= 1.6
	}
}

func finite(p imgui.Vec2) bool {
	s := float64(p.X) + float64(p.Y)
	return !math.IsNaN(s) && !math.IsInf(s, 0)
}
