package view_test

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

func TestAddTenRemoveThreeUndoRedo(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:s-sheet:1500", W: 1280, H: 800})
	g, done := s.Marks().Len(), s.Desk.Doc.History().Done()
	c := d.Rect("map").Center()
	for i := range 10 {
		d.Hold("Ctrl", func() { d.Click(c.X-200+float32(40*i)+7, c.Y+11) })
	}
	if n := s.Marks().Len(); n != g+10 {
		t.Fatalf("%d landmarks after adding ten to %d", n, g)
	}
	for range 3 {
		x, y := stand.MarkAt(s.Desk, g)
		d.Hold("Ctrl", func() { d.ClickWith(shell.Right, x, y) })
	}
	after := s.Marks()
	if after.Len() != g+7 {
		t.Fatalf("%d landmarks after removing three", after.Len())
	}
	s.Rest(d)
	for range 13 {
		d.Keys("Ctrl+Z")
	}
	if n := s.Marks().Len(); n != g || s.Desk.Doc.History().Done() != done {
		t.Fatalf("%d landmarks after undoing everything", n)
	}
	for range 13 {
		d.Keys("Ctrl+Shift+Z")
	}
	if now := s.Marks(); now.CodeRev != after.CodeRev || now.PosRev != after.PosRev {
		t.Fatal("redo of everything made other landmarks")
	}
	s.Rest(d)
}

// In the window itself, from its first tool: 20 drags from random places, of which half are landmarks, in two sizes.
func TestADragOfTheFirstToolPans(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:torus-knot:1500", W: 900, H: 600})
	rng := rand.New(rand.NewPCG(1, 2))
	was := s.Marks()
	for range 2 {
		r := d.Rect("map")
		for n := range 20 {
			x, y := r.X0+rng.Float32()*r.W(), r.Y0+rng.Float32()*r.H()
			lx, ly := stand.MarkAt(s.Desk, rng.IntN(was.Len()))
			if n%2 == 0 && lx > r.X0 && lx < r.X1 && ly > r.Y0 && ly < r.Y1 {
				x, y = lx, ly
			}
			d.Drag(x, y, x+float32(rng.NormFloat64()*40), y+float32(rng.NormFloat64()*40), 3)
		}
		d.Resize(1280, 800)
		uitest.Do(func() { s.Desk.Stage.Scatter().Fit(true) })
		s.Rest(d)
	}
	if now := s.Marks(); now != was || now.ByHand {
		t.Fatal("panning moved landmarks")
	}
	if n := s.Desk.Doc.History().Done(); n != 0 {
		t.Fatalf("panning made %d entries of the history", n)
	}
}

// A landmark in the hand stays under the cursor while the layout runs, the others answer, and training may go on.
func TestDragWhileALayoutRuns(t *testing.T) {
	for _, training := range []bool{false, true} {
		s, d := begin(t, stand.Options{Data: "demo:cytometry:2000", W: 1280, H: 800})
		d.Keys("2")
		uitest.Do(func() {
			if training {
				if err := s.Desk.Training().Again(); err != nil {
					t.Error(err)
				}
			}
		})
		d.Frames(4)
		uitest.Do(func() {
			if err := s.Desk.Layout().Start(); err != nil {
				t.Error(err)
			}
		})
		d.Frames(2)
		const id = 60
		var x, y float32
		for try := 0; len(s.Desk.Stage.Hand().Landmarks.Selected) != 1; try++ { // it is a moving target
			if try == 40 {
				t.Fatal("no landmark can be taken hold of")
			}
			d.Keys("Esc")
			d.Release(shell.Left)
			x, y = stand.MarkAt(s.Desk, id)
			d.Move(x, y)
			d.Press(shell.Left)
			d.Move(x+4, y)
		}
		answers := 0
		for i := range 25 {
			tx, ty := x+float32(6*i), y+float32(i)
			other := slices.Clone(s.Marks().Pos.Row(3))
			d.Move(tx, ty)
			d.Frames(2)
			gx, gy := stand.MarkAt(s.Desk, s.Desk.Stage.Hand().Landmarks.Selected[0])
			if math.Hypot(float64(gx-tx), float64(gy-ty)) > 14 {
				t.Fatalf("training %v: the landmark is at %g, %g, the mouse at %g, %g", training, gx, gy, tx, ty)
			}
			if !slices.Equal(other, s.Marks().Pos.Row(3)) {
				answers++
			}
		}
		if answers < 3 {
			t.Errorf("training %v: the rest answers to %d of 25 moves, and the layout is at work: %v", training,
				answers, s.Desk.Layout().Active())
		}
		d.Release(shell.Left)
		d.Frames(2)
		if got := s.Last(); got != "Move landmark" {
			t.Errorf("the last entry is %q", got)
		}
		d.Keys("Esc")
		d.Keys("Ctrl+Z")
		d.Keys("Ctrl+Z")
		s.Rest(d)
		if s.Desk.Layout().Active() {
			t.Error("it runs on")
		}
		d.End()
	}
}

// Lines and patches say how far landmarks are, in both themes, at every size and scale.
func TestGraphShown(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:2000", W: 1280, H: 800})
	graph := func(change func(*parts.GraphChoice)) *image.RGBA {
		uitest.Do(func() { s.Desk.Doc.Do("Graph", func(at *state.State) { parts.Graph.Edit(at, change) }) })
		s.Rest(d)
		return d.Screenshot()
	}
	for _, c := range []struct {
		name  string
		w, h  int
		scale float32
		dark  bool
	}{{"light", 1280, 800, 1, false}, {"dark", 1280, 800, 1, true}, {"200", 2560, 1600, 2, false},
		{"small", 500, 400, 1, false}} {
		uitest.Do(func() { s.Theme(c.dark) })
		d.SetScale(c.scale)
		d.Resize(c.w, c.h)
		without := graph(func(g *parts.GraphChoice) { g.Edges, g.Shade = parts.EdgesNever, false })
		lines := graph(func(g *parts.GraphChoice) { g.Edges = parts.EdgesAlways })
		d.Shoot("graph-" + c.name)
		patches := graph(func(g *parts.GraphChoice) { g.Shade = true })
		d.Shoot("graph-shade-" + c.name)
		if n := uitest.Differing(without, lines); n < c.w {
			t.Errorf("%s: lines differ in %d pixels from none", c.name, n)
		}
		if n := uitest.Differing(lines, patches); n < 10*c.w {
			t.Errorf("%s: patches differ in %d pixels from lines", c.name, n)
		}
	}
}
