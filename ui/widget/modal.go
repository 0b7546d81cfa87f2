package widget

import (
	"math"

	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// ModalButton is a button at the foot of a dialog.
type ModalButton struct {
	Label    string
	Kind     ButtonKind
	Disabled bool
	Tip      string
}

// ModalOpts are the details of a dialog.
type ModalOpts struct {
	Width   float32 // points; 0: 420
	Buttons []ModalButton
	NoClose bool // no cross, and Esc does nothing
	Top     bool // near the top of the window, as a palette, and without a title
}

// Modal draws a dialog over the whole window while *open is true; nothing else gets input. Esc, the
// cross and every button close it (set *open again to keep it). It returns the index of the button that
// was chosen, or -1; Enter chooses the first Primary or Danger one unless a field takes it.
func (u *UI) Modal(title string, open *bool, o ModalOpts, body func()) int {
	shown, name := split(title)
	id := "##modal " + name
	if !*open {
		if imgui.IsPopupOpenStr(id) { // closed by the program
			if imgui.BeginPopupModalV(id, nil, modalFlags) {
				imgui.CloseCurrentPopup()
				imgui.EndPopup()
			}
			u.env.Within(0) // this frame still shows an empty panel
		}
		return -1
	}
	if !imgui.IsPopupOpenStr(id) {
		imgui.OpenPopupStr(id)
	}
	if o.Width <= 0 {
		o.Width = 420
	}
	m := kept[modal](u, id)
	l := u.placeModal(o, m)
	imgui.PushStyleVarVec2(imgui.StyleVarWindowPadding, imgui.Vec2{})
	imgui.PushStyleVarFloat(imgui.StyleVarWindowRounding, u.Pt(10))
	defer imgui.PopStyleVarV(2)
	chosen := -1
	if !imgui.BeginPopupModalV(id, nil, modalFlags) {
		return -1
	}
	defer imgui.EndPopup()
	u.lower()
	defer func() { u.layers.depth-- }()
	r := u.modalGround(title)
	appears := imgui.IsWindowAppearing()
	closed := false
	u.Group(name, func() {
		place(r.X0+l.pad, r.Y0+l.pad)
		if !o.Top {
			closed = u.modalTitle(shown, r, l.pad, !o.NoClose)
		}
		u.modalBody(R(r.X0, r.Y0+l.head, r.W(), l.body), l.pad, appears, m, body)
		if len(o.Buttons) > 0 {
			place(r.X0+l.pad, r.Y0+l.head+l.body+u.Pt(modalGap))
			chosen = u.modalButtons(o.Buttons, r.X1-l.pad)
		}
	})
	if !o.NoClose && !closed && u.typing.id == 0 && u.escaped() {
		closed = true
	}
	if closed || chosen >= 0 {
		*open = false
		imgui.CloseCurrentPopup()
		u.env.Within(0)
	}
	return chosen
}

// modal is what a dialog keeps between frames.
type modal struct {
	body float32 // the height of its body, screen units; 0: not known yet
	free float32 // the room that the body ends with, below its last control
}

// Lengths in a dialog, in points.
const (
	modalHead = 32 // the height of its title
	modalGap  = 18 // between the body and the buttons
	modalEdge = 4  // the room above the body, for the ring around what has the focus
	modalLow  = 48 // the least height of the body
)

// modalLayout is where the parts of a dialog are, in screen units from its top: its body begins below the head.
type modalLayout struct{ pad, head, body float32 }

// placeModal places the dialog that begins next. Neither its title nor its buttons leave the
// window: the body has what is left between them.
func (u *UI) placeModal(o ModalOpts, m *modal) modalLayout {
	win := u.env.Size()
	w := min(u.Pt(o.Width), win.X-u.Pt(24))
	pos, pivot := imgui.Vec2{X: win.X / 2, Y: win.Y * 0.46}, imgui.Vec2{X: 0.5, Y: 0.5}
	l := modalLayout{pad: u.Pt(20)}
	l.head = l.pad + u.Pt(modalHead)
	most := 2 * min(pos.Y, win.Y-pos.Y)
	if o.Top {
		pos.Y, pivot.Y = min(u.Pt(90), win.Y*0.12), 0
		l.pad = u.Pt(8)
		l.head, most = l.pad, win.Y-pos.Y
	}
	l.head -= u.Pt(modalEdge)
	foot := l.pad - m.free
	if len(o.Buttons) > 0 {
		foot = u.Pt(modalGap+buttonHeight) + l.pad
	}
	l.body = max(most-u.Pt(24)-l.head-foot, u.Pt(modalLow))
	if m.body > 0 {
		l.body = min(l.body, m.body)
	}
	imgui.SetNextWindowPosV(pos, imgui.CondAlways, pivot)
	imgui.SetNextWindowSize(imgui.Vec2{X: w, Y: l.head + l.body + foot})
	return l
}

// modalBody draws the body of a dialog in r, where it scrolls if it is higher, and measures it.
func (u *UI) modalBody(r Rect, pad float32, appears bool, m *modal, body func()) {
	place(r.X0, r.Y0)
	imgui.PushStyleVarVec2(imgui.StyleVarWindowPadding, imgui.Vec2{X: pad})
	defer imgui.PopStyleVar()
	imgui.BeginChildStrV("##body", imgui.Vec2{X: r.W(), Y: r.H()},
		imgui.ChildFlagsAlwaysUseWindowPadding|imgui.ChildFlagsNavFlattened, imgui.WindowFlagsNoScrollbar)
	defer imgui.EndChild()
	u.mark("body", r)
	if appears {
		imgui.SetScrollYFloat(0)
	}
	u.space(modalEdge)
	body()
	m.free = max(imgui.CursorScreenPos().Y-imgui.ItemRectMax().Y, 0)
	u.space(0) // the room below the last control scrolls with it
	if h := float32(math.Ceil(float64(imgui.CursorPosY()))); h != m.body {
		m.body = h
		u.env.Within(0)
	}
	u.scrollEnds(r)
}

// modalGround draws the ground of a dialog and returns where it is.
func (u *UI) modalGround(title string) Rect {
	p, s := imgui.WindowPos(), imgui.WindowSize()
	r := R(p.X, p.Y, s.X, s.Y)
	u.mark(title, r)
	dl := u.dl()
	dl.PushClipRectFullScreen()
	u.shadow(dl, r, u.Pt(10), u.Pt(32))
	u.fill(dl, r, u.theme.Panel, u.Pt(10))
	u.stroke(dl, r, u.theme.Border, u.Pt(10), u.hair())
	dl.PopClipRect()
	return r
}

// modalTitle draws the title of a dialog, with the cross that closes it where there is one.
func (u *UI) modalTitle(title string, r Rect, pad float32, cross bool) (closed bool) {
	c, room := imgui.CursorScreenPos(), float32(0)
	if cross {
		room = u.Pt(32)
		place(r.X1-u.Pt(38), r.Y0+u.Pt(16))
		closed = u.iconButton("close", assets.IconX, "Close\tEsc", 24, false).pressed
		place(c.X, c.Y)
	}
	u.textIn(u.dl(), Title, Rect{c.X, c.Y, r.X1 - pad - room, c.Y + u.Pt(20)}, 0, u.theme.Text, title)
	return closed
}

const modalFlags = imgui.WindowFlagsNoTitleBar | imgui.WindowFlagsNoResize | imgui.WindowFlagsNoMove |
	imgui.WindowFlagsNoSavedSettings | imgui.WindowFlagsNoScrollbar | imgui.WindowFlagsNoScrollWithMouse

// modalButtons draws the buttons, which end at right.
func (u *UI) modalButtons(buttons []ModalButton, right float32) int {
	chosen := -1
	total := float32(0)
	for i, b := range buttons {
		shown, _ := split(b.Label)
		if i > 0 {
			total += u.Pt(8)
		}
		total += u.Width(Body, shown) + u.Pt(28)
	}
	p := imgui.CursorScreenPos()
	x := max(right-total, p.X)
	enter := u.Entered()
	enter = enter && !imgui.CurrentIO().WantTextInput() && !imgui.CurrentContext().NavCursorVisible()
	for i, b := range buttons {
		shown, _ := split(b.Label)
		w := u.Width(Body, shown) + u.Pt(28)
		place(x, p.Y)
		if u.Button(b.Label, ButtonOpts{Kind: b.Kind, Disabled: b.Disabled, Tip: b.Tip, Width: w / u.scale}) {
			chosen = i
		}
		if enter && !b.Disabled && (b.Kind == Primary || b.Kind == Danger) {
			chosen, enter = i, false
		}
		x += w + u.Pt(8)
	}
	return chosen
}
