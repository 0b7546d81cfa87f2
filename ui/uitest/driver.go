package uitest

import (
	"image"
	"os"
	"sort"
	"strings"
	"testing"
	"time"

	"blossom/ui/shell"
	"blossom/ui/widget"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Driver drives one app. All its methods wait until the frames that they need are drawn, so that the
// app's state can be read from the test between two calls. Positions are in screen units.
type Driver struct {
	t testing.TB
	h *shell.Headless
	u func() *widget.UI
	x float32
	y float32
}

// Widgets is an App whose controls a Driver can find by name.
type Widgets interface{ Widgets() *widget.UI }

// Open starts the app in a window of w x h pixels at a scale (1 is 100 %) and draws a few frames. The
// app ends with the test. Only one can run at a time.
func Open(t testing.TB, app shell.App, w, h int, scale float32) *Driver {
	t.Helper()
	d := &Driver{t: t, x: -1, y: -1}
	var err error
	Do(func() { d.h, err = shell.NewHeadless(w, h, scale, app) })
	if err != nil {
		if os.Getenv("CI") != "" || os.Getenv("BLOSSOM_REQUIRE_GL") != "" {
			t.Fatal(err)
		}
		t.Skipf("%v (run the test under xvfb-run)", err)
	}
	t.Cleanup(func() { Do(d.h.Close) })
	if n, ok := app.(Widgets); ok {
		d.u = n.Widgets
	}
	d.Frames(3)
	return d
}

// Shell returns the window, for what the Driver does not offer; use it inside Do only.
func (d *Driver) Shell() *shell.Headless { return d.h }

// Frames draws n frames.
func (d *Driver) Frames(n int) {
	d.t.Helper()
	for range n {
		var err error
		Do(func() { _, err = d.h.Step() })
		if err != nil {
			d.t.Fatal(err)
		}
	}
}

// Settle draws frames until the app is idle, at most 600.
func (d *Driver) Settle() {
	d.t.Helper()
	d.Until("the app is idle", 600, func() bool {
		w := d.h.Wake()
		return w != shell.Now
	})
}

// Until draws frames until ok, at most so many; else the test fails. ok runs on the main thread.
func (d *Driver) Until(what string, most int, ok func() bool) {
	d.t.Helper()
	for range most {
		var yes bool
		Do(func() { yes = ok() })
		if yes {
			return
		}
		d.Frames(1)
	}
	d.t.Fatalf("after %d frames still not: %s", most, what)
}

// Wait is Until for things that happen in real time, on other goroutines: it sleeps between frames, longer where the
// app itself would wait for input. A machine that does much else is given patience, however little most is.
func (d *Driver) Wait(what string, most time.Duration, ok func() bool) {
	d.t.Helper()
	most = max(most, patience)
	for end := time.Now().Add(most); time.Now().Before(end); {
		var yes bool
		Do(func() { yes = ok() })
		if yes {
			return
		}
		d.Frames(1)
		for range 6 {
			time.Sleep(2 * time.Millisecond)
			Do(func() { yes = d.h.Wake() == shell.Now })
			if yes {
				break
			}
		}
	}
	d.t.Fatalf("after %v still not: %s", most, what)
}

// patience is the least time after which Wait gives up. What does not come then does not come.
const patience = 2 * time.Minute

// Sleep lets the app's clock run for a while, drawing frames: at the pace of a screen for a moment, so that what moves
// is seen to, and then some in a second.
func (d *Driver) Sleep(t time.Duration) {
	d.t.Helper()
	moment := min(t, 300*time.Millisecond)
	for t -= moment; t > 0; t -= slow {
		Do(func() { d.h.Advance(max(0, min(t, slow)-shell.FrameTime)) })
		d.Frames(1)
	}
	d.Frames(int(moment/shell.FrameTime) + 1)
}

// slow is the time between two frames where nothing but the clock happens.
const slow = 250 * time.Millisecond

// Move moves the cursor, in one step, and draws a frame.
func (d *Driver) Move(x, y float32) {
	d.t.Helper()
	d.x, d.y = x, y
	Do(func() { d.h.Move(x, y) })
	d.Frames(1)
}

// Press and Release hold a mouse button where the cursor is.
func (d *Driver) Press(b shell.Button) { d.t.Helper(); d.button(b, true) }

// Release lets a mouse button go.
func (d *Driver) Release(b shell.Button) { d.t.Helper(); d.button(b, false) }

func (d *Driver) button(b shell.Button, down bool) {
	d.t.Helper()
	Do(func() { d.h.Button(b, down) })
	d.Frames(1)
}

// Click clicks with the left button.
func (d *Driver) Click(x, y float32) { d.t.Helper(); d.ClickWith(shell.Left, x, y) }

// ClickWith clicks with any button.
func (d *Driver) ClickWith(b shell.Button, x, y float32) {
	d.t.Helper()
	d.Move(x, y)
	d.Frames(1) // hovering is a frame behind
	d.Press(b)
	d.Release(b)
	d.Frames(2)
}

// DoubleClick clicks twice within a moment.
func (d *Driver) DoubleClick(x, y float32) {
	d.t.Helper()
	d.Move(x, y)
	d.Frames(1)
	for range 2 {
		d.Press(shell.Left)
		d.Release(shell.Left)
	}
	d.Frames(2)
}

// Drag drags with the left button, over so many frames.
func (d *Driver) Drag(x0, y0, x1, y1 float32, frames int) {
	d.t.Helper()
	d.DragWith(shell.Left, x0, y0, x1, y1, frames)
}

// DragWith drags with any button.
func (d *Driver) DragWith(b shell.Button, x0, y0, x1, y1 float32, frames int) {
	d.t.Helper()
	d.Move(x0, y0)
	d.Frames(1)
	d.Press(b)
	for i := 1; i <= frames; i++ {
		f := float32(i) / float32(frames)
		d.Move(x0+(x1-x0)*f, y0+(y1-y0)*f)
	}
	d.Release(b)
	d.Frames(2)
}

// Wheel turns the wheel at a place; positive is away from the user.
func (d *Driver) Wheel(x, y, steps float32) {
	d.t.Helper()
	d.Move(x, y)
	Do(func() { d.h.Scroll(0, steps) })
	d.Frames(2)
}

// Keys presses a shortcut: "Ctrl+Shift+Z", "Space", "F12", ".".
func (d *Driver) Keys(chord string) {
	d.t.Helper()
	keys, err := parseChord(chord)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, k := range keys {
		Do(func() { d.h.Key(k, true) })
	}
	d.Frames(1)
	for i := len(keys) - 1; i >= 0; i-- {
		Do(func() { d.h.Key(keys[i], false) })
	}
	d.Frames(2)
}

// Hold presses keys, runs f and releases them: Hold("Ctrl", func() { d.Click(x, y) }).
func (d *Driver) Hold(chord string, f func()) {
	d.t.Helper()
	keys, err := parseChord(chord)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, k := range keys {
		Do(func() { d.h.Key(k, true) })
	}
	d.Frames(1)
	f()
	for i := len(keys) - 1; i >= 0; i-- {
		Do(func() { d.h.Key(keys[i], false) })
	}
	d.Frames(1)
}

// Type types text: a word letter by letter, what is longer (a path) as fast as a paste.
func (d *Driver) Type(s string) {
	d.t.Helper()
	for i, r := range []rune(s) {
		Do(func() { d.h.Rune(r) })
		if i < 12 || i%32 == 0 {
			d.Frames(1)
		}
	}
	d.Frames(2)
}

// Drop drops files on the window.
func (d *Driver) Drop(paths ...string) {
	d.t.Helper()
	Do(func() { d.h.Drop(paths...) })
	d.Frames(2)
}

// Resize changes the size of the window, in pixels.
func (d *Driver) Resize(w, h int) {
	d.t.Helper()
	Do(func() { d.h.Resize(w, h) })
	d.Frames(3)
}

// SetScale changes the system's scale: 2 is 200 %.
func (d *Driver) SetScale(s float32) {
	d.t.Helper()
	Do(func() { d.h.SetScale(s) })
	d.Frames(3)
}

// Close asks the app to close, as the window's cross does.
func (d *Driver) Close() {
	d.t.Helper()
	Do(d.h.RequestClose)
	d.Frames(1)
}

// End closes the window and stops the app now, so that the test can open another.
func (d *Driver) End() {
	d.Close()
	Do(d.h.Close)
}

// Screenshot returns the last frame.
func (d *Driver) Screenshot() *image.RGBA {
	var img *image.RGBA
	Do(func() { img = d.h.Screenshot() })
	return img
}

// Has reports whether a control of that name was drawn in the last frame.
func (d *Driver) Has(name string) bool {
	d.t.Helper()
	_, ok := d.rect(name)
	return ok
}

// Rect returns where a control is; the test fails if it is not drawn.
func (d *Driver) Rect(name string) widget.Rect {
	d.t.Helper()
	r, ok := d.rect(name)
	if !ok {
		var names []string
		Do(func() { names = d.u().Names() })
		sort.Strings(names)
		d.t.Fatalf("no control %q; there are:\n  %s", name, strings.Join(names, "\n  "))
	}
	return r
}

func (d *Driver) rect(name string) (r widget.Rect, ok bool) {
	d.t.Helper()
	if d.u == nil {
		d.t.Fatal("the app has no method Widgets")
	}
	Do(func() { r, ok = d.u().Rect(name) })
	return r, ok
}

// ClickOn clicks on a control by its name: "Train/Pause".
func (d *Driver) ClickOn(name string) {
	d.t.Helper()
	c := d.Rect(name).Center()
	d.Click(c.X, c.Y)
}

// MoveTo moves the cursor to the middle of a control.
func (d *Driver) MoveTo(name string) {
	d.t.Helper()
	c := d.Rect(name).Center()
	d.Move(c.X, c.Y)
}

// Enter types a new value into a slider's or number field's box by the parameter's name.
func (d *Driver) Enter(name, text string) {
	d.t.Helper()
	d.ClickOn(name + "/value")
	d.Frames(2)
	d.Keys("Ctrl+A")
	d.Type(text)
	d.Keys("Enter")
}

// Pos returns where the cursor is.
func (d *Driver) Pos() imgui.Vec2 { return imgui.Vec2{X: d.x, Y: d.y} }
