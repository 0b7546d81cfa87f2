package widget

import "github.com/AllenDang/cimgui-go/imgui"

// Slider draws a parameter in the bar: its name, a short track and a box that can be typed into. It works as UI.Slider.
func (o *Options) Slider(label string, v *float64, p Param, tip string) Edit {
	return o.number(label, v, p, tip, 64)
}

// Number draws a parameter in the bar without a track.
func (o *Options) Number(label string, v *float64, p Param, tip string) Edit {
	return o.number(label, v, p, tip, 0)
}

func (o *Options) number(label string, v *float64, p Param, tip string, track float32) (e Edit) {
	u := o.u
	*v = p.Clamp(*v)
	shown, name := split(label)
	h := u.snap(u.Pt(rowHeight))
	o.next(h)
	start := imgui.CursorScreenPos()
	x := start.X
	u.Group(name, func() {
		if shown != "" {
			w := u.Width(Body, shown) + u.Pt(8)
			l := u.still("label", w-u.Pt(4), h, tip, p.Disabled)
			u.textIn(u.dl(), Body, l.Rect, 0, l.fade(u.theme.Muted), shown)
			if l.double {
				u.reset(v, p, &e)
			}
			x += w
		}
		if track > 0 {
			place(x, start.Y)
			r := R(x, start.Y, u.Pt(track), h)
			u.slide(u.hit("track", r.W(), h, tip, p.Disabled), r, v, p, &e)
			x += r.W() + u.Pt(6)
		}
		w := u.Pt(56) // for "0.210"
		if p.Integer && p.Max < 1000 {
			w = u.Pt(42)
		}
		place(x, start.Y)
		u.valueBox(R(x, start.Y, w, h), v, p, tip, &e)
		x += w
	})
	u.mark(label, R(start.X, start.Y, x-start.X, h))
	o.x = x
	return e
}

// Icon draws a button that is an icon alone.
func (o *Options) Icon(name, icon, tip string, disabled bool) bool {
	u := o.u
	h := u.snap(u.Pt(optionsControl))
	o.next(h)
	x := u.iconButton(name, icon, tip, optionsControl, disabled)
	o.x = x.X1
	return x.pressed
}

// Width is the width of the bar in points.
func (o *Options) Width() float32 { return o.r.W() / o.u.Pt(1) }

// Close takes back the gap before what comes next: the two belong together.
func (o *Options) Close() { o.x -= o.u.Pt(optionsGap - 3) }
