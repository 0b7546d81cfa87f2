package widget

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
)

// GateOpts are the details of the outline of a gate.
type GateOpts struct {
	Chosen  bool         // it stands out
	Dashed  bool         // it is of a map, whose points may go in and out
	Handles []imgui.Vec2 // where it can be moved
}

// Gate draws the outline of a gate by the ends of its sides, within a picture.
func (u *UI) Gate(dl *imgui.DrawList, sides [][2]imgui.Vec2, in Rect, o GateOpts) {
	t, dash := &u.theme, pick(o.Dashed, u.Pt(4))
	dl.PushClipRectV(in.Min(), in.Max(), true)
	defer dl.PopClipRect()
	outline := func(c Color, width float32) {
		path := u.scratch.lasso[:0]
		for i, s := range sides { // sides that go on from each other are one line
			if i > 0 && s[0] == sides[i-1][1] {
				path = append(path, s[1])
				continue
			}
			if len(path) > 0 {
				u.line(dl, path, c, width, dash)
			}
			path = append(path[:0], s[0], s[1])
		}
		if len(path) > 0 {
			u.line(dl, path, c, width, dash)
		}
		u.scratch.lasso = path
	}
	if o.Chosen {
		outline(t.Panel.Alpha(0.8), u.Pt(3.5))
		outline(t.Accent, u.Pt(1.5))
	} else {
		outline(t.Panel.Alpha(0.7), u.Pt(3))
		outline(t.Text, u.Pt(1.25))
	}
	side := u.Pt(7)
	for _, p := range o.Handles {
		r := R(u.snap(p.X-side/2), u.snap(p.Y-side/2), side, side)
		u.fill(dl, r, t.Panel, u.Pt(1))
		u.stroke(dl, r, t.Accent, u.Pt(1), u.Pt(1.5))
	}
}

// Dashes cuts lines, by their ends, into dashes of a length with gaps as long; those that go on from each other are
// one.
func Dashes(lines [][2]imgui.Vec2, dash float64) (out [][2]imgui.Vec2) {
	at := 0.0 // gone since the last dash began, below two dashes
	for i, l := range lines {
		if i > 0 && l[0] != lines[i-1][1] {
			at = 0
		}
		dx, dy := float64(l[1].X)-float64(l[0].X), float64(l[1].Y)-float64(l[0].Y)
		long := math.Hypot(dx, dy)
		place := func(s float64) imgui.Vec2 {
			return imgui.Vec2{X: l[0].X + float32(s/long*dx), Y: l[0].Y + float32(s/long*dy)}
		}
		for s := 0.0; s < long && len(out) < mostDashes; {
			step := min(dash-math.Mod(at, dash), long-s)
			if step <= 1e-6 {
				step = min(1e-3, long-s)
			}
			if at < dash {
				out = append(out, [2]imgui.Vec2{place(s), place(s + step)})
			}
			s, at = s+step, math.Mod(at+step, 2*dash)
		}
	}
	return out
}

// mostDashes bounds what dashes cost, where a view is far closer than what it shows.
const mostDashes = 20_000

// QuadrantName writes the name of a quadrant, and below it how many it has, in its corner of the picture, clear of the
// names of axes and of a legend; nothing where the quadrant, from its centre to that corner, has no room for it: there
// it would be read as another's. It returns where they stand.
func (u *UI) QuadrantName(dl *imgui.DrawList, centre, corner imgui.Vec2, in, legend Rect, name, share string,
	chosen bool) (box Rect) {
	t, gap := &u.theme, u.Pt(8)
	room := Rect{min(centre.X, corner.X), min(centre.Y, corner.Y), max(centre.X, corner.X), max(centre.Y, corner.Y)}
	room = Rect{max(room.X0, in.X0), max(room.Y0, in.Y0), min(room.X1, in.X1), min(room.Y1, in.Y1)}
	name = u.Fit(Strong, name, room.W()-2*gap)
	w, high, aside := max(u.Width(Strong, name), u.Width(Small, share)), u.Line(Strong)+u.Line(Small), u.Pt(28)
	if name == "" || w+2*gap > room.W() || high+u.Pt(4) > room.H() {
		return box
	}
	aside = min(aside, room.H()-high-u.Pt(2))
	y := corner.Y + aside
	right := corner.X > in.Center().X
	if corner.Y > centre.Y {
		y = corner.Y - aside - high
	}
	place := R(corner.X+gap, y, w, high)
	if right {
		place = R(corner.X-gap-w, y, w, high)
	}
	switch {
	case !place.Overlaps(legend):
	case corner.Y > centre.Y && legend.Y0-gap-high > room.Y0:
		y = legend.Y0 - gap - high
	case corner.Y < centre.Y && legend.Y1+gap+high < room.Y1:
		y = legend.Y1 + gap
	case right:
		place.X1 = legend.X0 - gap
	default:
		place.X0 = legend.X1 + gap
	}
	ink := t.Text
	if chosen {
		ink = t.Accent
	}
	write := func(f Face, y float32, c Color, text string) {
		x := place.X0
		if right {
			x = place.X1 - u.Width(f, text)
		}
		u.HaloText(dl, f, x, y, c, t.Panel.Alpha(0.85), text)
	}
	write(Strong, y, ink, name)
	write(Small, y+u.Line(Strong), t.Muted, share)
	if right {
		return R(place.X1-w, y, w, high)
	}
	return R(place.X0, y, w, high)
}

// GateName writes the name of a gate, and below it how many it has, at the right of its outline: above it where there
// is no room, or else in it. It returns where they stand.
func (u *UI) GateName(dl *imgui.DrawList, corners []imgui.Vec2, in Rect, name, share string, chosen bool) (
	box Rect) {
	t := &u.theme
	low, high := corners[0], corners[0]
	for _, p := range corners {
		low = imgui.Vec2{X: min(low.X, p.X), Y: min(low.Y, p.Y)}
		high = imgui.Vec2{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	if high.X < in.X0 || low.X > in.X1 || high.Y < in.Y0 || low.Y > in.Y1 {
		return box
	}
	dl.PushClipRectV(in.Min(), in.Max(), true)
	defer dl.PopClipRect()
	name = u.Fit(Strong, name, min(in.W()/2, u.Pt(180)))
	w, h := max(u.Width(Strong, name), u.Width(Small, share)), u.Line(Strong)+u.Line(Small)
	gap := u.Pt(8)
	x, y := high.X+gap, max((low.Y+high.Y-h)/2, in.Y0+gap)
	switch {
	case x+w+gap <= in.X1 && y+h+gap <= in.Y1:
	case low.Y-h-gap/2 >= in.Y0:
		x, y = min(max(low.X, in.X0+gap), in.X1-w-gap), low.Y-h-gap/2
	default:
		x, y = min(max(low.X, in.X0)+gap, in.X1-w-gap), max(low.Y, in.Y0)+gap
	}
	ink := t.Text
	if chosen {
		ink = t.Accent
	}
	u.fill(dl, R(x, y, w, h).Inset(-u.Pt(4), -u.Pt(1)), t.Panel.Alpha(0.6), u.Pt(4)) // it may lie over many points
	u.HaloText(dl, Strong, x, y, ink, t.Panel.Alpha(0.85), name)
	u.HaloText(dl, Small, x, y+u.Line(Strong), t.Text.Alpha(0.85), t.Panel.Alpha(0.85), share)
	return R(x, y, w, h)
}
