package view

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/ui/widget"
)

// usualBrush is how far a new brush reaches, in points.
const usualBrush = 16

// drawBrush draws what a brush has been drawn over.
func (g *Hand) drawBrush(path []point, dl *imgui.DrawList, u *widget.UI) {
	line := make([]imgui.Vec2, len(path))
	for i, p := range path {
		line[i] = vec(p)
	}
	u.BrushStroke(dl, line, float32(g.brushReach()))
}

// brushReach is how far the brush reaches, in screen units.
func (g *Hand) brushReach() float64 {
	if g.UI == nil {
		return g.Brush
	}
	return g.Brush * float64(g.UI.Pt(1))
}

// brushes says whether a press would paint.
func (g *Hand) brushes() bool {
	return g.Tool.ID == "select" && g.Shape == ByBrush && !g.Space.Held && !g.Locked
}
