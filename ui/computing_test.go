package ui

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/gpu/cpu"
	_ "blossom/gpu/cuda"
	_ "blossom/gpu/glcompute"
	"blossom/model/base/matrix"
	"blossom/model/work/engine"
	"blossom/render"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// An engine that works nowhere, and says why.
func init() {
	engine.Register(engine.Registration{Name: "absent", Priority: -1000,
		Probe: func(engine.Options) (bool, string, string) {
			return false, "no NVIDIA driver was found: install one, or use another engine", ""
		}})
}

// wordy is an engine that says all that an engine can say, at length.
type wordy struct{ engine.Engine }

func init() {
	engine.Register(engine.Registration{Name: "wordy", Priority: -1000,
		Probe: func(engine.Options) (bool, string, string) { return true, "", wordy{}.Device() },
		New: func(o engine.Options) (engine.Engine, error) {
			e, err := cpu.New(o)
			return wordy{e}, err
		}})
}

func (wordy) Name() string { return "wordy" }
func (wordy) Device() string {
	return "NVIDIA GeForce RTX 4090 Laptop GPU, 15.7 GiB, compute capability 8.9, card 1"
}
func (w wordy) Load(ctx context.Context, x matrix.Source) (engine.Resident, error) {
	r, err := w.Engine.Load(ctx, x)
	return wordyPoints{r}, err
}

type wordyPoints struct{ engine.Resident }

func (wordyPoints) Status() engine.Status {
	return engine.Status{Path: "staged copy: OpenGL does not share its buffers",
		Plan: "little memory on the card: neighbours are found again for every picture"}
}

func TestTheEngineInWords(t *testing.T) {
	for _, c := range [][4]string{
		{"cuda", "NVIDIA H200", "shared buffer", "CUDA, shared buffer"},
		{"cpu", "2 cores", "", "CPU, 2 cores"},
		{"gl", "llvmpipe", "staged copy", "OpenGL, staged copy"},
		{"cuda", "NVIDIA H200", "staged copy: another card draws", "CUDA, staged copy"},
	} {
		if got := engineText(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%q, not %q", got, c[3])
		}
	}
	const tip = "Computed by CUDA on NVIDIA H200.\nStaged copy: another card draws.\nLittle memory: sent " +
		"again.\nClick to change."
	if got := engineTip("cuda", "NVIDIA H200", "staged copy: another card draws",
		"little memory: sent again"); got != tip {
		t.Errorf("%q, not %q", got, tip)
	}
	if got := engineTip("cpu", "2 cores", "", ""); got != "Computed by CPU on 2 cores.\nClick to change." {
		t.Errorf("%q", got)
	}
}

// An engine that writes the buffer that is drawn, while another takes over and gives back and the way of
// drawing changes: the picture at rest is always that of the CPU engine, and what is exported is it too.
func TestEnginesTakeTurnsInTheWindow(t *testing.T) {
	a, d := begin(t, 900, 700, 1, Options{Paths: []string{"demo:torus-knot:800"}, Engine: "cpu",
		Draw: render.OpenGL, Still: true})
	opened(t, a, d)
	var gl bool
	uitest.Do(func() {
		for _, c := range a.compute.engines.Choices() {
			gl = gl || c.Name == "gl" && c.Why == ""
		}
	})
	if !gl {
		t.Skip("no OpenGL 4.3 here")
	}
	want := slices.Clone(a.mapPoints().Host())
	same := func(when string, want []float32) {
		t.Helper()
		got := a.mapPoints().Host()
		for i, v := range want {
			if math.Abs(float64(got[i]-v)) > 1e-3*max(1, math.Abs(float64(v))) {
				t.Fatalf("%s: coordinate %d is %g, should be %g", when, i, got[i], v)
			}
		}
	}
	change := func(name string) {
		t.Helper()
		uitest.Do(func() { a.compute.choose(name) })
		rest(t, a, d)
		if a.desk.Engine().Name() != name {
			t.Fatalf("on %s, not %s; the log: %s", a.desk.Engine().Name(), name, strings.Join(a.log.lines, "\n"))
		}
	}
	change("gl")
	same("on the card", want)
	if path, _ := a.desk.Path(); path == "" {
		t.Fatal("the engine does not say how positions get to the picture")
	}
	d.Shoot("gl-opengl")

	// A drag is followed by a picture, and comes to Host at rest.
	d.Keys("2")
	x, y := stand.MarkAt(a.desk, 30)
	d.Drag(x, y, x+80, y-40, 8)
	rest(t, a, d)
	moved := slices.Clone(a.mapPoints().Host())
	if slices.Equal(moved, want) {
		t.Fatal("the drag moved nothing")
	}
	change("cpu")
	same("back on the processor", moved)
	change("gl")
	uitest.Do(func() { a.renderer.SetPath(render.CPU) })
	d.Frames(2)
	d.Keys("Ctrl+Z")
	rest(t, a, d)
	same("drawn by the processor", want)
	uitest.Do(func() { a.renderer.SetPath(render.OpenGL) })
	d.Frames(2)
	d.Keys("Ctrl+Shift+Z")
	rest(t, a, d)
	same("drawn by OpenGL again", moved)

	// Training on it, then the engine changes in the middle.
	d.Keys("Space")
	d.Frames(10)
	uitest.Do(func() { a.compute.choose("cpu") })
	d.Frames(3)
	uitest.Do(func() { a.compute.choose("gl") })
	d.Wait("training has settled", 240*time.Second, func() bool { return !a.desk.Busy() })
	rest(t, a, d)
	trained := slices.Clone(a.mapPoints().Host())
	change("cpu")
	same("after training", trained)
}

// The dialog and what the status bar says of a wordy engine stand inside the window, whatever its scale and
// theme; BLOSSOM_PICTURES shows the rest.
func TestEnginesFitTheWindow(t *testing.T) {
	a, d := begin(t, 1000, 700, 1, Options{Paths: []string{"demo:torus-knot:800"}, Engine: "cpu", Theme: "light"})
	opened(t, a, d)
	for _, c := range []struct {
		w, h         int
		scale        float32
		theme, asked string
	}{
		{1000, 700, 1, "light", "auto"}, {2000, 1400, 2, "dark", "wordy"}, {1280, 800, 2, "light", "wordy"},
	} {
		d.SetScale(c.scale)
		d.Resize(c.w, c.h)
		if a.settings.Theme != c.theme {
			uitest.Do(a.toggleTheme)
		}
		uitest.Do(func() { a.compute.choose("cpu"); a.compute.choose(c.asked) })
		rest(t, a, d)
		name := fmt.Sprintf("engines-%d-%.0f-%s", c.w, 100*c.scale, c.theme)
		d.Shoot(name + "-message")
		calm(a, d)
		d.Move(235*c.scale, float32(c.h)-12*c.scale)
		d.Frames(2)
		if r := d.Rect("tooltip"); r.X0 < 0 || r.Y0 < 0 || r.X1 > float32(c.w) || r.Y1 > float32(c.h) {
			t.Errorf("%s: the tip is at %v", name, r)
		}
		d.Shoot(name + "-tip")
		d.Click(d.Pos().X, float32(c.h)-3*c.scale) // also at the edge of the bar
		d.Frames(4)
		d.Shoot(name)
		r := d.Rect("engine")
		if r.X0 < 0 || r.Y0 < 0 || r.X1 > float32(c.w) || r.Y1 > float32(c.h) || r.W() < 400*c.scale {
			t.Errorf("%s: the dialog is at %v", name, r)
		}
		// The wish is remembered, not the engine that came of it.
		if a.compute.asked != c.asked || a.settings.Engine != c.asked {
			t.Errorf("asked for %q, noted %q and %q", c.asked, a.compute.asked, a.settings.Engine)
		}
		d.Keys("Esc")
		d.Frames(2)
	}
}

func TestTheDialogOfEngines(t *testing.T) {
	a, d := begin(t, 900, 700, 1, Options{Paths: []string{"demo:torus-knot:800"}, Engine: "cpu", Still: true})
	opened(t, a, d)
	d.Keys("Ctrl+P")
	d.Frames(2)
	d.Type("compute engine")
	d.Keys("Enter")
	d.Frames(3)
	if a.dialogs.Open("engine") == nil {
		t.Fatal("the dialog is not open")
	}
	d.Shoot("engines")
	why := slices.ContainsFunc(a.compute.engines.Choices(), func(c engine.Choice) bool {
		return c.Name == "absent" && c.Why != ""
	})
	if !why {
		t.Fatalf("%+v: nothing says why an engine is missing", a.compute.engines.Choices())
	}
	uitest.Do(func() { a.dialogs.Close("engine") })
	d.Frames(2)
	uitest.Do(func() { a.compute.choose("reference") })
	rest(t, a, d)
	if a.settings.Engine != "reference" {
		t.Fatalf("the choice is not remembered: %q", a.settings.Engine)
	}
	uitest.Do(func() { a.compute.choose("nonsense") })
	if a.troubled() == nil || a.desk.Engine().Name() != "reference" {
		t.Fatal("a wrong name is not told, or it lost the engine")
	}
	d.Keys("Esc")
	rest(t, a, d)
}
