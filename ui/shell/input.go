package shell

import (
	"math"
	"runtime"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"
)

// A second press within this time and distance (in points) makes a double click.
const (
	clickTime     = 350 * time.Millisecond
	clickDistance = 6
)

// input collects what the user does, for ImGui and as a list of events. GLFW's callbacks and the test
// harness call the same methods: this is the one door for input. Its methods run no code of the app, so
// that nothing can panic below a C frame.
type input struct {
	clock  func() time.Time
	scale  float32 // screen units per point
	events []Event
	pos    imgui.Vec2
	keys   map[imgui.Key]bool // held
	kept   map[imgui.Key]bool // held, and not told to ImGui
	mods   Mods
	held   [5]bool // buttons
	last   Event   // last press, for double clicks
	drops  [][]string
	closes bool
	fresh  bool // something arrived since the last frame
	nav    bool // the keyboard moves the focus: from Tab or F6 until a mouse press or Esc

	now     time.Time // when that came which is told now
	waiting []arrival // came, and is not told yet
	clicked bool      // a button was pressed or released, and ImGui has not taken all since
	chord   bool      // a shortcut was told to no frame yet
	asking  bool      // the app asks, in this frame, to hold keys back,
	asked   int       // in so many frames before
}

func newInput(clock func() time.Time) *input {
	return &input{clock: clock, scale: 1, keys: map[imgui.Key]bool{}, kept: map[imgui.Key]bool{},
		pos: imgui.Vec2{X: -1, Y: -1}}
}

func (in *input) add(e Event) {
	e.Pos, e.Mods, e.Time = in.pos, in.mods, in.now
	in.events = append(in.events, e)
	in.fresh = true
}

func (in *input) doMove(x, y float32) {
	in.pos = imgui.Vec2{X: x, Y: y}
	imgui.CurrentIO().AddMousePosEvent(x, y)
	in.add(Event{Kind: MouseMove})
}

func (in *input) doButton(b Button, down bool) {
	if int(b) >= len(in.held) || in.held[b] == down {
		return
	}
	in.held[b] = down
	imgui.CurrentIO().AddMouseButtonEvent(int32(b), down)
	if !down {
		in.add(Event{Kind: MouseUp, Button: b})
		return
	}
	in.nav = false
	e := Event{Kind: MouseDown, Button: b, Clicks: 1}
	l := in.last
	d := math.Hypot(float64(in.pos.X-l.Pos.X), float64(in.pos.Y-l.Pos.Y))
	if l.Clicks > 0 && l.Button == b && in.now.Sub(l.Time) <= clickTime && d <= float64(clickDistance*in.scale) {
		e.Clicks = l.Clicks%3 + 1
	}
	in.add(e)
	in.last = in.events[len(in.events)-1]
}

func (in *input) doWheel(dx, dy float32) {
	imgui.CurrentIO().AddMouseWheelEvent(dx, dy)
	in.add(Event{Kind: Wheel, Wheel: imgui.Vec2{X: dx, Y: dy}})
}

func (in *input) doKey(k imgui.Key, down bool) {
	repeat := down && in.keys[k]
	if !down && !in.keys[k] {
		return
	}
	if down {
		in.keys[k] = true
	} else {
		delete(in.keys, k)
	}
	io := imgui.CurrentIO()
	in.mods = 0
	for _, m := range modifiers {
		on := in.keys[m.left] || in.keys[m.right]
		io.AddKeyEvent(m.chord, on)
		if on {
			in.mods |= m.mod
		}
	}
	// While text is typed, keys that make characters are kept from ImGui: it takes a key and a character
	// in different frames, and fast typing would lag behind at a low frame rate.
	writes := down && io.WantTextInput() && in.mods&(Ctrl|Alt|Super) == 0 && makesText(k)
	switch {
	case repeat: // ImGui makes its own repeats
	case writes:
		in.kept[k] = true
	case !down && in.kept[k]:
		delete(in.kept, k)
	default:
		io.AddKeyEvent(k, down)
	}
	if down && !repeat && in.mods&(Ctrl|Alt|Super) != 0 && !modifies(k) {
		in.chord = true
	}
	if down && in.mods&(Ctrl|Alt|Super) == 0 {
		in.nav = (in.nav || k == imgui.KeyTab || k == imgui.KeyF6) && k != imgui.KeyEscape
	}
	if down {
		in.add(Event{Kind: KeyDown, Key: k, Repeat: repeat})
	} else {
		in.add(Event{Kind: KeyUp, Key: k})
	}
}

func modifies(k imgui.Key) bool { return k >= imgui.KeyLeftCtrl && k <= imgui.KeyRightSuper }

// makesText says whether a key by itself types a character.
func makesText(k imgui.Key) bool {
	return k >= imgui.Key0 && k <= imgui.KeyZ || k == imgui.KeySpace ||
		k >= imgui.KeyApostrophe && k <= imgui.KeyGraveAccent || k >= imgui.KeyKeypad0 && k <= imgui.KeyKeypadAdd ||
		k == imgui.KeyKeypadEqual
}

func (in *input) doChar(r rune) {
	imgui.CurrentIO().AddInputCharacter(uint32(r))
	in.add(Event{Kind: Char, Rune: r})
}

func (in *input) doFocus(on bool) {
	imgui.CurrentIO().AddFocusEvent(on)
	if on {
		in.add(Event{Kind: Focus})
		return
	}
	clear(in.keys)
	clear(in.kept)
	in.mods = 0
	in.add(Event{Kind: Blur})
	for b := range in.held {
		in.doButton(Button(b), false)
	}
}

func (in *input) doEnter(on bool) {
	if on {
		imgui.CurrentIO().AddMousePosEvent(in.pos.X, in.pos.Y)
		in.add(Event{Kind: Enter})
		return
	}
	// While a button is held the system goes on sending positions from outside: the drag must not end.
	if in.held == [5]bool{} {
		imgui.CurrentIO().AddMousePosEvent(-math.MaxFloat32, -math.MaxFloat32)
	}
	in.add(Event{Kind: Leave})
}

func (in *input) drop(paths []string) {
	in.drops = append(in.drops, paths)
	in.fresh = true
}

func (in *input) close() { in.closes, in.fresh = true, true }

// take returns the events since the last call; the slice is good until the call after the next one.
func (in *input) take(reuse []Event) []Event {
	out := in.events
	in.events = reuse[:0]
	return out
}

type modifier struct {
	mod         Mods
	chord       imgui.Key
	left, right imgui.Key
}

var modifiers = func() []modifier {
	m := []modifier{
		{Ctrl, imgui.Key(imgui.ModCtrl), imgui.KeyLeftCtrl, imgui.KeyRightCtrl},
		{Shift, imgui.Key(imgui.ModShift), imgui.KeyLeftShift, imgui.KeyRightShift},
		{Alt, imgui.Key(imgui.ModAlt), imgui.KeyLeftAlt, imgui.KeyRightAlt},
		{Super, imgui.Key(imgui.ModSuper), imgui.KeyLeftSuper, imgui.KeyRightSuper},
	}
	if runtime.GOOS == "darwin" { // ImGui swaps the two by itself; our own set follows it
		m[0].mod, m[3].mod = Super, Ctrl
	}
	return m
}()
