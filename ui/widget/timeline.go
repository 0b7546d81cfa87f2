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
	Run         bool // what led to it went on for a while
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
	step := min(max((r.W()-u.Pt(2*timePad))/float32(max(o.Depths-1, 1)), u.Pt(timeLeast)), u.Pt(timeMost))
	wide := step*float32(o.Depths-1) + u.Pt(2*timePad)
	high := u.Pt(timeTop + timeLane*float32(o.Lanes-1) + timeFoot)
	mostX, mostY := max(wide-r.W(), 0), max(high-r.H(), 0)
	at := func(depth float64, lane float64) imgui.Vec2 {
		return imgui.Vec2{X: r.X0 + u.Pt(timePad) - s.X + float32(depth)*step,
			Y: u.snap(r.Y0 + u.Pt(timeTop) - s.Y + float32(lane)*u.Pt(timeLane))}
	}
	dot := func(i int) imgui.Vec2 { return at(float64(o.Dots[i].Depth), float64(o.Dots[i].Lane)) }

	place(r.X0, r.Y0)
	x := u.hit(name, r.W(), r.H(), "", false)
	mouse := imgui.MousePos()
	if io := imgui.CurrentIO(); x.hovered && (mostX > 0 || mostY > 0) {
		by := (io.MouseWheel() + io.MouseWheelH()) * u.Pt(48)
		if mostX > 0 && !(io.KeyShift() && mostY > 0) {
			s.X -= by
		} else {
			s.Y -= by
		}
	}
	d := &u.drag
	if x.active && d.id != x.id {
		*d = drag{id: x.id, moved: !imgui.IsMouseDown(imgui.MouseButtonLeft)}
		out.Began = !d.moved
	}
	switch {
	case u.cancelled(x):
		out.Cancelled = true
	case d.id == x.id && !d.moved:
		// Held beyond an end, it scrolls.
		if edge := u.Pt(20); x.active && mostX > 0 {
			if over := mouse.X - (r.X1 - edge); over > 0 {
				s.X += min(over, edge) / 2
				u.env.Within(0)
			} else if over := r.X0 + edge - mouse.X; over > 0 {
				s.X -= min(over, edge) / 2
				u.env.Within(0)
			}
		}
		out.Active = true
	}
	if !x.active && d.id == x.id {
		out.Released = !d.moved
		*d = drag{}
	}
	if size := [2]int{o.Depths, o.Lanes}; !out.Active && (s.now != o.Now || s.size != size) { // follow the present
		s.now, s.size = o.Now, size
		p := dot(o.Now)
		s.X += max(p.X-(r.X1-u.Pt(60)), 0) - max(r.X0+u.Pt(60)-p.X, 0)
		s.Y += max(p.Y-(r.Y1-u.Pt(timeFoot)), 0) - max(r.Y0+u.Pt(timeTop)-p.Y, 0)
	}
	s.X, s.Y = min(max(s.X, 0), mostX), min(max(s.Y, 0), mostY)
	out.Depth = math.Min(math.Max(float64((mouse.X-at(0, 0).X)/step), 0), float64(o.Depths-1))
	out.Lane = min(max(int(math.Round(float64((mouse.Y-at(0, 0).Y)/u.Pt(timeLane)))), 0), o.Lanes-1)

	// The moment under the cursor: the hit area is 8 points at any scale, less where they stand closer.
	if x.hovered || x.active {
		best := u.Pt(10) * u.Pt(10)
		for i := range o.Dots {
			p := dot(i)
			if d2 := (p.X-mouse.X)*(p.X-mouse.X) + (p.Y-mouse.Y)*(p.Y-mouse.Y); d2 <= best {
				best, out.Hover = d2, i
			}
		}
		if x.right && out.Hover >= 0 {
			p := dot(out.Hover)
			out.Right, out.Under = out.Hover, R(p.X-u.Pt(6), p.Y-u.Pt(6), u.Pt(12), u.Pt(12))
		}
	}
	if imgui.IsItemFocused() {
		u.taken.now.arrows = true
		for _, k := range []struct {
			key  imgui.Key
			keys int
			end  int
		}{{imgui.KeyLeftArrow, -1, 0}, {imgui.KeyRightArrow, 1, 0}, {imgui.KeyHome, 0, -1}, {imgui.KeyEnd, 0, 1}} {
			if imgui.IsKeyPressedBool(k.key) {
				imgui.InternalNavMoveRequestCancel()
				out.Keys, out.End = out.Keys+k.keys, out.End+k.end
			}
		}
	}
	dl := u.dl()
	dl.PushClipRectV(r.Min(), r.Max(), true)
	u.timeLines(dl, r, o, dot)
	for i := range o.Dots {
		u.timeDot(dl, r, name, o, i, dot(i), i == out.Hover && x.hovered, step)
	}
	head := u.timeHead(dl, r, o, at)
	dl.PopClipRect()
	if x.focused {
		u.ring(dl, r.Inset(u.Pt(4), u.Pt(4)), u.Pt(5))
	}
	u.mark(name+"/head", R(head.X-u.Pt(4), head.Y-u.Pt(4), u.Pt(8), u.Pt(8)))
	if out.Hover >= 0 && x.hovered && !x.active {
		p := dot(out.Hover)
		u.Tip(R(p.X-u.Pt(6), p.Y-u.Pt(8), u.Pt(12), u.Pt(16)), o.Dots[out.Hover].Tip)
	}
	u.timeEnds(dl, r, s, mostX)
	return out
}

// timeEnds shades the ends beyond which the line goes on.
func (u *UI) timeEnds(dl *imgui.DrawList, r Rect, s *TimeScroll, most float32) {
	fade, solid, clear := u.Pt(16), uint32(u.theme.Panel), uint32(u.theme.Panel.Alpha(0))
	if s.X > 0.5 {
		dl.AddRectFilledMultiColor(r.Min(), imgui.Vec2{X: r.X0 + fade, Y: r.Y1}, solid, clear, clear, solid)
	}
	if s.X < most-0.5 {
		dl.AddRectFilledMultiColor(imgui.Vec2{X: r.X1 - fade, Y: r.Y0}, r.Max(), clear, solid, solid, clear)
	}
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
