package widget

import (
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
	pad := u.placeModal(o)
	imgui.PushStyleVarVec2(imgui.StyleVarWindowPadding, imgui.Vec2{X: pad, Y: pad})
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
	closed := false
	u.Group(name, func() {
		if !o.Top {
			closed = u.modalTitle(shown, r, pad, !o.NoClose)
		}
		body()
		if len(o.Buttons) > 0 {
			u.space(18)
			chosen = u.modalButtons(o.Buttons)
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

// placeModal places the dialog that begins next, and returns the room around what is in it.
func (u *UI) placeModal(o ModalOpts) (pad float32) {
	win := u.env.Size()
	w := min(u.Pt(o.Width), win.X-u.Pt(24))
	pos, pivot := imgui.Vec2{X: win.X / 2, Y: win.Y * 0.46}, imgui.Vec2{X: 0.5, Y: 0.5}
	pad = u.Pt(20)
	if o.Top {
		pos.Y, pivot.Y = min(u.Pt(90), win.Y*0.12), 0
		pad = u.Pt(8)
	}
	most := 2 * min(pos.Y, win.Y-pos.Y) // so that neither the title nor the buttons leave the window
	if o.Top {
		most = win.Y - pos.Y
	}
	imgui.SetNextWindowPosV(pos, imgui.CondAlways, pivot)
	imgui.SetNextWindowSizeConstraints(imgui.Vec2{X: w, Y: 0}, imgui.Vec2{X: w, Y: most - u.Pt(24)})
	return pad
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
	u.space(32)
	return closed
}

const modalFlags = imgui.WindowFlagsNoTitleBar | imgui.WindowFlagsNoResize | imgui.WindowFlagsNoMove |
	imgui.WindowFlagsNoSavedSettings | imgui.WindowFlagsAlwaysAutoResize

// modalButtons draws the buttons at the right end of the line.
func (u *UI) modalButtons(buttons []ModalButton) int {
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
	x := p.X + max(u.avail()-total, 0)
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
