package widget

import (
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"
)

// areas is the order of the areas that take the keyboard, in which GoToArea goes from one to the next.
type areas struct {
	last, order []string // names of the last frame, and of this one as they are drawn
	focused     string   // the one that has the keyboard
	wanted      string   // the one that is to have it; "": none
	panel       string   // the panel whose title is to have it
}

// turn begins a frame. An area that was not drawn is wanted no longer.
func (t *areas) turn() {
	t.last, t.order = t.order, t.last[:0]
	if !slices.Contains(t.last, t.wanted) {
		t.wanted = ""
	}
}

// GoToArea gives the keyboard to the first control of the next area (step 1) or of the one before (-1): of a side bar,
// a header, a card. Where none has it, to the first or the last.
func (u *UI) GoToArea(step int) {
	t := &u.areas
	if len(t.last) == 0 || u.PopupOpen() {
		return
	}
	at := slices.Index(t.last, t.focused)
	if at < 0 && step < 0 {
		at = 0
	}
	n := len(t.last)
	t.wanted = t.last[((at+step)%n+n)%n]
	u.env.Within(0)
}

// FocusPanel gives the keyboard to the title of a panel, by its name, when that is drawn: Tab goes on into it.
func (u *UI) FocusPanel(name string) {
	u.areas.panel = name
	u.env.Within(0)
}

// enter is told of each area that takes the keyboard, as it begins.
func (t *areas) enter(name string) {
	t.order = append(t.order, name)
	if t.wanted == name {
		t.wanted = ""
		imgui.InternalFocusWindow(imgui.InternalCurrentWindow())
		imgui.InternalNavInitWindow(imgui.InternalCurrentWindow(), true)
		imgui.SetNavCursorVisible(true)
		t.focused = name
	} else if imgui.IsWindowFocusedV(imgui.FocusedFlagsRootAndChildWindows) {
		t.focused = name
	} else if t.focused == name {
		t.focused = ""
	}
}
