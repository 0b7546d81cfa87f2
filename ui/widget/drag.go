package widget

import "github.com/AllenDang/cimgui-go/imgui"

// drag is what the mouse holds: the knob of a slider, a line, the title of something that is moved.
type drag struct {
	id         imgui.ID
	start      [2]float64 // values at the press
	grip       float32    // from the cursor to the middle of the knob
	knob       int        // index of a range's knob
	over       bool       // it was reset or cancelled, or the keyboard holds the control
	fineX      float32    // where Shift was pressed, and the place of the knob there
	fineFrom   float32
	fineActive bool
}

// grab takes hold of a control with these values that is pressed now, and says so in that frame.
func (u *UI) grab(x hit, start ...float64) bool {
	if !x.active || u.drag.id == x.id {
		return false
	}
	u.drag = drag{id: x.id, over: !imgui.IsMouseDown(imgui.MouseButtonLeft)}
	copy(u.drag.start[:], start)
	return true
}

// grip keeps a knob that is taken hold of where it is under the cursor, which is so far from its middle; one that is
// further away comes to the cursor.
func (u *UI) grip(by float32) {
	if by > -u.Pt(9) && by < u.Pt(9) {
		u.drag.grip = by
	}
}

// holds says whether the mouse moves a control, in the frame of the release too, for the last move.
func (u *UI) holds(x hit) bool { return u.drag.id == x.id && !u.drag.over }

// drop lets go of a control that was released, says so in that frame, and what the drag was.
func (u *UI) drop(x hit) (was drag, dropped bool) {
	if x.active || u.drag.id != x.id {
		return drag{}, false
	}
	was, u.drag = u.drag, drag{}
	return was, true
}

// cancelled reports, in the frame of the key press, that Esc ends the drag of x; it moves no more.
func (u *UI) cancelled(x hit) bool {
	if !u.holds(x) || !imgui.IsKeyPressedBool(imgui.KeyEscape) {
		return false
	}
	u.drag.over = true
	return true
}

// fine returns where the knob is wanted: at the cursor, or a tenth of the way to it with Shift.
func (u *UI) fine(knob float32) float32 {
	d, m := &u.drag, imgui.MousePos().X
	if !imgui.CurrentIO().KeyShift() {
		if d.fineActive { // keep the knob where it is under the cursor
			d.grip = knob - m
		}
		d.fineActive = false
		return m + d.grip
	}
	if !d.fineActive {
		d.fineActive, d.fineX, d.fineFrom = true, m, knob
	}
	return d.fineFrom + (m-d.fineX)/10
}
