package widget

import (
	"math"
	"strconv"

	"github.com/AllenDang/cimgui-go/imgui"
)

// BoxOf is a box of a plot: quartiles, the ends of its whiskers, and the values that it is of.
type BoxOf struct {
	Name                            string
	Low, First, Median, Third, High float64
	Values                          []float64
	Names                           func(i int) string // says of value i what it is, for its tooltip
	Ink                             Color
}

// BoxPlot is some boxes beside each other over one axis from 0.
type BoxPlot struct {
	Title, Note string // above it; Note is what was found
	Tip         string // tooltip of both
	Strong      bool   // Note stands out
	Boxes       []BoxOf
	Format      func(x float64) string // a value, on the axis and in tooltips
}

// Lengths of a plot of boxes, in points.
const (
	boxHead = 34
	boxFoot = 30
	boxAxis = 40
)

// Boxes draws a plot of boxes into r: the quartiles and the median, whiskers, and a dot for each value, whose tooltip
// says what it is.
func (u *UI) Boxes(name string, r Rect, p *BoxPlot) {
	t, dl := &u.theme, u.dl()
	ink := t.Muted
	if p.Strong {
		ink = t.Text
	}
	place(r.X0, r.Y0)
	u.still(name+" found", r.W(), u.Pt(boxHead), p.Tip, false)
	u.textIn(dl, Strong, Rect{r.X0, r.Y0, r.X1, r.Y0 + u.Pt(17)}, 0, t.Text, p.Title)
	u.textIn(dl, Small, Rect{r.X0, r.Y0 + u.Pt(17), r.X1, r.Y0 + u.Pt(boxHead)}, 0, ink, p.Note)
	in := Rect{r.X0 + u.Pt(boxAxis), r.Y0 + u.Pt(boxHead+6), r.X1, r.Y1 - u.Pt(boxFoot)}
	if in.Empty() {
		return
	}
	top := 0.0
	for _, b := range p.Boxes {
		for _, v := range b.Values {
			top = max(top, v)
		}
	}
	step := niceStep(top / 4)
	top = step * math.Ceil(max(top, step)/step-1e-9)
	y := func(v float64) float32 { return in.Y1 - in.H()*float32(v/top) }
	for k := 0; float64(k)*step <= top*(1+1e-9); k++ {
		v := float64(k) * step
		at := u.snap(y(v))
		u.fill(dl, Rect{in.X0, at, in.X1, at + u.hair()}, t.Border, 0)
		u.textIn(dl, Caption, Rect{r.X0, at - u.Pt(7), in.X0 - u.Pt(5), at + u.Pt(7)}, 1, t.Muted, p.Format(v))
	}
	place(in.X0, in.Y0)
	over := u.still(name, in.W(), in.H(), "", false)
	mouse := imgui.MousePos()
	tip, near := "", u.Pt(7)
	var at Rect
	wide := in.W() / float32(max(1, len(p.Boxes)))
	for i := range p.Boxes {
		b := &p.Boxes[i]
		x0 := in.X0 + wide*float32(i)
		foot := Rect{x0 + u.Pt(2), in.Y1 + u.Pt(2), x0 + wide - u.Pt(2), in.Y1 + u.Pt(16)}
		u.textIn(dl, Caption, foot, 0.5, t.Text, b.Name)
		u.textIn(dl, Caption, Rect{foot.X0, foot.Y1 - u.Pt(1), foot.X1, foot.Y1 + u.Pt(13)}, 0.5, t.Muted,
			strconv.Itoa(len(b.Values)))
		u.box(dl, Rect{x0, in.Y0, x0 + wide, in.Y1}, b, y)
		for k, v := range b.Values {
			c := imgui.Vec2{X: x0 + wide/2 + dodge(k)*min(wide*0.3, u.Pt(16)), Y: y(v)}
			dl.AddCircleFilledV(c, u.Pt(2.6), uint32(b.Ink), 12)
			dl.AddCircleV(c, u.Pt(2.6), uint32(t.Panel), 12, u.hair())
			d := float32(math.Hypot(float64(c.X-mouse.X), float64(c.Y-mouse.Y)))
			if over.hovered && d < near {
				near, at = d, R(c.X-u.Pt(3), c.Y-u.Pt(3), u.Pt(6), u.Pt(6))
				tip = b.Names(k) + ": " + p.Format(v)
			}
		}
	}
	if tip != "" {
		u.ring(dl, at, u.Pt(3))
		u.Tip(at, tip)
	}
}

// box draws a box with its whiskers over the width of r.
func (u *UI) box(dl *imgui.DrawList, r Rect, b *BoxOf, y func(v float64) float32) {
	if len(b.Values) == 0 || b.Median != b.Median {
		return
	}
	half := min(r.W()*0.36, u.Pt(22))
	mid := u.snap(r.Center().X)
	body := Rect{mid - half, u.snap(y(b.Third)), mid + half, max(u.snap(y(b.First)), u.snap(y(b.Third))+u.hair())}
	u.fill(dl, body, b.Ink.Alpha(0.16), u.Pt(2))
	u.stroke(dl, body, b.Ink.Alpha(0.8), u.Pt(2), u.Pt(1))
	for _, w := range [2][2]float64{{b.First, b.Low}, {b.Third, b.High}} {
		from, to := u.snap(y(w[0])), u.snap(y(w[1]))
		u.fill(dl, Rect{mid, min(from, to), mid + u.hair(), max(from, to)}, b.Ink.Alpha(0.8), 0)
		u.fill(dl, Rect{mid - half/2, to, mid + half/2, to + u.hair()}, b.Ink.Alpha(0.8), 0)
	}
	m := u.snap(y(b.Median))
	u.fill(dl, Rect{body.X0, m - u.Pt(1), body.X1, m + u.Pt(1)}, b.Ink, 0)
}

// dodge is how far dot k stands aside, from -1 to 1: always the same, and neighbours apart.
func dodge(k int) float32 {
	const golden = 0.6180339887
	return float32(2*math.Mod(0.5+float64(k)*golden, 1) - 1)
}

// niceStep is the smallest of 1, 2 and 5 times a power of ten that is not below x; 1 for none.
func niceStep(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return 1
	}
	p := math.Pow(10, math.Floor(math.Log10(x)))
	for _, k := range []float64{1, 2, 5} {
		if k*p >= x*(1-1e-9) {
			return k * p
		}
	}
	return 10 * p
}
