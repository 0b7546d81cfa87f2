package widget

import (
	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// MenuOpts are the details of a menu item.
type MenuOpts struct {
	Shortcut string
	Icon     string
	Checked  bool
	Disabled bool
	Danger   bool
	Tip      string
}

// MenuBarHeight is the height of the menu bar in points.
const MenuBarHeight = 32

// menus are the menu that is open and the one that is being drawn.
type menus struct {
	under menuUnder
	width *menuWidth // width of the menu that is being drawn
	last  string     // the menu of the bar that was open in the last frame
	now   string     // and in this one
	press string     // the one that was open when the mouse was pressed
}

// MenuBar draws the bar at the top of the window: a brand, menus (body calls Menu), and texts at the right.
func (u *UI) MenuBar(brand string, right []Span, body func()) {
	win := u.env.Size()
	r := R(0, 0, win.X, u.snap(u.Pt(MenuBarHeight)))
	u.Area("menu bar", r, AreaOpts{Border: SideBottom}, func() {
		x := u.Pt(14)
		bw := u.Width(Strong, brand)
		u.text(u.dl(), Strong, x, r.Center().Y, u.theme.Text, brand)
		x += bw + u.Pt(9)
		place(x, 0)
		imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
		body()
		imgui.PopStyleVar()
		end := imgui.CursorScreenPos().X
		w := u.Pt(u.RichWidth(right...))
		if left := win.X - u.Pt(14) - w; left > end+u.Pt(16) {
			x := left
			for _, s := range right {
				x += u.Pt(s.Gap)
				c := s.Color
				if c == 0 {
					c = u.theme.Muted
				}
				u.text(u.dl(), s.Face, x, r.Center().Y, c, s.Text)
				x += u.Width(s.Face, s.Text)
			}
		}
	})
}

// Menu draws a title in the menu bar and, while it is open, its items (body calls MenuItem).
func (u *UI) Menu(label string, body func()) {
	shown, name := split(label)
	t := &u.theme
	h := u.Pt(MenuBarHeight) - u.hair()
	w := u.Width(Body, shown) + u.Pt(18)
	x := u.hit(label, w, h, "", false)
	imgui.SameLineV(0, 0)
	popup := "##menu " + name
	open := imgui.IsPopupOpenStr(popup)
	over := imgui.IsMouseHoveringRect(x.Min(), x.Max())
	if over && imgui.IsMouseClickedBool(imgui.MouseButtonLeft) {
		u.menus.press = u.menus.last // this press has closed the menu that was open
	}
	// While another menu is open, moving over a title opens this one, as menus do everywhere.
	if (x.pressed && u.menus.press != popup) || (!open && u.menus.last != "" && u.menus.last != popup && over &&
		imgui.IsPopupOpenStr(u.menus.last)) {
		imgui.OpenPopupStr(popup)
		open = true
	}
	box := x.Inset(u.Pt(2), u.Pt(4))
	if open || x.hovered {
		u.fill(u.dl(), box, t.Control, u.Pt(5))
	}
	u.textIn(u.dl(), Body, x.Inset(u.Pt(9), 0), 0.5, t.Text, shown)
	if x.focused {
		u.ring(u.dl(), box, u.Pt(5))
	}
	top := float32(0)
	if open {
		u.menus.now = popup
		top = x.Y1 + u.Pt(2)
		imgui.SetNextWindowPos(imgui.Vec2{X: x.X0 + u.Pt(2), Y: top})
	}
	u.popup(popup, name, top, body)
}

// OpenMenu opens the context menu of that name at the cursor.
func (u *UI) OpenMenu(name string) {
	u.menus.under = menuUnder{}
	imgui.OpenPopupStr("##menu " + name)
}

// OpenMenuAt opens the context menu of that name at a place of the screen: where a press was, which the cursor may have
// left, or not have come to, by the frame in which the menu opens.
func (u *UI) OpenMenuAt(name string, at imgui.Vec2) {
	io := imgui.CurrentIO()
	now := io.MousePos()
	io.SetMousePos(at)
	u.OpenMenu(name)
	io.SetMousePos(now)
}

// menuUnder is the menu that was opened below something, and where that is.
type menuUnder struct {
	id string
	at Rect
}

// OpenMenuUnder opens the context menu of that name below r: below a button that was clicked.
func (u *UI) OpenMenuUnder(name string, r Rect) {
	u.OpenMenu(name)
	u.menus.under = menuUnder{"##menu " + name, r}
}

// ContextMenu draws the menu of that name while it is open; call it in the same area or group as OpenMenu.
func (u *UI) ContextMenu(name string, body func()) { u.popup("##menu "+name, name, 0, body) }

// popup draws a menu. It scrolls where the window has no room for it below its top; 0: it lies where there is room.
func (u *UI) popup(id, name string, top float32, body func()) {
	imgui.PushStyleVarVec2(imgui.StyleVarWindowPadding, imgui.Vec2{X: u.Pt(5), Y: u.Pt(5)})
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	if m := &u.menus.under; m.id == id {
		if imgui.IsPopupOpenStr(id) {
			left := min(m.at.X0, u.env.Size().X-kept[menuWidth](u, id).last-u.Pt(14))
			top = m.at.Y1 + u.Pt(2)
			imgui.SetNextWindowPos(imgui.Vec2{X: max(left, u.Pt(2)), Y: top})
		} else {
			*m = menuUnder{}
		}
	}
	const flags = imgui.WindowFlagsNoMove | imgui.WindowFlagsNoSavedSettings | imgui.WindowFlagsNoScrollbar
	if imgui.IsPopupOpenStr(id) {
		most := u.env.Size()
		if m := kept[menuWidth](u, id); m.scrolls { // the scroll bar lies beside the items, and makes nothing wider
			most.X = m.last + u.Pt(10)
		}
		most.Y = max(most.Y-top-u.Pt(8), u.Pt(120))
		imgui.SetNextWindowSizeConstraints(imgui.Vec2{}, most)
	}
	if imgui.BeginPopupV(id, flags) {
		u.lower()
		u.underPopup()
		u.names.path = append(u.names.path, name)
		outer := u.menus.width
		w := kept[menuWidth](u, id)
		u.menus.width = w
		body()
		if w.scrolls = imgui.ScrollMaxY() > 0; w.scrolls {
			p, s := imgui.WindowPos(), imgui.WindowSize()
			imgui.SetScrollXFloat(0)
			u.scrollEnds(R(p.X, p.Y, s.X, s.Y))
		}
		w.last, w.now = w.now, 0
		u.menus.width = outer
		u.escape()
		u.names.path = u.names.path[:len(u.names.path)-1]
		u.layers.depth--
		imgui.EndPopup()
	}
	imgui.PopStyleVarV(2)
}

// menuWidth measures the widest item of an open menu; the next frame draws all items that wide.
type menuWidth struct {
	last, now float32
	scrolls   bool
}

// underPopup draws the shadow of the popup that was just begun.
func (u *UI) underPopup() {
	p, s := imgui.WindowPos(), imgui.WindowSize()
	w := u.dl()
	w.PushClipRectFullScreen()
	r := R(p.X, p.Y, s.X, s.Y)
	u.mark("popup", r)
	u.shadow(w, r, u.Pt(8), u.Pt(18))
	u.fill(w, r, u.theme.Panel, u.Pt(8))
	u.stroke(w, r, u.theme.Border, u.Pt(8), u.hair())
	w.PopClipRect()
}

// MenuItem draws an item of an open menu and reports whether it was chosen, which closes the menu.
func (u *UI) MenuItem(label string, o MenuOpts) bool {
	shown, _ := split(label)
	t := &u.theme
	want := u.Pt(30) + u.Width(Body, shown) + u.Pt(14)
	if o.Shortcut != "" {
		want += u.Width(Small, o.Shortcut) + u.Pt(28)
	}
	w := max(want, u.Pt(170))
	if m := u.menus.width; m != nil {
		m.now = max(m.now, w)
		w = max(w, m.last)
	}
	x := u.hit(label, w, u.Pt(27), o.Tip, o.Disabled)
	ink, soft := t.Text, t.Muted
	if o.Danger {
		ink = t.Danger
	}
	dl := u.dl()
	if (x.hovered || x.focused) && !x.off {
		u.fill(dl, x.Rect, t.Control, u.Pt(5))
	}
	mark := o.Icon
	if o.Checked {
		mark, soft = assets.IconCheck, t.Accent
	}
	if mark != "" {
		u.icon(dl, x.X0+u.Pt(15), x.Center().Y, 14, x.fade(soft), mark)
	}
	u.textIn(dl, Body, Rect{x.X0 + u.Pt(30), x.Y0, x.X1 - u.Pt(10), x.Y1}, 0, x.fade(ink), shown)
	if o.Shortcut != "" {
		u.textIn(dl, Small, u.beside(Rect{x.X0, x.Y0, x.X1 - u.Pt(10), x.Y1}, Small, Body), 1, x.fade(t.Muted),
			o.Shortcut)
	}
	if x.pressed {
		imgui.CloseCurrentPopup()
	}
	return x.pressed
}

// MenuSeparator draws a hairline between items.
func (u *UI) MenuSeparator() {
	u.space(4)
	p := imgui.CursorScreenPos()
	w := u.avail()
	if u.menus.width != nil {
		w = max(u.menus.width.last, u.Pt(170))
	}
	u.fill(u.dl(), R(p.X+u.Pt(4), u.snap(p.Y), w-u.Pt(8), u.hair()), u.theme.Border, 0)
	u.space(5)
}

// MenuTitle draws a small heading in a menu.
func (u *UI) MenuTitle(s string) {
	p := imgui.CursorScreenPos()
	u.text(u.dl(), Caption, p.X+u.Pt(10), p.Y+u.Pt(11), u.theme.Muted, s)
	u.space(20)
}
