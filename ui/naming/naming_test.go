package naming_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "blossom/gpu/cpu"
	"blossom/model/clusters/order"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live"
	"blossom/model/maps/selection"
	"blossom/model/work/embedding"
	"blossom/render"
	"blossom/render/scene"
	"blossom/ui/desk"
	"blossom/ui/naming"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/widget"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// begin opens demo data in a window with views alone.
func begin(t *testing.T) (*stand.Window, *uitest.Driver) {
	t.Helper()
	return stand.Open(t, stand.Options{Data: "demo:cytometry:3000", W: 900, H: 700, Views: stand.Whole})
}

// name does what asks for a name, and answers.
func name(t *testing.T, s *stand.Window, text string, ask func(*desk.Desk)) {
	t.Helper()
	uitest.Do(func() {
		s.Named = desk.NameQuestion{}
		if ask(s.Desk); s.Named.Answer == nil {
			t.Errorf("no name is asked for: %v", s.Trouble())
			return
		}
		if err := s.Named.Answer(text); err != nil {
			t.Error(err)
		}
	})
}

// populated waits until the points of the populations are known.
func populated(s *stand.Window, d *uitest.Driver) (now *live.Populated) {
	d.Until("points of populations are known", 600, func() bool {
		fresh := false
		now, fresh = s.Desk.Populations().Now()
		return now != nil && fresh
	})
	return now
}

func set(from, to, rows int) *selection.Set {
	words := make([]uint64, (rows+63)/64)
	for i := from; i < to; i++ {
		words[i/64] |= 1 << (i % 64)
	}
	return selection.FromBits(rows, words)
}

// Selected points become a population by a name, in one entry of the history; those of a part of it lie in it.
func TestASelectionBecomesAPopulation(t *testing.T) {
	s, d := begin(t)
	doc := s.Desk.Doc
	had := doc.History().Done()
	choose := func(from, to int) {
		uitest.Do(func() { s.Desk.Stage.Scene.SetSelection("Select", set(from, to, 3000)) })
	}
	choose(100, 1100)
	name(t, s, " T, \"cells\" 😀 ", naming.New)
	if s.Last() != `New population T, "cells" 😀` || doc.History().Done() != had+2 {
		t.Errorf("the entry is %q, number %d", s.Last(), doc.History().Done()-had)
	}
	now := populated(s, d)
	if got := now.Sets[0].Count(); got != 1000 || now.None != 2000 {
		t.Errorf("%d points, and %d in none", got, now.None)
	}
	if look := s.Desk.Look().Column; look != "populations" {
		t.Errorf("the view is coloured by %q", look)
	}
	choose(200, 300)
	name(t, s, "", naming.New)
	if !strings.Contains(s.Named.Note, "lies in T") {
		t.Errorf("said: %s", s.Named.Note)
	}
	now = populated(s, d)
	if all := now.Tree.All(); len(all) != 2 || all[1].Parent != all[0].ID || all[1].Name != "population" ||
		now.Own[0] != 900 || now.Own[1] != 100 {
		t.Fatalf("%+v: %v", all, now.Own)
	}
	uitest.Do(func() { s.Undo(); s.Undo(); s.Undo() })
	if parts.Populations.Of(doc.State()).Len() != 0 || s.Desk.Look().Column == "populations" {
		t.Error("undone, they are there")
	}
	uitest.Do(func() { s.Desk.Stage.SelectNone(); naming.New(s.Desk) })
	if err := s.Trouble(); err == nil {
		t.Error("nothing became a population")
	}
}

// A region of a view with two columns as axes becomes a gate with the points that it encloses; its corners are moved by
// hand, and what is in it follows.
func TestARegionOfColumnsBecomesAGate(t *testing.T) {
	s, d := begin(t)
	uitest.Do(func() {
		two := embedding.Columns(column(s, "CD4"), column(s, "CD8"))
		s.Desk.Stage.SetEmbedding(s.Desk.Stage.Active(), two)
		s.Tool("select")
	})
	s.Rest(d)
	c := s.Desk.Stage.Scatters()[0].Rect().Center()
	d.Move(c.X-300, c.Y-250)
	d.Press(shell.Left)
	for _, p := range [][2]float32{{300, -250}, {300, 120}, {-250, 240}} {
		d.Move(c.X+p[0], c.Y+p[1])
	}
	d.Release(shell.Left)
	d.Frames(2)
	selected := s.Desk.Stage.Selected()
	name(t, s, "gate", naming.New)
	now := populated(s, d)
	gate, is := now.Tree.All()[0].Rule.(*population.Gate)
	if !is || gate.Shape != population.Polygon || len(gate.Path) != 4 {
		t.Fatalf("it is %+v", now.Tree.All()[0].Rule)
	}
	differ := selection.Union(selection.Subtract(selected, now.Sets[0]), selection.Subtract(now.Sets[0], selected))
	if selected.Count() < 50 || differ.Count() > 3 { // events have whole places
		t.Fatalf("%d points enclosed, %d of others in the gate", selected.Count(), differ.Count())
	}
	was, done := now.Sets[0].Count(), s.Desk.Doc.History().Done()
	d.Drag(c.X-300, c.Y-250, c.X-20, c.Y-20, 5)
	now = populated(s, d)
	moved := now.Tree.All()[0].Rule.(*population.Gate)
	if moved.Path[0] == gate.Path[0] || !slices.Equal(moved.Path[1:], gate.Path[1:]) || now.Sets[0].Count() >= was {
		t.Fatalf("from %v, %d points to %v, %d", gate.Path, was, moved.Path, now.Sets[0].Count())
	}
	if s.Desk.Doc.History().Done() != done+1 || s.Last() != "Move gate gate" {
		t.Errorf("the entry is %q", s.Last())
	}
	uitest.Do(s.Undo)
	if now = populated(s, d); now.Sets[0].Count() != was {
		t.Errorf("undone, it has %d points of %d", now.Sets[0].Count(), was)
	}
}

func column(s *stand.Window, label string) string {
	for i := range s.Desk.Doc.Data.Columns {
		if c := &s.Desk.Doc.Data.Columns[i]; c.Short() == label {
			return c.Name
		}
	}
	return ""
}

// A map that is coloured by populations has their names where their points are, in pictures too; pictures have the
// outlines of gates.
func TestNamesStandWherePointsAre(t *testing.T) {
	s, d := begin(t)
	uitest.Do(func() { s.Desk.ColourBy("population"); s.Desk.Stage.SelectNone() })
	s.Rest(d)
	uitest.Do(func() { naming.FromLabels(s.Desk, "population") })
	s.Rest(d)
	populated(s, d)
	d.Frames(3)
	words := func() []render.Word {
		var out []render.Word
		uitest.Do(func() {
			p, err := s.Desk.Stage.Scatters()[0].Picture(scene.Options{Width: 300, Height: 300, Scale: 1})
			if err != nil {
				t.Fatal(err)
			}
			out = p.Words
		})
		return out
	}
	list := words()
	if n := s.Desk.Populations().Tree().Len(); n < 20 || len(list) != n {
		t.Fatalf("%d names of %d populations", len(list), n)
	}
	now := populated(s, d)
	points := s.Desk.Stage.Scatters()[0].Points()
	for _, w := range list {
		p, _ := now.Tree.Named(w.Text)
		found := false
		for i, row := range s.Desk.Table().Order {
			at := points.Host()[2*i : 2*i+2]
			found = found || at[0] == w.At[0] && at[1] == w.At[1] && int(now.Values[row]) == now.Tree.Place(p.ID)
		}
		if !found {
			t.Errorf("%s stands at %v, where no point of it is", w.Text, w.At)
		}
	}
	uitest.Do(func() { s.Desk.Show(func(v *parts.View) { v.NoWords = true }) })
	if d.Frames(1); len(words()) > 0 {
		t.Error("names that are not shown are in the picture")
	}
	uitest.Do(func() {
		axis := population.Axis{Column: column(s, "CD4"), Transform: "asinh:150"}
		other := population.Axis{Column: column(s, "CD8"), Transform: "asinh:150"}
		s.Desk.Doc.Do("Gate", func(at *state.State) {
			tree, _, _ := parts.Populations.Of(*at).Add(population.Population{Name: "gate", Rule: &population.Gate{
				X: axis, Y: other, Shape: population.Rectangle, Path: [][2]float64{{0, 0}, {3, 4}}}})
			parts.Populations.Put(at, tree)
		})
		s.Desk.Stage.SetEmbedding(s.Desk.Stage.Active(), embedding.Columns(other.Column, axis.Column))
	})
	s.Rest(d)
	uitest.Do(func() {
		p, err := s.Desk.Stage.Scatters()[0].Picture(scene.Options{Width: 300, Height: 300, Scale: 1})
		near := func(a float32, b float64) bool { return math.Abs(float64(a)-b) < 1e-5 }
		if err != nil || len(p.Lines.Edges) != 4 || p.Lines.Places.Rows != 8 || !near(p.Lines.Places.Row(3)[0], 4) ||
			!near(p.Lines.Places.Row(3)[1], 3) {
			t.Errorf("%v: %d sides at %v", err, len(p.Lines.Edges), p.Lines.Places.Data)
		}
	})
}

// Points of landmarks are those nearest to them in the space: where landmarks are on the map, and which view is looked
// at, moves none of them.
func TestWhereLandmarksAreMovesNoPointIntoAPopulation(t *testing.T) {
	s, d := begin(t)
	uitest.Do(func() {
		s.Desk.Stage.SelectNone()
		s.Desk.Stage.Hand().Landmarks.Selected = []int{3, 4, 5, 50, 51}
	})
	name(t, s, "of landmarks", naming.New)
	before := populated(s, d)
	if n := before.Sets[0].Count(); n == 0 || n == 3000 {
		t.Fatalf("%d points", n)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		uitest.Do(func() {
			l, err := s.Marks().Move([]int{r.IntN(s.Marks().Len()), 4}, []float32{r.Float32() - 0.5, r.Float32() - 0.5})
			if err != nil {
				t.Fatal(err)
			}
			s.Desk.Doc.Do("Move", func(at *state.State) { parts.Landmarks.Put(at, l) })
		})
		d.Frames(1)
	}
	uitest.Do(func() { s.Desk.Stage.SetEmbedding(s.Desk.Stage.Active(), embedding.PCA(3)) })
	s.Rest(d)
	after := populated(s, d)
	if !selection.Equal(before.Sets[0], after.Sets[0]) {
		t.Errorf("%d points, then %d", before.Sets[0].Count(), after.Sets[0].Count())
	}
	uitest.Do(func() { // a landmark that is taken away takes its number along
		l, _, err := s.Marks().Remove([]int{0, 1, 2, 3})
		if err != nil {
			t.Fatal(err)
		}
		if ids := l.Carrying(1); !slices.Equal(ids, []int{0, 1, 46, 47}) {
			t.Errorf("those that carry it are %v", ids)
		}
	})
}

// Any edits can be undone to the beginning and done again, to the same populations.
func TestEditsOfPopulationsAreUndoneAndRedone(t *testing.T) {
	s, d := begin(t)
	doc, r := s.Desk.Doc, rand.New(rand.NewPCG(3, 4))
	text := func() string {
		raw, err := json.Marshal([]any{parts.Populations.Of(doc.State()), s.Marks().Groups})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	first := doc.History().Done()
	var texts []string
	at := map[int]string{first: text()} // by the number of entries
	for len(texts) < 1000 {
		uitest.Do(func() {
			was := doc.History().Done()
			all := parts.Populations.Of(doc.State()).All()
			id := func() population.ID {
				if len(all) == 0 {
					return 0
				}
				return all[r.IntN(len(all))].ID
			}
			switch r.IntN(9) {
			case 0:
				naming.Remove(s.Desk, id())
			case 8:
				naming.Put(s.Desk, id(), id(), r.IntN(2) == 0)
			case 1:
				naming.Nest(s.Desk, id(), id())
			case 2:
				naming.Shift(s.Desk, id(), r.IntN(5)-2)
			case 3:
				naming.Merge(s.Desk, id(), id())
			case 4:
				naming.Recolour(s.Desk, id(), uint8(r.IntN(256)))
			default:
				if s.Desk.Stage.Hand().Landmarks.Selected = []int{r.IntN(100)}; r.IntN(2) == 0 {
					from := r.IntN(2900)
					s.Desk.Stage.Scene.SetSelection("Select", set(from, from+100, 3000))
				} else {
					s.Desk.Stage.SelectNone()
				}
				was = doc.History().Done()
				naming.New(s.Desk)
				if err := s.Named.Answer("p"); err != nil {
					t.Fatal(err)
				}
			}
			_ = s.Trouble() // some cannot be done
			if doc.History().Done() > was {
				texts = append(texts, text())
				at[doc.History().Done()] = text()
			}
		})
		if len(texts)%16 == 0 {
			d.Frames(1)
		}
	}
	last := text()
	uitest.Do(func() {
		steps := doc.History().Done() - first
		check := func() {
			if want, known := at[doc.History().Done()]; known && text() != want {
				t.Fatalf("with %d entries they are others than they were", doc.History().Done()-first)
			}
		}
		for range steps {
			doc.Undo()
			check()
		}
		if parts.Populations.Of(doc.State()).Len() != 0 {
			t.Error("some are there before the first")
		}
		for range steps {
			doc.Redo()
			check()
		}
		if text() != last {
			t.Error("done again they are others")
		}
	})
}

// A column of a label for each row makes no populations, and says so; one of few makes as many, the largest first.
func TestLabelsWithoutEndMakeNoPopulations(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,b,name,kind\n")
	for i := range 400 {
		fmt.Fprintf(&text, "%d,%d,cell%d,%s\n", i, i*i%17, i, []string{"x", "x", "y", ""}[i%4])
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s, d := stand.Open(t, stand.Options{Data: path, W: 900, H: 700, Views: stand.Whole})
	uitest.Do(func() { naming.FromLabels(s.Desk, "name") })
	if err := s.Trouble(); err == nil || s.Desk.Populations().Tree().Len() > 0 {
		t.Errorf("%d populations, said %v", s.Desk.Populations().Tree().Len(), err)
	}
	uitest.Do(func() { naming.FromLabels(s.Desk, "a") })
	if err := s.Trouble(); err == nil {
		t.Error("numbers became populations")
	}
	uitest.Do(func() { naming.FromLabels(s.Desk, "kind") })
	if now := populated(s, d); now.Tree.Len() != 2 || now.Tree.All()[0].Name != "x" || now.Own[0] != 200 ||
		now.None != 100 {
		t.Errorf("%+v: %v", now.Tree.All(), now.Own)
	}
}

// Suggested populations follow their number while it changes, in one entry of the history, leave those that were there,
// and have all points but those that no landmark is near to.
func TestSuggestedPopulationsFollowTheirNumber(t *testing.T) {
	s, d := begin(t)
	uitest.Do(func() { s.Desk.Stage.Scene.SetSelection("Select", set(0, 500, 3000)) })
	name(t, s, "mine", naming.New)
	done := s.Desk.Doc.History().Done()
	var suggested *naming.Suggestions
	uitest.Do(func() { suggested = naming.NewSuggestions(s.Desk) })
	d.Until("the likeness of landmarks is known", 600, func() bool { return suggested.Ready() })
	uitest.Do(func() {
		for _, n := range []int{5, 30, 8} {
			suggested.Change(widget.Edit{Changed: true}, n)
		}
		suggested.Change(widget.Edit{Committed: true}, 8)
	})
	if got := s.Desk.Doc.History().Done(); got != done+1 || s.Last() != "Suggest populations" {
		t.Errorf("%d entries, the last %q", got-done, s.Last())
	}
	now := populated(s, d)
	if now.Tree.Len() != 9 || now.Tree.All()[0].Name != "mine" || now.Own[0] != 500 || now.None > 0 {
		t.Errorf("%d populations, %v points and %d in none", now.Tree.Len(), now.Own, now.None)
	}
	uitest.Do(func() { suggested.Change(widget.Edit{Changed: true, Committed: true}, 12) })
	if now = populated(s, d); now.Tree.Len() != 13 {
		t.Errorf("another number makes %d populations", now.Tree.Len())
	}
	average := slices.Clone(now.Own)
	uitest.Do(func() { suggested.By = order.Single })
	d.Until("the likeness by single linkage is known", 600, func() bool { return suggested.Ready() })
	uitest.Do(func() { suggested.Change(widget.Edit{Changed: true, Committed: true}, 12) })
	if now = populated(s, d); now.Tree.Len() != 13 || now.Own[0] != 500 || slices.Equal(average, now.Own) {
		t.Errorf("by single linkage there are %d populations of %v points, by average %v", now.Tree.Len(),
			now.Own, average)
	}
	uitest.Do(func() { s.Undo() })
	uitest.Do(func() { s.Undo(); s.Undo() })
	if n := s.Desk.Populations().Tree().Len(); n != 1 {
		t.Errorf("undone, there are %d", n)
	}
}

// A population that is named of points of a larger one beside it stands before that, so that they are called by it; one
// that is larger than those whose points it shares stands behind them.
func TestWhatIsNamedOfALargerPopulationIsSeen(t *testing.T) {
	s, d := begin(t)
	for _, x := range []struct {
		name     string
		from, to int
	}{{"large", 0, 1500}, {"small", 1400, 1600}, {"larger", 1550, 3000}} {
		uitest.Do(func() { s.Desk.Stage.Scene.SetSelection("Select", set(x.from, x.to, 3000)) })
		name(t, s, x.name, naming.New)
		populated(s, d)
	}
	now := populated(s, d)
	var names []string
	for _, p := range now.Tree.All() {
		names = append(names, p.Name)
	}
	if !slices.Equal(names, []string{"small", "large", "larger"}) || !slices.Equal(now.Own, []int{200, 1400, 1400}) {
		t.Errorf("%v have %v points", names, now.Own)
	}
}
