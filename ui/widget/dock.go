package widget

import (
	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Heights of docks in points.
const (
	DockHeader = 32
	DockLeast  = 84
	DockMost   = 360
)

// DockAction is a button in the header of a dock.
type DockAction struct {
	ID       string
	Label    string // "": only the icon
	Icon     string
	Tip      string
	Lit      bool
	Disabled bool
}

// DockHead is what the header of a dock shows beside its title.
type DockHead struct {
	Lead    DockAction // at the left end, an icon; none without an ID
	Note    string
	Actions []DockAction // at the right
}

// DockHit is what the user did to the header of a dock.
type DockHit struct {
	Act         string // the ID of the action that was clicked
	Under       Rect   // where its button is
	Fold, Close bool
}

// Dock draws a wide panel in r: a header, and below it body, unless there is room for the header alone. head is called
// within the area of the dock, act as soon as something was clicked, so that both can open menus there.
func (u *UI) Dock(name, title, closeTip string, r Rect, folded bool, head func() DockHead, act func(DockHit),
	body func(Rect)) {
	u.Area(name, r, AreaOpts{Border: SideTop}, func() {
		h := Rect{r.X0, r.Y0, r.X1, min(r.Y0+u.snap(u.Pt(DockHeader)), r.Y1)}
		if x := u.dockHeader(h, title, closeTip, folded, head()); x.Act != "" || x.Fold || x.Close {
			act(x)
		}
		if !folded {
			place(r.X0, h.Y1)
			body(Rect{r.X0, h.Y1, r.X1, r.Y1})
			imgui.Dummy(imgui.Vec2{}) // a body of words alone leaves the cursor where no item has been
		}
	})
}

func (u *UI) dockHeader(r Rect, title, closeTip string, folded bool, o DockHead) (out DockHit) {
	t, dl := &u.theme, u.dl()
	// Behind the buttons: a double click folds.
	place(r.X0, r.Y0)
	imgui.SetNextItemAllowOverlap()
	if u.still("header", r.W(), r.H(), "", false).double {
		out.Fold = true
	}
	button := func(a DockAction, x, w float32) hit { return u.dockButton(a, r, x, w) }
	tell := func(a DockAction, b hit) {
		if b.pressed {
			out.Act, out.Under = a.ID, b.Rect
		}
	}
	left, right := r.X0+u.Pt(8), r.X1-u.Pt(6)
	if o.Lead.ID != "" {
		tell(o.Lead, button(o.Lead, left, headerIconW))
		left += u.Pt(headerIconW + 2)
	}
	left += u.Pt(4)

	sign, tip := assets.IconChevronDown, "Fold: keep the header only"
	if folded {
		sign, tip = assets.IconChevronUp, "Unfold"
	}
	right -= u.Pt(headerIconW)
	out.Close = button(DockAction{ID: "hide", Icon: assets.IconX, Tip: closeTip}, right, headerIconW).pressed
	right -= u.Pt(headerIconW)
	out.Fold = button(DockAction{ID: "fold", Icon: sign, Tip: tip}, right, headerIconW).pressed || out.Fold
	right -= u.Pt(4)

	// Labels go before the note, actions before the title.
	titleW := u.Width(Strong, title)
	labels, all := u.dockActions(o.Actions, right-left-titleW-u.Pt(120))
	x := right - all
	shown := x-left >= titleW
	end := right
	if shown {
		end = x
	}
	for i := range o.Actions {
		a := o.Actions[i]
		w := u.dockButtonWidth(a, labels)
		if !labels {
			a.Label = ""
		}
		if shown {
			tell(a, button(a, x, w))
		}
		x += u.Pt(w + 4)
	}
	used := u.textIn(dl, Strong, Rect{left, r.Y0, end - u.Pt(8), r.Y1}, 0, t.Text, title)
	if note := (Rect{left + used + u.Pt(8), r.Y0, end - u.Pt(10), r.Y1}); o.Note != "" && note.W() > u.Pt(40) {
		u.textIn(dl, Small, u.beside(note, Small, Strong), 0, t.Muted, o.Note)
	}
	u.mark("note", Rect{left, r.Y0, end, r.Y1})
	return out
}

// dockActions says whether actions have their labels within a room, and how wide they all are then.
func (u *UI) dockActions(actions []DockAction, room float32) (labels bool, all float32) {
	for _, labels = range []bool{true, false} {
		all = 0
		for _, a := range actions {
			all += u.Pt(u.dockButtonWidth(a, labels) + 4)
		}
		if all <= room {
			break
		}
	}
	return labels, all
}

// dockButtonWidth is how wide an action is, in points, with its label or without.
func (u *UI) dockButtonWidth(a DockAction, label bool) float32 {
	if label && a.Label != "" {
		return u.Width(Body, a.Label)/u.scale + 26 + 8
	}
	return headerIconW
}

// dockButton draws an action of a dock in its header r: from x on, w points wide.
func (u *UI) dockButton(a DockAction, r Rect, x, w float32) hit {
	t, dl := &u.theme, u.dl()
	place(x, u.snap(r.Center().Y-u.Pt(headerIconH)/2+u.Pt(0.5)))
	b := u.hit(a.ID, u.Pt(w), u.Pt(headerIconH), a.Tip, a.Disabled)
	fill, ink := b.tone(0, t.Control, t.Hover), b.tone(t.Muted, t.Text, t.Text)
	if a.Label != "" {
		fill, ink = b.tone(t.Control, t.Hover, t.Press), t.Text
	}
	if a.Lit {
		fill, ink = t.AccentSoft, t.Accent
	}
	u.fill(dl, b.Rect, b.fade(fill), u.Pt(5))
	at := b.Center().X
	if a.Label != "" {
		at = b.X0 + u.Pt(14)
		u.text(dl, Body, b.X0+u.Pt(26), b.Center().Y, b.fade(ink), a.Label)
	}
	mark := ink
	if a.Label != "" && !a.Lit {
		mark = t.Muted
	}
	u.icon(dl, at, b.Center().Y, 14, b.fade(mark), a.Icon)
	if b.focused {
		u.ring(dl, b.Rect, u.Pt(5))
	}
	return b
}

// DockEdge draws the upper edge of a dock, which is dragged to make it higher or lower; *height, in points, is what to
// remember, most as high as it may be. A double click brings the usual height back.
func (u *UI) DockEdge(name string, dock Rect, height *float32, usual, most float32) Edit {
	g := u.Pt(4)
	x := u.Splitter(name, Rect{dock.X0, dock.Y0 - g, dock.X1, dock.Y0 + g}, false, "")
	if !x.Double && !x.Active && !x.Moved { // a height that there is no room for now stays remembered
		return Edit{Committed: x.Released}
	}
	return u.edge(x, height, (dock.Y1-x.Pos)/u.scale, usual, DockLeast, min(most, DockMost))
}
