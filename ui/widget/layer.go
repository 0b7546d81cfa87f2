package widget

import "github.com/AllenDang/cimgui-go/imgui"

// layers are what lies over each other: menus, lists and dialogs, and windows that others must not hide.
type layers struct {
	depth     int             // how many menus, lists and dialogs lie over each other where is drawn now,
	top       int             // at most in this frame,
	under     int             // and at most in the last one
	splitters []*imgui.Window // splitters of this frame
	cards     []*imgui.Window
}

// raise brings splitters above the areas that they part, and cards above these, whichever was clicked last.
func (u *UI) raise() {
	if !u.PopupOpen() {
		for _, l := range [][]*imgui.Window{u.layers.splitters, u.layers.cards} {
			for _, w := range l {
				imgui.InternalBringWindowToDisplayFront(w)
			}
		}
	}
	u.layers.splitters, u.layers.cards = u.layers.splitters[:0], u.layers.cards[:0]
}

// lower says that what is drawn now lies over the rest: a menu, a list or a dialog. Its end is depth--.
func (u *UI) lower() {
	u.layers.depth++
	u.layers.top = max(u.layers.top, u.layers.depth)
}

// escaped reports whether Esc was pressed for what is drawn now: for the uppermost of what lay over each other when it
// was pressed. One Esc closes one thing.
func (u *UI) escaped() bool {
	return u.layers.depth == u.layers.under && imgui.IsKeyPressedBool(imgui.KeyEscape)
}

// escape closes the popup that is being drawn when Esc is pressed.
func (u *UI) escape() {
	if u.escaped() {
		imgui.CloseCurrentPopup()
	}
}
