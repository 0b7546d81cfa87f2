package widget

import (
	"github.com/AllenDang/cimgui-go/imgui"
)

// Counted is a histogram of one of the two sides of a Pair.
type Counted struct {
	Title  string    // above it
	Counts []float32 // nil: there is none yet
	Lo, Hi string    // the ends of its range, below it
}

// Pair draws two histograms beside each other: values before and after something is done to them.
func (u *UI) Pair(label string, before, after Counted, tip string) {
	line, gap := u.Line(Small), u.Pt(14)
	height := u.Pt(34)
	x := u.still(label, u.avail(), 2*line+height, tip, false)
	dl, t := u.dl(), &u.theme
	w := (x.W() - gap) / 2
	for i, c := range []Counted{before, after} {
		left := x.X0 + float32(i)*(w+gap)
		ink := t.Muted.Alpha(0.6)
		if i == 1 {
			ink = t.Accent.Alpha(0.75)
		}
		u.textIn(dl, Small, Rect{left, x.Y0, left + w, x.Y0 + line}, 0, t.Muted, c.Title)
		box := Rect{u.snap(left), u.snap(x.Y0 + line), u.snap(left + w), u.snap(x.Y0 + line + height)}
		u.Spark(dl, box, c.Counts, ink)
		u.fill(dl, Rect{box.X0, box.Y1 - u.hair(), box.X1, box.Y1}, t.Border, 0)
		ends := Rect{left, box.Y1, left + w, x.Y1}
		u.textIn(dl, Small, ends, 0, t.Muted, c.Lo)
		u.textIn(dl, Small, ends, 1, t.Muted, c.Hi)
	}
	y := x.Y0 + line + height/2
	mid, s := x.X0+w+gap/2, u.Pt(3)
	dl.AddTriangleFilled(imgui.Vec2{X: mid - s/2, Y: y - s}, imgui.Vec2{X: mid - s/2, Y: y + s},
		imgui.Vec2{X: mid + s, Y: y}, uint32(t.Muted))
}
