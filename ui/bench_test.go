package ui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"blossom/model/live"
	"blossom/model/parts"
	"blossom/render/camera"
	"blossom/ui/shell"
	"blossom/ui/uitest"
)

// BenchmarkDrag measures the time from a move of the mouse that drags a landmark to the finished
// picture of the window: without training, beside it, with four views, with the card of the map's
// quality open, and beside a layout of 400 and of 2,000 landmarks. Run it as
//
//	xvfb-run -a go test -run xxx -bench Drag ./ui
func BenchmarkDrag(b *testing.B) {
	for _, n := range []int{50_000, 1_000_000} {
		for _, training := range []bool{false, true} {
			b.Run(fmt.Sprintf("points=%d/training=%v", n, training),
				func(b *testing.B) { benchmarkDrag(b, n, beside{training: training}) })
		}
		b.Run(fmt.Sprintf("points=%d/views=4", n), func(b *testing.B) { benchmarkDrag(b, n, beside{views: 4}) })
		b.Run(fmt.Sprintf("points=%d/card", n), func(b *testing.B) { benchmarkDrag(b, n, beside{card: true}) })
		for _, side := range [][2]int{{20, 20}, {50, 40}} {
			b.Run(fmt.Sprintf("points=%d/layout=force/landmarks=%d", n, side[0]*side[1]),
				func(b *testing.B) { benchmarkDrag(b, n, beside{grid: side}) })
		}
	}
}

// beside is what goes on beside the drag.
type beside struct {
	views    int
	card     bool // of the view's quality is open
	training bool
	grid     [2]int // of landmarks, that a force-directed layout arranges
}

func benchmarkDrag(b *testing.B, n int, with beside) {
	a := newApp(Options{Paths: []string{fmt.Sprintf("demo:cytometry:%d", n)}, ConfigDir: b.TempDir(),
		StateDir: b.TempDir(), Version: "bench", OwnDialogs: true})
	d := uitest.Open(b, a, 1280, 800, 1)
	quiet := func() {
		d.Wait("the map is at rest", 5*time.Minute, func() bool {
			return a.desk != nil && !a.desk.Busy() && !a.desk.Stage.Unfinished() && len(a.jobs.List()) == 0
		})
	}
	quiet()
	laid := with.grid != [2]int{}
	if laid {
		uitest.Do(func() {
			a.desk.Start.Cols, a.desk.Start.Rows = with.grid[0], with.grid[1]
			commandByID("new-map").run(a)
		})
		quiet()
	}
	if with.views == 4 {
		fourViews(a, d, b)
	}
	if with.card {
		d.ClickOn("view1/quality")
		d.Frames(3)
	}
	var x, y float32
	uitest.Do(func() {
		a.desk.Stage.Activate(a.desk.Stage.Views()[0])
		p := parts.Landmarks.Of(a.desk.Doc.State()).Pos.Row(210)
		sx, sy, _ := a.active().Screen(camera.Vec{X: float64(p[0]), Y: float64(p[1])})
		x, y = float32(sx), float32(sy)
		if with.training {
			if err := a.desk.Run(true); err != nil {
				panic(err)
			}
		}
	})
	d.Keys("2")
	d.Move(x, y)
	if laid { // before the drag, which is an entry of the history of its own
		uitest.Do(func() { a.lay((*live.Layout).Run) })
		d.Frames(2)
		x, y = landmarkAt(a, 210)
		d.Move(x, y)
	}
	d.Press(shell.Left)
	steps := 0.0 // at most, a second
	var times, frames, shots []time.Duration
	var shown []int
	b.ResetTimer()
	for i := range max(b.N, 60) {
		start := time.Now()
		d.Move(x+float32(5+i%40), y+float32(i%7))
		frames = append(frames, time.Since(start))
		uitest.Do(func() {
			d.Shell().Screenshot() // waits until everything is drawn
			shown = append(shown, a.desk.Stage.Views()[0].PointsDrawn())
		})
		times = append(times, time.Since(start))
		steps = max(steps, a.desk.Layout().Progress().Rate)
		shots = append(shots, times[len(times)-1]-frames[len(frames)-1])
	}
	b.StopTimer()
	if laid && (steps == 0 || !a.desk.Layout().Active()) {
		b.Fatalf("the layout does not run beside the drag: %+v", a.desk.Layout().Progress())
	}
	d.Release(shell.Left)
	at := func(t []time.Duration, p float64) float64 {
		slices.Sort(t)
		return t[int(p*float64(len(t)-1))].Seconds() * 1000
	}
	b.ReportMetric(at(frames, 0.5), "ms/frame")
	b.ReportMetric(at(shots, 0.5), "ms/shot")
	b.ReportMetric(at(times, 0.5), "ms/p50")
	b.ReportMetric(at(times, 0.95), "ms/p95")
	slices.Sort(shown)
	b.ReportMetric(float64(shown[len(shown)/2]), "points-shown")
	if laid {
		b.ReportMetric(steps, "steps/s")
		b.ReportMetric(times[len(times)-1].Seconds()*1000, "ms/longest")
	}
	b.ReportMetric(0, "ns/op")
}
