package view

import (
	"context"
	"fmt"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/maps/selection"
	"blossom/render/camera"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

// enclosing is a shape that points can be enclosed with. Each but the plainest two has a file of its own,
// gesture_*.go, that puts it into shapes.
type enclosing struct {
	widget.Option
	free bool // a path follows the hand; without, it is drawn from one corner to the other
	// region is that of a path, in screen units of the window.
	region func(g *Hand, path []selection.Point) selection.Region
	draw   func(g *Hand, path []point, dl *imgui.DrawList, u *widget.UI) // nil: an outline
	press  func(*Hand) gesture                                           // nil: begins a stroke
	click  func(*Hand) bool                                              // whether it was of use; nil: it is not
}

// shapes are what points can be enclosed with.
var shapes [shapesKnown]enclosing

func init() {
	shapes[ByRect] = enclosing{Option: widget.Option{Label: "Rectangle", Icon: assets.IconSquareDashedMousePointer},
		region: func(_ *Hand, path []selection.Point) selection.Region { return selection.Rect(path[0], path[1]) }}
	shapes[ByLasso] = enclosing{Option: widget.Option{Label: "Lasso", Icon: assets.IconLasso}, free: true,
		region: func(_ *Hand, path []selection.Point) selection.Region { return selection.Lasso(path) }}
}

// encloser is what encloses points: a stroke under way, or a polygon that is being clicked together.
type encloser interface {
	region(g *Hand) selection.Region // in screen units of the window
	size() int                       // a number that changes when it has another corner
}

// stroke encloses points between a press and its release.
type stroke struct {
	outline
	shape Shape
	anew  bool // the former selection is let go, whatever keys are held
}

func newStroke(by Shape, anew bool) *stroke {
	return &stroke{outline: outline{lasso: shapes[by].free}, shape: by, anew: anew}
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

// way is the path of the stroke: its two corners, or all of it.
func (s *stroke) way(g *Hand) []point {
	if s.lasso {
		return s.path
	}
	return []point{g.press.at, g.Cursor}
}

func (s *stroke) region(g *Hand) selection.Region {
	way := s.way(g)
	path := make([]selection.Point, len(way))
	for i, p := range way {
		path[i] = selection.Point{X: p.x, Y: p.y}
	}
	return shapes[s.shape].region(g, path)
}

func (s *stroke) size() int { return len(s.path) }

func (s *stroke) draw(g *Hand, dl *imgui.DrawList, u *widget.UI) {
	if draw := shapes[s.shape].draw; draw != nil {
		draw(g, s.way(g), dl, u)
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
func (g *Hand) Stroking() bool { return g.encloser() != nil }

// encloser is what encloses points in the view under the hand, or nil.
func (g *Hand) encloser() encloser {
	if s, ok := g.gesture.(*stroke); ok && g.press.moved {
		return s
	}
	if g.polygon.open() && g.polygon.at == g.At {
		return &g.polygon
	}
	return nil
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
	place               camera.Place // where the camera was, when it was counted
	depths              depths
}

const chipTime = 2 * time.Second

func (c *countChip) shows() bool {
	return c.number != "" && (c.until.IsZero() || c.now.Before(c.until))
}

// Count brings the chip of the stroke under way up to date. It returns whether the chip waits to go away.
func (g *Hand) Count(v *Scatter, what string, now time.Time) bool {
	c := &g.count
	c.now = now
	g.polygon.keep(g)
	drawn := g.encloser()
	if drawn == nil || g.At != Ground(v) {
		if c.number != "" && c.until.IsZero() {
			c.until = now.Add(chipTime)
		}
		if !c.shows() {
			c.number = ""
		}
		c.depths = depths{}
		return c.shows()
	}
	corners, place := drawn.size(), v.Eye.Cam.Place()
	if c.corners == corners && c.cursor == g.Cursor && c.place == place && c.number != "" {
		return true
	}
	c.corners, c.cursor, c.place, c.at, c.until = corners, g.Cursor, place, g.Cursor, time.Time{}
	points, ok := v.SelectionPoints()
	if !ok {
		return false
	}
	counter := selection.Counter{Points: points, Depths: c.depths.of(v, points), Budget: 4 * time.Millisecond}
	n, err := counter.Count(context.Background(), v.InPicture(gated{v}.thinned(drawn.region(g))), v.SelectionView())
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

// enclosed takes a stroke of the Select tool into the selection of the document.
func (s *Stage) enclosed(at Ground, r selection.Region, m Mode) {
	v, ok := at.(*Scatter)
	if !ok {
		return
	}
	points, ok := v.SelectionPoints()
	if !ok {
		s.hand.Host.Said("the points are on their way to the screen; select again in a moment")
		return
	}
	was := s.Selected()
	r = gated{v}.thinned(r)
	if !(Picking{s}).follow(v, r, m) {
		s.Pick(selection.OnScreen{Region: v.InPicture(r), View: v.SelectionView(), Points: points,
			Front: gated{v}.front()}, m)
	}
	s.Scene.drew(v, r, m, was)
}

// SelectionPoints is the points of the view as package selection takes them; ok is false while the host does not
// have their positions.
func (v *Scatter) SelectionPoints() (p selection.Points, ok bool) {
	b := v.Points()
	if b == nil || !b.Ready() {
		return p, false
	}
	return selection.Points{Pos: b.Host(), Dims: b.Dims(), Order: v.View.scene.Map.Table().Order,
		Among: v.among.set}, true
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
