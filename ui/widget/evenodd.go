package widget

import (
	"math"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"
)

// crossing is where an edge of a polygon crosses a row.
type crossing struct {
	row int32
	x   float32
}

// crossMost bounds the crossings of a fill; a polygon with more is filled in thicker rows.
const crossMost = 1 << 14

// fillEvenOdd fills a closed polygon that may cross itself, by the even-odd rule: ImGui's own filling takes simple
// ones only. It fills rows a pixel high, within clip if that is not empty; the outline is drawn over their ends.
func (u *UI) fillEvenOdd(dl *imgui.DrawList, p []imgui.Vec2, clip Rect, c Color) {
	lo, hi := float32(math.MaxFloat32), float32(-math.MaxFloat32)
	for _, q := range p {
		lo, hi = min(lo, q.Y), max(hi, q.Y)
	}
	if !clip.Empty() {
		lo, hi = max(lo, clip.Y0), min(hi, clip.Y1)
	}
	lo = u.snap(lo)
	if !(hi > lo) {
		return
	}
	total := float32(0)
	for i, a := range p {
		b := p[(i+1)%len(p)]
		total += max(min(max(a.Y, b.Y), hi)-max(min(a.Y, b.Y), lo), 0)
	}
	step := max(1/u.pixel, u.snap(total/crossMost))
	u.scratch.crossings = crossings(u.scratch.crossings[:0], p, lo, hi, step)
	for i := 0; i+1 < len(u.scratch.crossings); {
		a, b := u.scratch.crossings[i], u.scratch.crossings[i+1]
		if a.row != b.row { // cannot be: each row is crossed an even number of times
			i++
			continue
		}
		y := lo + float32(a.row)*step
		u.fill(dl, Rect{a.x, y, b.x, min(y+step, hi)}, c, 0)
		i += 2
	}
}

// crossings appends where a closed polygon crosses the middles of rows from lo to hi, in order.
func crossings(out []crossing, p []imgui.Vec2, lo, hi, step float32) []crossing {
	rows := int(math.Ceil(float64((hi - lo) / step)))
	for i, a := range p {
		b := p[(i+1)%len(p)]
		if a.Y > b.Y {
			a, b = b, a
		}
		// rows whose middle is in [a.Y, b.Y): a vertex on a middle counts for one of its edges
		first := max(int((a.Y-lo)/step-1), 0) // one early: rounding
		for r := first; r < rows; r++ {
			y := lo + (float32(r)+0.5)*step
			if y >= b.Y {
				break
			}
			if y < a.Y {
				continue
			}
			out = append(out, crossing{int32(r), a.X + (b.X-a.X)*(y-a.Y)/(b.Y-a.Y)})
		}
	}
	slices.SortFunc(out, func(a, b crossing) int {
		switch {
		case a.row != b.row:
			return int(a.row - b.row)
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return 0
	})
	return out
}
