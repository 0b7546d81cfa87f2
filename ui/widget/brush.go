package widget

import (
	"cmp"
	"math"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"
)

// BrushStroke draws what a round brush has painted over as its middle went along a path, evenly however often it
// crosses itself, and the brush where it is now.
func (u *UI) BrushStroke(dl *imgui.DrawList, path []imgui.Vec2, reach float32) {
	if len(path) == 0 {
		return
	}
	u.scratch.lasso = Decimate(u.scratch.lasso[:0], path, max(u.Pt(0.5), reach/16), lassoMost/4)
	p := u.scratch.lasso
	lo, hi := p[0].Y-reach, p[0].Y+reach
	for _, q := range p {
		lo, hi = min(lo, q.Y-reach), max(hi, q.Y+reach)
	}
	window := u.Window()
	lo, hi = max(lo, window.Y0), min(hi, window.Y1)
	row, c := 1/u.pixel, u.theme.Accent.Alpha(0.16)
	row = max(row, (hi-lo)/512)
	var spans []span
	for y := u.snap(lo); y < hi; y += row {
		spans = spans[:0]
		for i := range p {
			if s, ok := capsuleAt(p[max(i-1, 0)], p[i], reach, y+row/2); ok {
				spans = append(spans, s)
			}
		}
		for _, s := range joined(spans) {
			dl.AddRectFilled(imgui.Vec2{X: s.from, Y: y}, imgui.Vec2{X: s.to, Y: y + row}, uint32(c))
		}
	}
	u.BrushRing(dl, path[len(path)-1], reach)
}

// BrushRing draws a brush that a press would paint with.
func (u *UI) BrushRing(dl *imgui.DrawList, at imgui.Vec2, reach float32) {
	dl.AddCircleV(at, reach, uint32(u.theme.Panel.Alpha(0.8)), 0, u.Pt(3.5))
	dl.AddCircleV(at, reach, uint32(u.theme.Accent), 0, u.Pt(1.5))
}

// span is where a row of the screen is painted.
type span struct{ from, to float32 }

// capsuleAt is where the row at y meets all that is at most r away from the line from a to b.
func capsuleAt(a, b imgui.Vec2, r, y float32) (s span, ok bool) {
	s = span{float32(math.Inf(1)), float32(math.Inf(-1))}
	meet := func(x0, x1 float32) { s.from, s.to, ok = min(s.from, x0), max(s.to, x1), true }
	for _, p := range [2]imgui.Vec2{a, b} {
		if h := y - p.Y; h >= -r && h <= r {
			w := float32(math.Sqrt(float64(r*r - h*h)))
			meet(p.X-w, p.X+w)
		}
	}
	dx, dy := b.X-a.X, b.Y-a.Y
	length := float32(math.Hypot(float64(dx), float64(dy)))
	if length == 0 || dy == 0 {
		return s, ok
	}
	for _, side := range [2]float32{-r / length, r / length} {
		x, top := a.X-side*dy, a.Y+side*dx
		if t := (y - top) / dy; t >= 0 && t <= 1 {
			meet(x+t*dx, x+t*dx)
		}
	}
	return s, ok
}

// joined puts spans that touch together; it sorts and changes them.
func joined(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
		} else {
			out = append(out, s)
		}
	}
	return out
}
