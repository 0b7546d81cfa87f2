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
	Of      any           // what it is about, comparable; nil: nothing that can go
}

type toast struct {
	Toast
	id    int
	until time.Time
}

// toasts are the messages that are shown.
type toasts struct {
	list  []toast
	count int
	area  Rect
	read  bool // the mouse was on one in the last frame
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
			n.id = u.toasts.list[i].id
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

// ToastsIn sets the region at whose top centre toasts show: the map. Call it in every frame.
func (u *UI) ToastsIn(r Rect) { u.toasts.area = r }

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
	reading := u.toasts.read
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
		h, f, closed, hovered := u.drawToast(t, area, y)
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
		y += h + u.Pt(8)
	}
	if gone != 0 {
		keep := u.toasts.list[:0]
		for _, t := range u.toasts.list {
			if t.id != gone {
				keep = append(keep, t)
			}
		}
		u.toasts.list = keep
		u.env.Within(0)
	}
	if do != nil {
		do()
	}
}

func (u *UI) drawToast(t *toast, area Rect, y float32) (h float32, do func(), closed, hovered bool) {
	th := &u.theme
	pad, gap := u.Pt(13), u.Pt(12)
	h = u.Pt(32)
	mark, ink := "", th.Accent
	switch t.Kind {
	case Success:
		mark, ink = assets.IconCircleCheck, th.Good
	case Warn:
		mark, ink = assets.IconTriangleAlert, th.Warning
	case Error:
		mark, ink = assets.IconCircleAlert, th.Danger
	}
	fixed := 2 * pad
	if mark != "" {
		fixed += u.Pt(22)
	}
	for _, a := range t.Actions {
		fixed += gap + u.Width(Body, a.Label)
	}
	closable := t.For < 0 || t.Kind == Error
	if closable {
		fixed += u.Pt(24)
	}
	room := max(area.W()-u.Pt(24)-fixed, u.Pt(60))
	font, px := u.font(Body)
	words := u.shown(Body, t.Text)
	size := font.CalcTextSizeAV(px, 1e30, min(room, u.Pt(560)), words, nil)
	size.X = min(size.X, room)
	h = max(h, size.Y+u.Pt(16))
	w := fixed + size.X
	r := R(u.snap(area.X0+(area.W()-w)/2), u.snap(y), w, h)
	u.Area(fmt.Sprintf("toast %d", t.id), r, AreaOpts{Card: true}, func() {
		if !u.PopupOpen() { // over everything but menus and dialogs
			imgui.InternalBringWindowToDisplayFront(imgui.InternalCurrentWindow())
		}
		dl, x, mid := u.dl(), r.X0+pad, r.Center().Y
		if mark != "" {
			u.icon(dl, x+u.Pt(8), mid, 16, ink, mark)
			x += u.Pt(22)
		}
		addWrapped(dl, font, px, imgui.Vec2{X: u.snap(x), Y: u.snap(mid - size.Y/2)}, uint32(th.Text), words,
			min(room, u.Pt(560))+1)
		x += size.X
		for _, a := range t.Actions {
			x += gap
			place(x, mid-u.Line(Body)/2-u.Pt(2))
			if u.Link(a.Label, "") {
				do, closed = a.Do, true
			}
			x += u.Width(Body, a.Label)
		}
		if closable {
			place(r.X1-u.Pt(30), mid-u.Pt(11))
			closed = u.iconButton("close", assets.IconX, "", 22, false).pressed || closed
		}
		hovered = imgui.IsMouseHoveringRectV(r.Min(), r.Max(), false)
	})
	return h, do, closed, hovered
}
