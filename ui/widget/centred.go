package widget

import (
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Centred writes a text into the middle of a rectangle, in lines of at most 360 points.
func (u *UI) Centred(dl *imgui.DrawList, r Rect, text string) {
	width := min(u.Pt(360), r.W()-u.Pt(40))
	y, line := r.Y0+r.H()*0.4, ""
	put := func() {
		u.DrawText(dl, Body, r.X0+(r.W()-u.Width(Body, line))/2, y, u.theme.Muted, line)
		y += u.Pt(20)
	}
	for word := range strings.FieldsSeq(text) {
		if next := strings.TrimSpace(line + " " + word); line == "" || u.Width(Body, next) <= width {
			line = next
			continue
		}
		put()
		line = word
	}
	put()
}
