package widget

import "github.com/AllenDang/cimgui-go/imgui"

// Spotlight draws a ring around a place of the window that is spoken of, over everything else.
func (u *UI) Spotlight(r Rect) {
	dl, w := imgui.ForegroundDrawListViewportPtr(), max(u.Pt(2), 1)
	all := u.Window()
	r = r.Inset(-u.Pt(3), -u.Pt(3))
	r = Rect{max(r.X0, all.X0+w), max(r.Y0, all.Y0+w), min(r.X1, all.X1-w), min(r.Y1, all.Y1-w)}
	round := min(u.Pt(8), r.W()/2, r.H()/2)
	for i := 3; i > 0; i-- { // a glow that fades outwards
		by := u.Pt(float32(i) * 1.6)
		u.stroke(dl, r.Inset(-by, -by), u.theme.Accent.Alpha(0.32/float32(i)), round+by, u.Pt(1.8))
	}
	u.stroke(dl, r, u.theme.Accent, round, w)
	u.mark("spotlight", r)
}
