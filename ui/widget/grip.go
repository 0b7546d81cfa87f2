package widget

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
)

// GripRadius is how large a grip is, in points.
const GripRadius = 12

// Grip draws what points are taken hold of by, around p: lit while the hand is on it.
func (u *UI) Grip(dl *imgui.DrawList, p imgui.Vec2, lit bool) {
	t := &u.theme
	fill, ink := t.Panel, t.Accent
	if lit {
		fill, ink = t.Accent, t.Panel
	}
	dl.AddCircleFilledV(p, u.Pt(GripRadius+2), uint32(t.Panel.Alpha(0.7)), 40)
	dl.AddCircleFilledV(p, u.Pt(GripRadius), uint32(fill), 40)
	dl.AddCircleV(p, u.Pt(GripRadius), uint32(t.Accent), 40, u.Pt(1.5))
	u.icon(dl, p.X, p.Y, 14, ink, assets.IconMove)
}
