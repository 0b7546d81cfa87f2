package shell

import (
	"time"

	"github.com/AllenDang/cimgui-go/imgui"
)

// arrival is something that the user did, as the window system told it.
type arrival struct {
	kind   Kind
	x, y   float32 // where the cursor is, or how far the wheel went
	button Button
	key    imgui.Key
	rune   rune
	at     time.Time
}

// patience is for how many frames in a row keys are held back at most because the app asks for it.
const patience = 12

// arrive takes what the user did: it is told at once, unless it is of the keyboard and a click before it may be about
// to give the keyboard to a field. ImGui takes quick input over several frames, and a field has the keyboard some
// frames after the click into it: until then keys would be shortcuts. What comes after them waits with them.
func (in *input) arrive(a arrival) {
	a.at = in.clock()
	in.fresh = true
	if len(in.waiting) > 0 || in.waits(a) {
		in.waiting = append(in.waiting, a)
		return
	}
	in.do(a)
}

// waits says whether something must not be told yet.
func (in *input) waits(a arrival) bool {
	switch {
	case a.kind != KeyDown && a.kind != Char:
		return false
	case in.clicked || in.asked > 0 && in.asked <= patience:
		return true
	}
	// A shortcut may open a field: what is typed right after it is for that.
	return in.chord && (a.kind == Char || in.mods&(Ctrl|Alt|Super) == 0 && makesText(a.key))
}

// begin tells what has waited, as far as it may be told to the frame that begins.
func (in *input) begin() {
	n := 0
	for n < len(in.waiting) && !in.waits(in.waiting[n]) {
		in.do(in.waiting[n])
		n++
	}
	in.waiting = in.waiting[:copy(in.waiting, in.waiting[n:])]
	in.asking = false
}

// end notes what a frame has left: whether ImGui has yet to take some input, and whether the app asked to hold keys.
func (in *input) end(left bool) {
	in.chord = false
	in.clicked = in.clicked && left
	if in.asking {
		in.asked++
	} else {
		in.asked = 0
	}
}

func (in *input) do(a arrival) {
	in.now = a.at
	switch a.kind {
	case MouseMove:
		in.doMove(a.x, a.y)
	case MouseDown, MouseUp:
		in.clicked = true
		in.doButton(a.button, a.kind == MouseDown)
	case Wheel:
		in.doWheel(a.x, a.y)
	case KeyDown, KeyUp:
		in.doKey(a.key, a.kind == KeyDown)
	case Char:
		in.doChar(a.rune)
	case Focus, Blur:
		in.doFocus(a.kind == Focus)
	case Enter, Leave:
		in.doEnter(a.kind == Enter)
	}
}

// either returns yes where on, else no.
func either(on bool, yes, no Kind) Kind {
	if on {
		return yes
	}
	return no
}

func (in *input) move(x, y float32)    { in.arrive(arrival{kind: MouseMove, x: x, y: y}) }
func (in *input) wheel(dx, dy float32) { in.arrive(arrival{kind: Wheel, x: dx, y: dy}) }
func (in *input) char(r rune)          { in.arrive(arrival{kind: Char, rune: r}) }
func (in *input) focus(on bool)        { in.arrive(arrival{kind: either(on, Focus, Blur)}) }
func (in *input) enter(on bool)        { in.arrive(arrival{kind: either(on, Enter, Leave)}) }

func (in *input) button(b Button, down bool) {
	in.arrive(arrival{kind: either(down, MouseDown, MouseUp), button: b})
}

// key takes presses, repeats (a press of a key that is held) and releases.
func (in *input) key(k imgui.Key, down bool) {
	if k != imgui.KeyNone {
		in.arrive(arrival{kind: either(down, KeyDown, KeyUp), key: k})
	}
}
