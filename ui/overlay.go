package ui

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/parts"
	"blossom/ui/widget"
)

// drawOver draws what lies on the map: names of landmarks, the shape being drawn, the legend.
func (a *App) drawOver(dl *imgui.DrawList) {
	if a.m == nil {
		return
	}
	v := a.shown()
	if v.Names && v.Landmarks {
		a.landmarkNames(dl)
	}
	a.selectionShape(dl)
	a.legendBox = widget.Rect{}
	if v.Legend {
		a.legend(dl)
	}
}

// landmarkNames writes names on the map, with an edge in the colour of the ground so that they can be
// read over points.
func (a *App) landmarkNames(dl *imgui.DrawList) {
	u, t := a.ui, a.ui.Theme()
	l := parts.Landmarks.Of(a.m.Doc.State())
	halo := t.Surface.Alpha(0.85)
	for i, name := range l.Names {
		if name == "" {
			continue
		}
		p := l.Pos.Row(i)
		x, y := a.view.ScreenFromWorld(float64(p[0]), float64(p[1]))
		if !a.view.contains(x, y) {
			continue
		}
		w := u.Width(widget.Strong, name)
		u.HaloText(dl, widget.Strong, float32(x)-w/2, float32(y)-u.Pt(13), t.Text, halo, name)
	}
}

// selectionShape draws the rectangle or lasso under way.
func (a *App) selectionShape(dl *imgui.DrawList) {
	g, t := &a.hand, a.ui.Theme()
	if !g.moved {
		return
	}
	line, fill := uint32(t.Accent), uint32(t.Accent.Alpha(0.12))
	width := a.ui.Pt(1.2)
	switch g.kind {
	case choosingRect:
		lo := imgui.Vec2{X: float32(min(g.press.x, g.at.x)), Y: float32(min(g.press.y, g.at.y))}
		hi := imgui.Vec2{X: float32(max(g.press.x, g.at.x)), Y: float32(max(g.press.y, g.at.y))}
		dl.AddRectFilledV(lo, hi, fill, 0, 0)
		dl.AddRectV(lo, hi, line, 0, 0, width)
	case choosingLasso:
		if len(g.path) < 2 {
			return
		}
		for _, p := range g.path {
			dl.PathLineTo(vec(p))
		}
		dl.PathFillConcave(fill)
		for i := range g.path {
			dl.AddLineV(vec(g.path[i]), vec(g.path[(i+1)%len(g.path)]), line, width)
		}
	}
}
