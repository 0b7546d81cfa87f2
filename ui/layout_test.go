package ui

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/render/camera"
	"blossom/ui/orders"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/view"
)

func marksOf(a *App) *landmark.Set { return parts.Landmarks.Of(a.desk.Doc.State()) }

// chooseIDs selects landmarks.
func chooseIDs(a *App, ids ...int) {
	uitest.Do(func() { a.desk.Stage.Hand().Landmarks.Selected = ids })
}

// The panel as a hand uses it: run, pause, step, blend, undo, start over, to rest.
func TestLayoutByItsPanel(t *testing.T) {
	a, d := begin(t, 1280, 900, 1, Options{Paths: []string{"demo:mammoth:4000"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() { open(a, "layout") })
	d.Frames(3)
	pos := func() (out []float32) {
		uitest.Do(func() { out = marksOf(a).Pos.Data })
		return out
	}
	last := func() (name string) {
		uitest.Do(func() { name = a.desk.Doc.History().CanUndo() })
		return name
	}
	before := pos()
	d.ClickOn("side bar/layout/run")
	d.Frames(4)
	if !a.desk.Layout().Active() || slices.Equal(before, pos()) || !d.Has("status/pause-layout") {
		t.Fatal("it does not run, or does not say so")
	}
	d.ClickOn("status/pause-layout")
	d.Frames(2)
	if a.desk.Layout().Active() || d.Has("status/pause-layout") {
		t.Fatal("the cross of the status bar does not pause it")
	}
	rest(t, a, d)
	paused := pos()
	d.ClickOn("side bar/layout/Step")
	rest(t, a, d)
	if slices.Equal(paused, pos()) || a.desk.Layout().Active() {
		t.Fatal("a step moves nothing, or more than a step")
	}
	stepped := pos()
	d.Keys(",")
	rest(t, a, d)
	if slices.Equal(stepped, pos()) {
		t.Fatal("its key does no step")
	}
	d.Keys("O")
	d.Frames(2)
	if !a.desk.Layout().Active() {
		t.Fatal("its key does not run it")
	}
	d.Wait("it comes to rest", 60*time.Second, func() bool { return !a.desk.Layout().Active() })
	rest(t, a, d)
	after := pos()
	if h := a.desk.Doc.History(); h.Len() != 1 || last() != "Force-directed layout" ||
		!strings.Contains(a.log.last, "came to rest after") {
		t.Fatalf("%d entries, the last %q; said %q", h.Len(), last(), a.log.last)
	}

	// Blend, by hand and typed, also as nonsense.
	r := d.Rect("side bar/layout/blend/track")
	d.Drag(r.X1-8, r.Center().Y, r.Center().X, r.Center().Y, 6)
	d.Frames(2)
	half := pos()
	share := parts.Blends.Of(a.desk.Doc.State()).Share
	if last() != "Blend before and after" || a.desk.Doc.History().Len() != 2 || share < 0.3 || share > 0.7 {
		t.Fatalf("dragged to %g, the last entry is %q", share, last())
	}
	for i := range half {
		want := float64(before[i]) + share*(float64(after[i])-float64(before[i]))
		if math.Abs(float64(half[i])-want) > 1e-4 {
			t.Fatalf("coordinate %d is %g, should be %g", i, half[i], want)
		}
	}
	for typed, want := range map[string]float64{"0": 0, "250": 1, "-9": 0, "25": 0.25} {
		d.Enter("side bar/layout/blend", typed)
		d.Frames(2)
		if got := parts.Blends.Of(a.desk.Doc.State()).Share; got != want {
			t.Errorf("typing %q gives %g", typed, got)
		}
	}
	now := parts.Blends.Of(a.desk.Doc.State()).Share
	for _, typed := range []string{"NaN", "twice", "", "1e999", "--3"} {
		d.Enter("side bar/layout/blend", typed)
		d.Frames(2)
		if got := parts.Blends.Of(a.desk.Doc.State()).Share; got != now && got != 1 {
			t.Errorf("typing %q gives %g", typed, got)
		}
		now = parts.Blends.Of(a.desk.Doc.State()).Share
	}
	for a.desk.Doc.History().Done() > 1 {
		d.Keys("Ctrl+Z")
	}
	if !slices.Equal(after, pos()) || parts.Blends.Of(a.desk.Doc.State()).Share != 1 {
		t.Fatal("undone, it is not as the layout left it")
	}
	d.Keys("Ctrl+Z")
	if !slices.Equal(before, pos()) {
		t.Fatal("the layout is not undone")
	}
	d.Keys("Ctrl+Shift+Z")
	if !slices.Equal(after, pos()) {
		t.Fatal("the layout is not done again")
	}
	for range 10 {
		d.Keys("Ctrl+Shift+Z")
	}
	if got := parts.Blends.Of(a.desk.Doc.State()); !got.Fits(marksOf(a)) {
		t.Fatal("the blend is lost on the way forth and back")
	}
	d.ClickOn("side bar/layout/again")
	d.Frames(1)
	d.Wait("it comes to rest", 60*time.Second, func() bool { return !a.desk.Layout().Active() })
	rest(t, a, d)
	if !slices.Equal(parts.Blends.Of(a.desk.Doc.State()).Before.Data, before) {
		t.Fatal("starting over does not go back to before")
	}
}

// A stroke that the selected landmarks follow, in 2D and in 3D, in either order; Esc leaves it.
func TestStraightenAlongAStroke(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:1500"}, Still: true})
	opened(t, a, d)
	var column string
	dim := 4
	uitest.Do(func() {
		column = a.desk.Doc.Data.Columns[a.desk.Table().Cols[dim]].Name
		a.desk.ColourBy(column)
	})
	for _, solid := range []bool{false, true} {
		if solid {
			uitest.Do(func() {
				a.desk.Start.SetSolid(true)
				orders.NewLandmarks(a.desk)
				a.desk.Training().Pause()
			})
			d.Frames(5)
			rest(t, a, d)
			uitest.Do(a.desk.Training().Pause)
			rest(t, a, d)
		}
		ids := []int{3, 50, 21, 77, 100, 8}
		chooseIDs(a, ids...)
		d.Keys("1")
		run(d, "straighten along")
		rest(t, a, d)
		if a.tools.now != view.Straighten || !d.Has("options") {
			t.Fatal("the tool is not chosen")
		}
		d.Keys("Esc")
		if a.tools.now == view.Straighten || len(a.desk.Stage.Hand().Landmarks.Selected) != len(ids) {
			t.Fatal("Esc does not leave it, or leaves more")
		}
		for _, byColumn := range []bool{false, true} {
			run(d, "straighten along")
			rest(t, a, d)
			uitest.Do(func() { a.desk.Stage.Hand().Along.ByColumn = byColumn })
			before, entries := marksOf(a).Pos, a.desk.Doc.History().Done()
			c := a.active().Rect().Center()
			d.Move(c.X-250, c.Y+60)
			d.Press(shell.Left)
			for i := range 51 {
				d.Move(c.X-250+float32(10*i), c.Y+60-float32(40*math.Sin(float64(i)/10)))
			}
			d.Release(shell.Left)
			rest(t, a, d)
			straight := a.tools.now != view.Straighten
			run(d, "straighten along") // the view is as it was under the stroke
			rest(t, a, d)
			if !straight || a.desk.Doc.History().CanUndo() != "Straighten along a stroke" ||
				a.desk.Doc.History().Done() != entries+1 || !marksOf(a).ByHand {
				t.Fatalf("the last entry is %q", a.desk.Doc.History().CanUndo())
			}
			type placed struct {
				x     float32
				value float32
			}
			var got []placed
			for i := range marksOf(a).Len() {
				if !slices.Contains(ids, i) {
					if !slices.Equal(before.Row(i), marksOf(a).Pos.Row(i)) {
						t.Fatalf("landmark %d has moved", i)
					}
					continue
				}
				var x, y float64
				uitest.Do(func() {
					q := marksOf(a).Pos.Row(i)
					at := camera.Vec{X: float64(q[0]), Y: float64(q[1])}
					if solid {
						at.Z = float64(q[2])
					}
					x, y, _ = a.active().Eye.Screen(at)
				})
				want := float64(c.Y) + 60 - 40*math.Sin((x-float64(c.X)+250)/100)
				if math.Abs(y-want) > 2 {
					t.Errorf("3D %v: landmark %d is at %g, %g, the stroke at %g", solid, i, x, y, want)
				}
				got = append(got, placed{float32(x), marksOf(a).Codebook.Row(i)[dim]})
			}
			slices.SortFunc(got, func(a, b placed) int { return cmp.Compare(a.x, b.x) })
			if byColumn && !slices.IsSortedFunc(got, func(a, b placed) int { return cmp.Compare(a.value, b.value) }) {
				t.Errorf("in the order of the column they are %v", got)
			}
			d.Keys("Esc")
			d.Keys("Ctrl+Z")
			rest(t, a, d)
			if !slices.Equal(before.Data, marksOf(a).Pos.Data) {
				t.Fatal("it cannot be undone")
			}
			if !slices.Equal(a.desk.Stage.Hand().Landmarks.Selected, ids) {
				chooseIDs(a, ids...)
			}
		}
	}
}
