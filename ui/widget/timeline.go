package widget

import (
	"math"
	"strconv"

	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// TimeDot is a moment on a time line. The first has no parent; parents come before their children.
type TimeDot struct {
	Up          int // index of the moment before, -1 for the first
	Depth, Lane int // how many moments are before it; its line, 0 the uppermost
	Name        string
	Tip         string
	Bookmark    bool
	Run         bool // the step that led to it went on for a while
	Done, Ahead bool // on the way to the present; what redo brings
	End         bool // the last of its lane: it is named beside it
}

// TimeLineOpts are the details of a time line.
type TimeLineOpts struct {
	Dots   []TimeDot
	Depths int // 1 + the largest depth
	Lanes  int
	Now    int
	// Head is where the playhead is, in depths, between Dots[From] and Dots[To].
	Head     float64
	From, To int
}

// TimeLineHit is what the user does on a time line.
type TimeLineHit struct {
	Hover     int     // the moment under the cursor, or -1
	Began     bool    // the playhead was taken hold of
	Active    bool    // it is held: Depth and Lane are where it is wanted
	Released  bool    //
	Cancelled bool    // with Esc: back to where it began
	Depth     float64 //
	Lane      int     //
	Right     int     // the moment that was clicked with the right button, or -1
	Under     Rect    // the place of Right
	Keys      int     // arrows: so many moments on, negative back
	End       int     // Home -1, End 1
}

// TimeScroll is where a time line is scrolled to, in screen units, and the moment that it last followed.
type TimeScroll struct {
	X, Y float32
	now  int
	size [2]int // depths and lanes it followed at
}

// Lengths on a time line, in points.
const (
	timeLane  = 20
	timeTop   = 30 // the middle of the first lane
	timeLeast = 11 // between two moments
	timeMost  = 56
	timePad   = 18
	timeFoot  = 24 // below the middle of the last lane: a name that has no room beside its end
)

// TimeLine draws moments as dots on lines, and a playhead that is dragged over them. The wheel scrolls it where it is
// longer or higher than its place. With the focus the left and right arrows, Home and End are reported.
func (u *UI) TimeLine(name string, r Rect, o TimeLineOpts, s *TimeScroll) TimeLineHit {
	out := TimeLineHit{Hover: -1, Right: -1}
	if r.H() < u.Pt(20) || len(o.Dots) == 0 {
		return out
	}
	l := u.timeLine(r, &o, s)
	place(r.X0, r.Y0)
	x := u.hit(name, r.W(), r.H(), "", false)
	if x.hovered {
		l.wheel()
	}
	l.hold(x, &out)
	if !out.Active {
		l.follow()
	}
	s.X, s.Y = min(max(s.X, 0), l.mostX), min(max(s.Y, 0), l.mostY)
	l.under(x, &out)
	if imgui.IsItemFocused() {
		u.timeKeys(&out)
	}
	dl := u.dl()
	dl.PushClipRectV(r.Min(), r.Max(), true)
	u.timeLines(dl, r, o, l.dot)
	for i := range o.Dots {
		u.timeDot(dl, r, name, o, i, l.dot(i), i == out.Hover && x.hovered, l.step)
	}
	head := u.timeHead(dl, r, o, l.at)
	dl.PopClipRect()
	if x.focused {
		u.ring(dl, r.Inset(u.Pt(4), u.Pt(4)), u.Pt(5))
	}
	u.mark(name+"/head", R(head.X-u.Pt(4), head.Y-u.Pt(4), u.Pt(8), u.Pt(8)))
	if out.Hover >= 0 && x.hovered && !x.active {
		p := l.dot(out.Hover)
		u.Tip(R(p.X-u.Pt(6), p.Y-u.Pt(8), u.Pt(12), u.Pt(16)), o.Dots[out.Hover].Tip)
	}
	u.fadeEnds(dl, r, u.Pt(16), s.X > 0.5, s.X < l.mostX-0.5)
	return out
}

// timeLine is where the moments of a time line are, and how far it can be scrolled.
type timeLine struct {
	u            *UI
	r            Rect
	o            *TimeLineOpts
	s            *TimeScroll
	step         float32 // from a moment to the next
	mostX, mostY float32
}

func (u *UI) timeLine(r Rect, o *TimeLineOpts, s *TimeScroll) timeLine {
	step := min(max((r.W()-u.Pt(2*timePad))/float32(max(o.Depths-1, 1)), u.Pt(timeLeast)), u.Pt(timeMost))
	wide := step*float32(o.Depths-1) + u.Pt(2*timePad)
	high := u.Pt(timeTop + timeLane*float32(o.Lanes-1) + timeFoot)
	return timeLine{u, r, o, s, step, max(wide-r.W(), 0), max(high-r.H(), 0)}
}

// at is the place of a depth on a lane.
func (l *timeLine) at(depth, lane float64) imgui.Vec2 {
	u := l.u
	return imgui.Vec2{X: l.r.X0 + u.Pt(timePad) - l.s.X + float32(depth)*l.step,
		Y: u.snap(l.r.Y0 + u.Pt(timeTop) - l.s.Y + float32(lane)*u.Pt(timeLane))}
}

// dot is the place of a moment.
func (l *timeLine) dot(i int) imgui.Vec2 {
	return l.at(float64(l.o.Dots[i].Depth), float64(l.o.Dots[i].Lane))
}

// wheel scrolls by the wheel: along the line, or with Shift, and where it is not too long, across.
func (l *timeLine) wheel() {
	io := imgui.CurrentIO()
	by := (io.MouseWheel() + io.MouseWheelH()) * l.u.Pt(48)
	switch {
	case l.mostX > 0 && !(io.KeyShift() && l.mostY > 0):
		l.s.X -= by
	case l.mostY > 0:
		l.s.Y -= by
	}
}

// hold tells of the playhead that is taken hold of, dragged and let go; held beyond an end, it scrolls.
func (l *timeLine) hold(x hit, out *TimeLineHit) {
	u := l.u
	out.Began = u.grab(x) && u.holds(x)
	switch {
	case u.cancelled(x):
		out.Cancelled = true
	case u.holds(x):
		mouse, edge := imgui.MousePos().X, u.Pt(20)
		right, left := mouse-(l.r.X1-edge), l.r.X0+edge-mouse
		if over := max(right, left); x.active && l.mostX > 0 && over > 0 {
			by := min(over, edge) / 2
			if right <= 0 {
				by = -by
			}
			l.s.X += by
			u.env.Within(0)
		}
		out.Active = true
	}
	if was, dropped := u.drop(x); dropped {
		out.Released = !was.over
	}
}

// follow scrolls to the present where it is another than before.
func (l *timeLine) follow() {
	u, r, s := l.u, l.r, l.s
	size := [2]int{l.o.Depths, l.o.Lanes}
	if s.now == l.o.Now && s.size == size {
		return
	}
	s.now, s.size = l.o.Now, size
	p := l.dot(l.o.Now)
	s.X += max(p.X-(r.X1-u.Pt(60)), 0) - max(r.X0+u.Pt(60)-p.X, 0)
	s.Y += max(p.Y-(r.Y1-u.Pt(timeFoot)), 0) - max(r.Y0+u.Pt(timeTop)-p.Y, 0)
}

// under tells where on the line the cursor is, and which moment is under it.
func (l *timeLine) under(x hit, out *TimeLineHit) {
	u, mouse, zero := l.u, imgui.MousePos(), l.at(0, 0)
	out.Depth = math.Min(math.Max(float64((mouse.X-zero.X)/l.step), 0), float64(l.o.Depths-1))
	out.Lane = min(max(int(math.Round(float64((mouse.Y-zero.Y)/u.Pt(timeLane)))), 0), l.o.Lanes-1)
	if !x.hovered && !x.active {
		return
	}
	best := u.Pt(10) * u.Pt(10) // a dot is hit from 10 points away at any scale; the nearest of several is
	for i := range l.o.Dots {
		p := l.dot(i)
		if d2 := (p.X-mouse.X)*(p.X-mouse.X) + (p.Y-mouse.Y)*(p.Y-mouse.Y); d2 <= best {
			best, out.Hover = d2, i
		}
	}
	if x.right && out.Hover >= 0 {
		p := l.dot(out.Hover)
		out.Right, out.Under = out.Hover, R(p.X-u.Pt(6), p.Y-u.Pt(6), u.Pt(12), u.Pt(12))
	}
}

// timeKeys tells of the keys that move the playhead.
func (u *UI) timeKeys(out *TimeLineHit) {
	u.taken.now.arrows = true
	out.Keys = arrowSteps(imgui.KeyLeftArrow, imgui.KeyRightArrow)
	out.End = arrowSteps(imgui.KeyHome, imgui.KeyEnd)
}

// arrowSteps is -1 where the key back was pressed, 1 where on was; ImGui does not move the focus by them.
func arrowSteps(back, on imgui.Key) (n int) {
	for i, k := range [2]imgui.Key{back, on} {
		if imgui.IsKeyPressedBool(k) {
			imgui.InternalNavMoveRequestCancel()
			n += 2*i - 1
		}
	}
	return n
}

// timeInk is the colour of a moment and of what leads to it.
func (u *UI) timeInk(d *TimeDot) Color {
	if d.Done {
		return u.theme.Accent
	}
	return u.theme.Faint
}

// timeLines draws what joins the moments: first what is not done, then what is.
func (u *UI) timeLines(dl *imgui.DrawList, r Rect, o TimeLineOpts, dot func(int) imgui.Vec2) {
	for _, done := range []bool{false, true} {
		for i := range o.Dots {
			d := &o.Dots[i]
			if d.Up < 0 || d.Done != done {
				continue
			}
			a, b := dot(d.Up), dot(i)
			if b.X < r.X0-u.Pt(8) || a.X > r.X1+u.Pt(8) {
				continue
			}
			ink, width := u.timeInk(d), u.Pt(1.5)
			if done {
				width = u.Pt(2)
			}
			if d.Run {
				soft := u.theme.AccentSoft
				if !done {
					soft = u.theme.Control
				}
				u.fill(dl, Rect{a.X, b.Y - u.Pt(5), b.X, b.Y + u.Pt(5)}, soft, u.Pt(5))
			}
			if a.Y == b.Y {
				u.fill(dl, Rect{a.X, a.Y - width/2, b.X, a.Y + width/2}, ink, 0)
				continue
			}
			mid := (a.X + b.X) / 2
			dl.AddBezierCubicV(a, imgui.Vec2{X: mid, Y: a.Y}, imgui.Vec2{X: mid, Y: b.Y}, b, uint32(ink), width, 0)
		}
	}
}

func (u *UI) timeDot(dl *imgui.DrawList, r Rect, name string, o TimeLineOpts, i int, p imgui.Vec2, hovered bool,
	step float32) {
	if p.X < r.X0-u.Pt(10) || p.X > r.X1+u.Pt(10) {
		return
	}
	t, d := &u.theme, &o.Dots[i]
	ink, radius := u.timeInk(d), float32(4)
	switch {
	case hovered:
		radius = 5.5
	case step < u.Pt(20):
		radius = 3
	}
	if i == o.Now {
		dl.AddCircleFilledV(p, u.Pt(max(radius, 5.5)), uint32(t.Accent), 0)
	} else {
		dl.AddCircleFilledV(p, u.Pt(radius), uint32(t.Panel), 0)
		dl.AddCircleV(p, u.Pt(radius-0.75), uint32(ink), 0, u.Pt(1.5))
	}
	if d.Bookmark {
		u.icon(dl, p.X, p.Y-u.Pt(13), 12, t.Text, assets.IconBookmark)
	}
	if d.End && d.Lane > 0 {
		beside := Rect{p.X + u.Pt(10), p.Y - u.Pt(9), min(p.X+u.Pt(150), r.X1), p.Y + u.Pt(9)}
		if w := u.Width(Small, d.Name); beside.W() >= min(w, u.Pt(60)) {
			u.textIn(dl, Small, beside, 0, t.Muted, d.Name)
		} else { // at the end of the picture: below
			u.textIn(dl, Small, Rect{p.X - u.Pt(140), p.Y + u.Pt(5), p.X + u.Pt(8), p.Y + u.Pt(21)}, 1, t.Muted, d.Name)
		}
	}
	u.mark(name+"/"+strconv.Itoa(i), R(p.X-u.Pt(4), p.Y-u.Pt(4), u.Pt(8), u.Pt(8)))
}

// timeHead draws the playhead and returns its place on the line.
func (u *UI) timeHead(dl *imgui.DrawList, r Rect, o TimeLineOpts, at func(depth, lane float64) imgui.Vec2) imgui.Vec2 {
	a, b := &o.Dots[o.From], &o.Dots[o.To]
	f := 0.0
	if b.Depth > a.Depth {
		f = (o.Head - float64(a.Depth)) / float64(b.Depth-a.Depth)
	}
	smooth := f * f * (3 - 2*f)
	p := at(o.Head, float64(a.Lane)+smooth*float64(b.Lane-a.Lane))
	line := u.snap(u.Pt(1.5))
	left := u.snap(p.X - line/2)
	u.fill(dl, Rect{left, r.Y0 + u.Pt(6), left + line, r.Y1 - u.Pt(4)}, u.theme.Text, 0)
	dl.AddCircleFilledV(p, u.Pt(5.5), uint32(u.theme.Accent), 0)
	return p
}
