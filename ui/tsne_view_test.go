package ui

import (
	"math"
	"slices"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
)

// A t-SNE is chosen in the header of a view: the panel in which it is steered opens. Its points are enclosed as in any
// view, its map is followed although the view is turned, and seen again where it begins anew.
func TestATSNEInItsView(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:900"}, Still: true})
	opened(t, a, d)
	v := a.desk.Stage.Scatter()
	uitest.Do(func() {
		open(a, "colour", "train", "transform")
		a.desk.Doc.Do("Fewer units", func(s *state.State) {
			for _, dims := range []int{2, 3} {
				parts.Runs.Put(s, parts.Runs.Of(*s).Edit(embedding.TSNE(dims), func(c *parts.RunChoice) {
					c.Values["until"], c.Values["total"] = 40, 120
				}))
			}
		})
		a.desk.Stage.Choose(v.View, embedding.TSNE(2))
	})
	formed(t, a, d, 20)
	d.Shoot("tsne-chosen")
	side, run := d.Rect("side bar"), d.Rect("side bar/tsne/run")
	if run.Y0 < side.Y0+30 || run.Y1 > side.Y1 {
		t.Errorf("the panel's button is at %v, the side bar at %v", run, side)
	}
	formed(t, a, d, 120)
	rest(t, a, d)

	selected := func() (n int) {
		uitest.Do(func() { n = a.desk.Stage.Selected().Count() })
		return n
	}
	box := v.Eye.Box
	for _, keys := range []string{"Shift", "Alt"} {
		before := v.Eye.Saved()
		d.Hold(keys, func() {
			d.Move(box.X0+4, box.Y0+4)
			d.Press(0)
			for _, p := range [][2]float32{{box.X1 - 4, box.Y0 + 4}, {box.X1 - 4, box.Y1 - 4}, {box.X0 + 4, box.Y1 - 4},
				{box.X1 - 4, box.Y1 - 4}} {
				if d.Move(p[0], p[1]); keys == "Alt" && p == [2]float32{box.X0 + 4, box.Y1 - 4} {
					break
				}
			}
			d.Release(0)
		})
		if selected() != 900 || v.Eye.Saved() != before {
			t.Errorf("%s+drag selects %d points, and moves the view from %v to %v", keys, selected(), before,
				v.Eye.Saved())
		}
		d.Keys("Ctrl+Shift+A")
	}

	away := func() {
		uitest.Do(func() { v.Eye.Pan(5000, 5000) })
		d.Frames(2)
		if !v.Eye.Moved || inSight(v) > 0 {
			t.Fatal("the view is not elsewhere")
		}
	}
	away()
	uitest.Do(func() { commandByID("tsne-again").Run(a) })
	formed(t, a, d, 20)
	d.Frames(20)
	if n := inSight(v); v.Eye.Moved || n < 800 {
		t.Errorf("begun anew, %d points are in sight, moved %v", n, v.Eye.Moved)
	}
	rest(t, a, d)
	away()
	for range 20 {
		if v.Field().Stands().Units > 0 {
			d.Keys("Ctrl+Z")
			d.Wait("it is as it was", time.Minute, func() bool { return !v.Field().Busy() })
		}
	}
	rest(t, a, d)
	if n := inSight(v); n < 800 {
		t.Errorf("before its first run %d points are in sight", n)
	}

	uitest.Do(func() { a.desk.Stage.Choose(v.View, embedding.TSNE(3)) })
	d.Wait("it forms in 3D", time.Minute, func() bool { return v.Field().Stands().Units > 10 })
	near := func(a, b [4]float64) bool {
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-9 {
				return false
			}
		}
		return true
	}
	turn := v.Eye.Saved().Turn
	d.Drag(box.X0+300, box.Y0+300, box.X0+380, box.Y0+330, 4)
	d.Frames(2)
	turned := v.Eye.Saved().Turn
	if v.Eye.Moved || near(turned, turn) {
		t.Errorf("turned to %v from %v it counts as moved: %v", turned, turn, v.Eye.Moved)
	}
	rest(t, a, d)
	uitest.Do(a.desk.Stage.Keep)
	if c := v.View.State().Camera; c.Set() || !near(c.Turn, turned) || inSight(v) < 700 {
		t.Errorf("it is kept as %v, with %d points in sight", c, inSight(v))
	}
	uitest.Do(func() { v.Eye.Rotate(50, 0); v.Eye.Load(v.View.State().Camera) })
	if !near(v.Eye.Saved().Turn, turned) || v.Eye.Moved {
		t.Error("how it was turned is not loaded")
	}
}

// inSight is how many points of a view are within it.
func inSight(v *view.Scatter) (n int) {
	uitest.Do(func() {
		p := v.Points()
		if p == nil {
			return
		}
		host, dims, b := p.Host(), p.Dims(), v.Eye.Sight()
		for row := range slices.Chunk(host[:p.Len()*dims], dims) {
			if x, y, ok := v.Eye.Screen(stand.World(row)); ok && x > b.X0 && x < b.X1 && y > b.Y0 && y < b.Y1 {
				n++
			}
		}
	})
	return n
}
