package widget

import (
	"strings"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"
)

// tipDelay is how long the cursor must rest on a control before its tooltip shows.
const tipDelay = 500 * time.Millisecond

// hover is what the cursor rests on, and since when.
type hover struct {
	id     imgui.ID
	since  time.Time
	told   bool // the control under the cursor has been drawn in this frame
	beside bool // the tooltip of what is drawn goes to the right of it
}

// tip shows the tooltip of a control. A shortcut after a tab ("Run or pause\tSpace") becomes key caps.
func (u *UI) tip(x hit, text string) {
	if text == "" {
		return
	}
	hovered := x.hovered
	if x.off {
		hovered = imgui.IsItemHoveredV(imgui.HoveredFlagsAllowWhenDisabled)
	}
	if !hovered || u.hover.told {
		return
	}
	u.hover.told = true
	now := u.env.Now()
	if imgui.IsMouseDown(imgui.MouseButtonLeft) || imgui.IsMouseDown(imgui.MouseButtonRight) {
		u.hover.since = now.Add(time.Hour) // not again before the cursor leaves
	}
	if u.hover.id != x.id {
		u.hover.id, u.hover.since = x.id, now
	}
	if d := now.Sub(u.hover.since); d < tipDelay {
		u.env.Within(tipDelay - d)
		return
	}
	u.Tip(x.Rect, text)
}

// Tip shows a tooltip for what is in r, now: below it, or above where there is no room.
func (u *UI) Tip(r Rect, text string) {
	text, shortcut, _ := strings.Cut(text, "\t")
	text = u.broken(Small, text, u.Pt(260))
	t := &u.theme
	font, px := u.font(Small)
	size := font.CalcTextSizeAV(px, 1e30, u.Pt(260), text, nil)
	padX, padY := u.Pt(9), u.Pt(6)
	w, h := size.X+2*padX, size.Y+2*padY
	kw := u.keysWidth(shortcut)
	if kw > 0 {
		w += kw + u.Pt(8)
		h = max(h, u.Pt(26))
	}
	box := u.tipPlace(r, w, h)
	dl := imgui.ForegroundDrawListViewportPtr()
	u.shadow(dl, box, u.Pt(6), u.Pt(8))
	u.fill(dl, box, t.Tip, u.Pt(6))
	addWrapped(dl, font, px, imgui.Vec2{X: u.snap(box.X0 + padX), Y: u.snap(box.Center().Y - size.Y/2)},
		uint32(t.TipText), text, u.Pt(260))
	if kw > 0 {
		u.keys(dl, box.X1-padX-kw, box.Center().Y, shortcut, t.TipText.Alpha(0.16), t.TipText)
	}
	u.names.now["tooltip"] = box
}

// tipPlace is where a tooltip of a size goes for what is in r: never over the mouse.
func (u *UI) tipPlace(r Rect, w, h float32) Rect {
	win := u.env.Size()
	m := imgui.MousePos()
	if m.X < r.X0 || m.X > r.X1 || m.Y < r.Y0 || m.Y > r.Y1 { // the keyboard is at it
		m.X = r.X0 + u.Pt(8)
	}
	x := min(max(m.X-u.Pt(8), u.Pt(6)), max(win.X-w-u.Pt(6), 0))
	y := r.Y1 + u.Pt(6)
	if y+h > win.Y-u.Pt(4) {
		y = max(r.Y0-h-u.Pt(6), 0)
	}
	if r.X0 > 0.6*win.X && r.X0 > w+u.Pt(12) && r.W() > u.Pt(60) {
		// a row of the side bar: beside it, so that the rows below stay free
		x, y = r.X0-w-u.Pt(12), max(min(r.Center().Y-h/2, win.Y-h-u.Pt(4)), u.Pt(4))
	}
	if r.X0 < u.Pt(4) && r.W() < u.Pt(60) { // the tool strip: beside it
		x, y = r.X1+u.Pt(4), r.Center().Y-h/2
	}
	if u.hover.beside && r.X1+w+u.Pt(12) < win.X {
		x, y = r.X1+u.Pt(8), max(min(r.Center().Y-h/2, win.Y-h-u.Pt(4)), u.Pt(4))
	}
	box := R(u.snap(x), u.snap(y), w, h)
	if near := u.Pt(4); box.Inset(-near, -near).Has(m) { // where what it tells of is large, or at the edge
		away := u.Pt(14)
		switch {
		case m.Y+away+h < win.Y:
			y = m.Y + away
		case m.Y-away-h > 0:
			y = m.Y - away - h
		case m.X-away-w > 0:
			x = m.X - away - w
		default:
			x = m.X + away
		}
		box = R(u.snap(x), u.snap(y), w, h)
	}
	return box
}
