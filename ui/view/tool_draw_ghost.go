package view

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/problem"
	"blossom/model/landmarks/shape"
	"blossom/render/camera"
	"blossom/ui/widget"
)

func init() { RegisterOver(Over{Order: 20, Draw: ghostOver{}.draw}) }

// ghostOver is the shape that is not there yet: hollow landmarks, their edges, the frame with its grips, the count.
type ghostOver struct{}

func (o ghostOver) draw(v *Scatter, dl *imgui.DrawList) {
	g := v.View.scene.Hand
	if g.Tool.ID != "draw" || !v.IsMap() {
		return
	}
	o.corners(v, dl)
	if !g.Draw.On {
		return
	}
	if g.press.moved && g.gesture != nil {
		if _, anew := g.gesture.(*strokeShape); anew {
			return
		}
	}
	o.net(v, dl)
	o.frame(v, dl)
}

// net draws the hollow landmarks and their edges.
func (o ghostOver) net(v *Scatter, dl *imgui.DrawList) {
	u, d, bounds := v.View.scene.UI, &v.View.scene.Hand.Draw, v.Rect()
	if d.net != nil && d.err == nil {
		d.screen, d.seen = d.screen[:0], d.seen[:0]
		for _, p := range d.net.At {
			w := vecOf(p)
			if d.net.Solid && !v.Eye.Solid() { // seen a little from above and from the right, so that its depth shows
				w = camera.Vec{X: w.X + 0.35*(w.Z-d.Shape.Frame.Centre[2]), Y: w.Y + 0.25*(w.Z-d.Shape.Frame.Centre[2])}
			}
			x, y, ok := v.Eye.Screen(w)
			d.screen = append(d.screen, imgui.Vec2{X: float32(x), Y: float32(y)})
			d.seen = append(d.seen, ok)
		}
		o.outline(v, dl)
		for _, e := range d.net.Edges {
			if d.seen[e[0]] && d.seen[e[1]] {
				u.GhostEdge(dl, d.screen[e[0]], d.screen[e[1]])
			}
		}
		reach := u.Pt(4)
		for i, p := range d.screen {
			if d.seen[i] && p.X > bounds.X0-reach && p.X < bounds.X1+reach && p.Y > bounds.Y0-reach &&
				p.Y < bounds.Y1+reach {
				u.GhostMark(dl, p)
			}
		}
	} else {
		o.outline(v, dl)
	}
}

// frame draws the frame with its grips, and the count.
func (ghostOver) frame(v *Scatter, dl *imgui.DrawList) {
	g, u, bounds := v.View.scene.Hand, v.View.scene.UI, v.Rect()
	d := &g.Draw
	grips, ok := g.gripsOf(v, u, d.Shape.Frame)
	if !ok {
		return
	}
	lit := -1
	switch held := g.gesture.(type) {
	case *sizeShape:
		lit = held.grip
	case *turnShape:
		lit = widget.Knob
	case nil:
		if g.At == Ground(v) {
			lit = grips.GripAt(vec(g.Cursor), float32(g.Reach))
		}
	}
	u.Frame(dl, &grips, lit)
	u.Mark("ghost", boxOf(&grips))
	strong, rest := ghostText(d)
	foot := grips.Foot()
	r := boxOf(&grips)
	if top := min(r.Y0, grips[widget.Knob].Y); r.Y1+u.Pt(96) > bounds.Y1 && top-u.Pt(44) > bounds.Y0 {
		foot.Y = top - u.Pt(16) - u.FrameTextHeight(bounds, strong, rest) // legends lie below; the knob stays free
	} else if b := v.LegendBox; !b.Empty() && foot.X < b.X1 && foot.Y+u.Pt(28) > b.Y0 && foot.Y < b.Y1 {
		foot.X = b.X1 + u.Pt(12) // the legend lies over it
	}
	u.FrameText(dl, foot, bounds, strong, rest)
}

// ghostText says what the ghost is: how many landmarks, how far apart, how far turned; or why it cannot be made.
func ghostText(d *Drawing) (strong, rest string) {
	if d.err != nil {
		p := problem.As(d.err)
		return p.What, p.Remedy
	}
	strong = "1 landmark"
	if n := d.Count(); n != 1 {
		strong = grouped(n) + " landmarks"
	}
	k := d.kind()
	if k.Spaced {
		rest = "spacing " + widget.FigureOf(d.Shape.Spacing, 3) + " · "
	}
	if len(k.Params) > 1 {
		rest = ""
		for i, p := range k.Params {
			if i > 0 {
				rest += " × "
			}
			rest += widget.Figure(d.Shape.Value(p.ID))
		}
		rest += " · "
	}
	if d.Shape.Frame.Flat() {
		rest += fmt.Sprintf("turned %.0f°", d.Shape.Frame.Turn()+0) // no -0
	} else if len(rest) > 4 {
		rest = rest[:len(rest)-len(" · ")]
	}
	return strong, rest
}

// outline draws the line that the shape follows, or fills.
func (ghostOver) outline(v *Scatter, dl *imgui.DrawList) {
	d := &v.View.scene.Hand.Draw
	by := d.kind().By
	if len(d.Shape.Path) < 2 || by != shape.ByOutline && by != shape.ByStroke {
		return
	}
	d.path = d.path[:0]
	for _, p := range d.Shape.Path {
		q := [3]float64{p[0] * d.Shape.Frame.Size[0], p[1] * d.Shape.Frame.Size[1]}
		x, y, ok := v.Eye.Screen(vecOf(d.Shape.Frame.Out(q)))
		if !ok {
			return
		}
		d.path = append(d.path, imgui.Vec2{X: float32(x), Y: float32(y)})
	}
	if by == shape.ByOutline {
		v.View.scene.UI.Lasso(dl, d.path, widget.LassoOpts{Closed: true, Clip: v.Rect()})
	} else {
		v.View.scene.UI.Stroke(dl, d.path)
	}
}

// corners draws the outline that is being clicked together, with the way to the cursor.
func (ghostOver) corners(v *Scatter, dl *imgui.DrawList) {
	g := v.View.scene.Hand
	d := &g.Draw
	if len(d.corners) == 0 {
		return
	}
	d.path = d.path[:0]
	for _, c := range d.corners {
		x, y, ok := v.Eye.Screen(c)
		if !ok {
			return
		}
		d.path = append(d.path, imgui.Vec2{X: float32(x), Y: float32(y)})
	}
	n := len(d.path)
	if g.At == Ground(v) {
		d.path = append(d.path, vec(g.Cursor))
	}
	v.View.scene.UI.Lasso(dl, d.path, widget.LassoOpts{})
	for i, p := range d.path[:n] {
		v.View.scene.UI.Corner(dl, p, i == 0 && n > 2)
	}
	v.View.scene.UI.FrameText(dl, d.path[n-1], v.Rect(), cornersText(n), "click the first or press Enter to close it")
}

func cornersText(n int) string {
	if n == 1 {
		return "1 corner"
	}
	return fmt.Sprintf("%d corners", n)
}

// boxOf is the box around the grips, for tests and tooltips.
func boxOf(g *widget.Grips) widget.Rect {
	r := widget.Rect{X0: g[0].X, Y0: g[0].Y, X1: g[0].X, Y1: g[0].Y}
	for _, p := range g[:widget.Knob] {
		r.X0, r.Y0, r.X1, r.Y1 = min(r.X0, p.X), min(r.Y0, p.Y), max(r.X1, p.X), max(r.Y1, p.Y)
	}
	return r
}
