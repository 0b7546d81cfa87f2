package panel

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/bounded/fuzzing"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/texts"
)

// detectors is a table of columns of numbers of these names, "NAME=LABEL" for one with a label.
func detectors(tb testing.TB, names ...string) *dataset.Dataset {
	tb.Helper()
	var columns []dataset.Column
	for i, name := range names {
		name, label, _ := strings.Cut(name, "=")
		x := float32(i)
		columns = append(columns, dataset.Column{Name: name, Label: label, Values: []float32{x, x + 2, x + 5}})
	}
	ds, err := dataset.FromColumns(tb.Context(), "cells.fcs", columns)
	if err != nil {
		tb.Fatal(err)
	}
	return ds
}

func parse(tb testing.TB, text string) *Found {
	tb.Helper()
	table, err := texts.Parse("panel.csv", text)
	if err != nil {
		tb.Fatal(err)
	}
	found, err := Look(table)
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

// The panel says antigens and which of them make the map: a column that it does not name does not.
func TestAPanelSaysLabelsAndRoles(t *testing.T) {
	ds := detectors(t, "FSC-H", "FL1-H", "FL2-H=CD56", "FL3-H", "FL4-H", "extra", "Time")
	found := parse(t, "fcs_colname,antigen,marker_class\nFL1-H,CD3,type\nfl2-h,CD4,state\nFL "+
		"3-H,CD8,none\nFSC-H,,type\n"+
		"FL9-H,CD19,type\n")
	now := found.Panel().On(ds)
	said := func(ds *dataset.Dataset) string {
		var out []string
		for _, c := range ds.Columns {
			out = append(out, fmt.Sprintf("%s|%s|%s|%t", c.Name, c.Label, c.Role, c.Aside))
		}
		return strings.Join(out, " ")
	}
	want := "FSC-H||marker|false FL1-H|CD3|marker|false FL2-H|CD4|marker|true FL3-H|CD8|marker|true " +
		"FL4-H||marker|true extra||marker|true Time||time|false"
	if got := said(now); got != want {
		t.Errorf("it is %s", got)
	}
	if cols, err := now.MapColumns("", ""); err != nil || !slices.Equal(cols, []int{0, 1}) {
		t.Errorf("the map has %v, %v", cols, err)
	}
	was := said(ds)
	if got := said(Panel{}.On(now)); got != was {
		t.Errorf("without a panel it is %s", got)
	}
	if got := said(Of(Row{Column: "FL1-H", Class: State}).On(now)); !strings.Contains(got, "FL1-H||marker|true") ||
		!strings.Contains(got, "FL2-H|CD56|marker|false") {
		t.Errorf("with another panel it is %s", got)
	}
	says := strings.Join(found.Says(ds), "\n")
	if !strings.Contains(says, "1 row of the panel without a column in the data: FL9-H (is it FL1-H?)") ||
		!strings.Contains(says, "2 columns without a row in the panel, not in the map: FL4-H, extra") ||
		!strings.Contains(says, "1 column without a row in the panel, in the map or not, as they were: Time") {
		t.Errorf("says %q", says)
	}
}

func TestPanelsAreReadHoweverTheyAreSpelled(t *testing.T) {
	for _, heads := range []string{"fcs_colname,antigen,marker_class", "channel,marker,class", "Name,Target,Type",
		"FCS_COLNAME,Antigen,marker class", "Detector,desc,use"} {
		found := parse(t, heads+"\nFL1-H,CD3,Lineage\nFL2-H,NA,functional\nFL3-H,CD8,\n,CD9,type\n")
		want := []Row{
			{Column: "FL1-H", Label: "CD3", Class: Type},
			{Column: "FL2-H", Label: "", Class: State},
			{Column: "FL3-H", Label: "CD8", Class: Unsaid},
		}
		if got := found.Panel().Rows(); !slices.Equal(got, want) || len(found.Notes) != 1 {
			t.Errorf("%s: %+v, %q", heads, got, found.Notes)
		}
	}
}

func TestWhatIsWrongWithAPanelIsSaidInALine(t *testing.T) {
	ds := detectors(t, "FL1-H", "FL2-H", "FL 2-H")
	for name, c := range map[string]struct{ text, what string }{
		"other names":   {"x,y\n1,2\n", "none of its columns is called as one of a panel: x, y"},
		"nothing said":  {"fcs_colname,note\nFL1-H,x\n", `says nothing of the columns that "fcs_colname" names`},
		"no rows":       {"fcs_colname,antigen\n", "has no row that names a column"},
		"column twice":  {"fcs_colname,antigen\nFL1-H,CD3\nfl1-h,CD4\n", "FL1-H is named twice, in lines 2 and 3"},
		"unknown twice": {"fcs_colname,antigen\nFL9,CD3\nFL9,CD4\n", "FL9 is named twice, in lines 2 and 3"},
		"class":         {"fcs_colname,marker_class\nFL1-H,typo\n", `line 2: "typo" is no class: type, state or none`},
		"key twice":     {"fcs_colname,antigen,fcs_colname\nFL1-H,CD3,x\n", `two columns are called "fcs_colname"`},
		"antigen twice": {"fcs_colname,antigen,Antigen\nFL1-H,CD3,x\n", `two columns are called "antigen"`},
	} {
		table, err := texts.Parse("panel.csv", c.text)
		if err != nil {
			t.Fatal(err)
		}
		found, err := Look(table)
		if err == nil {
			err = found.Wrong(ds)
		}
		if p := problem.As(err); err == nil || p.What != c.what || p.Remedy == "" || p.File != "panel.csv" {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A name that two columns have but for blanks is of neither.
	if fit := Fitted(parse(t, "fcs_colname,antigen\nfl2-h,CD3\nFL2-H,CD4\n").Rows,
		ds); fit.At[0] != -1 || fit.At[1] != 1 {
		t.Errorf("found are %v", fit.At)
	}
}

// Any panel comes back from its file and from a session as it was; laid on data again it changes nothing more, and
// taken off it leaves nothing.
func TestPanelsAndColumnsGoTogether(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[A-Z][A-Za-z0-9]{1,3}-[AHW]`), 2, 8,
			func(s string) string { return folded(s) }).Draw(rt, "columns")
		ds := detectors(t, names...)
		var rows []Row
		for _, name := range names {
			if rapid.Bool().Draw(rt, "named") {
				r := Row{Column: name, Label: rapid.StringMatching(`(CD[0-9]{1,2})?`).Draw(rt, "antigen"),
					Class: rapid.SampledFrom([]Class{Unsaid, Type, State, None}).Draw(rt, "class")}
				r.Bare = r.Label == "" && rapid.Bool().Draw(rt, "bare")
				rows = append(rows, r)
			}
		}
		p := Of(rows...)
		raw, err := json.Marshal(p)
		if err != nil {
			rt.Fatal(err)
		}
		if again, err := Decode(raw); err != nil || !Equal(again, p) {
			rt.Fatalf("%s is read as %+v, %v", raw, again, err)
		}
		now := p.On(ds)
		for i, c := range now.Columns {
			at := slices.IndexFunc(rows, func(r Row) bool { return r.Column == c.Name })
			was, chooses := ds.Columns[i], slices.ContainsFunc(rows, func(r Row) bool { return r.Class == Type })
			switch {
			case at < 0 && chooses:
				if c.Label != was.Label || c.Role != was.Role || c.Aside != (was.Aside || was.Role == dataset.Marker) {
					rt.Fatalf("%s is not named, and others are of type: %+v", c.Name, c)
				}
			case at < 0 || rows[at] == Row{Column: c.Name}:
				if c.Label != was.Label || c.Role != was.Role || c.Aside != was.Aside {
					rt.Fatalf("%s is not named and has changed: %+v", c.Name, c)
				}
			case rows[at].Class == Type && (c.Role != dataset.Marker || c.Aside),
				(rows[at].Class == State || rows[at].Class == None) && !c.Aside,
				rows[at].Label != "" && c.Label != rows[at].Label:
				rt.Fatalf("%+v makes %+v", rows[at], c)
			}
		}
		twice, off := p.On(now), Panel{}.On(now)
		for i := range ds.Columns {
			a, b, c, d := ds.Columns[i], now.Columns[i], twice.Columns[i], off.Columns[i]
			if b.Label != c.Label || b.Role != c.Role || b.Aside != c.Aside || a.Label != d.Label || a.Role != d.Role ||
				a.Aside != d.Aside || a.Why != d.Why {
				rt.Fatalf("%s: %+v, twice %+v, off %+v", a.Name, b, c, d)
			}
		}
	})
}

// A panel takes an antigen away, of which the column has its own again without it; an empty cell takes none.
func TestAPanelTakesALabelAway(t *testing.T) {
	ds := detectors(t, "FL1-H=CD3", "FL2-H=CD4")
	p := parse(t, "fcs_colname,antigen\nFL1-H,-\nFL2-H,\n").Panel()
	now := p.On(ds)
	if now.Columns[0].Label != "" || now.Columns[1].Label != "CD4" || now.Columns[0].Role != ds.Columns[0].Role {
		t.Errorf("the labels are %q and %q", now.Columns[0].Label, now.Columns[1].Label)
	}
	if back := (Panel{}).On(now); back.Columns[0].Label != "CD3" {
		t.Errorf("without it the label is %q", back.Columns[0].Label)
	}
	raw, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Decode(raw); err != nil || !Equal(again, p) {
		t.Errorf("%s is read as %+v, %v", raw, again, err)
	}
}

func TestBadPanelsOfSessionsAreRefused(t *testing.T) {
	for _, raw := range []string{`7`, `{`, `{"rows":[{"column":""}]}`, `{"rows":[{"column":" a"}]}`,
		`{"rows":[{"column":"a"},{"column":"A"}]}`, `{"rows":[{"column":"a","class":"maybe"}]}`,
		`{"rows":[{"column":"a","label":"CD3","bare":true}]}`} {
		if _, err := Decode([]byte(raw)); err == nil || problem.As(err).Remedy == "" {
			t.Errorf("%s was read: %v", raw, err)
		}
	}
}

// The panel of the shared formats makes the map of the columns that it names.
func TestThePanelOfTheFormats(t *testing.T) {
	path := filepath.Join("..", "..", "..", "..", "shared", "formats", "sheets", "panel.csv")
	if _, err := os.Stat(path); err != nil {
		t.Skip("the formats are not here")
	}
	found, err := Read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	ds := detectors(t, "FSC-H", "SSC-H", "FL1-H", "FL2-H", "FL3-H", "FL4-H", "Time")
	if err := found.Wrong(ds); err != nil {
		t.Error(err)
	}
	if cols, err := found.Panel().On(ds).MapColumns("", ""); err != nil || !slices.Equal(cols, []int{2, 3}) {
		t.Errorf("the map has %v, %v", cols, err)
	}
}

func FuzzPanel(f *testing.F) {
	ds := detectors(f, "FL1-H", "FL2-H=CD4", "Time")
	fuzzing.Target(f, fuzzing.Texts("fcs_colname,antigen,marker_class\nFL1-H,CD3,type\n",
		"channel;marker\nFL1-H;CD3\nFL1-H;CD4\n"), 2000, func(t testing.TB, b []byte) string {
		table, err := texts.Parse("fuzz", string(b))
		if err != nil {
			return err.Error()
		}
		found, err := Look(table)
		if err != nil {
			if problem.As(err).Remedy == "" {
				t.Fatalf("without a remedy: %v", err)
			}
			return err.Error()
		}
		found.Says(ds)
		if found.Wrong(ds) != nil {
			return "refused"
		}
		p := found.Panel()
		p.On(ds)
		raw, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Decode(raw); err != nil || !Equal(again, p) {
			t.Fatalf("%s is read as %+v, %v", raw, again, err)
		}
		return "read"
	})
}
