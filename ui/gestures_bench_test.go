package ui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/maps/selection"
	"blossom/model/work/embedding"
	"blossom/render/camera"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// A handled is a gesture as a hand makes it: begin brings the window to where it starts and says where that is, then
// the mouse goes to and fro while keys and a button are down, and Esc ends it.
type handled struct {
	name   string
	begin  func(a *App, d *uitest.Driver) (x, y float32)
	button shell.Button
	keys   string // held, "" for none
	hover  bool   // no button is down
	wheel  bool
	keep   bool // Esc does not end it, the button's release does
}

func gestures() []handled {
	middle := func(a *App, _ *uitest.Driver) (x, y float32) {
		c := stand.Canvas(a.desk).Center()
		return c.X, c.Y
	}
	tool := func(key string, at func(*App, *uitest.Driver) (x, y float32)) func(*App, *uitest.Driver) (x, y float32) {
		return func(a *App, d *uitest.Driver) (x, y float32) {
			d.Keys(key)
			d.Frames(2)
			return at(a, d)
		}
	}
	landmark := func(a *App, _ *uitest.Driver) (x, y float32) { return stand.MarkAt(a.desk, 120) }
	chosen := func(at func(r, knob [2]float32) (x, y float32)) func(*App, *uitest.Driver) (x, y float32) {
		return func(a *App, d *uitest.Driver) (x, y float32) {
			r := stand.Canvas(a.desk)
			d.Drag(r.X0+0.3*r.W(), r.Y0+0.3*r.H(), r.X0+0.7*r.W(), r.Y0+0.7*r.H(), 4)
			d.Frames(3)
			f := d.Rect("selected frame")
			return at([2]float32{f.X1, f.Y0}, [2]float32{f.Center().X, f.Y0 - 20*r.W()/1280})
		}
	}
	draw := func(kind string) func(*App, *uitest.Driver) (x, y float32) {
		return tool("3", func(a *App, d *uitest.Driver) (x, y float32) {
			d.ClickOn("options/Shape/" + kind)
			r := stand.Canvas(a.desk)
			return r.X0 + 0.35*r.W(), r.Y0 + 0.35*r.H()
		})
	}
	return []handled{
		{name: "hover over points", begin: tool("1", middle), hover: true},
		{name: "pan", begin: tool("1", middle), keep: true},
		{name: "zoom with the wheel", begin: tool("1", middle), wheel: true, hover: true},
		{name: "move a landmark", begin: tool("2", landmark)},
		{name: "select landmarks by a rectangle", begin: tool("2", func(a *App, _ *uitest.Driver) (x, y float32) {
			r := stand.Canvas(a.desk)
			return r.X0 + 0.2*r.W(), r.Y0 + 0.2*r.H()
		}), keys: "Shift"},
		{name: "scale selected landmarks", begin: tool("2", chosen(func(r, _ [2]float32) (x, y float32) {
			return r[0], r[1]
		}))},
		{name: "rotate selected landmarks", begin: tool("2", chosen(func(_, k [2]float32) (x, y float32) {
			return k[0], k[1]
		}))},
		{name: "draw a grid", begin: draw("Grid")},
		{name: "draw a ring", begin: draw("Ring")},
		{name: "draw a line", begin: draw("Line")},
		{name: "draw an outline", begin: draw("Outline")},
		{name: "draw a sphere", begin: draw("Sphere")},
		{name: "straighten along a stroke", begin: tool("2", func(a *App, d *uitest.Driver) (x, y float32) {
			chooseIDs(a, upTo(40)...)
			uitest.Do(func() { commandByID("straighten").Run(a) })
			d.Frames(2)
			return middle(a, d)
		})},
		{name: "select points by a lasso", begin: tool("4", middle), keys: "Alt"},
		{name: "move selected points", begin: tool("4", func(a *App, d *uitest.Driver) (x, y float32) {
			uitest.Do(func() {
				n := a.desk.Doc.Data.Points
				words := make([]uint64, (n+63)/64)
				for i := range words {
					words[i] = 0x0101
				}
				a.desk.Stage.Scene.SetSelection("Select", selection.FromBits(n, words))
			})
			d.Wait("the selection has a grip", 30*time.Second, func() bool { _, ok := a.active().Grip(); return ok })
			uitest.Do(func() {
				p, _ := a.active().Grip()
				gx, gy, _ := a.active().Eye.Screen(p)
				x, y = float32(gx), float32(gy)
			})
			return x, y
		})},
		{name: "turn a view in 3D", begin: tool("1", func(a *App, d *uitest.Driver) (x, y float32) {
			uitest.Do(func() { a.desk.ShowBeside(embedding.PCA(3)) })
			d.Wait("there is a view in 3D", time.Minute, func() bool {
				_, solid := a.active().Eye.Cam.(*camera.Orbit)
				return solid && !a.desk.Busy() && !a.desk.Stage.Unfinished()
			})
			d.Keys("M")
			d.Frames(3)
			return middle(a, d)
		}), keep: true},
	}
}

// BenchmarkGestures measures, for each gesture, the time from a move of the mouse to the finished picture, at 100 % and
// 200 %, of 50,000 points. Run it as
//
//	xvfb-run -a -s '-screen 0 2880x1800x24' go test -run xxx -bench Gestures -benchtime 60x ./ui
func BenchmarkGestures(b *testing.B) {
	for _, scale := range []float32{1, 2} {
		for _, g := range gestures() {
			b.Run(fmt.Sprintf("scale=%g/%s", 100*scale, g.name), func(b *testing.B) { benchmarkGesture(b, g, scale) })
		}
	}
}

func benchmarkGesture(b *testing.B, g handled, scale float32) {
	a := newApp(Options{Paths: []string{"demo:cytometry:50000"}, ConfigDir: b.TempDir(), StateDir: b.TempDir(),
		Version: "bench", OwnDialogs: true, Still: true})
	d := uitest.Open(b, a, int(1280*scale), int(800*scale), scale)
	defer d.Close()
	d.Wait("the map is at rest", 5*time.Minute, func() bool {
		return a.desk != nil && !a.desk.Busy() && !a.desk.Stage.Unfinished() && len(a.compute.jobs.List()) == 0
	})
	x, y := g.begin(a, d)
	d.Move(x, y)
	d.Frames(2)
	was := parts.Landmarks.Rev(a.desk.Doc.State())
	var times []time.Duration
	var cpu time.Duration
	act := func() {
		if !g.hover {
			d.Press(g.button)
			d.Frames(1)
		}
		b.ResetTimer()
		cpu = cpuTime()
		for i := range max(b.N, 60) {
			start := time.Now()
			switch {
			case g.wheel:
				d.Wheel(x, y, float32(1-i/8%2*2))
			default:
				s := scale * float32(5+min(i%80, 80-i%80))
				d.Move(x+2*s, y+s)
			}
			uitest.Do(func() { d.Shell().Screenshot() }) // waits until everything is drawn
			times = append(times, time.Since(start))
		}
		cpu = cpuTime() - cpu
		b.StopTimer()
	}
	if g.keys == "" {
		act()
	} else {
		d.Hold(g.keys, act)
	}
	if moves := parts.Landmarks.Rev(a.desk.Doc.State()) != was; moves != movesLandmarks[g.name] {
		b.Errorf("landmarks moved: %v", moves)
	}
	if !g.hover {
		if !g.keep {
			d.Keys("Escape")
		}
		d.Release(g.button)
	}
	slices.Sort(times)
	for _, p := range []int{50, 95} {
		b.ReportMetric(times[(len(times)-1)*p/100].Seconds()*1000, fmt.Sprintf("ms/p%d", p))
	}
	b.ReportMetric(cpu.Seconds()*1000/float64(len(times)), "cpu-ms/move") // time of all threads, drawing among them
	b.ReportMetric(0, "ns/op")
}

// movesLandmarks are the gestures that do: the bench fails if it does not measure what it says.
var movesLandmarks = map[string]bool{"move a landmark": true, "scale selected landmarks": true,
	"rotate selected landmarks": true, "move selected points": true}
