package widget

import "github.com/AllenDang/cimgui-go/imgui"

// Fade draws a track of so many points between two ends, 0 and 1; a double click is the right end.
func (o *Options) Fade(name string, width float32, v *float64, tip string) Edit {
	u := o.u
	h := u.snap(u.Pt(optionsControl))
	o.next(h)
	p := imgui.CursorScreenPos()
	r := R(p.X, p.Y, u.Pt(width), h)
	var e Edit
	x := u.hit(name, r.W(), r.H(), tip, false)
	if imgui.IsItemFocused() {
		u.taken.now.arrows = true
	}
	u.slide(x, r, v, Param{Min: 0, Max: 1, Default: 1}, &e)
	o.x = r.X1
	return e
}

// Note writes a short muted text.
func (o *Options) Note(text string) {
	u := o.u
	o.next(u.Line(Small))
	p := imgui.CursorScreenPos()
	u.text(u.dl(), Small, p.X, (o.r.Y0+o.r.Y1)/2, u.theme.Muted, text)
	o.x = p.X + u.Width(Small, text)
}
