package ui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"blossom/model/document/state"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/widget"
)

// dotAt is the place of a moment on the time line.
func dotAt(d *uitest.Driver, i int) (x, y float32) {
	c := d.Rect(fmt.Sprintf("line/%d", i)).Center()
	return c.X, c.Y
}

func nowAt(a *App) (i int) {
	uitest.Do(func() { i = a.desk.Past().Now })
	return i
}

// Dragging the playhead takes the document from moment to moment and shows what lies between; Esc takes it back; the
// arrows step; keys of undo and redo are as before; nothing of it is an entry.
func TestScrubbing(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:2000"}, Still: true})
	opened(t, a, d)
	stand.Deeds(a.desk, 6, 3, 2)
	d.Keys("Alt+L")
	rest(t, a, d)
	var entries int
	uitest.Do(func() { entries = len(a.desk.Doc.History().Entries()) })
	start := nowAt(a)
	if start != 8 {
		t.Fatalf("it begins at %d", start)
	}
	pos := func() []float32 { return slices.Clone(a.mapPoints().Host()) }
	end := pos()
	x0, y0 := dotAt(d, 8)
	x1, _ := dotAt(d, 1)
	d.Move(x0, y0)
	d.Frames(1)
	d.Press(shell.Left)
	seen := map[int]bool{}
	var between, frames int
	for f := range 60 {
		at := x0 + (x1-x0)*float32(f+1)/60
		d.Move(at, y0)
		frames++
		seen[nowAt(a)] = true
		uitest.Do(func() {
			if a.desk.Previewing() {
				between++
			}
		})
	}
	for _, i := range []int{1, 2, 3, 7} {
		if !seen[i] {
			t.Errorf("it has not passed through moment %d", i)
		}
	}
	if between < frames/2 {
		t.Errorf("only %d of %d frames were between two moments", between, frames)
	}
	d.Keys("Esc")
	d.Release(shell.Left)
	rest(t, a, d)
	if nowAt(a) != start || a.desk.Previewing() || !slices.Equal(pos(), end) {
		t.Fatalf("after Esc it is at %d", nowAt(a))
	}

	// Along the other branch, which stands lower.
	x6, y6 := dotAt(d, 6)
	d.Drag(x0, y0, x6+2, y6+1, 9)
	rest(t, a, d)
	if nowAt(a) != 6 || a.desk.Previewing() {
		t.Fatalf("dragged to the end of the other branch it is at %d", nowAt(a))
	}
	d.Keys("Left")
	d.Keys("Left")
	if nowAt(a) != 4 {
		t.Fatalf("two to the left it is at %d", nowAt(a))
	}
	d.Keys("Right")
	if nowAt(a) != 5 {
		t.Fatalf("one to the right it is at %d", nowAt(a))
	}
	d.Keys("Ctrl+Z")
	if nowAt(a) != 4 {
		t.Fatalf("undo goes to %d", nowAt(a))
	}
	d.Keys("Ctrl+Shift+Z")
	if nowAt(a) != 5 {
		t.Fatalf("redo goes to %d", nowAt(a))
	}
	d.Click(dotAt(d, 8))
	rest(t, a, d)
	if nowAt(a) != 8 || !slices.Equal(pos(), end) {
		t.Fatalf("a click goes to %d", nowAt(a))
	}

	// Arrows belong to the views again as soon as these have been clicked.
	c := a.active().Rect().Center()
	d.Click(c.X, c.Y)
	was := a.active().Eye.Saved()
	d.Keys("Left")
	rest(t, a, d)
	if nowAt(a) != 8 || a.active().Eye.Saved() == was {
		t.Error("the arrows do not move the view that was clicked")
	}
	uitest.Do(func() {
		if n := len(a.desk.Doc.History().Entries()); n != entries {
			t.Errorf("scrubbing made %d entries", n-entries)
		}
	})
}

// Docks are remembered: shown, folded, their height; the edge is dragged, a double click on it brings the usual back.
func TestDocksAreRemembered(t *testing.T) {
	config := t.TempDir()
	o := Options{Paths: []string{"demo:tesseract:300"}, Still: true, ConfigDir: config, StateDir: t.TempDir()}
	a, d := begin(t, 1100, 700, 1, o)
	opened(t, a, d)
	views := a.rooms.regions.canvas
	d.Keys("Alt+L")
	d.Frames(3)
	r := d.Rect("dock-time")
	if r.H() != 106 || a.rooms.regions.canvas.H() != views.H()-106 || r.Y1 != views.Y1 {
		t.Fatalf("the dock is at %v, the views at %v, of %v", r, a.rooms.regions.canvas, views)
	}
	d.Drag(r.Center().X, r.Y0, r.Center().X, r.Y0-100, 6)
	if got := d.Rect("dock-time").H(); got < 204 || got > 208 {
		t.Errorf("dragged by 100 it is %g high", got)
	}
	d.Drag(r.Center().X, r.Y0-100, r.Center().X, 40, 6)
	if got := d.Rect("dock-time").H(); got != widget.DockMost {
		t.Errorf("dragged to the top it is %g high", got)
	}
	d.End()
	a, d = begin(t, 1100, 700, 1, o)
	opened(t, a, d)
	if got := d.Rect("dock-time").H(); got != widget.DockMost {
		t.Errorf("in another window it is %g high", got)
	}
	top := d.Rect("dock-time")
	d.DoubleClick(top.Center().X, top.Y0)
	if got := d.Rect("dock-time").H(); got != 106 {
		t.Errorf("after a double click on its edge it is %g high", got)
	}
	d.ClickOn("dock-time/fold")
	if got := d.Rect("dock-time").H(); got != widget.DockHeader || d.Has("line") {
		t.Errorf("folded it is %g high", got)
	}
	d.ClickOn("dock-time/fold")
	d.Resize(1100, 330)
	if got := d.Rect("dock-time").H(); got > 110 || a.rooms.regions.canvas.H() < 150 {
		t.Errorf("in a low window it is %g high, the views %g", got, a.rooms.regions.canvas.H())
	}
	d.Resize(500, 400)
	if got := d.Rect("dock-time").H(); got != widget.DockHeader {
		t.Errorf("in a small window it is %g high", got)
	}
	d.ClickOn("dock-time/fold")
	if got := d.Rect("dock-time").H(); got < widget.DockLeast || !d.Has("line") {
		t.Errorf("opened in a small window it is %g high", got)
	}
	d.Resize(1100, 700)
	d.ClickOn("dock-time/hide")
	d.End()
	a, d = begin(t, 1100, 700, 1, o)
	opened(t, a, d)
	if d.Has("dock-time") {
		t.Error("a hidden dock is back in another window")
	}
}

// Comparing fades between two moments and changes nothing; a held key shows the other; what changes the map ends it.
func TestComparing(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:2000"}, Still: true})
	opened(t, a, d)
	first := slices.Clone(a.mapPoints().Host())
	stand.Deeds(a.desk, 4, 1, 2)
	rest(t, a, d)
	uitest.Do(func() {
		e := a.desk.Doc.History().Entries()
		a.desk.Bookmark(e[1].ID, "")
		a.desk.Bookmark(e[0].ID, "as it began")
	})
	now := slices.Clone(a.mapPoints().Host())
	var stamp state.Stamp
	uitest.Do(func() { stamp = a.desk.Doc.State().Stamp(false) })
	d.Keys("C")
	rest(t, a, d)
	if !a.desk.Compare.On() || !d.Has("compare-done") || !slices.Equal(a.mapPoints().Host(), now) {
		t.Fatal("C does not begin to compare, with now")
	}
	d.Hold("C", func() {
		rest(t, a, d)
		if !slices.Equal(a.mapPoints().Host(), first) {
			t.Error("while C is held the other moment is not shown")
		}
	})
	rest(t, a, d)
	if !slices.Equal(a.mapPoints().Host(), now) {
		t.Error("after C is let go now is not shown")
	}
	r := d.Rect("fade")
	d.Drag(r.X1-6, r.Center().Y, r.Center().X, r.Center().Y, 6)
	rest(t, a, d)
	half := slices.Clone(a.mapPoints().Host())
	if slices.Equal(half, now) || slices.Equal(half, first) {
		t.Error("halfway it shows one of the ends")
	}
	d.Move(1, 1)
	d.Frames(3)
	d.Picture("compare-light", "compare")
	c := a.active().Rect().Center()
	d.Keys("2")
	d.Drag(c.X, c.Y, c.X+80, c.Y+40, 5) // landmarks that are shown are none of the document: the view moves
	uitest.Do(func() {
		if a.desk.Doc.State().Stamp(false) != stamp {
			t.Error("comparing changes the document")
		}
	})
	d.Keys("Esc")
	rest(t, a, d)
	if a.desk.Compare.On() || !slices.Equal(a.mapPoints().Host(), now) {
		t.Error("after Esc the document is not shown")
	}
	d.Keys("C")
	d.Frames(3)
	d.Keys("Ctrl+Z")
	rest(t, a, d)
	if a.desk.Compare.On() || a.desk.Previewing() {
		t.Error("undo does not end a comparison")
	}
}

// BenchmarkScrub measures the time from a move of the mouse on the time line to the finished picture of the window, by
// the landmarks' positions alone and with their codebooks. Run it as BenchmarkDrag.
func BenchmarkScrub(b *testing.B) {
	for _, n := range []int{50_000, 1_000_000} {
		b.Run(fmt.Sprintf("points=%d", n), func(b *testing.B) { benchmarkScrub(b, n) })
	}
}

func benchmarkScrub(b *testing.B, n int) {
	a := newApp(Options{Paths: []string{fmt.Sprintf("demo:cytometry:%d", n)}, ConfigDir: b.TempDir(),
		StateDir: b.TempDir(), Version: "bench", OwnDialogs: true, Still: true})
	d := uitest.Open(b, a, 1280, 800, 1)
	d.Wait("the map is at rest", 5*time.Minute, func() bool {
		return a.desk != nil && !a.desk.Busy() && !a.desk.Stage.Unfinished() && len(a.compute.jobs.List()) == 0
	})
	stand.Deeds(a.desk, 9, 0, 0)
	d.Keys("Alt+L")
	d.Frames(5)
	x0, y0 := dotAt(d, 9)
	x1, _ := dotAt(d, 1)
	d.Move(x0, y0)
	d.Frames(1)
	d.Press(shell.Left)
	var times []time.Duration
	b.ResetTimer()
	for i := range max(b.N, 80) {
		start := time.Now()
		d.Move(x0+(x1-x0)*float32(i%80)/80, y0)
		d.Frames(1)                                  // the map follows in the frame after the one that has the mouse
		uitest.Do(func() { d.Shell().Screenshot() }) // waits until everything is drawn
		times = append(times, time.Since(start))
	}
	b.StopTimer()
	d.Release(shell.Left)
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2].Seconds()*1000, "ms/p50")
	b.ReportMetric(times[len(times)*95/100].Seconds()*1000, "ms/p95")
	b.ReportMetric(0, "ns/op")
}
