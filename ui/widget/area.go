package widget

import (
	"time"

	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Sides is a set of sides of a rectangle.
type Sides uint8

// The sides.
const (
	SideLeft Sides = 1 << iota
	SideRight
	SideTop
	SideBottom
)

// AreaOpts are the details of an area.
type AreaOpts struct {
	Border Sides   // hairlines
	PadX   float32 // points
	PadY   float32
	Scroll bool // its content may be taller
	Clear  bool // no background
	Card   bool // rounded, with border and shadow, over what is below
	Fill   Color
	Still  bool // never takes clicks or the keyboard: texts over the map
}

// cover is the places of areas that lie over the canvas: of this frame, and of the last one.
type cover struct{ now, last []Rect }

// Area draws a fixed region of the window: a side bar, a tool strip, a status bar, a card over the map.
func (u *UI) Area(name string, r Rect, o AreaOpts, body func()) {
	t := &u.theme
	flags := imgui.WindowFlagsNoTitleBar | imgui.WindowFlagsNoResize | imgui.WindowFlagsNoMove |
		imgui.WindowFlagsNoCollapse | imgui.WindowFlagsNoSavedSettings |
		imgui.WindowFlagsNoFocusOnAppearing | imgui.WindowFlagsNoBackground
	flags |= imgui.WindowFlagsNoScrollbar // scrollBar draws a thinner one, over the padding
	if !o.Scroll {
		flags |= imgui.WindowFlagsNoScrollWithMouse
	}
	if o.Still {
		flags |= imgui.WindowFlagsNoInputs | imgui.WindowFlagsNoNav
	} else {
		u.cover.now = append(u.cover.now, r)
	}
	if u.tabs.begins && !o.Still {
		u.tabs.begins = false
		imgui.SetNextWindowFocus()
	}
	imgui.SetNextWindowPos(r.Min())
	imgui.SetNextWindowSize(imgui.Vec2{X: max(r.W(), 1), Y: max(r.H(), 1)})
	imgui.PushStyleVarVec2(imgui.StyleVarWindowPadding, imgui.Vec2{X: u.Pt(o.PadX), Y: u.Pt(o.PadY)})
	visible := imgui.BeginV(name, nil, flags)
	imgui.PopStyleVar()
	if visible && !o.Still {
		u.areas.enter(name)
	}
	if visible {
		dl := u.dl()
		fill := o.Fill
		if fill == 0 {
			fill = t.Panel
		}
		dl.PushClipRectFullScreen()
		switch {
		case o.Card:
			u.layers.cards = append(u.layers.cards, imgui.InternalCurrentWindow())
			round := u.Pt(8)
			u.shadow(dl, r, round, u.Pt(16))
			u.fill(dl, r, fill, round)
			u.stroke(dl, r, t.Border, round, u.hair())
		case !o.Clear:
			u.fill(dl, r, fill, 0)
		}
		u.edges(dl, r, o.Border)
		dl.PopClipRect()
		u.names.path = append(u.names.path, name)
		body()
		if o.Scroll {
			u.scrollBar(r, false)
		}
		u.names.path = u.names.path[:len(u.names.path)-1]
	}
	imgui.End()
	u.mark(name, r)
}

// scrollBar draws a thin scroll bar at the right edge of the window r, where its content is taller. It
// takes no room from the content, and is seen while the cursor is in the window, or always.
func (u *UI) scrollBar(r Rect, always bool) {
	most := imgui.ScrollMaxY()
	if most <= 0 || r.H() <= 0 {
		return
	}
	w, pad := u.Pt(8), u.Pt(2)
	bar := Rect{r.X1 - w, r.Y0 + pad, r.X1, r.Y1 - pad}
	thumb := max(bar.H()*r.H()/(r.H()+most), u.Pt(24))
	run := bar.H() - thumb
	if run <= 0 {
		return
	}
	// The thumb lies in the content, which would never become shorter than what is scrolled to with it.
	foot := imgui.InternalCurrentWindow().WindowPadding().Y
	if end := imgui.CursorPosY() + foot - r.H(); imgui.ScrollY() > max(end, 0)+1 {
		imgui.SetScrollYFloat(max(end, 0))
		u.env.Within(0)
		return
	}
	imgui.PushClipRect(r.Min(), r.Max(), false)
	y := bar.Y0 + run*min(imgui.ScrollY()/most, 1)
	place(bar.X0, y)
	x := u.still("##scroll", w, thumb, "", false)
	if x.active {
		imgui.SetScrollYFloat(min(max(imgui.ScrollY()+imgui.CurrentIO().MouseDelta().Y*most/run, 0), most))
	}
	if always || x.active || x.hovered || imgui.IsWindowHovered() {
		k := u.Pt(2)
		u.fill(u.dl(), Rect{x.X0 + k, x.Y0, x.X1 - k, x.Y1},
			x.tone(u.theme.Muted.Alpha(0.3), u.theme.Muted.Alpha(0.6), u.theme.Muted.Alpha(0.7)), k)
	}
	imgui.PopClipRect()
}

// scrollEnds shows that the window r goes on above or below: with a scroll bar that is always seen, and by fading
// there.
func (u *UI) scrollEnds(r Rect) {
	most, at := imgui.ScrollMaxY(), imgui.ScrollY()
	if most <= 0 {
		return
	}
	in, h := r.Inset(u.Pt(8), u.hair()), min(u.Pt(18), r.H()/4)
	solid, clear := uint32(u.theme.Panel), uint32(u.theme.Panel.Alpha(0))
	dl := u.dl()
	if at > 0 {
		dl.AddRectFilledMultiColor(in.Min(), imgui.Vec2{X: in.X1, Y: in.Y0 + h}, solid, solid, clear, clear)
	}
	if at < most {
		dl.AddRectFilledMultiColor(imgui.Vec2{X: in.X0, Y: in.Y1 - h}, in.Max(), clear, clear, solid, solid)
	}
	u.scrollBar(r, true)
}

func (u *UI) edges(dl *imgui.DrawList, r Rect, s Sides) {
	h, c := u.hair(), u.theme.Border
	if s&SideLeft != 0 {
		u.fill(dl, Rect{r.X0, r.Y0, r.X0 + h, r.Y1}, c, 0)
	}
	if s&SideRight != 0 {
		u.fill(dl, Rect{r.X1 - h, r.Y0, r.X1, r.Y1}, c, 0)
	}
	if s&SideTop != 0 {
		u.fill(dl, Rect{r.X0, r.Y0, r.X1, r.Y0 + h}, c, 0)
	}
	if s&SideBottom != 0 {
		u.fill(dl, Rect{r.X0, r.Y1 - h, r.X1, r.Y1}, c, 0)
	}
}

// CanvasHit tells what the cursor does over the map.
type CanvasHit struct {
	Rect
	Hovered bool // the cursor is over the map and nothing lies between
	Active  bool // a mouse button pressed on the map is held
}

// Canvas is the region of the map: a picture (nil: none), under all areas. Which of the window's raw
// events belong to it, OnCanvas tells.
func (u *UI) Canvas(name string, r Rect, picture *imgui.TextureRef) CanvasHit {
	return u.CanvasFunc(name, r, func(dl *imgui.DrawList) {
		if picture != nil { // GL's rows go up
			dl.AddImageV(*picture, r.Min(), r.Max(), imgui.Vec2{X: 0, Y: 1}, imgui.Vec2{X: 1, Y: 0}, 0xffffffff)
		}
	})
}

// CanvasFunc is Canvas with the picture drawn by hand: what draw draws lies under all areas.
// (A window with NoBringToFrontOnFocus is created behind all others.)
func (u *UI) CanvasFunc(name string, r Rect, draw func(*imgui.DrawList)) CanvasHit {
	flags := imgui.WindowFlagsNoDecoration | imgui.WindowFlagsNoMove | imgui.WindowFlagsNoSavedSettings |
		imgui.WindowFlagsNoBringToFrontOnFocus | imgui.WindowFlagsNoNav | imgui.WindowFlagsNoScrollWithMouse |
		imgui.WindowFlagsNoBackground
	imgui.SetNextWindowPos(r.Min())
	imgui.SetNextWindowSize(imgui.Vec2{X: max(r.W(), 1), Y: max(r.H(), 1)})
	imgui.PushStyleVarVec2(imgui.StyleVarWindowPadding, imgui.Vec2{})
	visible := imgui.BeginV(name, nil, flags)
	imgui.PopStyleVar()
	out := CanvasHit{Rect: r}
	if visible {
		if draw != nil {
			draw(u.dl())
		}
		imgui.InvisibleButtonV("##map", imgui.Vec2{X: max(r.W(), 1), Y: max(r.H(), 1)},
			imgui.ButtonFlagsMouseButtonLeft|imgui.ButtonFlagsMouseButtonRight|imgui.ButtonFlagsMouseButtonMiddle)
		out.Hovered, out.Active = imgui.IsItemHovered(), imgui.IsItemActive()
	}
	imgui.End()
	u.mark(name, r)
	return out
}

// OnCanvas reports whether an event at p reaches the map with the region r: no area, card, toast, menu
// or dialog is over it. Ask it for presses and wheel steps; moves and releases of a gesture that began
// on the map belong to the map wherever they are.
func (u *UI) OnCanvas(r Rect, p imgui.Vec2) bool {
	if !r.Has(p) || u.PopupOpen() {
		return false
	}
	for _, c := range [][]Rect{u.cover.now, u.cover.last} {
		for _, a := range c {
			if a.Has(p) {
				return false
			}
		}
	}
	return true
}

// PopupOpen reports whether a menu, a list or a dialog is open: they take all clicks.
func (u *UI) PopupOpen() bool {
	return imgui.IsPopupOpenStrV("", imgui.PopupFlags(imgui.PopupFlagsAnyPopup))
}

// Inner reports whether Esc is for what is drawn by widgets: a menu, list or dialog, a field, a slider that is dragged.
// To be asked before the frame in which Esc comes, or in its beginning with the answer of the frame before.
func (u *UI) Inner() bool { return u.layers.top > 0 || u.typing.id != 0 || u.drag.id != 0 }

// Takes reports whether a key, or a character (key 0), is for a control and for no shortcut: a text or a number is
// typed, a number or its slider has the focus, or a control that answers to the arrows; and while the ring shows which
// control has the focus, the keys that press it and move on from it. command: Ctrl, Alt or Super is held.
func (u *UI) Takes(key imgui.Key, shift, command bool) bool {
	function := key >= imgui.KeyF1 && key <= imgui.KeyF12 || key == imgui.KeyEscape
	switch now, was := &u.taken.now, &u.taken.was; {
	case imgui.CurrentIO().WantTextInput():
		return true
	case now.number || was.number:
		return !command && !function
	case now.arrows || was.arrows:
		return (key == imgui.KeyLeftArrow || key == imgui.KeyRightArrow) && !shift && !command
	case (now.upDown || was.upDown) && (key == imgui.KeyUpArrow || key == imgui.KeyDownArrow):
		return !shift && !command
	case now.ring || was.ring:
		return !shift && !command && (key >= imgui.KeyLeftArrow && key <= imgui.KeyDownArrow ||
			key == imgui.KeySpace || key == imgui.KeyEnter)
	}
	return false
}

// Now is the time of this frame.
func (u *UI) Now() time.Time { return u.env.Now() }

// Again asks for another frame at once: something moves by itself.
func (u *UI) Again() { u.env.Within(0) }

// PanelOpts are the details of a panel.
type PanelOpts struct {
	Note   string // at the right of the title
	Tip    string
	Closed bool // closed until the user opens it
}

// Panel draws a section of a side bar with a title that opens and closes it. It returns whether the
// panel is open. Whether it is open is kept in UI.Open by title.
func (u *UI) Panel(title string, o PanelOpts, body func()) bool {
	shown, name := split(title)
	open, known := u.Open[name]
	if !known {
		open = !o.Closed
	}
	t := &u.theme
	x := u.rowHit(title, 34, o.Tip, false)
	if u.areas.panel == name {
		u.areas.panel = ""
		imgui.InternalFocusWindow(imgui.InternalCurrentWindow())
		imgui.InternalSetFocusID(x.id, imgui.InternalCurrentWindow())
	}
	if x.pressed {
		open = !open
		u.Open[name] = open
	}
	dl := u.dl()
	ink := x.tone(t.Muted, t.Text, t.Text)
	sign := assets.IconChevronRight
	if open {
		sign = assets.IconChevronDown
	}
	u.icon(dl, x.X0+u.Pt(4), x.Center().Y, 13, ink, sign)
	left := x.X0 + u.Pt(16)
	noteW := float32(0)
	if o.Note != "" {
		noteW = min(u.Width(Number, o.Note), x.W()*0.6)
		u.textIn(dl, Number, Rect{x.X1 - noteW, x.Y0, x.X1, x.Y1}, 1, t.Muted, o.Note)
	}
	u.textIn(dl, Strong, Rect{left, x.Y0, x.X1 - noteW - u.Pt(8), x.Y1}, 0, t.Text, shown)
	if x.focused {
		u.ring(dl, x.Inset(-u.Pt(4), u.Pt(5)), u.Pt(5))
	}
	if open {
		u.Group(name, body)
		u.space(12)
	}
	// The line below runs over the whole width of the area.
	p, w := imgui.WindowPos(), imgui.WindowSize()
	y := u.snap(imgui.CursorScreenPos().Y)
	u.mark(name+"/panel", Rect{p.X, x.Y0, p.X + w.X, y})
	dl.PushClipRectV(p, p.Add(w), false)
	u.fill(dl, Rect{p.X, y, p.X + w.X, y + u.hair()}, t.Border, 0)
	dl.PopClipRect()
	u.space(1)
	return open
}

// space leaves h points free, and nothing more.
func (u *UI) space(h float32) {
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	imgui.Dummy(imgui.Vec2{X: 1, Y: u.Pt(h)})
	imgui.PopStyleVar()
}

// Space leaves h points free.
func (u *UI) Space(h float32) { u.space(h) }

// Same puts the next control beside the last one.
func (u *UI) Same() { imgui.SameLineV(0, u.Pt(6)) }

// Gap puts the next control on the same line, so many points aside.
func (u *UI) Gap(points float32) { imgui.SameLineV(0, u.Pt(points)) }

// SameRight puts the next control, w points wide, at the right end of the line.
func (u *UI) SameRight(w float32) {
	imgui.SameLineV(0, 0)
	p := imgui.CursorScreenPos()
	place(p.X+max(u.avail()-u.Pt(w), 0), p.Y)
}
