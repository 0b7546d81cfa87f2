package panel

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/export"
	"blossom/model/live"
	"blossom/model/space/transform"
	"blossom/ui/desk"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

func TestDataPanel(t *testing.T) {
	s, d := begin(t, "data", "demo:cytometry:1000")
	at := map[string]int{}
	for i, c := range s.Desk.Doc.Data.Columns {
		at[c.Short()] = i
	}
	cd4 := s.Desk.Doc.Data.Columns[at["CD4"]]
	row := func(name string) widget.Rect { return d.Rect("data/" + strconv.Itoa(at[name])) }
	r := row("CD4")
	d.Click(r.X0+40, r.Center().Y)
	d.Frames(2)
	if s.Desk.Look().Column != cd4.Name || s.Last() != "Colour by CD4" {
		t.Fatalf("a click on the name: coloured by %q, %q", s.Desk.Look().Column, s.Last())
	}
	use := func() transform.Use { return parts.Transform.Of(s.Desk.Doc.State()).Columns[at["CD4"]].Use }
	d.ClickOn("data/" + strconv.Itoa(at["CD4"]) + "/box")
	d.Frames(2)
	if use() != transform.ColourOnly || s.Last() != "Take CD4 out of the map" {
		t.Fatalf("the box: use %v, %q", use(), s.Last())
	}
	d.ClickOn("data/" + strconv.Itoa(at["CD4"]) + "/box")
	d.Frames(2)
	if use() != transform.InMap || s.Last() != "Put CD4 in the map" {
		t.Fatalf("the box again: use %v, %q", use(), s.Last())
	}
	s.Rest(d)
	if d.Has("data/" + strconv.Itoa(at["population"])) {
		t.Fatal("all columns are listed")
	}
	d.ClickOn("data/more")
	d.Frames(2)
	if !d.Has("data/"+strconv.Itoa(at["population"])) || d.Has("data/"+strconv.Itoa(len(at)+100)) {
		t.Fatal("the rest is not listed")
	}
	d.ClickOn("data/search")
	d.Type("popul")
	d.Frames(2)
	r = row("population")
	d.Click(r.X0+40, r.Center().Y)
	d.Frames(2)
	if s.Last() != "Colour by population" {
		t.Fatal(s.Last())
	}
	if d.Has("data/" + strconv.Itoa(at["CD4"])) {
		t.Fatal("the search lists everything")
	}
	// A column that is made from the map is found, coloured by, and cannot make the map.
	d.ClickOn("data/search")
	d.Keys("Ctrl+A")
	d.Type("density")
	d.Frames(2)
	list, _ := s.Desk.ColumnList()
	i := slices.IndexFunc(list, func(c live.ColumnInfo) bool { return c.Name == "density" })
	spec := s.Desk.Spec()
	d.ClickOn("data/" + strconv.Itoa(i) + "/box")
	r = d.Rect("data/" + strconv.Itoa(i))
	d.Click(r.X0+40, r.Center().Y)
	s.Rest(d)
	if !s.Desk.Spec().Equal(spec) || s.Last() != "Colour by density" {
		t.Fatalf("%q", s.Last())
	}
}

func TestExportPanelHasTheFormats(t *testing.T) {
	s, d := begin(t, "export", "demo:tesseract:500")
	n := 0
	for _, f := range format.All() {
		d.ClickOn("export/Format") // opens the list
		d.Frames(3)
		name := "Format/" + strings.ToUpper(f.Name)
		if d.Has(name) != (f.Write != nil) {
			t.Errorf("%s: %v", f.Name, d.Has(name))
		}
		if f.Write == nil {
			d.Keys("Escape")
			d.Frames(3)
			continue
		}
		n++
		d.ClickOn(name)
		d.Frames(3)
		d.ClickOn("export/coordinates")
		d.Frames(2)
		if want := "tesseract_embedsom" + f.Extensions[0]; s.Asked.Name != want {
			t.Errorf("%q is suggested, not %q", s.Asked.Name, want)
		}
	}
	if n < 4 {
		t.Errorf("only %d formats", n)
	}
}

// The values of the columns are chosen where the columns are wanted, and nowhere else.
func TestExportPanelAsksWhichValues(t *testing.T) {
	s, d := begin(t, "export", "demo:tesseract:500")
	if d.Has("export/Values/As map") {
		t.Fatal("values are asked for of columns that nobody wants")
	}
	d.ClickOn("export/With the columns of the data")
	d.ClickOn("export/Values/As map")
	d.ClickOn("export/coordinates")
	d.Frames(2)
	uitest.Do(func() { s.Asked.Answer("out.csv") })
	if !s.Wrote.Columns || s.Wrote.Values != transform.Mapped {
		t.Errorf("%+v is written", s.Wrote)
	}
}

func TestHistoryPanel(t *testing.T) {
	s, d := begin(t, "history", "demo:tesseract:500")
	uitest.Do(func() {
		for _, c := range []string{"y", "z", "w"} {
			s.Desk.ColourBy(c)
		}
	})
	d.Frames(3)
	d.ClickOn("history/moment1")
	d.Frames(2)
	if s.Desk.Look().Column != "y" || s.Desk.Doc.History().Done() != 1 {
		t.Fatalf("coloured by %q, %d done", s.Desk.Look().Column, s.Desk.Doc.History().Done())
	}
	d.ClickOn("history/moment3")
	d.Frames(2)
	if s.Desk.Look().Column != "w" {
		t.Fatal("it does not go forward")
	}
}

// Labels are written as they are chosen: their files, columns and values; the key is a table of its own.
func TestExportPanelWritesPopulations(t *testing.T) {
	s, d := begin(t, "export", "demo:tesseract:500")
	if d.Has("export/labels") {
		t.Fatal("labels are offered where there are no populations")
	}
	uitest.Do(func() {
		tree, _, _ := population.Tree{}.Add(population.Population{Name: "high",
			Rule: &population.Limits{Of: []population.Limit{{Column: "x", Low: 0, High: 9}}}})
		s.Desk.Doc.Do("Name", func(now *state.State) { parts.Populations.Put(now, tree) })
	})
	d.Frames(3)
	asked := func(button string) desk.Names {
		d.ClickOn("export/" + button)
		d.Frames(2)
		uitest.Do(func() { s.Asked.Answer("out.csv") })
		return s.WroteNames[len(s.WroteNames)-1]
	}
	if got := asked("labels"); got != (desk.Names{}) {
		t.Errorf("%+v", got)
	}
	d.ClickOn("export/Files")
	d.Frames(3)
	if d.Has("export/Files/A file for each input file") {
		t.Error("files are offered, and there is one")
	}
	d.ClickOn("export/Files/A file for each population")
	d.Frames(3)
	d.ClickOn("export/Values of labels/As map")
	d.ClickOn("export/With coordinates")
	d.Frames(2)
	d.Shoot("export-populations")
	if got := asked("labels"); got != (desk.Names{Each: export.EachPopulation, Coordinates: true,
		Values: transform.Mapped}) {
		t.Errorf("%+v", got)
	}
	if got := asked("key"); got != (desk.Names{What: desk.NamedKey}) {
		t.Errorf("%+v", got)
	}
}

// Data are appended to in their own format, where that is written.
func TestExportPanelAppends(t *testing.T) {
	s, d := begin(t, "export", "demo:tesseract:500")
	d.ClickOn("export/Append to the data")
	d.Frames(2)
	if d.Has("export/With the columns of the data") || d.Has("export/A file for each input") {
		t.Error("columns are in any case, and there is one input")
	}
	d.ClickOn("export/coordinates")
	d.Frames(2)
	uitest.Do(func() { s.Asked.Answer("out.csv") })
	if !s.Wrote.Append || s.Wrote.Each != "" {
		t.Errorf("%+v is written", s.Wrote)
	}
}
