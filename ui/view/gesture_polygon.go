package view

import (
	"math"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/live"
	"blossom/model/maps/selection"
	"blossom/render/camera"
	"blossom/ui/widget"
)

func init() {
	shapes[ByPolygon] = enclosing{Option: widget.Option{Label: "Polygon", Icon: assets.IconHexagon,
		Tip: "Click its corners; a double click, Enter or a click on the first closes it, Backspace takes one back"},
		press: func(*Hand) gesture { return &side{} },
		click: func(g *Hand) bool {
			g.polygon.put(g, g.press.at, g.press.clicks > 1)
			return true
		}}
	RegisterOver(Over{Order: 31, Draw: func(v *Scatter, dl *imgui.DrawList) {
		if g := v.View.scene.Hand; g.polygon.open() && g.polygon.at == Ground(v) {
			g.polygon.draw(g, dl, v.View.scene.UI)
		}
	}})
}

// polygon is what is being clicked together around points. Its corners stay where they are in the world while the view
// is moved.
type polygon struct {
	at      Ground // nil: there is none
	corners []camera.Vec
	mode    Mode // as its first corner was set
	facing  [4]float64
	of      *live.Embedding // shown there; nil for a view of none
}

func (p *polygon) open() bool { return p.at != nil }

func (p *polygon) size() int { return len(p.corners) }

// path is where the corners are on the screen; ok is false where one is behind the eye.
func (p *polygon) path() (path []selection.Point, ok bool) {
	for _, c := range p.corners {
		x, y, seen := p.at.Lens().Screen(c)
		if !seen {
			return nil, false
		}
		path = append(path, selection.Point{X: x, Y: y})
	}
	return path, true
}

// region is what the polygon encloses with the cursor as its next corner.
func (p *polygon) region(g *Hand) selection.Region {
	path, _ := p.path()
	return selection.Lasso(append(path, selection.Point{X: g.Cursor.x, Y: g.Cursor.y}))
}

// draw draws the corners with the way to the cursor, which follows it in the polygon's view alone.
func (p *polygon) draw(g *Hand, dl *imgui.DrawList, u *widget.UI) {
	var line []imgui.Vec2
	path, _ := p.path()
	for _, c := range path {
		line = append(line, imgui.Vec2{X: float32(c.X), Y: float32(c.Y)})
	}
	corners := len(line)
	if g.At == p.at {
		line = append(line, vec(g.Cursor))
	}
	u.Lasso(dl, line, widget.LassoOpts{})
	for i, c := range line[:min(corners, mostCorners)] {
		u.Corner(dl, c, i == 0 && corners > 2)
	}
}

// mostCorners bounds how many corners are drawn as such: the first.
const mostCorners = 1000

// Cornering says whether a polygon is being clicked together around points.
func (g *Hand) Cornering() bool { return g.polygon.open() }

// put sets a corner where a click was, or closes the polygon: with a double click, or on its first corner.
func (p *polygon) put(g *Hand, at point, double bool) {
	p.keep(g)
	if p.at != g.At { // it is another view's: this is the first of another one
		*p = polygon{at: g.At, mode: g.mode(), facing: facing(g.At), of: shownIn(g.At)}
	}
	if path, ok := p.path(); ok && len(path) > 0 {
		first := math.Hypot(path[0].X-at.x, path[0].Y-at.y) <= g.Reach
		if double || first && len(path) > 2 {
			p.close(g)
			return
		}
		if last := path[len(path)-1]; last.X == at.x && last.Y == at.y {
			return
		}
	}
	p.corners = append(p.corners, g.At.Lens().World(at.x, at.y))
}

// close ends the polygon and takes what it encloses. It returns whether there was one.
func (p *polygon) close(g *Hand) bool {
	p.keep(g)
	if !p.open() {
		return false
	}
	if len(p.corners) < 3 {
		g.Host.Said("a polygon has at least three corners")
		return true
	}
	path, ok := p.path()
	at, mode := p.at, p.mode
	p.drop()
	if !ok {
		g.Host.Said("the polygon was let go: some of it is behind the eye")
		return true
	}
	g.Host.Enclosed(at, selection.Lasso(path), mode)
	return true
}

// DropCorner takes back the last corner of the polygon, which is gone with its first.
func (g *Hand) DropCorner() {
	if p := &g.polygon; len(p.corners) > 1 {
		p.corners = slices.Clip(p.corners[:len(p.corners)-1])
	} else {
		p.drop()
	}
}

// drop lets go of the polygon. It returns whether there was one.
func (p *polygon) drop() bool {
	was := p.open()
	*p = polygon{}
	return was
}

// keep lets go of the polygon where its corners no longer say what it encloses, or the hand holds another tool.
func (p *polygon) keep(g *Hand) {
	switch {
	case !p.open():
	case g.Tool.ID != "select" || g.Shape != ByPolygon:
		p.drop()
	case facing(p.at) != p.facing:
		p.drop()
		g.Host.Said("the polygon was let go: the view has been turned")
	case shownIn(p.at) != p.of:
		p.drop()
		g.Host.Said("the polygon was let go: the view shows something else")
	}
}

// facing is how a view is turned; zero for a flat one.
func facing(at Ground) [4]float64 { return at.Lens().Cam.Place().Facing }

// shownIn is the embedding that a view shows, or nil.
func shownIn(at Ground) *live.Embedding {
	if v, ok := at.(*Scatter); ok {
		return v.field
	}
	return nil
}

// side is a drag with the polygon: a corner where it begins and one where it ends.
type side struct{ still }

func (*side) start(g *Hand) { g.polygon.put(g, g.press.at, false) }

func (*side) end(g *Hand, how ending) {
	if how == released {
		g.polygon.put(g, g.Cursor, false)
	}
}
