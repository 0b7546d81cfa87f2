package widget

import (
	"math"
	"strconv"

	"github.com/AllenDang/cimgui-go/imgui"
)

// CourseOpts are the details of the plot of a run.
type CourseOpts struct {
	X, Y    []float32 // the values after so many units, X rising
	To      float32   // where the units end that are expected; 0: where X does
	Shade   float32   // up to here units are of another kind, which Word names
	Word    string
	Caption string // where there is nothing yet
	Tip     string
}

// courseHeight is that of the plot of a run with its ticks, in points.
const courseHeight = 104

// Course draws how a value went over the units of a run, with ticks on both axes.
func (u *UI) Course(label string, o CourseOpts) {
	t := &u.theme
	r := u.still(label, u.avail(), u.Pt(courseHeight), o.Tip, false).Rect
	dl := u.dl()
	in := Rect{r.X0 + u.Pt(30), r.Y0 + u.Pt(6), r.X1 - u.Pt(8), r.Y1 - u.Pt(18)}
	u.line(dl, []imgui.Vec2{{X: in.X0, Y: in.Y1}, {X: in.X1, Y: in.Y1}}, t.Border, u.hair(), 0)
	if len(o.X) < 2 {
		u.textIn(dl, Caption, in.Inset(u.Pt(4), u.Pt(4)), 0, t.Muted, o.Caption)
		return
	}
	lo, hi := bounds(o.Y)
	// Values that differ by rounding alone are no course: their ticks would all be the same number.
	if least := max(1e-3*max(hi, -lo), 1e-6); !(hi-lo >= least) {
		lo, hi = (lo+hi-least)/2, (lo+hi+least)/2
	}
	to := max(o.To, o.X[len(o.X)-1])
	step := ticksOf(hi-lo, 3)
	lo, hi = step*floor32(lo/step), hi+0.04*(hi-lo)
	var ticks []string // as many decimals as tell them apart
	for i := 0; i < 8 && lo+float32(i)*step <= hi; i++ {
		ticks = append(ticks, tickText(float64(lo+float32(i)*step), float64(step)))
		in.X0 = max(in.X0, r.X0+u.Pt(5)+u.Width(Caption, ticks[i]))
	}
	x := func(v float32) float32 { return in.X0 + in.W()*v/to }
	y := func(v float32) float32 { return in.Y1 - in.H()*(v-lo)/(hi-lo) }
	if o.Shade > 0 {
		shade := Rect{in.X0, in.Y0, min(in.X1, x(o.Shade)), in.Y1}
		u.fill(dl, shade, t.Control, 0)
		if w := u.Width(Caption, o.Word); w < shade.W()-u.Pt(8) {
			word := Rect{shade.X0 + u.Pt(4), in.Y1 - u.Pt(15), shade.X1, in.Y1 - u.Pt(1)}
			u.textIn(dl, Caption, word, 0, t.Muted, o.Word)
		}
	}
	for i, text := range ticks {
		v := lo + float32(i)*step
		u.textIn(dl, Caption, Rect{r.X0, y(v) - u.Pt(7), in.X0 - u.Pt(5), y(v) + u.Pt(7)}, 1, t.Muted, text)
	}
	last := float32(-1)
	for i, step := 0, ticksOf(to, 4); i < 12 && float32(i)*step <= to*1.001; i++ {
		v := float32(i) * step
		text := Grouped(int(v + 0.5))
		w := u.Width(Caption, text)
		at := min(max(x(v)-w/2, in.X0), r.X1-w)
		if at < last {
			continue
		}
		last = at + w + u.Pt(8)
		u.textIn(dl, Caption, Rect{at, in.Y1 + u.Pt(3), at + w + 1, r.Y1}, 0, t.Muted, text)
	}
	u.scratch.points = u.scratch.points[:0]
	for i := range o.X {
		u.scratch.points = append(u.scratch.points, imgui.Vec2{X: x(o.X[i]), Y: min(max(y(o.Y[i]), in.Y0), in.Y1)})
	}
	end := u.scratch.points[len(u.scratch.points)-1]
	if end.X < in.X1-u.Pt(2) {
		u.line(dl, []imgui.Vec2{{X: end.X, Y: in.Y0}, {X: end.X, Y: in.Y1}}, t.Muted, u.hair(), u.Pt(2))
	}
	u.line(dl, u.scratch.points, t.Accent, u.Pt(1.8), 0)
	dl.AddCircleFilled(end, u.Pt(3.2), uint32(t.Accent))
}

// ticksOf is the distance of about n round ticks over a span: 1, 2 or 5 of a power of ten.
func ticksOf(span float32, n int) float32 {
	raw := float64(span) / float64(max(1, n))
	p := 1.0
	for p*10 <= raw {
		p *= 10
	}
	for p > raw && p > 1e-9 {
		p /= 10
	}
	for _, f := range []float64{1, 2, 5, 10} {
		if f*p >= raw {
			return float32(f * p)
		}
	}
	return float32(10 * p)
}

// tickText writes a tick with as many decimals as tell it from the next, which is step away.
func tickText(v, step float64) string {
	if step == 0 || math.Abs(v) >= 1e6 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	decimals := max(0, int(math.Ceil(-math.Log10(step)-1e-6)))
	if v = math.Round(v/step) * step; v == 0 {
		v = 0 // not -0
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

func floor32(x float32) float32 {
	f := float32(int(x))
	if f > x {
		f--
	}
	return f
}
