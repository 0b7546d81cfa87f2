package view

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/maps/selection"
	"blossom/ui/widget"
)

func init() {
	shapes[ByBrush] = enclosing{Option: widget.Option{Label: "Brush", Icon: assets.IconBrush}, free: true,
		region: func(g *Hand, path []selection.Point) selection.Region { return selection.Brush(path, g.brushReach()) },
		draw:   (*Hand).drawBrush,
		click: func(g *Hand) bool { // it paints where it stands
			b := newStroke(ByBrush, false)
			b.start(g)
			b.end(g, released)
			return true
		}}
}

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
	return (g.Tool.ID == "select" && g.Shape == ByBrush || g.Tool.ID == "paint") && !g.Space.Held && !g.Locked
}
