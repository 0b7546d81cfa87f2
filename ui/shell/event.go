package shell

import (
	"time"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Command says whether a key is no letter because Ctrl, Alt or Super is held.
func (e Event) Command() bool { return e.Mods&(Ctrl|Alt|Super) != 0 }

// Kind tells what happened.
type Kind uint8

// The kinds of events. Of an Event's fields besides Kind, Pos, Mods and Time, those named here are set.
const (
	MouseMove Kind = iota + 1 // Pos is the new position
	MouseDown                 // Button, Clicks
	MouseUp                   // Button
	Wheel                     // Wheel
	KeyDown                   // Key, Repeat
	KeyUp                     // Key
	Char                      // Rune: a character typed, after keyboard layout and dead keys
	Leave                     // the cursor left the window
	Enter                     // the cursor came back
	Blur                      // the window lost the keyboard; keys and buttons held count as released
	Focus                     // the window got the keyboard
)

// Button is a mouse button.
type Button uint8

// The mouse buttons, numbered as ImGui does.
const (
	Left Button = iota
	Right
	Middle
	Back
	Forward
)

// Mods is a set of held modifier keys, left or right.
type Mods uint8

// The modifiers. On macOS, Ctrl is the Cmd key and Super the Ctrl key, as ImGui has it: a shortcut
// written with Ctrl is right everywhere.
const (
	Shift Mods = 1 << iota
	Ctrl
	Alt
	Super
)

// Has reports whether all of n are held.
func (m Mods) Has(n Mods) bool { return m&n == n }

// Event is one thing that the user did, in the order in which it happened. Nothing is merged or lost,
// however many happen between two frames.
type Event struct {
	Kind   Kind
	Pos    imgui.Vec2 // cursor position at that time, screen units
	Wheel  imgui.Vec2 // steps; up and left are positive
	Button Button
	Clicks int // 1 single, 2 double, 3 triple
	Key    imgui.Key
	Repeat bool // the key is held and the system repeats it
	Rune   rune
	Mods   Mods
	Time   time.Time
}
