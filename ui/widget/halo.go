package widget

import "github.com/AllenDang/cimgui-go/imgui"

// HaloDot marks a point that moves with what the hand holds; strength, 0 to 1, is how much.
func (u *UI) HaloDot(dl *imgui.DrawList, p imgui.Vec2, strength float32) {
	dl.AddCircleFilledV(p, u.Pt(1.6+1.6*strength), uint32(u.theme.Accent.Alpha(0.12+0.7*strength)), 10)
}
