package shell_test

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"blossom/model/base/problem"
	"blossom/ui/shell"
	"blossom/ui/uitest"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/AllenDang/giu"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// app records what the shell calls.
type app struct {
	shell.Nop
	draw    func(*shell.Context)
	events  []shell.Event
	dropped []string
	scales  []float32
	panics  []string
	frames  int
	keep    bool // do not close
	wake    shell.Wake
	stopped bool
}

func (a *app) Frame(c *shell.Context) {
	a.frames++
	a.events = append(a.events, c.Events()...)
	if a.draw != nil {
		a.draw(c)
	}
}
func (a *app) Wake() shell.Wake                { return a.wake }
func (a *app) Drop(p []string)                 { a.dropped = append(a.dropped, p...) }
func (a *app) CloseRequested() bool            { return !a.keep }
func (a *app) ScaleChanged(s float32)          { a.scales = append(a.scales, s) }
func (a *app) Panic(v any, _ []byte)           { a.panics = append(a.panics, fmt.Sprint(v)) }
func (a *app) Stop()                           { a.stopped = true }
func newApp() *app                             { return &app{wake: shell.Idle} }
func open(t *testing.T, a *app) *uitest.Driver { return uitest.Open(t, a, 400, 300, 1) }

// GLFW must be in the binary once: the second one that cimgui's archive carries would have its own,
// uninitialised state. See shim.c.
func TestOneGLFW(t *testing.T) {
	nm, err := exec.LookPath("nm")
	if err != nil {
		t.Skip("nm is not installed (package binutils)")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(nm, self).Output()
	if err != nil || len(out) == 0 { // go test strips binaries that it runs itself
		bin := t.TempDir() + "/shell.test"
		if msg, err := exec.Command("go", "test", "-c", "-ldflags=-w", "-o", bin, ".").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, msg)
		}
		if out, err = exec.Command(nm, bin).Output(); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(regexp.MustCompile(`(?m) [Tt] glfwInit$`).FindAll(out, -1)); n != 1 {
		t.Errorf("the binary has %d glfwInit, want 1", n)
	}
}

// Everything that happens between two frames arrives, in order.
func TestNoEventIsLost(t *testing.T) {
	a := newApp()
	d := open(t, a)
	a.events = nil
	uitest.Do(func() {
		h := d.Shell()
		for i := range 50 {
			h.Move(float32(i), 10)
		}
		h.Key(imgui.KeyRightCtrl, true)
		h.Button(shell.Left, true)
		h.Button(shell.Left, false)
		h.Button(shell.Left, true)
		h.Button(shell.Left, false)
		h.Key(imgui.KeyRightCtrl, false)
		h.Scroll(0, 1)
		h.Scroll(0, -2)
		h.Rune('ß') // waits until ImGui has the clicks
	})
	d.Frames(6)
	var got []string
	for i, e := range a.events {
		if i < 50 {
			if e.Kind != shell.MouseMove || e.Pos.X != float32(i) {
				t.Fatalf("event %d: %+v, want a move to %d", i, e, i)
			}
			continue
		}
		got = append(got, fmt.Sprint(e.Kind, e.Button, e.Clicks, e.Mods, e.Wheel.Y, e.Rune, e.Pos.X))
	}
	k := func(kind shell.Kind, clicks int, mods shell.Mods, wheel float32, r rune) string {
		return fmt.Sprint(kind, shell.Left, clicks, mods, wheel, r, float32(49))
	}
	want := []string{
		k(shell.KeyDown, 0, shell.Ctrl, 0, 0), k(shell.MouseDown, 1, shell.Ctrl, 0, 0),
		k(shell.MouseUp, 0, shell.Ctrl, 0, 0),
		k(shell.MouseDown, 2, shell.Ctrl, 0, 0), k(shell.MouseUp, 0, shell.Ctrl, 0, 0), k(shell.KeyUp, 0, 0, 0, 0),
		k(shell.Wheel, 0, 0, 1, 0), k(shell.Wheel, 0, 0, -2, 0), k(shell.Char, 0, 0, 0, 'ß'),
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
}

// A click that begins and ends between two frames presses a button once: ImGui gets it in two frames,
// and the loop does not rest before.
func TestQuickClickReachesImGui(t *testing.T) {
	a := newApp()
	clicks := 0
	a.draw = func(*shell.Context) {
		imgui.SetNextWindowPos(imgui.Vec2{})
		imgui.SetNextWindowSize(imgui.Vec2{X: 200, Y: 200})
		imgui.BeginV("w", nil, imgui.WindowFlagsNoDecoration)
		if imgui.InvisibleButton("b", imgui.Vec2{X: 150, Y: 150}) {
			clicks++
		}
		imgui.End()
	}
	d := open(t, a)
	d.Settle()
	uitest.Do(func() {
		h := d.Shell()
		h.Move(50, 50)
		for range 3 {
			h.Button(shell.Left, true)
			h.Button(shell.Left, false)
		}
	})
	d.Settle()
	if clicks != 3 {
		t.Errorf("%d clicks, want 3", clicks)
	}
}

func TestModifiersOnBothSides(t *testing.T) {
	a := newApp()
	d := open(t, a)
	for _, c := range []struct {
		key  imgui.Key
		mods shell.Mods
	}{
		{imgui.KeyLeftCtrl, shell.Ctrl}, {imgui.KeyRightCtrl, shell.Ctrl}, {imgui.KeyLeftShift, shell.Shift},
		{imgui.KeyRightShift, shell.Shift}, {imgui.KeyLeftAlt, shell.Alt}, {imgui.KeyRightAlt, shell.Alt},
	} {
		var held, io bool
		uitest.Do(func() { d.Shell().Key(c.key, true) })
		d.Frames(1)
		uitest.Do(func() {
			held = d.Shell().Context().Mods() == c.mods
			i := imgui.CurrentIO()
			io = i.KeyCtrl() == (c.mods == shell.Ctrl) && i.KeyShift() == (c.mods == shell.Shift) &&
				i.KeyAlt() == (c.mods == shell.Alt)
			d.Shell().Key(c.key, false)
		})
		d.Frames(1)
		if !held || !io {
			t.Errorf("key %v: our set right %v, ImGui's right %v", c.key, held, io)
		}
	}
}

// Both Ctrl keys held and one released: Ctrl is still held. Losing the keyboard releases everything.
func TestHeldKeys(t *testing.T) {
	a := newApp()
	d := open(t, a)
	uitest.Do(func() {
		h := d.Shell()
		h.Key(imgui.KeyLeftCtrl, true)
		h.Key(imgui.KeyRightCtrl, true)
		h.Key(imgui.KeyLeftCtrl, false)
		if h.Context().Mods() != shell.Ctrl {
			t.Error("Ctrl went with the first of two keys")
		}
		h.Key(imgui.KeyA, true)
		h.Key(imgui.KeyA, true)
		h.Button(shell.Left, true)
		h.Focus(false)
		if h.Context().Mods() != 0 {
			t.Error("Ctrl is held after the window lost the keyboard")
		}
		h.Key(imgui.KeyA, false) // the key is not held: nothing happens
	})
	a.events = nil
	d.Frames(1)
	var kinds []shell.Kind
	for _, e := range a.events {
		kinds = append(kinds, e.Kind)
		if e.Kind == shell.KeyDown && e.Key == imgui.KeyA && e.Repeat != (len(kinds) > 4) {
			t.Errorf("event %d: repeat %v", len(kinds), e.Repeat)
		}
	}
	want := []shell.Kind{shell.KeyDown, shell.KeyDown, shell.KeyUp, shell.KeyDown, shell.KeyDown, shell.MouseDown,
		shell.Blur, shell.MouseUp}
	if fmt.Sprint(kinds) != fmt.Sprint(want) {
		t.Errorf("kinds %v, want %v", kinds, want)
	}
}

// A panic abandons its frame, wherever in ImGui's stacks it happens; three in a row end the loop.
func TestPanic(t *testing.T) {
	a := newApp()
	bad := false
	a.draw = func(*shell.Context) {
		imgui.Begin("w")
		imgui.PushIDStr("x")
		imgui.PushStyleColorU32(imgui.ColText, 0xff)
		imgui.BeginChildStr("child")
		if bad {
			panic("boom")
		}
		imgui.EndChild()
		imgui.PopStyleColor()
		imgui.PopID()
		imgui.End()
	}
	d := open(t, a)
	bad = true
	d.Frames(2)
	bad = false
	d.Frames(5)
	if len(a.panics) != 2 || a.panics[0] != "boom" {
		t.Errorf("panics %q, want boom twice", a.panics)
	}
	bad = true
	var err error
	for range 3 {
		uitest.Do(func() { _, err = d.Shell().Step() })
	}
	var p *problem.Problem
	if !errors.As(err, &p) || !strings.Contains(p.What, "boom") || p.Remedy == "" {
		t.Errorf("after three panics: %v", err)
	}
}

func TestPost(t *testing.T) {
	a := newApp()
	d := open(t, a)
	d.Settle()
	c := d.Shell().Context()
	var n int
	done := make(chan bool)
	for range 4 {
		go func() {
			for range 100 {
				c.Post(func() { n++ })
			}
			done <- true
		}()
	}
	for range 4 {
		<-done
	}
	var w shell.Wake
	uitest.Do(func() { w = d.Shell().Wake() })
	if w != shell.Now {
		t.Error("the loop would rest with functions waiting")
	}
	d.Frames(1)
	if n != 400 {
		t.Errorf("%d of 400 functions ran", n)
	}
	uitest.Do(func() { c.Post(func() { c.Post(func() { n = -1 }) }) })
	d.Frames(1)
	if n == -1 {
		t.Error("a function posted by a posted function ran in the same frame: a loop could starve the window")
	}
	d.Frames(1)
	if n != -1 {
		t.Error("a function posted by a posted function was lost")
	}
	c.Post(func() { panic("in a posted function") })
	d.Frames(1)
	if len(a.panics) != 1 {
		t.Errorf("panics %q", a.panics)
	}
}

func TestDropCloseScale(t *testing.T) {
	a := newApp()
	d := open(t, a)
	d.Drop("/a b/ü.fcs", "x.csv")
	d.Drop("y.npy")
	if fmt.Sprint(a.dropped) != "[/a b/ü.fcs x.csv y.npy]" {
		t.Errorf("dropped %q", a.dropped)
	}
	d.SetScale(2)
	d.SetScale(2)
	uitest.Do(func() { d.Shell().Context().SetZoom(1.5) })
	d.Frames(1)
	uitest.Do(func() { d.Shell().Context().SetZoom(-1) })
	d.Frames(1)
	if fmt.Sprint(a.scales) != "[1 2 3 2]" {
		t.Errorf("scales %v, want 1 2 3 2", a.scales)
	}
	d.Resize(500, 200)
	uitest.Do(func() {
		if s := d.Shell().Context().Size(); s.X != 500 || s.Y != 200 {
			t.Errorf("size %v", s)
		}
	})
	if b := d.Screenshot().Bounds(); b.Dx() != 500 || b.Dy() != 200 {
		t.Errorf("screenshot %v", b)
	}
	d.Resize(0, 0) // iconified: the last size stays
	uitest.Do(func() {
		if s := d.Shell().Context().Size(); s.X != 500 {
			t.Errorf("size %v", s)
		}
		d.Shell().Resize(500, 200)
	})
	a.keep = true
	d.Close()
	frames := a.frames
	d.Frames(1)
	if a.frames != frames+1 {
		t.Error("the window closed against the app's will")
	}
	a.keep = false
	d.Close()
	frames = a.frames
	uitest.Do(func() {
		if alive, _ := d.Shell().Step(); alive {
			t.Error("the window did not close")
		}
	})
	if a.frames != frames {
		t.Error("a frame was drawn after the close")
	}
}

// On a display with two pixels per unit, positions stay in units and text is drawn at full density.
func TestPixelRatio(t *testing.T) {
	a := newApp()
	d := open(t, a)
	uitest.Do(func() {
		d.Shell().SetPixelRatio(2)
		d.Shell().SetScale(2)
		d.Shell().Resize(800, 600)
	})
	d.Frames(2)
	uitest.Do(func() {
		c := d.Shell().Context()
		if c.Size().X != 400 || c.Scale() != 1 || c.FramebufferScale() != 2 {
			t.Errorf("size %v scale %v pixels %v", c.Size(), c.Scale(), c.FramebufferScale())
		}
	})
}

// giu's widgets, states and textures work in our window.
func TestGiu(t *testing.T) {
	a := newApp()
	text, clicked := "abc", 0
	img := image.NewRGBA(image.Rect(0, 0, 8, 8))
	for i := range 64 {
		img.SetRGBA(i%8, i/8, color.RGBA{200, 30, 60, 255})
	}
	var tex *giu.Texture
	a.draw = func(c *shell.Context) {
		if tex == nil {
			giu.NewTextureFromRgba(img, func(x *giu.Texture) { tex = x })
		}
		imgui.SetNextWindowPos(imgui.Vec2{})
		imgui.SetNextWindowSize(imgui.Vec2{X: 300, Y: 250})
		imgui.BeginV("giu", nil, imgui.WindowFlagsNoDecoration)
		giu.Layout{
			giu.Image(tex).Size(100, 100), giu.Button("go").Size(100, 40).OnClick(func() { clicked++ }),
			giu.InputText(&text), giu.TreeNode("tree").Layout(giu.Label("leaf")),
		}.Build()
		imgui.End()
	}
	d := open(t, a)
	d.Click(50, 130)
	if clicked != 1 || len(a.panics) > 0 {
		t.Errorf("clicked %d times, panics %q", clicked, a.panics)
	}
	if c := d.Screenshot().RGBAAt(60, 60); c.R < 190 || c.G > 40 {
		t.Errorf("the picture is %v", c)
	}
}

// A real window: it opens, rests when nothing happens, is woken by Post, and closes.
func TestRun(t *testing.T) {
	a := newApp()
	var ctx *shell.Context
	rest := make(chan bool)
	var n atomic.Int64
	a.draw = func(c *shell.Context) {
		n.Add(1)
		if ctx == nil {
			ctx = c
			go func() {
				<-rest
				before := n.Load()
				time.Sleep(500 * time.Millisecond)
				seen := n.Load() - before
				c.Post(func() {
					if seen > 6 { // 30 would be drawn by a loop that does not rest
						t.Errorf("%d frames while nothing happened", seen)
					}
					c.SetBackground(1, 0, 0)
					if img := c.Screenshot(); img == nil || img.Rect.Dx() != 640 ||
						img.RGBAAt(100, 100) != (color.RGBA{255, 0, 0, 255}) {
						t.Error("the screenshot is not the window")
					}
					g := c.Geometry()
					if g.Width != 640 || g.Height != 480 {
						t.Errorf("geometry %+v", g)
					}
					c.Close()
				})
			}()
			time.AfterFunc(300*time.Millisecond, func() { close(rest) })
		}
	}
	var err error
	uitest.Do(func() {
		err = shell.Run(shell.Config{Title: "test", Geometry: shell.Geometry{X: 100, Y: 100, Width: 640,
			Height: 480}}, a)
	})
	if err != nil {
		if os.Getenv("CI") != "" || os.Getenv("BLOSSOM_REQUIRE_GL") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	if !a.stopped || a.frames == 0 {
		t.Errorf("stopped %v after %d frames", a.stopped, a.frames)
	}
	ctx.Post(func() { t.Error("a function ran after the end") })
	if g := ctx.GL(); g.Major < 4 || g.Renderer == "" {
		t.Errorf("OpenGL %+v", g)
	}
}

// Without a display the error says what to do, and nothing panics.
func TestNoDisplay(t *testing.T) {
	if os.Getenv("BLOSSOM_TEST_CHILD") != "" {
		uitest.Do(func() {
			err := shell.Run(shell.Config{}, newApp())
			var p *problem.Problem
			fmt.Printf("child: %v %v\n", errors.As(err, &p) && p.Remedy != "", err)
		})
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, display := range []string{"", ":9731"} {
		c := exec.Command(self, "-test.run=^TestNoDisplay$", "-test.v")
		for _, v := range os.Environ() {
			if !strings.HasPrefix(v, "DISPLAY=") && !strings.HasPrefix(v, "WAYLAND_DISPLAY=") {
				c.Env = append(c.Env, v)
			}
		}
		c.Env = append(c.Env, "BLOSSOM_TEST_CHILD=1")
		if display != "" {
			c.Env = append(c.Env, "DISPLAY="+display)
		}
		out, err := c.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "child: true") {
			t.Errorf("DISPLAY=%q: %v\n%s", display, err, out)
		}
		t.Logf("%s", out)
	}
}
