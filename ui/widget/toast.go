package widget

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// ToastKind colours a toast.
type ToastKind uint8

// The kinds of toasts.
const (
	Info ToastKind = iota
	Success
	Warn
	Error
)

// ToastAction is a link in a toast; choosing it hides the toast.
type ToastAction struct {
	Label string
	Do    func()
}

// Toast is a message that shows for a while at the top of the map.
type Toast struct {
	Key     string // a new toast with the same key replaces the old one
	Text    string
	Kind    ToastKind
	Actions []ToastAction
	For     time.Duration // 0: 6 seconds, 12 for errors; negative: until it is closed
	Of      any           // its subject, comparable; nil: nothing that can go
}

type toast struct {
	Toast
	id    int
	until time.Time
	at    float32 // its upper edge in the last frame; 0: it was in none
}

// toasts are the messages that are shown.
type toasts struct {
	list  []toast
	count int
	area  Rect
	spare []Rect // places that no toast may cover: see ToastsIn
	read  bool   // the mouse was on one in the last frame
	stack Rect   // where they are, and have been since the mouse is there: none moves up under it
}

// toastMost is how many toasts are shown at once; older ones go.
const toastMost = 4

// Toast shows a message.
func (u *UI) Toast(t Toast) {
	if t.For == 0 {
		t.For = 6 * time.Second
		if t.Kind == Error {
			t.For = 12 * time.Second
		}
	}
	u.toasts.count++
	n := toast{Toast: t, id: u.toasts.count}
	if u.env != nil {
		n.until = u.env.Now().Add(t.For)
		u.env.Within(0)
	}
	for i := range u.toasts.list {
		if t.Key != "" && u.toasts.list[i].Key == t.Key {
			n.id, n.at = u.toasts.list[i].id, u.toasts.list[i].at
			u.toasts.list[i] = n
			return
		}
	}
	u.toasts.list = append(u.toasts.list, n)
	if len(u.toasts.list) > toastMost {
		u.toasts.list = u.toasts.list[len(u.toasts.list)-toastMost:]
	}
}

// Hush hides the toast with a key.
func (u *UI) Hush(key string) {
	for i := range u.toasts.list {
		if u.toasts.list[i].Key == key {
			u.toasts.list = append(u.toasts.list[:i], u.toasts.list[i+1:]...)
			return
		}
	}
}

// HushAll hides the toasts about something that is gone.
func (u *UI) HushAll(of any) {
	u.toasts.list = slices.DeleteFunc(u.toasts.list, func(t toast) bool { return t.Of != nil && t.Of == of })
}

// Toasts returns what the toasts say, a line each.
func (u *UI) Toasts() string {
	var lines []string
	for _, t := range u.toasts.list {
		lines = append(lines, t.Text)
	}
	return strings.Join(lines, "\n")
}

// ToastsIn sets the region at whose top centre toasts show: the map. They show below what they are to spare there. Call
// it in every frame.
func (u *UI) ToastsIn(r Rect, spare ...Rect) {
	u.toasts.area, u.toasts.spare = r, append(u.toasts.spare[:0], spare...)
}

func (u *UI) drawToasts() {
	now := u.env.Now()
	area := u.toasts.area
	if area.Empty() {
		s := u.env.Size()
		area = Rect{0, u.Pt(MenuBarHeight), s.X, s.Y}
	}
	y := area.Y0 + u.Pt(15)
	var gone int
	var do func()
	reading, stack, held := u.toasts.read, Rect{}, u.toasts.held()
	u.toasts.read = false
	for i := range u.toasts.list {
		t := &u.toasts.list[i]
		if t.until.IsZero() { // shown before the first frame
			t.until = now.Add(t.For)
		}
		left := t.until.Sub(now)
		if t.For > 0 && left <= 0 && reading { // none moves up under the mouse
			left = time.Second
			t.until = now.Add(left)
		}
		if t.For > 0 && left <= 0 {
			gone = t.id
			u.env.Within(0)
			continue
		}
		if t.For > 0 {
			u.env.Within(left)
		}
		if held {
			y = max(y, t.at)
		}
		r, f, closed, hovered := u.drawToast(t, area, y)
		t.at, stack = r.Y0, around(stack, r)
		if hovered { // it stays while it is read
			t.until = now.Add(max(left, 2*time.Second))
			u.toasts.read = true
		}
		if f != nil {
			do = f
		}
		if closed {
			gone = t.id
		}
		y = r.Y1 + u.Pt(8)
	}
	if held {
		stack = around(stack, u.toasts.stack)
	}
	u.toasts.stack = stack
	if gone != 0 {
		u.toasts.list = slices.DeleteFunc(u.toasts.list, func(t toast) bool { return t.id == gone })
		u.env.Within(0)
	}
	if do != nil {
		do()
	}
}

// held says whether toasts stay where they are, as the mouse is over them, or where one was that has just gone.
func (t *toasts) held() bool {
	return len(t.list) > 0 && !t.stack.Empty() && imgui.IsMouseHoveringRectV(t.stack.Min(), t.stack.Max(), false)
}

// around is the least that has both rectangles in it; an empty one is nowhere.
func around(a, b Rect) Rect {
	switch {
	case a.Empty():
		return b
	case b.Empty():
		return a
	}
	return Rect{min(a.X0, b.X0), min(a.Y0, b.Y0), max(a.X1, b.X1), max(a.Y1, b.Y1)}
}

// Lengths of a toast in points.
const (
	toastPad   = 13
	toastGap   = 12  // before a link
	toastMark  = 22  // the room of its sign
	toastCross = 24  // and of its cross
	toastWide  = 560 // its text at most
	toastSlim  = 200 // the text is no narrower for links beside it: they stand below it
	toastLine  = 24  // height of a line of such links
)

// sign is the icon of a toast, "": none, and its colour.
func (t *toast) sign(th *Theme) (string, Color) {
	switch t.Kind {
	case Success:
		return assets.IconCircleCheck, th.Good
	case Warn:
		return assets.IconTriangleAlert, th.Warning
	case Error:
		return assets.IconCircleAlert, th.Danger
	}
	return "", th.Accent
}

// closable says whether a toast has a cross.
func (t *toast) closable() bool { return t.For < 0 || t.Kind == Error }

// toastSize is how a toast is laid out.
type toastSize struct {
	w, h  float32
	text  imgui.Vec2
	below bool // the links stand below the text
}

func (u *UI) toastSize(t *toast, area Rect) (s toastSize) {
	fixed, links := u.Pt(2*toastPad), float32(0)
	if sign, _ := t.sign(&u.theme); sign != "" {
		fixed += u.Pt(toastMark)
	}
	if t.closable() {
		fixed += u.Pt(toastCross)
	}
	for _, a := range t.Actions {
		links += u.Pt(toastGap) + u.Width(Body, a.Label)
	}
	font, px := u.font(Body)
	measure := func(room float32) imgui.Vec2 {
		room = min(room, u.Pt(toastWide))
		size := font.CalcTextSizeAV(px, 1e30, room, u.broken(Body, t.Text, room), nil)
		size.X = min(size.X, room)
		return size
	}
	room := area.W() - u.Pt(24) - fixed
	beside := max(room-links, u.Pt(60))
	s.text = measure(beside)
	if s.below = links > 0 && beside < u.Pt(toastSlim) && room > beside; s.below {
		s.text = measure(max(room, u.Pt(60)))
		s.w, s.h = fixed+max(s.text.X, links-u.Pt(toastGap)), s.text.Y+u.Pt(16+toastLine)
		return s
	}
	s.w, s.h = fixed+s.text.X+links, max(u.Pt(32), s.text.Y+u.Pt(16))
	return s
}

// toastPlace is where a toast of a size goes: in the middle of the area from y on, below what toasts are to spare.
func (u *UI) toastPlace(s toastSize, area Rect, y float32) Rect {
	r := R(u.snap(area.X0+(area.W()-s.w)/2), u.snap(y), s.w, s.h)
	for _, spare := range u.toasts.spare {
		if r.Overlaps(spare) && spare.Y1+u.Pt(8)+s.h < area.Y1 {
			r = R(r.X0, u.snap(spare.Y1+u.Pt(8)), s.w, s.h)
		}
	}
	return r
}

func (u *UI) drawToast(t *toast, area Rect, y float32) (r Rect, do func(), closed, hovered bool) {
	s := u.toastSize(t, area)
	r = u.toastPlace(s, area, y)
	sign, ink := t.sign(&u.theme)
	u.Area(fmt.Sprintf("toast %d", t.id), r, AreaOpts{Card: true}, func() {
		if !u.PopupOpen() { // over everything but menus and dialogs
			imgui.InternalBringWindowToDisplayFront(imgui.InternalCurrentWindow())
		}
		x, mid := r.X0+u.Pt(toastPad), r.Center().Y
		if s.below {
			mid -= u.Pt(toastLine) / 2
		}
		if sign != "" {
			u.icon(u.dl(), x+u.Pt(8), mid, 16, ink, sign)
			x += u.Pt(toastMark)
		}
		// It is broken where it was when it was measured: a wider line would run into the links.
		font, px := u.font(Body)
		at := imgui.Vec2{X: u.snap(x), Y: u.snap(mid - s.text.Y/2)}
		wrap := s.text.X + 0.5
		words := u.broken(Body, t.Text, wrap)
		addWrapped(u.dl(), font, px, at, uint32(u.theme.Text), words, wrap)
		drawn := font.CalcTextSizeAV(px, 1e30, wrap, words, nil)
		u.mark("text", R(at.X, at.Y, drawn.X, drawn.Y))
		if x += s.text.X + u.Pt(toastGap); s.below {
			x, mid = at.X, r.Y1-u.Pt(8+toastLine/2)
		}
		for _, a := range t.Actions {
			place(x, mid-u.Line(Body)/2-u.Pt(2))
			if u.Link(a.Label, "") {
				do, closed = a.Do, true
			}
			x += u.Width(Body, a.Label) + u.Pt(toastGap)
		}
		if t.closable() {
			place(r.X1-u.Pt(30), mid-u.Pt(11))
			closed = u.iconButton("close", assets.IconX, "", 22, false).pressed || closed
		}
		hovered = imgui.IsMouseHoveringRectV(r.Min(), r.Max(), false)
	})
	return r, do, closed, hovered
}
