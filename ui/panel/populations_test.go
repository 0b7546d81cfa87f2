package panel

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/render"
	"blossom/ui/naming"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// rowsFrom are rows of the data from one to before another.
func rowsFrom(from, to int) *population.Cells {
	words := make([]uint64, 2000/64+1)
	for i := from; i < to; i++ {
		words[i/64] |= 1 << (i % 64)
	}
	return population.Of(selection.FromBits(2000, words))
}

// named opens the panel with populations one in another, one of which looks at a column that is gone.
func named(t *testing.T) (*stand.Window, *uitest.Driver) {
	t.Helper()
	s, d := beginWith(t, stand.Options{Data: "demo:cytometry:2000", W: 620, H: 700, Views: besidePanels}, "populations")
	var tree population.Tree
	add := func(name string, parent population.ID, r population.Rule) (id population.ID) {
		var err error
		if tree, id, err = tree.Add(population.Population{Name: name, Parent: parent, Rule: r}); err != nil {
			t.Fatal(err)
		}
		return id
	}
	cells := add("T cells", 0, rowsFrom(0, 1200))
	add("CD4, \"helper\"", cells, rowsFrom(100, 800))
	add("a name that is so long that no panel has room for it", cells, rowsFrom(700, 900))
	add("of a column that is gone", 0, &population.Limits{Of: []population.Limit{{Column: "CD999", Low: 1,
		High: math.Inf(1)}}})
	add("B cells", 0, rowsFrom(1200, 1201))
	uitest.Do(func() {
		s.Desk.Doc.Do("Name", func(at *state.State) { parts.Populations.Put(at, tree) })
	})
	s.Rest(d)
	return s, d
}

func TestPopulationsLook(t *testing.T) {
	s, d := named(t)
	uitest.Do(func() { s.Desk.Stage.Scene.Gating.Chosen = 2 })
	for _, c := range []struct {
		suffix string
		dark   bool
		scale  int
	}{{"-light", false, 1}, {"-dark-200", true, 2}} {
		uitest.Do(func() { s.Theme(c.dark) })
		d.SetScale(float32(c.scale))
		d.Resize(620*c.scale, 700*c.scale)
		d.Move(1, 1)
		d.Frames(4)
		d.Picture("panel-populations"+c.suffix, "populations/panel")
	}
}

// A click on a row selects its points and makes it the one that is spoken of, its chevron folds what lies in it, its
// square asks for a colour, a double click for a name, and the right button has a menu.
func TestRowsOfPopulationsAnswerToTheMouse(t *testing.T) {
	s, d := named(t)
	row := func(id string) string { return "side bar/populations/population" + id }
	tree := func() population.Tree { return parts.Populations.Of(s.Desk.Doc.State()) }
	d.ClickOn(row("2"))
	d.Frames(2)
	if n := s.Desk.Stage.Selected().Count(); n != 700 || s.Desk.Stage.Scene.Gating.Chosen != 2 {
		t.Errorf("%d points are selected, population %d is chosen", n, s.Desk.Stage.Scene.Gating.Chosen)
	}
	d.Hold("Shift", func() { d.ClickOn(row("3")) })
	if n := s.Desk.Stage.Selected().Count(); n != 800 {
		t.Errorf("with Shift %d points are selected", n)
	}
	d.ClickOn("side bar/populations/unassigned")
	if n := s.Desk.Stage.Selected().Count(); n != 799 {
		t.Errorf("%d points are in none", n)
	}
	d.ClickOn(row("1") + ".fold")
	if d.Frames(3); d.Has(row("2")) || !d.Has(row("4")) {
		t.Error("it is not folded")
	}
	d.ClickOn(row("1") + ".fold")
	d.Frames(3)
	d.ClickOn(row("2") + ".colour")
	d.Frames(3)
	d.ClickOn(nameOf(t, d, s, "inks/7"))
	if p, _ := tree().Find(2); p.Ink != 7 {
		t.Errorf("its colour is %d", p.Ink)
	}
	at := d.Rect(row("2")).Center()
	d.DoubleClick(at.X, at.Y)
	if s.Named.Text != `CD4, "helper"` {
		t.Errorf("asked for the name of %q", s.Named.Text)
	}
	d.ClickWith(shell.Right, at.X, at.Y)
	d.Frames(3)
	d.ClickOn(nameOf(t, d, s, "out"))
	if p, _ := tree().Find(2); p.Parent != 0 {
		t.Error("it did not leave its parent")
	}
	at = d.Rect(row("1")).Center()
	d.ClickWith(shell.Right, at.X, at.Y)
	d.Frames(3)
	d.ClickOn(nameOf(t, d, s, "remove"))
	if n := tree().Len(); n != 3 {
		t.Errorf("%d populations stay", n)
	}
}

// A row that is dragged onto another lies in it, near its edge beside it; Esc lets it lie where it was. Nothing is
// selected by that.
func TestRowsOfPopulationsAreDragged(t *testing.T) {
	s, d := named(t)
	names := func() (out string) {
		tree := parts.Populations.Of(s.Desk.Doc.State())
		depths := tree.Depths()
		for i, p := range tree.All() {
			out += strings.Repeat(".", depths[i]) + fmt.Sprint(p.ID) + " "
		}
		return out
	}
	drag := func(from, to string, part float32, keys string) {
		a, b := d.Rect("side bar/populations/population"+from).Center(), d.Rect("side bar/populations/population"+to)
		d.Move(a.X, a.Y)
		d.Press(shell.Left)
		for i := range 4 {
			d.Move(a.X, a.Y+(b.Y0+part*b.H()-a.Y)*float32(i+1)/4)
			d.Frames(1)
		}
		if keys != "" {
			d.Keys(keys)
		}
		d.Release(shell.Left)
		d.Frames(3)
	}
	if was := names(); was != "1 .2 .3 4 5 " {
		t.Fatal(was)
	}
	for _, x := range []struct {
		from, to, keys string
		part           float32
		want           string
	}{
		{"5", "1", "", 0.5, "1 .2 .3 .5 4 "},
		{"5", "2", "", 0.05, "1 .5 .2 .3 4 "},
		{"5", "4", "", 0.95, "1 .2 .3 4 5 "},
		{"2", "4", "Escape", 0.5, "1 .2 .3 4 5 "},
		{"1", "3", "", 0.5, "1 .2 .3 4 5 "}, // into itself: it stays
		{"4", "1", "", 0.1, "4 1 .2 .3 5 "},
	} {
		if drag(x.from, x.to, x.part, x.keys); names() != x.want {
			t.Errorf("%s to %s at %g: %s, want %s", x.from, x.to, x.part, names(), x.want)
		}
	}
	if n := s.Desk.Stage.Selected().Count(); n != 0 {
		t.Errorf("%d points are selected by drags", n)
	}
	uitest.Do(func() { s.Desk.Doc.Undo() })
	if now := names(); now != "1 .2 .3 4 5 " {
		t.Errorf("undone it is %s", now)
	}
}

// The eye of a row hides its points in every view: they are neither drawn nor enclosed. No entry of the history is
// made.
func TestTheEyeHidesThePointsOfAPopulation(t *testing.T) {
	s, d := named(t)
	done := s.Desk.Doc.History().Done()
	hidden := func() (n int) {
		uitest.Do(func() {
			if b := s.Desk.Stage.Active().States(); b != nil {
				for _, x := range b.Host() {
					if x&render.Hidden != 0 {
						n++
					}
				}
			}
		})
		return n
	}
	click := func(id string) {
		d.ClickOn("side bar/populations/population" + id + ".eye")
		s.Rest(d)
		d.Frames(3)
	}
	if click("2"); hidden() != 700 {
		t.Errorf("%d points are hidden", hidden())
	}
	if click("5"); hidden() != 701 {
		t.Errorf("with those of another %d points are hidden", hidden())
	}
	uitest.Do(func() { s.Desk.Stage.Active().ShowOf(1) })
	s.Rest(d)
	if d.Frames(3); hidden() != 2000-500 {
		t.Errorf("in a view of the one above %d points are hidden", hidden())
	}
	uitest.Do(func() { naming.ShowAll(s.Desk); s.Desk.Stage.Active().ShowOf(0) })
	s.Rest(d)
	if d.Frames(3); hidden() != 0 {
		t.Errorf("%d points stay hidden", hidden())
	}
	if n := s.Desk.Doc.History().Done(); n != done || s.Desk.Stage.Selected().Count() != 0 {
		t.Errorf("%d entries, %d points selected", n-done, s.Desk.Stage.Selected().Count())
	}
}

// nameOf is the name of a control that ends in one.
func nameOf(t *testing.T, _ *uitest.Driver, s *stand.Window, end string) (name string) {
	t.Helper()
	uitest.Do(func() {
		for _, n := range s.UI.Names() {
			if n == end || strings.HasSuffix(n, "/"+end) {
				name = n
			}
		}
	})
	if name == "" {
		t.Fatalf("there is no %s", end)
	}
	return name
}
