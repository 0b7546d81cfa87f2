package widget

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Lengths of the frame around what can be moved, turned and sized, in points.
const (
	FrameGap   = 8  // outside of what it is around
	FrameKnob  = 20 // above the frame
	handleSize = 8
)

// Knob is the index of the knob that turns among the grips of a frame; the handles are 0 to 7.
const Knob = 8

// Grips are the places of a frame on the screen: its handles from the lower left corner against the clock, corners and
// sides in turn, and the knob.
type Grips [Knob + 1]imgui.Vec2

// GripSide is which side of a frame handle i moves: -1, 0 or 1 from left to right and from bottom to top.
func GripSide(i int) (x, y int) {
	side := [...][2]int{{-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}}[i]
	return side[0], side[1]
}

// GripsOf returns the grips of a frame around centre whose half width and height reach to the screen vectors x and y;
// dx and dy are the directions of both, of length 1, which also say where the sides of a frame without width are.
func (u *UI) GripsOf(centre, x, y, dx, dy imgui.Vec2) (g Grips) {
	gap := u.Pt(FrameGap)
	x, y = x.Add(dx.Mul(gap)), y.Add(dy.Mul(gap))
	for i := range Knob {
		sx, sy := GripSide(i)
		g[i] = centre.Add(x.Mul(float32(sx))).Add(y.Mul(float32(sy)))
	}
	g[Knob] = centre.Add(y).Add(dy.Mul(u.Pt(FrameKnob)))
	return g
}

// GripAt returns the grip within reach (screen units) of a place, or -1.
func (g *Grips) GripAt(p imgui.Vec2, reach float32) int {
	at, best := -1, reach
	for i, q := range g {
		if d := float32(math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y))); d <= best {
			at, best = i, d
		}
	}
	return at
}

// Has says whether a place lies in the frame.
func (g *Grips) Has(p imgui.Vec2) bool {
	side := float32(0)
	for i := 0; i < Knob; i += 2 {
		a, b := g[i], g[(i+2)%Knob]
		s := (b.X-a.X)*(p.Y-a.Y) - (b.Y-a.Y)*(p.X-a.X)
		if s*side < 0 {
			return false
		}
		if s != 0 {
			side = s
		}
	}
	return true
}

// Foot is where a line of text below the frame begins: under its lowest grip, at its left.
func (g *Grips) Foot() imgui.Vec2 {
	p := g[0]
	for _, q := range g[:Knob] {
		p.X, p.Y = min(p.X, q.X), max(p.Y, q.Y)
	}
	return p
}

// Frame draws the dashed frame with its handles and its knob; lit is the grip under the hand, or -1.
func (u *UI) Frame(dl *imgui.DrawList, g *Grips, lit int) {
	t := &u.theme
	ring := [...]imgui.Vec2{g[0], g[2], g[4], g[6], g[0]}
	u.line(dl, ring[:], t.Panel.Alpha(0.8), u.Pt(3), 0)
	u.line(dl, ring[:], t.Accent, max(u.Pt(1), 1/u.pixel), u.Pt(4))
	stem := [...]imgui.Vec2{g[5], g[Knob]}
	u.line(dl, stem[:], t.Accent, max(u.Pt(1), 1/u.pixel), 0)
	h := u.Pt(handleSize) / 2
	for i, p := range g {
		fill := t.Panel
		if i == lit {
			fill = t.Accent
		}
		if i == Knob {
			dl.AddCircleFilledV(p, h+u.Pt(0.5), uint32(fill), 0)
			dl.AddCircleV(p, h+u.Pt(0.5), uint32(t.Accent), 0, u.Pt(1.25))
			continue
		}
		r := Rect{u.snap(p.X - h), u.snap(p.Y - h), u.snap(p.X + h), u.snap(p.Y + h)}
		u.fill(dl, r, fill, u.Pt(1))
		u.stroke(dl, r, t.Accent, u.Pt(1), u.Pt(1.25))
	}
}

const frameLine = 17 // from a line of a frame's text to the next

// frameText is how large the text of a frame is, without its margins at the sides, and whether it is on two lines.
func (u *UI) frameText(bounds Rect, strong, rest string) (full, h float32, below bool) {
	w, second := u.Width(Strong, strong), u.Width(Small, rest)
	full, h = w, u.Pt(20)
	below = rest != "" && w+u.Pt(8)+second > min(u.Pt(420), bounds.W()-u.Pt(40)) // one long line is hard to read
	switch {
	case rest == "":
	case below:
		full, h = max(w, second), h+u.Pt(frameLine)
	default:
		full += u.Pt(8) + second
	}
	return full, h, below
}

// FrameTextHeight is how high the text of a frame is.
func (u *UI) FrameTextHeight(bounds Rect, strong, rest string) float32 {
	_, h, _ := u.frameText(bounds, strong, rest)
	return h
}

// FrameText writes below a frame: what is strong in the accent, the rest muted, on a ground that stands out from data.
func (u *UI) FrameText(dl *imgui.DrawList, at imgui.Vec2, bounds Rect, strong, rest string) {
	w := u.Width(Strong, strong)
	pad, line := u.Pt(6), u.Pt(frameLine)
	full, h, below := u.frameText(bounds, strong, rest)
	x := min(max(at.X-u.Pt(4), bounds.X0+u.Pt(4)), max(bounds.X0+u.Pt(4), bounds.X1-full-2*pad-u.Pt(4)))
	y := min(at.Y+u.Pt(8), bounds.Y1-h-u.Pt(4))
	r := Rect{u.snap(x), u.snap(y), u.snap(x + full + 2*pad), u.snap(y + h)}
	u.fill(dl, r, u.theme.Surface.Alpha(0.88), u.Pt(5))
	mid := r.Y0 + u.Pt(10)
	u.text(dl, Strong, r.X0+pad, mid, u.theme.Accent, strong)
	if below {
		w, mid = -u.Pt(8), mid+line
	}
	u.text(dl, Small, r.X0+pad+w+u.Pt(8), mid, u.theme.Muted, rest)
	u.mark("frame text", r)
}

// GhostEdge draws an edge of a shape that is not there yet, GhostMark a landmark of it.
func (u *UI) GhostEdge(dl *imgui.DrawList, a, b imgui.Vec2) {
	dl.AddLineV(a, b, uint32(u.theme.Accent.Alpha(0.4)), max(u.Pt(1), 1/u.pixel))
}

func (u *UI) GhostMark(dl *imgui.DrawList, p imgui.Vec2) {
	dl.AddCircleFilledV(p, u.Pt(3.25), uint32(u.theme.Panel), 0)
	dl.AddCircleV(p, u.Pt(3.25), uint32(u.theme.Accent), 0, u.Pt(1.25))
}

// Corner draws a corner of an outline that is being clicked together; closes says that a click on it closes it.
func (u *UI) Corner(dl *imgui.DrawList, p imgui.Vec2, closes bool) {
	fill := u.theme.Panel
	if closes {
		fill = u.theme.Accent
	}
	dl.AddCircleFilledV(p, u.Pt(4), uint32(fill), 0)
	dl.AddCircleV(p, u.Pt(4), uint32(u.theme.Accent), 0, u.Pt(1.5))
}

// Stroke draws a line that is being drawn, not closed.
func (u *UI) Stroke(dl *imgui.DrawList, path []imgui.Vec2) {
	u.scratch.lasso = Decimate(u.scratch.lasso[:0], path, max(u.Pt(0.5), 1/u.pixel), lassoMost)
	u.line(dl, u.scratch.lasso, u.theme.Panel.Alpha(0.8), u.Pt(3.5), 0)
	u.line(dl, u.scratch.lasso, u.theme.Accent, u.Pt(1.5), 0)
}
