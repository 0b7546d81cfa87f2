package population

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/maps/selection"
	"blossom/model/space/transform"
)

// table is a small table with columns of a few values, a column of labels and landmarks.
type table struct {
	rows    int
	columns map[string][]float64
	labels  []string
	nearest []int32
	groups  []ID
}

func (x *table) inputs() Inputs {
	return Inputs{Rows: x.rows, Nearest: x.nearest, Groups: x.groups,
		Column: func(name string) func(int) float64 {
			if v := x.columns[name]; v != nil {
				return func(row int) float64 { return v[row] }
			}
			return nil
		},
		Shown: func(name string, t transform.Column) []float32 {
			if v := x.columns[name]; v != nil {
				out := make([]float32, len(v))
				for i := range v {
					out[i] = float32(v[i])
				}
				return out
			}
			return nil
		},
		Category: func(name string) func(int) string {
			if name == "kind" {
				return func(row int) string { return x.labels[row] }
			}
			return nil
		}}
}

func drawTable(r *rapid.T) *table {
	n := rapid.IntRange(0, 200).Draw(r, "rows")
	x := &table{rows: n, columns: map[string][]float64{}, groups: []ID{0, 1, 2, 3, 0}}
	value := rapid.SampledFrom([]float64{math.NaN(), math.Inf(-1), -1, 0, 1, 2, math.Inf(1)})
	for _, name := range []string{"a", "b"} {
		x.columns[name] = rapid.SliceOfN(value, n, n).Draw(r, name)
	}
	x.labels = rapid.SliceOfN(rapid.SampledFrom([]string{"", "T", "B"}), n, n).Draw(r, "labels")
	x.nearest = rapid.SliceOfN(rapid.Int32Range(-1, 5), n, n).Draw(r, "nearest")
	return x
}

// drawRule draws a rule, and what it says of a row in plain words.
func drawRule(r *rapid.T, x *table, depth int) (Rule, func(row int) bool) {
	switch kind := rapid.IntRange(0, 5).Draw(r, "kind"); {
	case kind == 0:
		in := rapid.SliceOfN(rapid.Bool(), x.rows, x.rows).Draw(r, "cells")
		words := make([]uint64, x.rows/64+1)
		for i, yes := range in {
			if yes {
				words[i/64] |= 1 << (i % 64)
			}
		}
		return Of(selection.FromBits(x.rows, words)), func(row int) bool { return in[row] }
	case kind == 1:
		g := ID(rapid.IntRange(1, 3).Draw(r, "group"))
		return &Landmarks{[]ID{g}}, func(row int) bool {
			at := x.nearest[row]
			return at >= 0 && at < 5 && x.groups[at] == g
		}
	case kind == 2:
		name := rapid.SampledFrom([]string{"T", "B"}).Draw(r, "label")
		return &Categories{"kind", []string{name}}, func(row int) bool { return x.labels[row] == name }
	case kind == 4:
		corner := rapid.SampledFrom([]float64{-1.5, -1, 0, 0.5, 2, 3e9})
		g := &Gate{X: Axis{Column: "a"}, Y: Axis{"b", "asinh:5"}, Shape: Rectangle}
		for range 2 {
			g.Path = append(g.Path, [2]float64{corner.Draw(r, "x"), corner.Draw(r, "y")})
		}
		a, b := g.Path[0], g.Path[1]
		return g, func(row int) bool {
			u, v := x.columns["a"][row], x.columns["b"][row]
			return u >= min(a[0], b[0]) && u <= max(a[0], b[0]) && v >= min(a[1], b[1]) && v <= max(a[1], b[1])
		}
	case kind == 3 && depth > 0:
		a, inA := drawRule(r, x, depth-1)
		b, inB := drawRule(r, x, depth-1)
		return Join(a, b), func(row int) bool { return inA(row) || inB(row) }
	}
	l := Limit{rapid.SampledFrom([]string{"a", "b"}).Draw(r, "column"),
		rapid.SampledFrom([]float64{math.Inf(-1), -1, 0, 1}).Draw(r, "low"),
		rapid.SampledFrom([]float64{-1, 0, 1, math.Inf(1)}).Draw(r, "high")}
	v := x.columns[l.Column]
	return &Limits{[]Limit{l}}, func(row int) bool { return v[row] >= l.Low && v[row] <= l.High }
}

// A row is in a population if its rule and those of all above it say so, and is labelled by the deepest of them, where
// several of one parent have it by the first: that is what plain words make of each row by itself.
func TestARowIsLabelledByTheDeepestPopulationAndTheFirst(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		x := drawTable(r)
		var tree Tree
		says := map[ID]func(int) bool{}
		for range rapid.IntRange(0, 8).Draw(r, "populations") {
			parent := ID(0)
			if n := tree.Len(); n > 0 && rapid.Bool().Draw(r, "nested") {
				parent = tree.All()[rapid.IntRange(0, n-1).Draw(r, "parent")].ID
			}
			rule, in := drawRule(r, x, 1)
			var id ID
			var err error
			if tree, id, err = tree.Add(Population{Parent: parent, Name: "p", Rule: rule}); err != nil {
				r.Fatal(err)
			}
			says[id] = in
		}
		got, err := LabelRows(context.Background(), tree, x.inputs())
		if err != nil {
			r.Fatal(err)
		}
		own, none := make([]int, tree.Len()), 0
		for row := range x.rows {
			label := -1
			var down func(parent ID)
			down = func(parent ID) {
				for i, p := range tree.All() {
					if p.Parent == parent && says[p.ID](row) {
						label = i
						down(p.ID)
						return
					}
				}
			}
			down(0)
			if v := got.Values[row]; label < 0 && v == v || label >= 0 && v != float32(label) {
				r.Fatalf("row %d is labelled %g, want %d", row, v, label)
			}
			if label < 0 {
				none++
			} else {
				own[label]++
			}
			for i, p := range tree.All() {
				in := true
				for at := p; ; {
					in = in && says[at.ID](row)
					up, ok := tree.Find(at.Parent)
					if !ok {
						break
					}
					at = up
				}
				if got.Sets[i].Contains(row) != in {
					r.Fatalf("row %d in population %d: %v, want %v", row, i, got.Sets[i].Contains(row), in)
				}
			}
		}
		if fmt.Sprint(own, none) != fmt.Sprint(got.Own, got.None) {
			r.Fatalf("rows of their own: %v and %d, want %v and %d", got.Own, got.None, own, none)
		}
	})
}

// sound says what is wrong with a tree, "" for nothing.
func sound(t Tree) string {
	names, open, seen := map[string]bool{}, []ID{}, map[ID]bool{}
	for _, p := range t.All() {
		for len(open) > 0 && open[len(open)-1] != p.Parent {
			open = open[:len(open)-1]
		}
		switch {
		case p.Parent != 0 && len(open) == 0:
			return fmt.Sprintf("%d stands apart from its parent %d", p.ID, p.Parent)
		case seen[p.ID] || p.ID <= 0 || p.ID > t.last:
			return fmt.Sprintf("a number that is wrong: %d", p.ID)
		case names[p.Name]:
			return "a name twice: " + p.Name
		}
		seen[p.ID], names[p.Name], open = true, true, append(open, p.ID)
	}
	return ""
}

func drawTree(r *rapid.T) Tree {
	var t Tree
	x := &table{rows: 9, columns: map[string][]float64{"a": make([]float64, 9), "b": make([]float64, 9)},
		labels: make([]string, 9), nearest: make([]int32, 9), groups: make([]ID, 5)}
	id := func() ID {
		if t.Len() == 0 {
			return 0
		}
		return t.All()[rapid.IntRange(0, t.Len()-1).Draw(r, "of")].ID
	}
	for range rapid.IntRange(0, 40).Draw(r, "edits") {
		was := fmt.Sprint(t.All())
		before := t
		switch rapid.IntRange(0, 7).Draw(r, "edit") {
		case 0:
			t = t.Remove(id())
		case 1:
			t, _ = t.Nest(id(), id())
		case 2:
			t = t.Shift(id(), rapid.IntRange(-3, 3).Draw(r, "by"))
		case 3:
			t, _ = t.Merge(id(), id())
		case 4:
			t = t.Rename(id(), rapid.SampledFrom([]string{"T", "B", "", "a, \"b\"\n😀", strings.Repeat("漢", 20_000)}).
				Draw(r, "name"))
		case 5:
			t, _ = t.Put(id(), id(), rapid.Bool().Draw(r, "behind"))
		case 6:
			t = t.Recolour(id(), rapid.Uint8().Draw(r, "ink"))
		default:
			rule, _ := drawRule(r, x, 1)
			var err error
			if t, _, err = t.Add(Population{Parent: id(), Name: "T", Rule: rule}); err != nil {
				r.Fatal(err)
			}
		}
		if now := fmt.Sprint(before.All()); now != was {
			r.Fatal("an edit changed the tree that it was made from")
		}
		if why := sound(t); why != "" {
			r.Fatalf("after an edit: %s", why)
		}
	}
	return t
}

func TestATreeThatIsEditedStaysATree(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) { drawTree(r) })
}

func TestATreeIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tree := drawTree(r)
		raw, err := json.Marshal(tree)
		if err != nil {
			r.Fatal(err)
		}
		got, err := Decode(raw, 9, func(s string) { r.Errorf("noted: %s", s) })
		if err != nil {
			r.Fatal(err)
		}
		again, err := json.Marshal(got)
		if err != nil || string(again) != string(raw) {
			r.Fatalf("%v: written %d bytes, read %d", err, len(raw), len(again))
		}
	})
}

// A rule that cannot be read costs the population that it is of and those within, and is said.
func TestWhatIsWrongInATreeCostsNoMoreThanItself(t *testing.T) {
	const good = `{"limits":[{"column":"a","low":1}]}`
	for name, c := range map[string]struct {
		text  string
		names string
		notes int
	}{
		"a kind that is unknown": {`[{"id":1,"name":"A","rule":{"moon":1}},{"id":2,"name":"B","rule":` + good + `}]`,
			"B", 1},
		"no rule":              {`[{"id":1,"name":"A"},{"id":2,"name":"B","rule":` + good + `}]`, "B", 1},
		"points of other data": {`[{"id":1,"name":"A","rule":{"cells":{"rows":3,"count":0,"runs":""}}}]`, "A", 0},
		"a number twice": {`[{"id":1,"name":"A","rule":` + good + `},{"id":1,"name":"B","rule":` + good + `}]`,
			"A", 1},
		"a parent that is gone": {`[{"id":2,"parent":1,"name":"B","rule":` + good + `}]`, "", 1},
		"its own parent":        {`[{"id":2,"parent":2,"name":"B","rule":` + good + `}]`, "", 1},
		"a parent that comes later": {`[{"id":2,"parent":1,"name":"B","rule":` + good + `},{"id":1,"name":"A","rule":` +
			good + `}]`, "A", 1},
		"a child of one that is left out": {`[{"id":1,"name":"A","rule":{}},{"id":2,"parent":1,"name":"B","rule":` +
			good + `}]`, "", 2},
		"no name": {`[{"id":1,"name":" ","rule":` + good + `}]`, "population", 0},
	} {
		notes := 0
		got, err := Decode([]byte(`{"populations":`+c.text+`}`), 3, func(string) { notes++ })
		var names []string
		for _, p := range got.All() {
			names = append(names, p.Name)
		}
		if s := strings.Join(names, " "); err != nil || s != c.names || notes != c.notes {
			t.Errorf("%s: %q with %d notes, want %q with %d (%v)", name, s, notes, c.names, c.notes, err)
		}
	}
	if _, err := Decode([]byte(`{"populations":7}`), 3, nil); err == nil {
		t.Error("a number was read as a tree")
	}
}

// The example of the manual is read whole.
func TestTheExampleOfTheManualIsRead(t *testing.T) {
	page, err := os.ReadFile("../../../docs/populations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```json\n")
	text, _, _ = strings.Cut(text, "```")
	tree, err := Decode([]byte(text), 9, func(s string) { t.Error(s) })
	if err != nil || tree.Len() != 6 {
		t.Errorf("%d populations: %v", tree.Len(), err)
	}
}

// Points of other data are none here, and are kept for the data that they are of.
func TestPointsOfOtherDataAreKept(t *testing.T) {
	var tree Tree
	tree, _, _ = tree.Add(Population{Name: "A", Rule: Of(selection.FromBits(9, []uint64{5}))})
	raw, _ := json.Marshal(tree)
	other, err := Decode(raw, 4, func(s string) { t.Error(s) })
	if err != nil {
		t.Fatal(err)
	}
	got, _ := LabelRows(context.Background(), other, Inputs{Rows: 4})
	if got.Why[0] == nil || got.None != 4 {
		t.Errorf("why %v, %d in none", got.Why[0], got.None)
	}
	if again, _ := json.Marshal(other); string(again) != string(raw) {
		t.Errorf("written again:\n%s\n%s", again, raw)
	}
}

// A polygon has the rows that the even-odd rule says, whatever its size; a corner moves alone.
func TestAGateHasTheRowsOfItsRegion(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		scale := rapid.SampledFrom([]float64{1, 1e-3, 3e12, 1e30}).Draw(r, "scale")
		at := rapid.Custom(func(r *rapid.T) float64 { return float64(rapid.IntRange(-20, 20).Draw(r, "tenths")) / 10 })
		g := &Gate{X: Axis{Column: "a"}, Y: Axis{Column: "b"}, Shape: Polygon}
		for range rapid.IntRange(3, 9).Draw(r, "corners") {
			g.Path = append(g.Path, [2]float64{scale * at.Draw(r, "x"), scale * at.Draw(r, "y")})
		}
		x := &table{rows: 100, columns: map[string][]float64{}}
		for _, name := range []string{"a", "b"} {
			for range x.rows {
				x.columns[name] = append(x.columns[name], float64(float32(scale*at.Draw(r, name))))
			}
		}
		got, err := g.Rows(context.Background(), x.inputs())
		if err != nil {
			r.Fatal(err)
		}
		for row := range x.rows {
			u, v, in := x.columns["a"][row], x.columns["b"][row], false
			for i, a := range g.Path {
				b := g.Path[(i+len(g.Path)-1)%len(g.Path)]
				if (a[1] > v) != (b[1] > v) && u < (b[0]-a[0])*(v-a[1])/(b[1]-a[1])+a[0] {
					in = !in
				}
			}
			if got.Contains(row) != in {
				r.Fatalf("%g, %g in %g: %v", u, v, g.Path, !in)
			}
		}
		if m := g.Moved(1, 7, 8); m.Path[1] != [2]float64{7, 8} || g.Path[1] == m.Path[1] || m.Path[0] != g.Path[0] {
			r.Fatalf("moved to %g", m.Path)
		}
	})
	square := &Gate{Shape: Rectangle, Path: [][2]float64{{0, 0}, {1, 1}}}
	if got := fmt.Sprint(square.Moved(1, 3, -1).Corners()); got != "[[0 -1] [3 -1] [3 1] [0 1]]" {
		t.Error(got)
	}
}

// Rules that cannot be evaluated have no rows, and say why; the others are not touched by it.
func TestARuleThatCannotBeEvaluatedSaysWhy(t *testing.T) {
	x := &table{rows: 3, columns: map[string][]float64{"a": {1, 2, 3}}}
	var tree Tree
	for _, r := range []Rule{&Limits{[]Limit{{"gone", 0, 1}}}, &Landmarks{[]ID{1}}, &Categories{"gone", []string{"x"}},
		Of(selection.All(7)), &Limits{[]Limit{{"a", 2, math.Inf(1)}}}} {
		tree, _, _ = tree.Add(Population{Name: "p", Rule: r})
	}
	got, err := LabelRows(context.Background(), tree, x.inputs())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, true, true, true, false} {
		if (got.Why[i] != nil) != want {
			t.Errorf("population %d: %v", i, got.Why[i])
		}
	}
	if got.Own[4] != 2 || got.None != 1 {
		t.Errorf("%v rows and %d in none, want 2 and 1", got.Own, got.None)
	}
}

// A population that is put beside another one stands before it, or behind it and all that lie in it, under its parent.
func TestAPopulationIsPutBesideAnother(t *testing.T) {
	var tree Tree
	add := func(name string, parent ID) ID {
		var id ID
		var err error
		if tree, id, err = tree.Add(Population{Name: name, Parent: parent, Rule: &Landmarks{}}); err != nil {
			t.Fatal(err)
		}
		return id
	}
	a := add("a", 0)
	b := add("b", a)
	c := add("c", 0)
	d := add("d", c)
	names := func(t Tree) (out string) {
		depths := t.Depths()
		for i, p := range t.All() {
			out += strings.Repeat(".", depths[i]) + p.Name + " "
		}
		return out
	}
	for _, x := range []struct {
		id, other ID
		behind    bool
		want      string
	}{
		{c, a, false, "c .d a .b "}, {a, c, true, "c .d a .b "}, {d, b, false, "a .d .b c "},
		{d, b, true, "a .b .d c "}, {b, c, true, "a c .d b "}, {b, c, false, "a b c .d "},
		{c, b, false, "a .c ..d .b "}, {a, a, true, "a .b c .d "},
	} {
		now, err := tree.Put(x.id, x.other, x.behind)
		if got := names(now); got != x.want || err != nil {
			t.Errorf("%d beside %d, behind %v: %s, want %s (%v)", x.id, x.other, x.behind, got, x.want, err)
		}
	}
	if now, err := tree.Put(a, b, true); err == nil || names(now) != names(tree) {
		t.Errorf("beside one that lies in it: %s", names(now))
	}
}

// A population that cannot be read costs itself, and what lies in it; those beside it stay, also where there are
// thousands of one name, and no number is beyond those that more can be given after.
func TestOnePopulationThatCannotBeReadCostsItself(t *testing.T) {
	ok := `{"id":%d,"name":"p","ink":1,"rule":{"limits":[]}}`
	for _, bad := range []string{`{"id":1,"name":"x","ink":500,"rule":{"limits":[]}}`, `7`, `{"id":1.5}`,
		`{"id":1,"name":7}`, `{"id":2147483647,"name":"x","rule":{"limits":[]}}`, `{"id":1,"whole":"x"}`} {
		notes := 0
		text := fmt.Sprintf(`{"populations":[%s,%s],"last":2147483647}`, bad, fmt.Sprintf(ok, 2))
		tree, err := Decode([]byte(text), 9, func(string) { notes++ })
		if err != nil || tree.Len() != 1 || notes != 1 {
			t.Errorf("%s: %d populations, %d notes, %v", bad, tree.Len(), notes, err)
		}
		if _, id, err := tree.Add(Population{Name: "new", Rule: &Landmarks{}}); err != nil || id != 3 {
			t.Errorf("the next has the number %d: %v", id, err)
		}
	}
	var many []string
	for i := range Most {
		many = append(many, fmt.Sprintf(ok, i+1))
	}
	tree, err := Decode([]byte(`{"populations":[`+strings.Join(many, ",")+`]}`), 9, func(s string) { t.Error(s) })
	if err != nil || tree.Len() != Most || tree.All()[Most-1].Name != fmt.Sprint("p ", Most) {
		t.Errorf("%d of one name: %v", tree.Len(), err)
	}
}

// A column that has another name is looked at by it in all rules, also those within others; rules that do not look at
// it stay themselves, and so does the tree that was.
func TestRulesFollowAColumnThatIsRenamed(t *testing.T) {
	gate := &Gate{X: Axis{Column: "a"}, Y: Axis{Column: "b"}, Shape: Rectangle, Path: [][2]float64{{0, 0}, {1, 1}}}
	label, limits := &Categories{"a", []string{"x"}}, &Limits{[]Limit{{"b", 0, 1}, {"a", 0, 1}}}
	other := &Categories{"b", []string{"x"}}
	var tree Tree
	for _, r := range []Rule{label, limits, gate, Join(other, label), other, Of(nil)} {
		var err error
		if tree, _, err = tree.Add(Population{Name: "p", Rule: r}); err != nil {
			t.Fatal(err)
		}
	}
	now := tree.RenameColumn("a", "c")
	for i, want := range [][]string{{"c"}, {"b", "c"}, {"c", "b"}, {"b", "c"}, {"b"}, nil} {
		if got := now.All()[i].Rule.Needs().Columns; !slices.Equal(got, want) {
			t.Errorf("rule %d looks at %q, %q is wanted", i, got, want)
		}
	}
	if now.All()[4].Rule != other || label.Column != "a" || limits.Of[1].Column != "a" || gate.X.Column != "a" {
		t.Error("rules that were have changed")
	}
	if !Equal(tree, tree.RenameColumn("d", "e")) {
		t.Error("a column that no rule looks at changes the tree")
	}
}
