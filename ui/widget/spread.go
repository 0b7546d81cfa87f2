package widget

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
)

// SpreadTick is a mark below a spread, at a share of its width.
type SpreadTick struct {
	At   float32
	Text string // "": a mark alone
}

// SpreadOpts are the details of a spread.
type SpreadOpts struct {
	Half      bool      // it takes half of the width that is left, for another one beside it
	All, Some []float32 // counts of all values, filled, and of some, as a line; each to its own peak
	Ticks     []SpreadTick
	Tip       string
	// From and To are the range that is marked, as shares of the width; none where they are equal.
	From, To float64
}

// Sizes of a spread, in points.
const (
	spreadHigh  = 44
	spreadGrab  = 5 // how near to an end of the range a press takes it
	spreadLeast = 3 // a shorter drag is a click
)

// Spread draws how the values of a column spread, below its name: a drag across it marks a range (from, to), whose ends
// are moved afterwards; a click lets go of it. Edit tells of changes of the range.
func (u *UI) Spread(label string, o SpreadOpts) (from, to float64, e Edit) {
	line := u.Line(Small)
	w := u.avail()
	if o.Half {
		w = (w - u.Pt(12)) / 2
	}
	name, id := split(label)
	x := u.still("##"+id, w, line+u.Pt(spreadHigh)+line, o.Tip, false)
	box := Rect{u.snap(x.X0), u.snap(x.Y0 + line), u.snap(x.X1), u.snap(x.Y0 + line + u.Pt(spreadHigh))}
	from, to = o.From, o.To
	e.Active = x.active
	u.sweep(x, box, &from, &to, &e)
	dl, t := u.dl(), &u.theme
	u.textIn(dl, Small, Rect{x.X0, x.Y0, x.X1, x.Y0 + line}, 0, t.Text, name)
	if to > from {
		r := Rect{box.X0 + float32(from)*box.W(), box.Y0, box.X0 + float32(to)*box.W(), box.Y1}
		u.fill(dl, r, t.AccentSoft, 0)
		defer func() {
			for _, at := range []float32{r.X0, r.X1} {
				u.fill(dl, R(u.snap(at), box.Y0, u.hair(), box.H()), t.Accent, 0)
				grip := R(u.snap(at-u.Pt(2.5)), u.snap(box.Center().Y-u.Pt(7)), u.snap(u.Pt(5)), u.snap(u.Pt(14)))
				u.fill(dl, grip, t.Panel, u.Pt(2))
				u.stroke(dl, grip, t.Accent, u.Pt(2), u.Pt(1))
			}
		}()
	}
	u.hill(dl, box, o.All, t.Faint.Alpha(0.55))
	u.curveOf(dl, box, o.Some, t.Accent)
	u.fill(dl, Rect{box.X0, box.Y1 - u.hair(), box.X1, box.Y1}, t.Border, 0)
	for _, k := range o.Ticks {
		at := box.X0 + k.At*box.W()
		u.fill(dl, R(u.snap(at), box.Y1, u.hair(), u.Pt(3)), t.Border, 0)
		if k.Text != "" {
			w := u.Width(Small, k.Text)
			left := min(max(at-w/2, x.X0), x.X1-w)
			u.textIn(dl, Small, Rect{left, box.Y1, left + w + 1, x.Y1}, 0, t.Muted, k.Text)
		}
	}
	return from, to, e
}

// sweep follows a drag across a spread.
func (u *UI) sweep(x hit, box Rect, from, to *float64, e *Edit) {
	at := func(sx float32) float64 {
		return min(max(float64((sx-box.X0)/max(box.W(), 1)), 0), 1)
	}
	mouse := imgui.MousePos()
	if u.grab(x, *from, *to) { // the other end of the range stays
		u.drag.knob = 0
		near := u.Pt(spreadGrab)
		u.drag.fineFrom = mouse.X
		if *to > *from {
			a, b := box.X0+float32(*from)*box.W(), box.X0+float32(*to)*box.W()
			switch {
			case abs(mouse.X-b) <= near:
				u.drag.knob, u.drag.fineFrom = 1, a
			case abs(mouse.X-a) <= near:
				u.drag.knob, u.drag.fineFrom = 1, b
			}
		}
	}
	if u.cancelled(x) {
		*from, *to, e.Changed = u.drag.start[0], u.drag.start[1], true
		return
	}
	if !u.holds(x) {
		return
	}
	anchor, fresh := u.drag.fineFrom, u.drag.knob == 0
	if fresh && abs(mouse.X-anchor) >= u.Pt(spreadLeast) {
		u.drag.knob, fresh = 1, false
	}
	if !fresh {
		lo, hi := at(min(anchor, mouse.X)), at(max(anchor, mouse.X))
		e.Changed = lo != *from || hi != *to
		*from, *to = lo, hi
	}
	if was, dropped := u.drop(x); dropped {
		e.Committed = true
		if was.knob == 0 && was.start[1] > was.start[0] { // a click lets go
			*from, *to, e.Changed = 0, 0, true
		}
	}
}

func abs(x float32) float32 { return float32(math.Abs(float64(x))) }

// heights are counts as shares of the highest, of square roots; nil: there are none.
func heights(counts []float32) (out []float32) {
	top := float32(0)
	for _, n := range counts {
		top = max(top, n)
	}
	if !(top > 0) {
		return nil
	}
	for _, n := range counts {
		out = append(out, float32(math.Sqrt(float64(n/top))))
	}
	return out
}

// curveOf draws counts as a line over a spread.
func (u *UI) curveOf(dl *imgui.DrawList, r Rect, counts []float32, c Color) {
	high := heights(counts)
	path, step := u.scratch.lasso[:0], r.W()/float32(max(len(counts), 1))
	for i, h := range high {
		path = append(path, imgui.Vec2{X: r.X0 + (float32(i)+0.5)*step, Y: r.Y1 - h*r.H()})
	}
	if len(path) > 1 {
		u.line(dl, path, c, u.Pt(1.5), 0)
	}
	u.scratch.lasso = path
}

// hill fills below counts, by columns of a pixel: a concave shape that is filled at once shows where it was parted.
func (u *UI) hill(dl *imgui.DrawList, r Rect, counts []float32, c Color) {
	high := heights(counts)
	if len(high) < 2 {
		return
	}
	step := r.W() / float32(len(high))
	for x := r.X0; x < r.X1; x++ {
		at := min(max((x+0.5-r.X0)/step-0.5, 0), float32(len(high)-1))
		i := min(int(at), len(high)-2)
		h := high[i] + (at-float32(i))*(high[i+1]-high[i])
		u.fill(dl, Rect{x, r.Y1 - h*r.H(), x + 1, r.Y1}, c, 0)
	}
}
