package parts

import (
	"encoding/json"
	"math"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/document/state"
	"blossom/model/space/transform"
)

// A column has again what was chosen for it, and a column that nothing was chosen for what the view has.
func TestEditingALookKeepsTheChoiceOfItsColumn(t *testing.T) {
	var s state.State
	edit := func(change func(*Look)) Look {
		EditLook(&s, "view1", change)
		return Looks.Of(s).Get("view1")
	}
	edit(func(l *Look) { l.Column = "a" })
	if len(Palettes.Of(s)) > 0 {
		t.Error("going to a column is a choice")
	}
	edit(func(l *Look) { l.Size = 3 })
	if len(Palettes.Of(s)) > 0 {
		t.Error("the size of points is kept by column")
	}
	edit(func(l *Look) { l.Palette, l.Spread, l.Centred, l.Centre = "blue-red", transform.SpreadLog, true, 5 })
	edit(func(l *Look) { l.From, l.To, l.Of = 1, 3, "a" })
	if l := edit(func(l *Look) { l.Column = "b" }); l.Palette != "blue-red" || l.ByValue() ||
		l.Centred || l.Spread != transform.SpreadLog {
		t.Errorf("b has %+v", l)
	}
	edit(func(l *Look) { l.Palette, l.Spread, l.Centred, l.Low = "magma", "", false, 10 })
	if l := edit(func(l *Look) { l.Column = "a" }); l.Palette != "blue-red" || !l.ByValue() || l.Spread != "log" ||
		l.Centre != 5 || l.Size != 3 || l.Low != 1 {
		t.Errorf("back at a: %+v", l)
	}
	if l := edit(func(l *Look) { l.Column = "b" }); l.Palette != "magma" || l.Low != 10 || l.Centred || l.Size != 3 {
		t.Errorf("back at b: %+v", l)
	}
}

// Sessions have what was chosen for columns; a file without it reads, and numbers that make no sense are replaced.
func TestPalettesOfColumnsInFiles(t *testing.T) {
	data, err := dataset.FromColumns(t.Context(), "t", []dataset.Column{{Name: "a", Values: []float32{1, 2}}})
	if err != nil {
		t.Fatal(err)
	}
	c := state.Context{Data: data}
	l := DefaultLook()
	l.Palette, l.Spread, l.From, l.To, l.Of = "magma", transform.SpreadQuantile, 1, 2, "a"
	l.Centred, l.Centre = true, -2
	raw, err := palettesKind.Encode(LookTable{"a": l}, c)
	if err != nil {
		t.Fatal(err)
	}
	back, err := palettesKind.Decode(raw, 1, c)
	if err != nil || back["a"] != l {
		t.Errorf("%+v, %v", back, err)
	}
	if raw, err := palettesKind.Encode(LookTable{}, c); raw != nil || err != nil {
		t.Errorf("no choice is written as %s, %v", raw, err)
	}
	old, err := looksKind.Decode(json.RawMessage(`{"view1":{"Column":"a","Palette":"","Reverse":false,"Low":1,"High":99,
		"Size":0,"Opacity":0}}`), 1, c)
	if want := (Look{Column: "a", Low: 1, High: 99}); err != nil || old["view1"] != want {
		t.Errorf("an older file is read as %+v, %v", old, err)
	}
	bad := Look{Low: 1, High: 99, Spread: "sideways", Centred: true, Centre: math.Inf(1)}
	if got := bad.sane(); got.Spread != transform.SpreadMap || got.Centred || got.Centre != 0 {
		t.Errorf("%+v", got)
	}
}

// A column that has a new name is looked at by it: colours of views, what was chosen for it, groups, and populations;
// others stay.
func TestWhatLooksAtAColumnFollowsItsName(t *testing.T) {
	var s state.State
	EditLook(&s, "1", func(l *Look) { l.Column = "b" })
	EditLook(&s, "1", func(l *Look) { l.Palette = "viridis" })
	EditLook(&s, "1", func(l *Look) { l.Column = "a" })
	EditLook(&s, "1", func(l *Look) { l.Palette, l.From, l.To, l.Of = "magma", 1, 3, "a" })
	EditLook(&s, "2", func(l *Look) { l.Column, l.And = "b", "a" })
	Contrast.Put(&s, GroupPair{Column: "a", A: "x", B: "y"})
	tree, id, err := population.Tree{}.Add(population.Population{Name: "x",
		Rule: &population.Categories{Column: "a", Names: []string{"x"}}})
	if err != nil {
		t.Fatal(err)
	}
	Populations.Put(&s, tree)
	RenameColumn(&s, "a", "c")
	first, second := Looks.Of(s).Get("1"), Looks.Of(s).Get("2")
	if first.Column != "c" || !first.ByValue() || second.Column != "b" || second.And != "c" {
		t.Errorf("views are coloured by %+v and %+v", first, second)
	}
	kept := Palettes.Of(s)
	if l := kept["c"]; len(kept) != 2 || l.Palette != "magma" || l.Of != "c" || kept["b"].Palette != "viridis" {
		t.Errorf("what was chosen is %+v", kept)
	}
	if p := Contrast.Of(s); p != (GroupPair{Column: "c", A: "x", B: "y"}) {
		t.Errorf("the groups are %+v", p)
	}
	if p, _ := Populations.Of(s).Find(id); p.Rule.Says() != "c" {
		t.Errorf("the population is by %q", p.Rule.Says())
	}
}
