package widget

import (
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"
)

// tabs is the order of the fields that can be typed into, in which Tab goes on from one and Shift+Tab back.
type tabs struct {
	last, order []stop   // fields of the last frame, and of this one as they are drawn
	wanted      imgui.ID // the field to be typed into next; 0: none
	wait        int      // for so many frames
	somewhere   bool     // a control that was drawn in the last frame has the focus
	begins      bool     // Tab was pressed and nothing has the focus: the next area takes it
}

// stop is a field, and the window of ImGui that it is in.
type stop struct{ id, window imgui.ID }

// turn begins a frame.
func (t *tabs) turn() {
	t.last, t.order = t.order, t.last[:0]
	if t.wait--; t.wait < 0 {
		t.wanted = 0
	}
}

// stop notes a field that is drawn now, and says whether Tab has asked for it.
func (u *UI) stop(id imgui.ID) (wanted bool) {
	t := &u.tabs
	t.order = append(t.order, stop{id, imgui.InternalCurrentWindow().RootWindow().ID()})
	if t.wanted != id || u.typing.id != 0 { // the one before has yet to be left
		return false
	}
	t.wanted = 0
	return true
}

// tab has the field after the one that is typed into, or with Shift the one before, typed into next: in the same
// window, and after the last one none.
func (u *UI) tab(from imgui.ID) {
	if !imgui.IsKeyPressedBoolV(imgui.KeyTab, false) || imgui.CurrentIO().KeyCtrl() {
		return
	}
	t, step := &u.tabs, 1
	if imgui.CurrentIO().KeyShift() {
		step = -1
	}
	i := slices.IndexFunc(t.last, func(s stop) bool { return s.id == from })
	if i < 0 || i+step < 0 || i+step >= len(t.last) || t.last[i+step].window != t.last[i].window {
		return
	}
	t.wanted, t.wait = t.last[i+step].id, fieldComes
	u.typing.coming = fieldComes // keys are for the next field, not for shortcuts
	u.env.Within(0)
}
