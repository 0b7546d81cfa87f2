package panel

import (
	"math"
	"strings"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
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
