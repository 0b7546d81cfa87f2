package widget

import "github.com/AllenDang/cimgui-go/imgui"

// Fade is a slider between two ends that have names, its track open at both: all of *v from 0 to 1 is as good as the
// ends. In the box stands a percentage, which can be typed. A double click brings it to 1.
func (u *UI) Fade(from, to string, v *float64, tip string, disabled bool) Edit {
	var e Edit
	p := Param{Min: 0, Max: 100, Default: 100, Integer: true, Unit: " %", Disabled: disabled}
	percent := p.Clamp(*v * 100)
	shown, _ := split(to)
	end := u.Width(Body, shown) + u.Pt(8)
	u.rowWith(from, tip, u.Width(Body, firstOf(split(from)))+u.Pt(10), 0, func(track Rect) {
		t := &u.theme
		word := Rect{track.X1 - end, track.Y0, track.X1 + u.Pt(4), track.Y1}
		track.X1 = word.X0 - u.Pt(2)
		if track.W() > u.Pt(16) {
			x := u.hit("track", track.W(), track.H(), tip, disabled)
			a, b := u.rail(track)
			for _, at := range []float32{a, b} {
				mid := u.snap(track.Center().Y)
				u.fill(u.dl(), R(u.snap(at), mid-u.Pt(5), u.hair(), u.Pt(10)), x.fade(t.Faint), 0)
			}
			u.slide(x, track, &percent, p, &e)
		}
		ink := t.Muted
		if disabled {
			ink = ink.Alpha(0.45)
		}
		u.textIn(u.dl(), Body, word, 1, ink, shown)
	}, func(box Rect) { u.valueBox(box, &percent, p, tip, &e) },
		func() { u.reset(&percent, p, &e) }, disabled)
	if e.Changed {
		*v = percent / 100
	}
	return e
}

func firstOf(a, _ string) string { return a }

// SplitNote draws a line with small text at both ends: how things stand, and where they are going. What has no room is
// left out at the left.
func (u *UI) SplitNote(left, right string) {
	p, w, h := imgui.CursorScreenPos(), u.avail(), u.snap(u.Pt(16))
	rw := u.Width(Small, right)
	u.textIn(u.dl(), Small, R(p.X, p.Y, w, h), 1, u.theme.Muted, right)
	u.textIn(u.dl(), Small, R(p.X, p.Y, max(0, w-rw-u.Pt(8)), h), 0, u.theme.Text, left)
	imgui.Dummy(imgui.Vec2{X: w, Y: h})
}
