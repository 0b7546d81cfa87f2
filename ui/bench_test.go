package ui

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/widget"
)

// BenchmarkDrag measures the time from a move of the mouse that drags a landmark to the finished
// picture of the window: without training, beside it, with four views, with the card of the map's
// quality open, and beside layouts of 400 to 4,096 landmarks. Run it as
//
//	xvfb-run -a go test -run xxx -bench Drag ./ui
func BenchmarkDrag(b *testing.B) {
	for _, n := range []int{50_000, 1_000_000} {
		for _, training := range []bool{false, true} {
			b.Run(fmt.Sprintf("points=%d/training=%v", n, training),
				func(b *testing.B) { benchmarkDrag(b, n, beside{training: training}) })
		}
		b.Run(fmt.Sprintf("points=%d/views=4", n), func(b *testing.B) { benchmarkDrag(b, n, beside{views: 4}) })
		b.Run(fmt.Sprintf("points=%d/panels=4", n), func(b *testing.B) { benchmarkDrag(b, n, beside{panels: true}) })
		for _, how := range []parts.Drawing{{Draw: "density"}, {Draw: "hexagons"}, {Draw: "density", Smooth: 4}} {
			b.Run(fmt.Sprintf("points=%d/draw=%s/smooth=%g", n, how.Draw, how.Smooth),
				func(b *testing.B) { benchmarkDrag(b, n, beside{draw: how}) })
		}
		b.Run(fmt.Sprintf("points=%d/card", n), func(b *testing.B) { benchmarkDrag(b, n, beside{card: true}) })
		for _, with := range []beside{{grid: [2]int{20, 20}, layout: "force"}, {grid: [2]int{50, 40}},
			{grid: [2]int{50, 40}, layout: "force"}, {grid: [2]int{50, 40}, layout: "tsne"},
			{grid: [2]int{64, 64}}, {grid: [2]int{64, 64}, layout: "force"}, {grid: [2]int{64, 64}, layout: "tsne"}} {
			name := fmt.Sprintf("points=%d/layout=%s/landmarks=%d", n, cmp.Or(with.layout, "none"),
				with.grid[0]*with.grid[1])
			b.Run(name, func(b *testing.B) { benchmarkDrag(b, n, with) })
		}
	}
}

// beside is what goes on beside the drag.
type beside struct {
	views    int
	card     bool // the card of the view's quality is open
	panels   bool // histograms, populations, their heat map and their frequencies are shown
	training bool
	grid     [2]int // rows and columns of a new map's landmarks
	layout   string // a layout that arranges them
	draw     parts.Drawing
}

// fourPanels shows the panels of populations, of which there are eight: of landmarks, and one of limits.
func fourPanels(a *App, d *uitest.Driver, b *testing.B) {
	uitest.Do(func() {
		var tree population.Tree
		set := parts.Landmarks.Of(a.desk.Doc.State())
		for k := range 8 {
			t, id, err := tree.Add(population.Population{Name: fmt.Sprintf("population %d", k+1)})
			if err != nil {
				b.Fatal(err)
			}
			var ids []int
			for i := k * set.Len() / 8; i < (k+1)*set.Len()/8; i++ {
				ids = append(ids, i)
			}
			tree, set = t.Redefine(id, &population.Landmarks{Groups: []population.ID{id}}), set.Carry(ids, int32(id))
		}
		column := a.desk.Doc.Data.Columns[a.desk.Table().Cols[1]].Name
		tree, _, err := tree.Add(population.Population{Name: "limits", Parent: 1, Rule: &population.Limits{
			Of: []population.Limit{{Column: column, Low: 1000, High: math.Inf(1)}}}})
		if err != nil {
			b.Fatal(err)
		}
		a.desk.Doc.Do("Populations", func(now *state.State) {
			parts.Populations.Put(now, tree)
			parts.Landmarks.Put(now, set)
		})
		a.desk.Stage.Scene.Gating.Chosen = 1
		map_ := a.desk.Stage.Active()
		a.desk.Stage.Split(map_)
		a.desk.Stage.ShowKind(a.desk.Stage.Active(), "populations")
		a.desk.Stage.Activate(map_)
		for _, id := range []string{"panel-populations", "panel-histograms", "dock-frequencies"} {
			commandByID(id).Run(a)
		}
	})
	d.Sleep(time.Second) // values that rest go on
	still := 0
	d.Wait("the panels are up to date", 5*time.Minute, func() bool {
		if still++; a.desk.Busy() || a.desk.Stage.Moving() || !a.compute.jobs.Idle() {
			still = 0 // one value waits for another
		}
		return still > 20
	})
}

func benchmarkDrag(b *testing.B, n int, with beside) {
	a := newApp(Options{Paths: []string{fmt.Sprintf("demo:cytometry:%d", n)}, ConfigDir: b.TempDir(),
		StateDir: b.TempDir(), Version: "bench", OwnDialogs: true})
	d := uitest.Open(b, a, 1280, 800, 1)
	quiet := func() {
		d.Wait("the map is at rest", 5*time.Minute, func() bool {
			return a.desk != nil && !a.desk.Busy() && !a.desk.Stage.Unfinished() && len(a.compute.jobs.List()) == 0
		})
	}
	if with.grid != [2]int{} {
		d.Wait("there is a map", 5*time.Minute, func() bool { return a.desk != nil })
		uitest.Do(func() {
			a.desk.Start.Cols, a.desk.Start.Rows = with.grid[0], with.grid[1]
			commandByID("new-map").Run(a)
		})
		trained := time.Now().Add(4 * time.Second) // some: the rest of it is not what is measured
		d.Wait("the map is trained", 5*time.Minute, func() bool {
			return parts.Landmarks.Of(a.desk.Doc.State()).Len() == with.grid[0]*with.grid[1] &&
				time.Now().After(trained)
		})
		uitest.Do(func() { a.desk.Training().Pause() })
	}
	quiet()
	d.Sleep(time.Second) // the views fly to the map
	if with.views == 4 {
		fourViews(a, d, b)
		uitest.Do(func() { a.desk.Stage.Activate(a.desk.Stage.Scatters()[0].View) }) // the map: the landmark is there
		d.Frames(3)
	}
	if with.card {
		d.ClickOn("view1/quality")
		d.Frames(3)
	}
	if with.panels {
		fourPanels(a, d, b)
	}
	d.Keys("2")
	uitest.Do(func() {
		if with.draw != (parts.Drawing{}) {
			a.desk.SetLook("Draw", func(l *parts.Look) { l.Column, l.Drawing = "", with.draw })
		}
		if with.training {
			if err := a.desk.Training().Again(); err != nil {
				panic(err)
			}
		}
		if with.layout != "" { // before the drag, which is an entry of the history of its own
			a.desk.Change("Choose a layout", widget.Edit{Changed: true, Committed: true}, func(s *state.State) {
				parts.Layout.Edit(s, func(l *parts.LayoutChoice) { l.Algorithm = with.layout })
			})
			if err := a.desk.Layout().Start(); err != nil {
				panic(err)
			}
		}
	})
	const held, moves = 210, 240
	if with.layout != "" {
		d.Wait("the layout moves landmarks", time.Minute, func() bool { return a.desk.Layout().Progress().Steps > 0 })
	}
	x, y := stand.MarkAt(a.desk, held)
	uitest.Do(func() { // in one frame: beside a layout the landmark goes on
		d.Shell().Move(x, y)
		d.Shell().Button(shell.Left, true)
	})
	d.Frames(1)
	before := a.desk.Layout().Progress().Steps
	var times, frames, shots []time.Duration
	var shown []int
	cpu := cpuTime()
	b.ResetTimer()
	for i := range max(b.N, moves) {
		start := time.Now()
		d.Move(x+float32(5+i%40), y+float32(i%7))
		frames = append(frames, time.Since(start))
		uitest.Do(func() {
			d.Shell().Screenshot() // waits until everything is drawn
			shown = append(shown, a.desk.Stage.Scatters()[0].PointsDrawn())
		})
		times = append(times, time.Since(start))
		shots = append(shots, times[len(times)-1]-frames[len(frames)-1])
		if with.layout != "" && !a.desk.Layout().Active() {
			b.Fatalf("move %d: no layout runs beside the drag: %+v", i, a.desk.Layout().Progress())
		}
		at := d.Pos()
		if lx, ly := stand.MarkAt(a.desk, held); math.Hypot(float64(lx-at.X), float64(ly-at.Y)) > 12 {
			b.Fatalf("move %d: the hand at %v does not hold the landmark at %v, %v", i, at, lx, ly)
		}
	}
	b.StopTimer()
	cpu = cpuTime() - cpu
	steps := float64(a.desk.Layout().Progress().Steps - before)
	if with.layout != "" && steps == 0 {
		b.Fatalf("the layout made no step beside the drag: %+v", a.desk.Layout().Progress())
	}
	d.Release(shell.Left)
	at := func(t []time.Duration, p float64) float64 {
		slices.Sort(t)
		return t[int(p*float64(len(t)-1))].Seconds() * 1000
	}
	b.ReportMetric(at(frames, 0.5), "ms/frame")
	b.ReportMetric(at(shots, 0.5), "ms/shot")
	for _, p := range []int{50, 95, 99} {
		b.ReportMetric(at(times, float64(p)/100), fmt.Sprintf("ms/p%d", p))
	}
	b.ReportMetric(cpu.Seconds()*1000/float64(len(times)), "cpu-ms/move") // time of all threads, drawing among them
	slices.Sort(shown)
	b.ReportMetric(float64(shown[len(shown)/2]), "points-shown")
	if with.layout != "" {
		sum := time.Duration(0)
		for _, t := range times {
			sum += t
		}
		b.ReportMetric(steps/sum.Seconds(), "steps/s")
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkTSNE measures frames while t-SNE forms in a view beside EmbedSOM, and while a point of it is dragged: the
// time of a frame, and how many units are done in a second. Run it as
//
//	xvfb-run -a go test -run xxx -bench TSNE -benchtime 1x ./ui
func BenchmarkTSNE(b *testing.B) {
	for _, n := range []int{5_000, 50_000} {
		for _, drag := range []bool{false, true} {
			b.Run(fmt.Sprintf("points=%d/drag=%v", n, drag), func(b *testing.B) { benchmarkTSNE(b, n, drag) })
		}
	}
}

func benchmarkTSNE(b *testing.B, n int, drag bool) {
	a := newApp(Options{Paths: []string{fmt.Sprintf("demo:cytometry:%d", n)}, ConfigDir: b.TempDir(),
		StateDir: b.TempDir(), Version: "bench", OwnDialogs: true, Still: true})
	d := uitest.Open(b, a, 1280, 800, 1)
	d.Wait("the map is at rest", 5*time.Minute, func() bool {
		return a.desk != nil && !a.desk.Busy() && !a.desk.Stage.Unfinished() && len(a.compute.jobs.List()) == 0
	})
	uitest.Do(func() { a.desk.ShowBeside(embedding.TSNE(2)) })
	formed(b, a, d, 260)
	var x, y float32
	if drag {
		d.Keys("2")
		x, y = pointAt(a, 5)
		d.Move(x, y)
		d.Press(shell.Left)
	}
	_, e := a.desk.RunningView()
	units, begun := e.Stands().Units, time.Now()
	var times []time.Duration
	b.ResetTimer()
	for i := range max(b.N, 120) {
		start := time.Now()
		if drag {
			d.Move(x+float32(5+i%40), y+float32(i%7))
		} else {
			d.Frames(1)
		}
		times = append(times, time.Since(start))
	}
	b.StopTimer()
	took := time.Since(begun).Seconds()
	b.ReportMetric(float64(e.Stands().Units-units)/took, "units/s")
	if drag {
		d.Release(shell.Left)
	}
	slices.Sort(times)
	at := func(p float64) float64 { return times[int(p*float64(len(times)-1))].Seconds() * 1000 }
	b.ReportMetric(at(0.5), "ms/p50")
	b.ReportMetric(at(0.95), "ms/p95")
	b.ReportMetric(at(1), "ms/longest")
	b.ReportMetric(0, "ns/op")
}
