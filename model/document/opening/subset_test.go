package opening

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/sheet"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
)

// random is a set of so many of n rows.
func random(r *rand.Rand, n, count int) *selection.Set {
	words := make([]uint64, (n+63)/64)
	for _, row := range r.Perm(n)[:count] {
		words[row/64] |= 1 << (row % 64)
	}
	return selection.FromBits(n, words)
}

// rowsOf are the rows of a set.
func rowsOf(s *selection.Set) (rows []int32) {
	s.Each(0, s.Len(), func(row int) { rows = append(rows, int32(row)) })
	return rows
}

// within is a document with a population of so many points, and the document of those.
func within(t *testing.T, rows, count int) (parent, sub *Opened, id population.ID) {
	t.Helper()
	k := kept(t, rows)
	parent, err := k.Open(t.Context(), "", "", format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	set := random(rand.New(rand.NewPCG(uint64(rows), uint64(count))), rows, count)
	tree, id, err := population.Tree{}.Add(population.Population{Name: "live", Rule: population.Of(set)})
	if err != nil {
		t.Fatal(err)
	}
	parent.Doc.Do("New population", func(s *state.State) { parts.Populations.Put(s, tree) })
	sub, err = Among(t.Context(), parent.Doc.Copy(), dataset.Subset{Name: "live", Population: int32(id), Points: rows,
		Rows: rowsOf(set)}, Inner{}, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	return parent, sub, id
}

func TestASubsetHasTheRowsOfItsPopulation(t *testing.T) {
	parent, sub, _ := within(t, 500, 200)
	data := sub.Doc.Data
	if data.Points != 200 || data.Total != 200 || sub.Doc.Within != parent.Doc.ID || sub.Table.X.Rows != 200 {
		t.Fatalf("%d points of %d, within %d", data.Points, data.Total, sub.Doc.Within)
	}
	for i, row := range data.Subset.Rows {
		for c := range data.Columns {
			if data.Columns[c].Values[i] != parent.Doc.Data.Columns[c].Values[row] {
				t.Fatalf("row %d is not row %d", i, row)
			}
		}
	}
	if numbers := data.RowNumbers(); numbers[0].Values[7] != float32(data.Subset.Rows[7]+1) {
		t.Error("its rows are numbered otherwise")
	}
}

// A subset knows of the samples what the whole knows.
func TestASubsetHasTheSheetOfItsSamples(t *testing.T) {
	parent, _, id := within(t, 100, 40)
	known, err := sheet.Sheet{}.Add("group")
	if err != nil {
		t.Fatal(err)
	}
	known = known.Set("a.csv", 0, "case")
	parent.Doc.Do("Sheet", parts.Samples.With(known))
	sub, err := Among(t.Context(), parent.Doc.Copy(), dataset.Subset{Name: "live", Population: int32(id), Points: 100,
		Rows: []int32{1, 2, 3}}, Inner{}, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := parts.Samples.Of(sub.Doc.State()); !sheet.Equal(got, known) {
		t.Errorf("it has the columns %q", got.Columns())
	}
}

// A session of a subset is opened with the same rows, wherever the file of the whole data is, and knows what it was
// part of.
func TestASessionOfASubsetIsOpenedWithItsRows(t *testing.T) {
	_, sub, _ := within(t, 500, 200)
	s, err := session.Full(sub.Doc, "", "test", time.Time{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	folder, from := t.TempDir(), sub.Doc.Data.Path
	path := filepath.Join(folder, "live.blossom")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(from, filepath.Join(folder, filepath.Base(from))); err != nil {
		t.Fatal(err)
	}
	again, err := LoadSession(t.Context(), path, "", "", format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(again.Doc.Data.Subset.Rows, sub.Doc.Data.Subset.Rows) || len(again.Notes) > 0 ||
		!slices.Equal(again.Doc.Data.Columns[0].Values, sub.Doc.Data.Columns[0].Values) {
		t.Fatalf("%d points, notes %q", again.Doc.Data.Points, again.Notes)
	}
	back, err := Parent(t.Context(), again.Doc, format.Options{}, nil)
	if err != nil || back.Doc.Data.Points != 500 || parts.Populations.Of(back.Doc.State()).Len() != 1 {
		t.Fatalf("%+v: %v", back, err)
	}
}

// Populations of a subset are in its parent: those of columns as they are, others as the same points; named again they
// take their own place, and what is gone is gone.
func TestPopulationsOfASubsetAreTakenBack(t *testing.T) {
	parent, sub, id := within(t, 500, 200)
	own := random(rand.New(rand.NewPCG(3, 4)), 200, 50)
	low := &population.Limits{Of: []population.Limit{{Column: "a", Low: 0, High: 5}}}
	tree, first, _ := population.Tree{}.Add(population.Population{Name: "cells", Rule: population.Of(own)})
	tree, _, _ = tree.Add(population.Population{Name: "low", Parent: first, Rule: low})
	lows := selection.None(200)
	found := &Found{Subset: sub.Doc.Data.Subset, Tree: tree, Sets: []*selection.Set{own, lows}}
	if err := found.Into(parent.Doc); err != nil {
		t.Fatal(err)
	}
	names := func() (out []string) {
		for _, p := range parts.Populations.Of(parent.Doc.State()).All() {
			out = append(out, p.Name)
		}
		return out
	}
	if got := names(); !slices.Equal(got, []string{"live", "cells", "low"}) {
		t.Fatalf("%q", got)
	}
	all := parts.Populations.Of(parent.Doc.State()).All()
	if all[1].Parent != id || all[2].Parent != all[1].ID || all[2].Rule != low {
		t.Fatalf("%+v", all)
	}
	var rows []int32
	for _, row := range rowsOf(own) {
		rows = append(rows, sub.Doc.Data.Subset.Rows[row])
	}
	if got := all[1].Rule.(*population.Cells).Set; !slices.Equal(rowsOf(got), rows) {
		t.Error("other points have been taken back")
	}
	done := parent.Doc.History().Done()
	if err := found.Into(parent.Doc); err != nil || parent.Doc.History().Done() != done {
		t.Fatalf("the same populations have made another entry: %v", err)
	}
	found.Tree, found.Sets = tree.Rename(first, "mine").Remove(all[2].Found), found.Sets[:1]
	if err := found.Into(parent.Doc); err != nil || !slices.Equal(names(), []string{"live", "mine"}) {
		t.Fatalf("%q: %v", names(), err)
	}
	if got, _ := parts.Populations.Of(parent.Doc.State()).Named("mine"); got.ID != all[1].ID {
		t.Error("it has another number")
	}
}

// A gate that is moved changes the points of the map below it: fixed points that stay are the same.
func TestASubsetFollowsItsPopulation(t *testing.T) {
	parent, sub, id := within(t, 500, 200)
	r := rand.New(rand.NewPCG(7, 8))
	own := random(r, 200, 60)
	tree, _, _ := population.Tree{}.Add(population.Population{Name: "mine", Rule: population.Of(own)})
	sub.Doc.Do("New population", func(s *state.State) { parts.Populations.Put(s, tree) })
	moved := random(r, 500, 260)
	landmarks := parts.Landmarks.Of(sub.Doc.State())
	was := sub.Doc.Data.Subset.Rows
	out, err := Follow(t.Context(), sub, parent.Doc.Copy(), dataset.Subset{Name: "live", Population: int32(id),
		Points: 500, Rows: rowsOf(moved)}, Inner{}, "test")
	if err != nil {
		t.Fatal(err)
	}
	if out.Doc.Data.Points != 260 || out.Table.X.Rows != 260 || out.Doc.Within != parent.Doc.ID {
		t.Fatalf("%d points", out.Doc.Data.Points)
	}
	if l := parts.Landmarks.Of(out.Doc.State()); !slices.Equal(l.Codebook.Data, landmarks.Codebook.Data) {
		t.Error("the map is another one")
	}
	p, _ := parts.Populations.Of(out.Doc.State()).Named("mine")
	set := p.Rule.(*population.Cells).Set
	for i, row := range out.Doc.Data.Subset.Rows {
		at, there := slices.BinarySearch(was, row)
		if want := there && own.Contains(at); set.Contains(i) != want {
			t.Fatalf("row %d: %v, want %v", row, set.Contains(i), want)
		}
	}
	same, err := Follow(t.Context(), out, parent.Doc.Copy(), dataset.Subset{Name: "live", Population: int32(id),
		Points: 500, Rows: rowsOf(moved)}, Inner{}, "test")
	if err != nil || same.Doc != out.Doc {
		t.Fatalf("points that did not change have made another document: %v", err)
	}
}

// treeOf is a tree as text: names with their depths.
func treeOf(t population.Tree) (out string) {
	depths := t.Depths()
	for i, p := range t.All() {
		out += strings.Repeat(".", depths[i]) + p.Name + " "
	}
	return out
}

// Populations that lie in the one whose points a subset has are there from the beginning, and follow when it is gone
// down into again; what is done to them there is done to those of the whole, which keep their numbers and, where that
// says of other data what fixed points do not, their rules.
func TestPopulationsAreBroughtAlongIntoASubset(t *testing.T) {
	parent, _, id := within(t, 500, 200)
	set := parts.Populations.Of(parent.Doc.State()).All()[0].Rule.(*population.Cells).Set
	r := rand.New(rand.NewPCG(5, 6))
	fixed, others := random(r, 500, 300), random(r, 500, 100)
	tree := parts.Populations.Of(parent.Doc.State())
	add := func(name string, up population.ID, rule population.Rule) (made population.ID) {
		var err error
		if tree, made, err = tree.Add(population.Population{Name: name, Parent: up, Rule: rule}); err != nil {
			t.Fatal(err)
		}
		return made
	}
	low := add("low", id, &population.Limits{Of: []population.Limit{{Column: "a", Low: 0, High: 5}}})
	add("fixed", low, population.Of(fixed))
	add("landmarks", id, &population.Landmarks{Groups: []population.ID{7}})
	add("beside", 0, population.Of(others))
	put := func(doc *state.Document, now population.Tree) {
		doc.Do("Populations", func(s *state.State) { parts.Populations.Put(s, now) })
	}
	put(parent.Doc, tree)
	inner := func() Inner {
		now := parts.Populations.Of(parent.Doc.State())
		in := Inner{Tree: now}
		for _, p := range now.All() {
			rows := selection.All(500)
			if c, ok := p.Rule.(*population.Cells); ok {
				rows = c.Set
			}
			in.Sets = append(in.Sets, selection.Intersect(rows, set))
		}
		return in
	}
	subset := dataset.Subset{Name: "live", Population: int32(id), Points: 500, Rows: rowsOf(set)}
	sub, err := Among(t.Context(), parent.Doc.Copy(), subset, inner(), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	there := parts.Populations.Of(sub.Doc.State())
	if treeOf(there) != "low .fixed landmarks " {
		t.Fatalf("brought along are %s", treeOf(there))
	}
	if c := there.All()[1].Rule.(*population.Cells); c.Set.Len() != 200 ||
		c.Set.Count() != selection.Intersect(fixed, set).Count() {
		t.Errorf("fixed points are %d of %d", c.Set.Count(), c.Set.Len())
	}
	if there.All()[0].Rule.Kind() != "limits" || there.All()[2].Rule.Kind() != "cells" {
		t.Errorf("the rules are %s and %s", there.All()[0].Rule.Kind(), there.All()[2].Rule.Kind())
	}
	// One is renamed there, one is new in it; the others stay.
	there = there.Rename(there.All()[0].ID, "lower")
	there, _, err = there.Add(population.Population{Name: "new", Parent: there.All()[0].ID, Rule: population.Of(
		random(r, 200, 20))})
	if err != nil {
		t.Fatal(err)
	}
	put(sub.Doc, there)
	back := func() population.Tree {
		now := parts.Populations.Of(sub.Doc.State())
		found := &Found{Subset: sub.Doc.Data.Subset, Tree: now}
		for _, p := range now.All() {
			rows := selection.All(200)
			if c, ok := p.Rule.(*population.Cells); ok {
				rows = c.Set
			}
			found.Sets = append(found.Sets, rows)
		}
		if err := found.Into(parent.Doc); err != nil {
			t.Fatal(err)
		}
		return parts.Populations.Of(parent.Doc.State())
	}
	now := back()
	if treeOf(now) != "live .lower ..new ..fixed .landmarks beside " {
		t.Errorf("back are %s", treeOf(now))
	}
	if w, _ := now.Named("landmarks"); w.Rule.Kind() != "landmarks" {
		t.Errorf("landmarks became %s", w.Rule.Kind())
	}
	if w, _ := now.Named("fixed"); !selection.Equal(w.Rule.(*population.Cells).Set, fixed) {
		t.Error("fixed points that are not in the subset are lost")
	}
	if again := back(); !population.Equal(again, now) {
		t.Errorf("taken back once more they are %s", treeOf(again))
	}
	// A name of the whole is that of the subset, once it is gone down into again, and nothing is there twice.
	put(parent.Doc, now.Rename(low, "lowest"))
	subset.Rows = subset.Rows[:150]
	down, err := Follow(t.Context(), sub, parent.Doc.Copy(), subset, inner(), "test")
	if err != nil {
		t.Fatal(err)
	}
	if got := treeOf(parts.Populations.Of(down.Doc.State())); got != "lowest .fixed .new landmarks " {
		t.Errorf("followed they are %s", got)
	}
}

// wholeAndPart is a document with populations in one, and the document of the points of that, to be gone down into and
// back from as often as wanted.
type wholeAndPart struct {
	t           *testing.T
	parent, sub *Opened
	id          population.ID
	set         *selection.Set
}

func newWholeAndPart(t *testing.T) *wholeAndPart {
	w := &wholeAndPart{t: t}
	w.parent, _, w.id = within(t, 500, 200)
	w.set = parts.Populations.Of(w.parent.Doc.State()).All()[0].Rule.(*population.Cells).Set
	return w
}

// edit changes the populations of one of the two.
func (w *wholeAndPart) edit(of *Opened, change func(population.Tree) population.Tree) {
	of.Doc.Do("Edit", func(s *state.State) { parts.Populations.Put(s, change(parts.Populations.Of(*s))) })
}

func rowsIn(t population.Tree, within *selection.Set) (sets []*selection.Set) {
	for _, p := range t.All() {
		rows := within
		if c, ok := p.Rule.(*population.Cells); ok {
			rows = selection.Intersect(c.Set, within)
		}
		sets = append(sets, rows)
	}
	return sets
}

func (w *wholeAndPart) down() {
	w.t.Helper()
	tree := parts.Populations.Of(w.parent.Doc.State())
	in := Inner{Tree: tree, Sets: rowsIn(tree, w.set)}
	s := dataset.Subset{Name: "live", Population: int32(w.id), Points: 500, Rows: rowsOf(w.set)}
	var err error
	if w.sub == nil {
		w.sub, err = Among(w.t.Context(), w.parent.Doc.Copy(), s, in, "test", nil)
	} else {
		w.sub, err = Follow(w.t.Context(), w.sub, w.parent.Doc.Copy(), s, in, "test")
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *wholeAndPart) back(why ...error) {
	w.t.Helper()
	tree := parts.Populations.Of(w.sub.Doc.State())
	found := &Found{Subset: w.sub.Doc.Data.Subset, Tree: tree, Sets: rowsIn(tree, selection.All(200)), Why: why}
	if err := found.Into(w.parent.Doc); err != nil {
		w.t.Fatal(err)
	}
}

func (w *wholeAndPart) want(of *Opened, want string) {
	w.t.Helper()
	if got := treeOf(parts.Populations.Of(of.Doc.State())); got != want {
		w.t.Errorf("there is %q, want %q", got, want)
	}
}

// A population that is deleted in the whole is gone in the part, and does not come back from it.
func TestWhatIsDeletedInTheWholeDoesNotComeBackFromAPart(t *testing.T) {
	w := newWholeAndPart(t)
	low := &population.Limits{Of: []population.Limit{{Column: "a", Low: 0, High: 5}}}
	var a population.ID
	w.edit(w.parent, func(t population.Tree) population.Tree {
		t, a, _ = t.Add(population.Population{Name: "A", Parent: w.id, Rule: low})
		return t
	})
	w.down()
	w.back()
	w.edit(w.parent, func(t population.Tree) population.Tree { return t.Remove(a) })
	w.down()
	w.want(w.sub, "")
	w.edit(w.sub, func(t population.Tree) population.Tree {
		t, id, _ := t.Add(population.Population{Name: "new", Rule: low})
		t, _, _ = t.Add(population.Population{Name: "child", Parent: id, Rule: low})
		return t
	})
	for range 3 {
		w.back()
		w.want(w.parent, "live .new ..child ")
		w.down()
		w.want(w.sub, "new .child ")
	}
}

// Two that change names keep them, and a third time nothing changes any more.
func TestNamesChangePlacesBetweenAWholeAndAPart(t *testing.T) {
	w := newWholeAndPart(t)
	low := &population.Limits{Of: []population.Limit{{Column: "a", Low: 0, High: 5}}}
	w.edit(w.parent, func(t population.Tree) population.Tree {
		t, _, _ = t.Add(population.Population{Name: "A", Parent: w.id, Rule: low})
		t, _, _ = t.Add(population.Population{Name: "B", Parent: w.id, Rule: low})
		return t
	})
	w.down()
	w.edit(w.sub, func(t population.Tree) population.Tree {
		a, b := t.All()[0].ID, t.All()[1].ID
		return t.Rename(a, "C").Rename(b, "A").Rename(a, "B")
	})
	for range 2 {
		w.back()
		w.want(w.parent, "live .B .A ")
		w.down()
		w.want(w.sub, "B A ")
	}
}

// Points that were changed in a part are those of the whole then; what could not be told there keeps what the whole
// has, and a new one of it is left out.
func TestPointsThatAreChangedInAPartAreThoseOfTheWhole(t *testing.T) {
	w := newWholeAndPart(t)
	w.edit(w.parent, func(t population.Tree) population.Tree {
		t, _, _ = t.Add(population.Population{Name: "marks", Parent: w.id, Rule: &population.Landmarks{}})
		return t
	})
	w.down()
	w.back()
	if p, _ := parts.Populations.Of(w.parent.Doc.State()).Named("marks"); p.Rule.Kind() != "landmarks" {
		t.Fatalf("unchanged it became %s", p.Rule.Kind())
	}
	own := random(rand.New(rand.NewPCG(9, 9)), 200, 17)
	w.edit(w.sub, func(t population.Tree) population.Tree { return t.Redefine(t.All()[0].ID, population.Of(own)) })
	w.back()
	p, _ := parts.Populations.Of(w.parent.Doc.State()).Named("marks")
	if c, ok := p.Rule.(*population.Cells); !ok || c.Set.Count() != 17 {
		t.Errorf("changed it is %v", p.Rule)
	}
	w.down()
	w.edit(w.sub, func(t population.Tree) population.Tree {
		t, _, _ = t.Add(population.Population{Name: "odd", Rule: &population.Landmarks{}})
		return t
	})
	w.back(nil, errors.New("no map"))
	w.want(w.parent, "live .marks ")
}

// A population that is named before another one in a part stands before that in the whole, too.
func TestWhatIsNamedBeforeAnotherInAPartIsSoInTheWhole(t *testing.T) {
	w := newWholeAndPart(t)
	low := &population.Limits{Of: []population.Limit{{Column: "a", Low: 0, High: 5}}}
	var novel population.ID
	w.down()
	w.edit(w.sub, func(t population.Tree) population.Tree {
		t, novel, _ = t.Add(population.Population{Name: "novel", Rule: low})
		return t
	})
	w.back()
	w.down()
	w.edit(w.sub, func(t population.Tree) population.Tree {
		t, id, _ := t.Add(population.Population{Name: "live one", Rule: low})
		t, _ = t.Put(id, novel, false)
		return t
	})
	w.back()
	w.want(w.parent, "live .live one .novel ")
}
