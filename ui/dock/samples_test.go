package dock

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/problem"
	"blossom/model/clusters/frequency"
	"blossom/model/clusters/population"
	"blossom/model/data/sheet"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// donors writes files of cells, of which those of the second half have more with a high b, and returns their paths.
func donors(t *testing.T, n int) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for f := range n {
		var text strings.Builder
		text.WriteString("a,b\n")
		for i := range 120 {
			b := 0.0
			if i < 20+3*f+30*(2*f/n) {
				b = 5
			}
			fmt.Fprintf(&text, "%g,%g\n", float64((i*37+f*11)%101)/50, b+float64((i*53)%97)/97)
		}
		path := filepath.Join(dir, fmt.Sprintf("donor%d.csv", f+1))
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// ofDonors opens files of cells with a dock.
func ofDonors(t *testing.T, id string, n int, o stand.Options) (*stand.Window, *uitest.Driver) {
	t.Helper()
	paths := donors(t, n)
	o.Data, o.More = paths[0], paths[1:]
	return begin(t, id, o)
}

// typed has the question of a name answered.
func typed(t *testing.T, s *stand.Window, name string) {
	t.Helper()
	uitest.Do(func() {
		if err := s.Named.Answer(name); err != nil {
			t.Error(err)
		}
	})
}

// A sheet is typed in: columns are added, Tab and Enter lead from cell to cell, and each cell is an entry of the
// history. Its columns colour the view, and undoing takes them back.
func TestASheetIsTypedIn(t *testing.T) {
	s, d := ofDonors(t, "samples", 4, stand.Options{W: 900, H: 600})
	began := s.Desk.Look().Column
	d.ClickOn("dock-samples/first")
	typed(t, s, "group")
	d.Frames(2)
	d.ClickOn("dock-samples/add")
	typed(t, s, "day")
	d.Frames(3)
	d.ClickOn("sheet/0/1")
	d.Frames(3)
	d.Type("ctrl")
	d.Keys("Tab")
	d.Frames(4)
	d.Type("7")
	d.Keys("Enter")
	d.Frames(4)
	d.Type("14")
	d.Keys("Shift+Tab")
	d.Frames(4)
	d.Type("case")
	d.Keys("Enter")
	d.Frames(4)
	d.Type("lost")
	d.Keys("Escape")
	d.Frames(4)
	now := s.Desk.Populations().Samples().Sheet()
	for i, want := range [][2]string{{"ctrl", "7"}, {"case", "14"}, {"", ""}, {"", ""}} {
		sample := fmt.Sprintf("donor%d.csv", i+1)
		if got := [2]string{now.Cell(sample, 0), now.Cell(sample, 1)}; got != want {
			t.Errorf("%s is %q, %q is wanted", sample, got, want)
		}
	}
	if last := s.Last(); last != "group of donor2.csv" {
		t.Errorf("the last entry is %q", last)
	}
	d.ClickOn("sheet/head1")
	d.Frames(2)
	d.ClickOn("samples column/colour")
	s.Rest(d)
	if got := s.Desk.Look().Column; got != "sample: group" {
		t.Fatalf("points are coloured by %q", got)
	}
	v := s.Desk.Stage.Scatter().Colours.Values
	if v == nil || !slices.Equal(v.Labels, []string{"case", "ctrl"}) || v.Counts[0] != 120 || v.Counts[1] != 120 {
		t.Fatalf("the legend has %+v", v)
	}
	d.ClickOn("sheet/head1")
	d.Frames(2)
	d.ClickOn("samples column/rename")
	typed(t, s, "condition")
	s.Rest(d)
	if got := s.Desk.Look().Column; got != "sample: condition" ||
		s.Desk.Populations().Samples().Sheet().Columns()[0] != "condition" {
		t.Errorf("renamed, points are coloured by %q", got)
	}
	uitest.Do(func() {
		for s.Last() != "" {
			s.Desk.Doc.Undo()
		}
	})
	s.Rest(d)
	if got := s.Desk.Populations().Samples().Sheet(); !got.Empty() || s.Desk.Look().Column != began {
		t.Errorf("undone there is still %v, coloured by %q", got.Columns(), s.Desk.Look().Column)
	}
	uitest.Do(func() {
		for range 20 {
			s.Desk.Doc.Redo()
		}
	})
	s.Rest(d)
	if got := s.Desk.Populations().Samples().Sheet().Cell("donor2.csv", 0); got != "case" {
		t.Errorf("done again donor2 is %q", got)
	}
	d.ClickOn("sheet/head1")
	d.Frames(2)
	d.ClickOn("samples column/remove")
	s.Rest(d)
	if got := s.Desk.Populations().Samples().Sheet().Columns(); !slices.Equal(got, []string{"day"}) {
		t.Errorf("columns are %q", got)
	}
	if _, _, err := s.Desk.Column("sample: condition"); err == nil || problem.As(err).Remedy == "" {
		t.Errorf("the column that is gone is an error: %v", err)
	}
}

// The header reads sheets and writes them by the commands of the window; a column is of labels or of numbers.
func TestASheetIsReadAndWrittenByCommands(t *testing.T) {
	var ran []string
	did := func(id string) func() { return func() { ran = append(ran, id) } }
	s, d := ofDonors(t, "samples", 4, stand.Options{W: 1000, H: 600})
	uitest.Do(func() { s.Do["samples-sheet"], s.Do["export-samples"] = did("read"), did("export") })
	d.ClickOn("dock-samples/read")
	d.ClickOn("dock-samples/first")
	typed(t, s, "day")
	d.Frames(3)
	d.ClickOn("dock-samples/export")
	d.Frames(2)
	if !slices.Equal(ran, []string{"read", "export"}) {
		t.Errorf("it ran %q", ran)
	}
	uitest.Do(func() {
		now := s.Desk.Populations().Samples().Sheet()
		s.Desk.Doc.Do("Type", parts.Samples.With(now.Set("donor1.csv", 0, "7").Set("donor2.csv", 0, "14.5")))
	})
	for _, numbers := range []bool{true, false} {
		d.ClickOn("sheet/head1")
		d.Frames(2)
		d.ClickOn("samples column/" + map[bool]string{true: "numbers", false: "labels"}[numbers])
		s.Rest(d)
		uitest.Do(func() { s.Desk.ColourBy("sample: day") })
		s.Rest(d)
		uitest.Do(func() {
			c, _, err := s.Desk.Column("sample: day")
			if err != nil || c == nil || (c.Categories == nil) != numbers {
				t.Errorf("as numbers %t it is %+v, %v", numbers, c, err)
			}
		})
	}
	uitest.Do(func() { s.Desk.Doc.Undo() })
	if !s.Desk.Populations().Samples().Sheet().Measure(0) {
		t.Error("undone, the column is no measure")
	}
}

// grouped gives donors a group, and names their cells of a high b, with some of a low a among them.
func grouped(t *testing.T, s *stand.Window, d *uitest.Driver, of func(i int) string) {
	t.Helper()
	uitest.Do(func() {
		sheet, err := s.Desk.Populations().Samples().Sheet().Add("group")
		if err != nil {
			t.Fatal(err)
		}
		names, _ := sheet.Of(s.Desk.Doc.Data)
		for i, name := range names {
			sheet = sheet.Set(name, 0, of(i))
		}
		low := func(column string, from, to float64) population.Rule {
			return &population.Limits{Of: []population.Limit{{Column: column, Low: from, High: to}}}
		}
		tree, up, err := population.Tree{}.Add(population.Population{Name: "high b", Rule: low("b", 3, 100)})
		if err != nil {
			t.Fatal(err)
		}
		tree, _, err = tree.Add(population.Population{Name: "low a", Parent: up, Rule: low("a", 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		s.Desk.Doc.Do("Set up", func(now *state.State) {
			parts.Samples.Put(now, sheet)
			parts.Populations.Put(now, tree)
		})
	})
	s.Rest(d)
}

// The boxes are those of the shares that counting gives, the dots are named, and the copy says the test.
func TestFrequenciesAreComparedByGroups(t *testing.T) {
	s, d := ofDonors(t, "boxes", 8, stand.Options{W: 900, H: 600})
	grouped(t, s, d, func(i int) string { return []string{"ctrl", "case"}[i/4] })
	d.ClickOn("dock-boxes/copy")
	lines := strings.Split(strings.TrimRight(s.Copied, "\n"), "\n")
	if len(lines) != 5 {
		t.Fatalf("copied is %q", s.Copied)
	}
	var shares [2][]float64 // shares of high b, by group
	data := s.Desk.Doc.Data
	of, b := data.Origin(), &data.Columns[data.Places()["b"]]
	counts := make([]int, 8)
	for row, x := range b.Values {
		if x >= 3 && x <= 100 {
			counts[int(of.Values[row])]++
		}
	}
	for i, n := range counts {
		g := 1 - i/4 // "case" stands before "ctrl"
		shares[g] = append(shares[g], float64(n)/120)
		slices.Sort(shares[g])
	}
	_, p := frequency.MannWhitney(shares[0], shares[1])
	for g, group := range []string{"case", "ctrl"} {
		cells := strings.Split(lines[1+g], "\t")
		want := []string{"high b", group, "4", fmt.Sprintf("%.10g", shares[g][0]),
			fmt.Sprintf("%.10g", frequency.Quantile(shares[g], 0.25)),
			fmt.Sprintf("%.10g", frequency.Quantile(shares[g], 0.5))}
		if !slices.Equal(cells[:6], want) {
			t.Errorf("the line of %s is %q, %q is wanted", group, cells[:6], want)
		}
		if cells[8] != "Mann-Whitney" || cells[10] != fmt.Sprintf("%.10g", p) {
			t.Errorf("the test of %s is %q, p %g is wanted", group, cells[8:], p)
		}
	}
	r, named := d.Rect("dock-boxes/box0"), false
	for y := r.Y0; y < r.Y1 && !named; y += 4 { // along the middle of the first group
		d.Move(r.X0+r.W()/4, y)
		d.Frames(1)
		named = d.Has("tooltip")
	}
	if !named {
		t.Error("no dot says which sample it is")
	}
	d.Shoot("boxes-named")
	d.ClickOn("dock-boxes/of")
	d.Frames(2)
	d.ClickOn("boxes of/in 1")
	s.Rest(d)
	d.ClickOn("dock-boxes/copy")
	if lines := strings.Split(strings.TrimRight(s.Copied, "\n"), "\n"); len(lines) != 3 ||
		!strings.HasPrefix(lines[1], "low a\t") {
		t.Errorf("of those in high b copied is %q", s.Copied)
	}
	grouped(t, s, d, func(i int) string { return []string{"a", "b", "b", "b", "b", "b", "b", ""}[i] })
	d.ClickOn("dock-boxes/of")
	d.Frames(2)
	d.ClickOn("boxes of/all")
	s.Rest(d)
	d.ClickOn("dock-boxes/copy")
	if !strings.Contains(s.Copied, "too few samples") || strings.Contains(s.Copied, "Mann") {
		t.Errorf("of a group of one copied is %q", s.Copied)
	}
}

// Frequencies are by the groups of a sheet's column, too.
func TestFrequenciesAreByGroups(t *testing.T) {
	s, d := ofDonors(t, "frequencies", 4, stand.Options{W: 900, H: 600})
	grouped(t, s, d, func(i int) string { return []string{"ctrl", "case"}[i%2] })
	d.ClickOn("dock-frequencies/by")
	d.Frames(2)
	d.ClickOn("by sample: group")
	s.Rest(d)
	d.ClickOn("dock-frequencies/copy")
	lines := strings.Split(s.Copied, "\n")
	if lines[0] != "population\tpath\tcase\tctrl" {
		t.Fatalf("copied is %q", s.Copied)
	}
	data, counts := s.Desk.Doc.Data, [2]int{}
	for row, x := range data.Columns[data.Places()["b"]].Values {
		if x >= 3 {
			counts[1-int(data.Origin().Values[row])%2]++
		}
	}
	if want := fmt.Sprintf("high b\thigh b\t%d\t%d", counts[0], counts[1]); lines[1] != want {
		t.Errorf("copied is %q, %q is wanted", lines[1], want)
	}
}

func TestSamplesLook(t *testing.T) {
	for _, id := range []string{"samples", "boxes"} {
		t.Run(id, func(t *testing.T) { looks(t, id) })
	}
}

func looks(t *testing.T, id string) {
	s, d := ofDonors(t, id, 9, stand.Options{W: 900, H: 520})
	grouped(t, s, d, func(i int) string { return []string{"ctrl", "case", "treated"}[i/3] })
	uitest.Do(func() {
		sheet, err := s.Desk.Populations().Samples().Sheet().Add("day")
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range sheet.Known() {
			sheet = sheet.Set(name, 1, fmt.Sprint(7*(i%3)))
		}
		s.Desk.Doc.Do("Days", parts.Samples.With(sheet))
	})
	s.Rest(d)
	for _, c := range []struct {
		suffix string
		dark   bool
		scale  int
	}{{"-light", false, 1}, {"-dark-200", true, 2}} {
		uitest.Do(func() { s.Theme(c.dark) })
		d.SetScale(float32(c.scale))
		d.Resize(900*c.scale, 520*c.scale)
		d.Move(1, 1)
		s.Rest(d)
		d.Picture("dock-"+id+c.suffix, "dock-"+id)
		d.Shoot("dock-" + id + c.suffix)
	}
}

// A column of the sheet that is renamed is looked at by its new name: by populations of its labels, and by the docks
// that show its groups, as the column and not as the first one. Undone it is the old one again.
func TestWhatLooksAtAColumnOfTheSheetFollowsItsName(t *testing.T) {
	s, d := ofDonors(t, "samples", 4, stand.Options{W: 900, H: 600})
	grouped(t, s, d, func(i int) string { return []string{"ctrl", "case"}[i%2] })
	uitest.Do(func() {
		tree, _, err := s.Desk.Populations().Tree().Add(population.Population{Name: "cases",
			Rule: &population.Categories{Column: "sample: group", Names: []string{"case"}}})
		if err != nil {
			t.Fatal(err)
		}
		s.Desk.Doc.Do("Cases", parts.Populations.With(tree))
	})
	s.Rest(d)
	cases := func() (n int) {
		uitest.Do(func() {
			if now, _ := s.Desk.Populations().Now(); now != nil && now.Why[2] == nil {
				n = now.Sets[2].Count()
			}
		})
		return n
	}
	if n := cases(); n != 240 {
		t.Fatalf("there are %d points of cases", n)
	}
	d.ClickOn("sheet/head1")
	d.Frames(2)
	d.ClickOn("samples column/rename")
	typed(t, s, "condition")
	s.Rest(d)
	if n := cases(); n != 240 || s.Desk.Populations().Tree().All()[2].Rule.Says() != "sample: condition" {
		t.Errorf("renamed there are %d points of cases", n)
	}
	uitest.Do(func() { s.Desk.Doc.Undo() })
	s.Rest(d)
	if n := cases(); n != 240 {
		t.Errorf("undone there are %d points of cases", n)
	}
}

func TestDocksFollowAColumnThatIsRenamed(t *testing.T) {
	for id, first := range map[string]string{"boxes": "boxes by/by group", "frequencies": "by sample: group"} {
		s, d := ofDonors(t, id, 8, stand.Options{W: 900, H: 600})
		grouped(t, s, d, func(i int) string { return []string{"ctrl", "case"}[i/4] })
		known := s.Desk.Populations().Samples().Sheet()
		uitest.Do(func() { // the day stands first
			days, _ := sheet.Sheet{}.Add("day")
			days, _ = days.Add("group")
			for i, name := range known.Known() {
				days = days.Set(name, 0, fmt.Sprint(i/2)).Set(name, 1, known.Cell(name, 0))
			}
			known = days
			s.Desk.Doc.Do("Days", parts.Samples.With(days))
		})
		s.Rest(d)
		d.ClickOn("dock-" + id + "/by")
		d.Frames(2)
		d.ClickOn(first)
		s.Rest(d)
		copied := func() string {
			d.ClickOn("dock-" + id + "/copy")
			return s.Copied
		}
		was := copied()
		if !strings.Contains(was, "case") {
			t.Fatalf("%s: copied is %q", id, was)
		}
		uitest.Do(func() { s.Desk.Doc.Do("Rename", parts.Samples.With(known.Rename(1, "condition"))) })
		s.Rest(d)
		if now := copied(); now != was {
			t.Errorf("%s: renamed it shows %q", id, now)
		}
		uitest.Do(func() { s.Desk.Doc.Undo() })
		s.Rest(d)
		if now := copied(); now != was {
			t.Errorf("%s: undone it shows %q", id, now)
		}
		d.End()
	}
}

// Boxes of what lies in a population that is removed show all that there are.
func TestBoxesOfAPopulationThatIsGoneShowAll(t *testing.T) {
	s, d := ofDonors(t, "boxes", 8, stand.Options{W: 900, H: 600})
	grouped(t, s, d, func(i int) string { return []string{"ctrl", "case"}[i/4] })
	d.ClickOn("dock-boxes/of")
	d.Frames(2)
	d.ClickOn("boxes of/in 1")
	s.Rest(d)
	uitest.Do(func() {
		tree, _, err := s.Desk.Populations().Tree().Remove(1).Add(population.Population{Name: "all a",
			Rule: &population.Limits{Of: []population.Limit{{Column: "a", Low: 0, High: 100}}}})
		if err != nil {
			t.Fatal(err)
		}
		s.Desk.Doc.Do("Others", parts.Populations.With(tree))
	})
	s.Rest(d)
	d.ClickOn("dock-boxes/copy")
	if !strings.Contains(s.Copied, "\nall a\t") {
		t.Errorf("copied is %q", s.Copied)
	}
}

// A test is said to be adjusted for the populations that were tested: one without shares is not among them.
func TestPopulationsThatAreNotTestedAreNotAdjustedFor(t *testing.T) {
	var tree population.Tree
	for i, p := range []population.Population{{Name: "none"}, {Name: "in none", Parent: 1}, {Name: "some"}} {
		p.Rule = population.Of(nil)
		var err error
		if tree, _, err = tree.Add(p); err != nil {
			t.Fatalf("population %d: %v", i, err)
		}
	}
	known, err := sheet.Sheet{}.Add("group")
	if err != nil {
		t.Fatal(err)
	}
	counts := &population.Counts{Points: make([][]int, 4)}
	for i := range 6 {
		name := fmt.Sprint("s", i)
		known = known.Set(name, 0, []string{"a", "b"}[i/3])
		counts.Samples, counts.Rows = append(counts.Samples, name), append(counts.Rows, 10)
		for place, n := range []int{0, 0, i, 10 - i} {
			counts.Points[place] = append(counts.Points[place], n)
		}
	}
	out := compareIn(&counted{counts, &live.Populated{Tree: tree}}, known, []int{0, 1, 2}, comparedKey{parent: true})
	if tip := out.plots[2].Tip; !strings.Contains(tip, "adjusted for 2 populations") {
		t.Errorf("of three, one of which has no shares, %q is said", tip)
	}
}

// The table of all points has nothing for a population that cannot be evaluated, and for points in none beside it.
func TestWhatCannotBeEvaluatedHasNoNumberAmongAllPoints(t *testing.T) {
	s, d := begin(t, "frequencies", stand.Options{Data: donors(t, 1)[0], W: 900, H: 500})
	uitest.Do(func() {
		var tree population.Tree
		for _, column := range []string{"a", "gone"} {
			var err error
			if tree, _, err = tree.Add(population.Population{Name: column, Rule: &population.Limits{
				Of: []population.Limit{{Column: column, Low: 0, High: 100}}}}); err != nil {
				t.Fatal(err)
			}
		}
		s.Desk.Doc.Do("Name", parts.Populations.With(tree))
	})
	s.Rest(d)
	d.ClickOn("dock-frequencies/copy")
	lines := strings.Split(s.Copied, "\n")
	if len(lines) < 4 || lines[1] != "a\ta\t120" || lines[2] != "gone\tgone\t" || !strings.HasSuffix(lines[3], "\t") {
		t.Errorf("copied is %q", s.Copied)
	}
}
