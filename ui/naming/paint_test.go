package naming_test

import (
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/render/camera"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// A brush over landmarks of the map paints the points whose nearest landmark in the space is one of them into a
// population; Alt takes them out, Esc takes a stroke back, and what is painted is one entry of the history.
func TestABrushPaintsLandmarksIntoAPopulation(t *testing.T) {
	s, d := stand.Open(t, stand.Options{Data: "demo:cytometry:3000", W: 900, H: 700, Views: stand.Whole, Trained: true})
	uitest.Do(func() { s.Tool("paint"); s.Desk.Stage.Hand().Brush = 60 })
	s.Rest(d)
	c := s.Desk.Stage.Scatters()[0].Rect().Center()
	stroke := func(x0, y0, x1, y1 float32) {
		d.Drag(x0, y0, x1, y1, 6)
		d.Frames(3)
	}
	done := s.Desk.Doc.History().Done()
	stroke(c.X-200, c.Y, c.X, c.Y)
	now := populated(s, d)
	if now.Tree.Len() != 1 || s.Desk.Doc.History().Done() != done+1 || s.Desk.Look().Column != "populations" {
		t.Fatalf("%d populations in %d entries, coloured by %q", now.Tree.Len(),
			s.Desk.Doc.History().Done()-done, s.Desk.Look().Column)
	}
	check := func(of int) (carried int) {
		t.Helper()
		now := populated(s, d)
		id, marks := now.Tree.All()[of].ID, s.Marks()
		for _, g := range marks.Groups {
			if population.ID(g) == id {
				carried++
			}
		}
		for p, row := range s.Desk.Table().Order {
			_, near, err := s.Desk.Company(p)
			if err != nil {
				t.Fatal(err)
			}
			if in := population.ID(marks.Groups[near]) == id; in != now.Sets[of].Contains(int(row)) {
				t.Fatalf("the point of row %d, of landmark %d, is in: %v", row, near, !in)
			}
		}
		return carried
	}
	s.Rest(d)
	first := check(0)
	if first < 3 || first > len(s.Marks().Groups)/2 {
		t.Fatalf("%d landmarks are painted", first)
	}
	var x, y float64 // the first of them: the map has made room for its legend
	uitest.Do(func() {
		s.Desk.Stage.Hand().Brush = 5
		set := s.Marks()
		at := set.Pos.Row(set.Carrying(int32(now.Tree.All()[0].ID))[0])
		x, y, _ = s.Desk.Stage.Scatters()[0].Eye.Screen(camera.Vec{X: float64(at[0]), Y: float64(at[1])})
	})
	d.Hold("Alt", func() { d.Click(float32(x), float32(y)) })
	uitest.Do(func() { s.Desk.Stage.Hand().Brush = 60 })
	if left := check(0); left >= first || left == 0 {
		t.Errorf("%d landmarks of %d are left", left, first)
	}
	d.Move(c.X, c.Y+150)
	d.Press(shell.Left)
	d.Move(c.X+100, c.Y+150)
	d.Frames(1)
	d.Keys("Esc")
	d.Release(shell.Left)
	d.Frames(2)
	uitest.Do(s.Undo)
	if again := check(0); again != first {
		t.Errorf("taken back and undone, %d landmarks of %d", again, first)
	}
}

// A stroke that reaches no landmark changes nothing, and a gate that is chosen is not painted into: its points stay.
func TestAGateIsNotPaintedInto(t *testing.T) {
	s, d := stand.Open(t, stand.Options{Data: "demo:cytometry:3000", W: 900, H: 700, Views: stand.Whole, Trained: true})
	gate := &population.Limits{Of: []population.Limit{{Column: column(s, "CD3"), Low: 2000, High: 1e9}}}
	uitest.Do(func() {
		s.Tool("paint")
		s.Desk.Stage.Hand().Brush = 5
		tree, id, err := population.Tree{}.Add(population.Population{Name: "T cells", Rule: gate})
		if err != nil {
			t.Error(err)
		}
		s.Desk.Doc.Do("Name", func(now *state.State) { parts.Populations.Put(now, tree) })
		s.Desk.Stage.Scene.Gating.Chosen = id
	})
	s.Rest(d)
	r, done := s.Desk.Stage.Scatters()[0].Rect(), s.Desk.Doc.History().Done()
	d.Drag(r.X0+3, r.Y1-3, r.X0+12, r.Y1-3, 4)
	d.Frames(3)
	if n := s.Desk.Doc.History().Done(); n != done {
		t.Errorf("a stroke over nothing is %d entries", n-done)
	}
	uitest.Do(func() { s.Desk.Stage.Hand().Brush = 60 })
	c := r.Center()
	d.Drag(c.X-200, c.Y, c.X, c.Y, 6)
	d.Frames(3)
	now := populated(s, d)
	if now.Tree.Len() != 2 || now.Tree.All()[0].Rule != population.Rule(gate) || now.Sets[0].Empty() ||
		s.Desk.Stage.Scene.Gating.Chosen != now.Tree.All()[1].ID {
		t.Errorf("%+v", now.Tree.All())
	}
}
