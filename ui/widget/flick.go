package widget

import "github.com/AllenDang/cimgui-go/imgui"

// UpDown draws a part of a panel, and reports steps by the up and down arrows, down being 1, while the mouse is on it
// and no control there has the arrows: a number with the focus, a text, a list that is open, the ring that shows where
// the focus is. Shortcuts do not have them then.
func (u *UI) UpDown(body func()) int {
	top := imgui.CursorScreenPos().Y
	body()
	at, was := imgui.MousePos(), u.taken.was
	on := imgui.IsWindowHovered() && at.Y >= top && at.Y < imgui.CursorScreenPos().Y
	if !on || u.PopupOpen() || imgui.CurrentIO().WantTextInput() || was.number || was.arrows || u.taken.now.number ||
		u.taken.now.ring {
		return 0
	}
	u.taken.now.upDown = true
	if io := imgui.CurrentIO(); io.KeyShift() || io.KeyCtrl() || io.KeyAlt() || io.KeySuper() {
		return 0
	}
	return arrowSteps(imgui.KeyUpArrow, imgui.KeyDownArrow)
}
