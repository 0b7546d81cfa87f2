package view

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/ui/widget"
)

// outline is the rectangle or lasso that gestures draw around what they take.
type outline struct {
	lasso bool
	path  []point // corners of a lasso, which closes by itself
}

func (o *outline) start(g *Hand) { o.path = append(o.path, g.press.at) }

func (o *outline) move(g *Hand, from point) {
	if o.lasso && from != g.Cursor {
		o.path = append(o.path, g.Cursor)
	}
}

func (o *outline) draw(g *Hand, dl *imgui.DrawList, u *widget.UI) {
	switch {
	case !o.lasso:
		u.SelectRect(dl, vec(g.press.at), vec(g.Cursor))
	case len(o.path) > 1:
		line := make([]imgui.Vec2, len(o.path))
		for i, p := range o.path {
			line[i] = vec(p)
		}
		u.Lasso(dl, line, widget.LassoOpts{Closed: true})
	}
}
