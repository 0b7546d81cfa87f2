package documents

import (
	"path/filepath"
	"testing"
	"time"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/ui/uitest"
)

// some is every so many of n rows, from the first on.
func some(n, every int) *selection.Set {
	words := make([]uint64, (n+63)/64)
	for row := 0; row < n; row += every {
		words[row/64] |= 1 << (row % 64)
	}
	return selection.FromBits(n, words)
}

// add names rows of the open document.
func add(t *testing.T, a *room, name string, set *selection.Set) (id population.ID) {
	t.Helper()
	uitest.Do(func() {
		a.Desk().Doc.Do("New population", func(s *state.State) {
			tree, made, err := parts.Populations.Of(*s).Add(population.Population{Name: name, Rule: population.Of(set)})
			if err != nil {
				t.Error(err)
			}
			id = made
			parts.Populations.Put(s, tree)
		})
		a.Desk().Stage.Scene.Gating.Chosen = id
	})
	return id
}

// The map of a population is a document beside the one that it is part of: what is named there is in the population
// when one goes back, and it follows the population when one goes there again.
func TestThePointsOfAPopulationHaveAMapOfTheirOwn(t *testing.T) {
	a, d := enter(t, 1280, 800, Options{})
	uitest.Do(func() { a.docs.Open("demo:cytometry:2000") })
	opened(t, a, d)
	rest(t, a, d)
	add(t, a, "every third", some(2000, 3))
	parent := a.Desk().Doc
	goes := func(what string, do func(), there func() bool) {
		t.Helper()
		uitest.Do(do)
		d.Wait(what, time.Minute, func() bool { return a.docs.Opening() == nil && there() })
		rest(t, a, d)
	}
	inPart := func() bool { return a.Desk().Doc.Data.Subset != nil }
	goes("the map of the population is there", a.docs.Subset.MapOfThese, inPart)
	if n := a.Desk().Doc.Data.Points; n != 667 || a.Desk().Doc.Title != "cytometry · every third" ||
		!a.docs.Subset.Is() || a.docs.whole() {
		t.Fatalf("%d points of %s", n, a.Desk().Doc.Title)
	}
	add(t, a, "every sixth", some(667, 2))
	uitest.Do(a.docs.KeepNow)
	if s, err := session.Look(a.docs.Autosave.Path()); err != nil || s.Parent() == nil || s.Data.Subset == nil {
		t.Errorf("what is saved by itself does not know what it is part of: %v", err)
	}
	goes("the whole is there", a.docs.Subset.Back, func() bool { return !inPart() })
	if a.Desk().Doc.ID != parent.ID {
		t.Fatal("it is another document")
	}
	named := func(name string) (p population.Population) {
		uitest.Do(func() { p, _ = parts.Populations.Of(a.Desk().Doc.State()).Named(name) })
		return p
	}
	third := named("every third")
	if p := named("every sixth"); p.Parent != third.ID || p.Found == 0 ||
		!selection.Equal(p.Rule.(*population.Cells).Set, some(2000, 6)) {
		t.Fatalf("%+v", p)
	}
	if undo := a.Desk().Doc.History().CanUndo(); undo != "Populations of the map of every third" {
		t.Errorf("the entry is %q", undo)
	}
	uitest.Do(func() {
		a.Desk().Doc.Do("Other points", func(s *state.State) {
			parts.Populations.Put(s, parts.Populations.Of(*s).Redefine(third.ID, population.Of(some(2000, 4))))
		})
		a.Desk().Stage.Scene.Gating.Chosen = third.ID
	})
	goes("the map has the points of now", a.docs.Subset.MapOfThese, inPart)
	if n := a.Desk().Doc.Data.Points; n != 500 {
		t.Fatalf("%d points", n)
	}
	if p := named("every sixth"); p.Rule.(*population.Cells).Set.Count() != 2000/12+1 {
		t.Errorf("%d points are still in it", p.Rule.(*population.Cells).Set.Count())
	}

	path := filepath.Join(t.TempDir(), "part.blossom")
	uitest.Do(func() { a.docs.Saving.SessionTo(path) })
	d.Wait("it is saved", time.Minute, func() bool { return !a.docs.Saving.Busy() && exists(path) })
	goes("the saved part is open", func() { a.docs.Open(path) }, inPart)
	add(t, a, "tenth", some(500, 10))
	goes("what it was part of is made again", a.docs.Subset.Back, func() bool { return !inPart() })
	if p := named("tenth"); p.Parent != third.ID || a.Desk().Doc.ID == parent.ID {
		t.Fatalf("%+v", p)
	}
}
