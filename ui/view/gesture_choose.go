package view

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/ui/widget"
)

// choose selects the landmarks in a rectangle or lasso.
type choose struct {
	lasso bool
	path  []point
}

func (c *choose) start(g *Hand) { c.path = append(c.path, g.press) }

func (c *choose) move(g *Hand, from point) {
	if c.lasso && from != g.Cursor {
		c.path = append(c.path, g.Cursor)
	}
}

func (c *choose) end(g *Hand, how ending) {
	if how != released {
		return
	}
	a, b := g.press, g.Cursor
	g.choose(func(p point) bool {
		if c.lasso {
			return inside(c.path, p)
		}
		return p.x >= min(a.x, b.x) && p.x <= max(a.x, b.x) && p.y >= min(a.y, b.y) && p.y <= max(a.y, b.y)
	})
}

func (c *choose) draw(g *Hand, dl *imgui.DrawList, u *widget.UI) {
	if !c.lasso {
		u.SelectRect(dl, vec(g.press), vec(g.Cursor))
		return
	}
	drawLasso(dl, u, c.path)
}

// drawLasso draws a path that closes by itself.
func drawLasso(dl *imgui.DrawList, u *widget.UI, path []point) {
	if len(path) < 2 {
		return
	}
	line := make([]imgui.Vec2, len(path))
	for i, p := range path {
		line[i] = vec(p)
	}
	u.Lasso(dl, line, widget.LassoOpts{Closed: true})
}

// inside says whether p is within the closed path, by the even-odd rule.
func inside(path []point, p point) bool {
	in := false
	for i, j := 0, len(path)-1; i < len(path); j, i = i, i+1 {
		a, b := path[i], path[j]
		if (a.y > p.y) != (b.y > p.y) && p.x < (b.x-a.x)*(p.y-a.y)/(b.y-a.y)+a.x {
			in = !in
		}
	}
	return in
}
