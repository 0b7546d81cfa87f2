package view

import (
	"context"
	"fmt"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/maps/selection"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

// shapes are what points can be enclosed with, by Shape.
var shapes = []struct {
	widget.Option
	begin func() *stroke
}{
	ByRect: {widget.Option{Label: "Rectangle", Icon: assets.IconSquareDashedMousePointer},
		func() *stroke { return &stroke{} }},
	ByLasso: {widget.Option{Label: "Lasso", Icon: assets.IconLasso},
		func() *stroke { return &stroke{outline: outline{lasso: true}} }},
	ByBrush: {widget.Option{Label: "Brush", Icon: assets.IconBrush},
		func() *stroke { return &stroke{outline: outline{lasso: true}, brush: true} }},
}

// stroke encloses points, with a rectangle, a lasso or a brush.
type stroke struct {
	outline
	brush bool // the path is that of a brush
	anew  bool // the former selection is let go, whatever keys are held
}

func (s *stroke) end(g *Hand, how ending) {
	if how == released {
		mode := g.mode()
		if s.anew {
			mode = Replace
		}
		g.Host.Enclosed(g.At, s.region(g), mode)
	}
}

// region is what the stroke encloses, in screen units of the window.
func (s *stroke) region(g *Hand) selection.Region {
	if !s.lasso {
		return selection.Rect(selection.Point{X: g.press.at.x, Y: g.press.at.y},
			selection.Point{X: g.Cursor.x, Y: g.Cursor.y})
	}
	path := make([]selection.Point, len(s.path))
	for i, p := range s.path {
		path[i] = selection.Point{X: p.x, Y: p.y}
	}
	if s.brush {
		return selection.Brush(path, g.brushReach())
	}
	return selection.Lasso(path)
}

func (s *stroke) draw(g *Hand, dl *imgui.DrawList, u *widget.UI) {
	if s.brush {
		g.drawBrush(s.path, dl, u)
	} else {
		s.outline.draw(g, dl, u)
	}
}

// mode is what the stroke under way does: as chosen, or as the keys held say.
func (g *Hand) mode() Mode {
	switch {
	case g.press.mods.Has(shell.Shift):
		return Add
	case g.press.mods.Has(shell.Alt):
		return Subtract
	}
	return g.Mode
}

// Stroking says whether points are being enclosed.
func (g *Hand) Stroking() bool { return g.stroke() != nil }

// stroke is the stroke under way, or nil.
func (g *Hand) stroke() *stroke {
	s, _ := g.gesture.(*stroke)
	if !g.press.moved {
		return nil
	}
	return s
}

func init() {
	RegisterOver(Over{Order: 30, Draw: func(v *Scatter, dl *imgui.DrawList) {
		if v.View.scene.Hand.At == v {
			v.View.scene.Hand.drawShape(dl, v.View.scene.UI, v.Rect())
		}
	}})
}

// drawShape draws the gesture under way, and how much it encloses.
func (g *Hand) drawShape(dl *imgui.DrawList, u *widget.UI, bounds widget.Rect) {
	if g.count.shows() {
		u.CountChip(dl, vec(g.count.at), bounds, g.count.number, g.count.what, g.count.share)
	}
	switch {
	case g.press.moved:
		g.gesture.draw(g, dl, u)
	case !g.Active() && g.brushes() && u.OnCanvas(bounds, vec(g.Cursor)):
		u.BrushRing(dl, vec(g.Cursor), float32(g.brushReach()))
	}
}

// countChip says how much a stroke encloses, while it is drawn and for a moment after.
type countChip struct {
	at                  point
	number, what, share string
	until               time.Time
	now                 time.Time
	corners             int
	cursor              point
}

const chipTime = 2 * time.Second

func (c *countChip) shows() bool {
	return c.number != "" && (c.until.IsZero() || c.now.Before(c.until))
}

// Count brings the chip of the stroke under way up to date. It returns whether the chip waits to go away.
func (g *Hand) Count(v *Scatter, what string, now time.Time) bool {
	c := &g.count
	c.now = now
	drawn := g.stroke()
	if drawn == nil || g.At != Ground(v) {
		if c.number != "" && c.until.IsZero() {
			c.until = now.Add(chipTime)
		}
		if !c.shows() {
			c.number = ""
		}
		return c.shows()
	}
	if c.corners == len(drawn.path) && c.cursor == g.Cursor && c.number != "" {
		return true
	}
	c.corners, c.cursor, c.at, c.until = len(drawn.path), g.Cursor, g.Cursor, time.Time{}
	points, ok := v.SelectionPoints()
	if !ok {
		return false
	}
	counter := selection.Counter{Points: points, Budget: 4 * time.Millisecond}
	n, err := counter.Count(context.Background(), v.InPicture(drawn.region(g)), v.SelectionView())
	if err != nil {
		c.number = ""
		return false
	}
	c.number, c.what = grouped(n.Estimate()), what
	if !n.Exact() {
		c.number = "≈ " + c.number
	}
	c.share = fmt.Sprintf("%.1f %%", 100*n.Share())
	return true
}

// SelectionPoints is the points of the view as package selection takes them; ok is false while the host does not
// have their positions.
func (v *Scatter) SelectionPoints() (p selection.Points, ok bool) {
	b := v.Points()
	if b == nil || !b.Ready() {
		return p, false
	}
	return selection.Points{Pos: b.Host(), Dims: b.Dims(), Order: v.View.scene.Map.Table().Order}, true
}

// SelectionView is the camera as package selection takes it.
func (v *Scatter) SelectionView() selection.View {
	q := v.Eye.Cam.Projection()
	return selection.View{Origin: q.Origin, M: q.M, W: q.W, H: q.H, Reference: q.Reference}
}

// InPicture is a region of the window in pixels of the picture.
func (v *Scatter) InPicture(r selection.Region) selection.Region {
	return r.Moved(func(p selection.Point) selection.Point {
		p.X, p.Y = v.Eye.pixel(p.X, p.Y)
		return p
	})
}
