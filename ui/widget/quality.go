package widget

import (
	"math"
	"strconv"
	"strings"

	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// QualityCard says how well a map keeps neighbours: a curve over the number of neighbours, and some numbers.
type QualityCard struct {
	Title       string
	Now, Before []float64 // at 1, 2, 3 ... neighbours
	K           int       // where a dotted line marks the number in the header
	Rows        []QualityRow
	Foot        string
	Older       bool // the map is another by now
}

// QualityRow is a number on the card.
type QualityRow struct{ Name, Value, Tip string }

// Lengths of the card in points.
const (
	qualityPlot = 112 // with its ticks
	qualityRow  = 20
	qualityFoot = 25
	qualityTop  = 38 // the title
)

// QualityCardSize returns the size of the card in a room: without its curve where that is too low.
func (u *UI) QualityCardSize(c *QualityCard, room Rect) imgui.Vec2 {
	h := float32(qualityTop + qualityFoot + qualityRow*len(c.Rows))
	if u.Pt(h+qualityPlot) <= room.H() {
		h += qualityPlot
	}
	return imgui.Vec2{X: u.snap(min(u.Pt(CardWidth), room.W())), Y: u.snap(min(u.Pt(h), room.H()))}
}

// QualityCard draws the card into r, and says whether it was closed.
func (u *UI) QualityCard(name string, r Rect, c *QualityCard) (closed bool) {
	u.Area(name, r, AreaOpts{Card: true}, func() {
		t, dl := &u.theme, u.dl()
		in := r.Inset(u.Pt(cardPad), 0)
		head := Rect{in.X0, r.Y0 + u.Pt(4), in.X1 - u.Pt(24), r.Y0 + u.Pt(qualityTop-4)}
		u.textIn(dl, Strong, head, 0, t.Text, c.Title)
		place(r.X1-u.Pt(32), u.snap(r.Y0+u.Pt(6)))
		closed = u.iconToggle("close", assets.IconX, "Close this card\tEsc", headerIconW, headerIconH, false,
			false).pressed
		y := u.snap(r.Y0 + u.Pt(qualityTop))
		rest := u.Pt(float32(qualityFoot + qualityRow*len(c.Rows)))
		if plot := (Rect{in.X0, y, in.X1, u.snap(y + u.Pt(qualityPlot))}); plot.Y1+rest <= r.Y1+u.Pt(2) {
			u.qualityCurves(plot, c)
			y = plot.Y1
		}
		for i := range c.Rows {
			row := &c.Rows[i]
			place(in.X0, y)
			x := u.still("##"+row.Name, in.W(), u.Pt(qualityRow), row.Tip, false)
			w := u.textIn(dl, Number, x.Rect, 1, pick2(c.Older, t.Muted, t.Text), row.Value)
			u.textIn(dl, Body, Rect{x.X0, x.Y0, x.X1 - w - u.Pt(8), x.Y1}, 0, t.Muted, row.Name)
			y = u.snap(y + u.Pt(qualityRow))
		}
		u.textIn(dl, Small, Rect{in.X0, y, in.X1, u.snap(y + u.Pt(qualityFoot-4))}, 0, t.Muted, c.Foot)
	})
	return closed
}

func pick2(yes bool, a, b Color) Color {
	if yes {
		return a
	}
	return b
}

// qualityAxes are the axes of the curves: the number of neighbours, logarithmic, and the share that is kept.
type qualityAxes struct {
	in        Rect
	low, high float64
	step      float64 // from a line to the next
	most      int     // neighbours
}

func qualityAxesOf(in Rect, c *QualityCard) qualityAxes {
	a := qualityAxes{in: in, step: 0.2, most: max(len(c.Now), len(c.Before), 2)}
	for _, curve := range [][]float64{c.Now, c.Before} {
		for _, v := range curve {
			a.low, a.high = min(a.low, v), max(a.high, v)
		}
	}
	switch {
	case a.high-a.low > 0.8:
		a.step = 0.5
	case a.high-a.low < 0.25:
		a.step = 0.1
	}
	a.high = max(a.step, a.step*math.Ceil(a.high/a.step-0.25))
	a.low = a.step * math.Floor(max(a.low, -1)/a.step+0.5)
	return a
}

func (a *qualityAxes) y(v float64) float32 {
	return a.in.Y1 - float32(min(max((v-a.low)/(a.high-a.low), -0.05), 1.12))*a.in.H()
}

func (a *qualityAxes) x(k float64) float32 {
	return a.in.X0 + a.in.W()*float32(math.Log(k)/math.Log(float64(a.most)))
}

// qualityCurves draws the curves into r, over a logarithmic axis.
func (u *UI) qualityCurves(r Rect, c *QualityCard) {
	t, dl := &u.theme, u.dl()
	place(r.X0, r.Y0)
	u.still("##curve", r.W(), r.H(), "R_NX(K): the share of the K nearest neighbours in the space that are also the K "+
		"nearest on the map, above what chance would keep. 1: all, 0: no more than by chance. Dashed: when the map "+
		"last was at rest before the present change.", false)
	in := Rect{u.snap(r.X0 + u.Pt(26)), u.snap(r.Y0 + u.Pt(20)), u.snap(r.X1 - u.Pt(4)), u.snap(r.Y1 - u.Pt(24))}
	a := qualityAxesOf(in, c)
	u.qualityTicks(&a, r.X0)
	if c.K > 1 && c.K <= a.most {
		x := u.snap(a.x(float64(c.K)))
		mark := append(u.scratch.points[:0], imgui.Vec2{X: x, Y: in.Y0}, imgui.Vec2{X: x, Y: in.Y1})
		u.line(dl, mark, t.Muted, u.hair(), u.Pt(2))
	}
	u.qualityCurve(&a, c.Before, t.Muted, u.Pt(1.2), u.Pt(4))
	u.qualityCurve(&a, c.Now, pick2(c.Older, t.Muted, t.Accent), u.Pt(1.8), 0)
	u.qualityKey(r, c)
}

// qualityTicks draws the axes, the numbers of the upright one from left on.
func (u *UI) qualityTicks(a *qualityAxes, left float32) {
	t, dl, in := &u.theme, u.dl(), a.in
	for v := a.low; v < a.high+a.step/2; v += a.step {
		y, ink := u.snap(a.y(v)), pick2(math.Abs(v) < a.step/2, t.Border, t.Border.Alpha(0.5))
		u.fill(dl, Rect{in.X0, y, in.X1, y + u.hair()}, ink, 0)
		u.textIn(dl, Caption, Rect{left, y - u.Pt(8), in.X0 - u.Pt(6), y + u.Pt(8)}, 1, t.Muted,
			strings.ReplaceAll(strconv.FormatFloat(math.Round(v*10)/10+0, 'f', 1, 64), "-", "−"))
	}
	free := in.X1 - u.Pt(14) // the name of the axis
	for k := 1; k <= a.most; k *= 10 {
		x := u.snap(a.x(float64(k)))
		u.fill(dl, Rect{x, in.Y1, x + u.hair(), in.Y1 + u.Pt(4)}, t.Border, 0)
		text := Grouped(k)
		if w := u.Width(Caption, text); x+w/2 < free {
			u.text(dl, Caption, max(x-w/2, in.X0), in.Y1+u.Pt(12), t.Muted, text)
		}
	}
	u.textIn(dl, Caption, Rect{free, in.Y1 + u.Pt(4), in.X1, in.Y1 + u.Pt(20)}, 1, t.Muted, "K")
}

// qualityCurve draws a curve, its values at 1, 2, 3 ... neighbours.
func (u *UI) qualityCurve(a *qualityAxes, curve []float64, ink Color, width, dash float32) {
	if len(curve) < 2 {
		return
	}
	u.scratch.points = u.scratch.points[:0]
	last := math.Log(float64(len(curve)))
	steps := int(a.in.W() / u.Pt(1.5))
	for i := range steps + 1 {
		k := math.Exp(last * float64(i) / float64(steps))
		at := min(int(k), len(curve)-1)
		v := curve[at-1] + (k-float64(at))*(curve[at]-curve[at-1])
		u.scratch.points = append(u.scratch.points, imgui.Vec2{X: a.x(k), Y: a.y(v)})
	}
	u.line(u.dl(), u.scratch.points, ink, width, dash)
}

// qualityKey says above the curves what they are.
func (u *UI) qualityKey(r Rect, c *QualityCard) {
	t, dl := &u.theme, u.dl()
	y := u.snap(r.Y0 + u.Pt(6))
	x := r.X0 + u.Pt(28)
	x += u.DrawText(dl, Small, x, y, t.Text, "R")
	x += u.DrawText(dl, Caption, x, y+u.Pt(3), t.Text, "NX") + u.Pt(12)
	key := func(ink Color, width, dash float32, text string) {
		sample := append(u.scratch.points[:0], imgui.Vec2{X: x, Y: y}, imgui.Vec2{X: x + u.Pt(16), Y: y})
		u.line(dl, sample, ink, width, dash)
		x += u.Pt(20)
		x += u.DrawText(dl, Small, x, y, t.Muted, text) + u.Pt(12)
	}
	key(pick2(c.Older, t.Muted, t.Accent), u.Pt(1.8), 0, "now")
	if len(c.Before) > 0 {
		key(t.Muted, u.Pt(1.2), u.Pt(4), "before")
	}
}
