package match

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
)

// made is a table of columns "name" or "name=label"; each has 3 values.
func made(t *testing.T, name, kind string, columns ...string) *dataset.Dataset {
	t.Helper()
	var list []dataset.Column
	for i, c := range columns {
		n, label, _ := strings.Cut(c, "=")
		x := float32(10*i) + float32(len(name))
		list = append(list, dataset.Column{Name: n, Label: label, Values: []float32{x, x + 100, x + 200}})
	}
	ds, err := dataset.FromColumns(t.Context(), name, list)
	if err != nil {
		t.Fatal(err)
	}
	ds.Path, ds.Format, ds.Cells, ds.Headed = "/data/"+name, kind, kind == "fcs", kind == "csv"
	return ds
}

// told is a plan in short: a line for each row.
func told(p *Plan) string {
	var out []string
	for _, r := range p.Rows {
		s := r.Name + ":"
		for f, at := range r.From {
			if at < 0 {
				s += " -"
			} else {
				s += " " + strings.ReplaceAll(p.Files[f].Columns[at].Name, " ", "_")
			}
		}
		if r.By != "" {
			s += " by " + r.By
		}
		if r.Doubt != "" {
			s += " ?"
		}
		if r.Apart {
			s += fmt.Sprintf(" apart %d", len(r.Pieces))
		}
		out = append(out, s)
	}
	return strings.Join(out, "\n")
}

func same(t *testing.T, what string, p *Plan, want ...string) {
	t.Helper()
	if got := told(p); got != strings.Join(want, "\n") {
		t.Errorf("%s:\n%s\nwant\n%s", what, got, strings.Join(want, "\n"))
	}
}

// panels are three files: PE-A is NK1/1 in two and CD33 in the third, CD4 is on different detectors.
func panels(t *testing.T) []*dataset.Dataset {
	return []*dataset.Dataset{
		made(t, "a.fcs", "fcs", "FSC-A", "PE-A=NK1/1", "PE-Texas Red-A=CD4", "PE-Cy7-A=CD3", "Time"),
		made(t, "b.fcs", "fcs", "FSC-A", "PE-A=NK1.1", "APC-A=CD4", "PE-Cy7-A=CD3", "Time"),
		made(t, "c.fcs", "fcs", "FSC-A=FSC-A", "PE-A=CD33", "PacBlu-A=CD4", "PE-Cy7-A=CD3", "Time=Time"),
	}
}

func TestDifferentAntigensMerged(t *testing.T) {
	p := New(panels(t), How{})
	same(t, "antigens", p,
		"PE-A: PE-A PE-A PE-A by detector ? apart 2",
		"FSC-A: FSC-A FSC-A FSC-A by detector",
		"CD4: PE-Texas_Red-A APC-A PacBlu-A by antigen",
		"PE-Cy7-A: PE-Cy7-A PE-Cy7-A PE-Cy7-A by antigen",
		"Time: Time Time Time by detector")
	if r := p.Rows[0]; r.Doubt != "one detector, two antigens: NK1/1 and CD33" || r.InMap {
		t.Errorf("%+v", r)
	}
	ds, err := p.Join(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cols, err := ds.MapColumns("", "")
	if err != nil || len(cols) != 2 || ds.Columns[cols[0]].Label != "CD4" || ds.Columns[cols[1]].Label != "CD3" {
		t.Errorf("the map has %v, %v", cols, err)
	}
	at, err := ds.Find("CD33")
	if err != nil {
		t.Fatal(err)
	}
	if c := ds.Columns[at]; c.Stats.Count != 3 || c.Stats.Invalid != 6 || !c.Aside || c.Values[6] != 15 {
		t.Errorf("CD33 is %+v", c)
	}
	if at, err = ds.Find("NK1/1"); err != nil || ds.Columns[at].Stats.Count != 6 {
		t.Errorf("NK1/1 is %+v, %v", ds.Columns[at], err)
	}
	if !slices.ContainsFunc(ds.Warnings, func(w string) bool {
		return strings.Contains(w, "NK1/1 and CD33") && strings.Contains(w, "kept apart")
	}) {
		t.Errorf("warnings %q", ds.Warnings)
	}
	if o := ds.Origin(); o == nil || !slices.Equal(o.Categories, []string{"a.fcs", "b.fcs", "c.fcs"}) {
		t.Errorf("origin %+v", o)
	}
	// As asked for, by the detector whatever was stained with: one column, and a word about it.
	same(t, "detectors", New(panels(t), How{By: Detector}),
		"PE-A: PE-A PE-A PE-A by detector ?",
		"FSC-A: FSC-A FSC-A FSC-A by detector",
		"PE-Cy7-A: PE-Cy7-A PE-Cy7-A PE-Cy7-A by detector",
		"Time: Time Time Time by detector",
		"PE-Texas Red-A: PE-Texas_Red-A - -",
		"APC-A: - APC-A -",
		"PacBlu-A: - - PacBlu-A")
}

func TestMatchByHand(t *testing.T) {
	one := How{Own: []Own{{From: []string{"PE-A", "PE-A", "PE-A"}}}}
	p := New(panels(t), one)
	if r := p.Rows[0]; len(p.Doubtful()) != 0 || p.Rows[1].Name != "PE-A" && r.Name != "PE-A" {
		t.Fatal(told(p))
	}
	ds, err := p.Join(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c := ds.Columns[0]; c.Name != "PE-A" || c.Stats.Count != 9 || c.Aside {
		t.Errorf("%+v", c)
	}
	// Kept apart for good, one of them in the map, and CD3 out of it.
	apart := How{Own: []Own{{From: []string{"PE-A", "PE-A", ""}, Map: true, Name: "NK"},
		{From: []string{"", "", "PE-A"}},
		{From: []string{"PE-Cy7-A", "PE-Cy7-A", "PE-Cy7-A"}, Out: true}, {From: []string{"gone", "", "PE-A"}}}}
	if ds, err = New(panels(t), apart).Join(t.Context()); err != nil {
		t.Fatal(err)
	}
	cols, err := ds.MapColumns("", "")
	if err != nil || len(cols) != 2 || ds.Columns[cols[0]].Name != "CD4" || ds.Columns[cols[1]].Name != "NK" {
		t.Errorf("the map has %v, %v", cols, err)
	}
	if len(New(panels(t), apart).Doubtful()) != 0 {
		t.Error("what was decided is doubtful")
	}
}

func TestMatchSpelling(t *testing.T) {
	for _, x := range [][3]string{
		{"CD4", "cd 4", "cd4"}, {"CD4", "CD4-FITC", "cd4"}, {"CD4", "CD4 (BV421)", "cd4"},
		{"143Nd_CD4", "CD4", "cd4"},
		{"NK1/1", "NK1.1", "nk1.1"}, {"HLA-DR", "HLADR PE-Cy7", "hladr"}, {"TCRγδ", "TCR gd", "tcrgd"},
		{"CD16/32", "CD16-32 APC", "cd16.32"}, {"FITC CD45RA", "CD45-RA", "cd45ra"},
		{"Comp-FITC-A :: CD8", "CD8", "cd8"},
	} {
		if a, b := antigenOf(x[0]), antigenOf(x[1]); a != x[2] || b != x[2] {
			t.Errorf("%q is %q, %q is %q, want %q", x[0], a, x[1], b, x[2])
		}
	}
	for _, x := range [][2]string{{"NK1.1", "NK11"}, {"CD1", "CD11"}, {"CD45RA", "CD45RO"},
		{"CD16/32", "CD1632"}, {"CD3", "CD3e"}} {
		if antigenOf(x[0]) == antigenOf(x[1]) {
			t.Errorf("%q and %q are taken for one", x[0], x[1])
		}
	}
	for _, x := range []string{"PE-A", "FITC", "PE-Cy7-A", "Alexa Fluor 700-A", "BV421-A", "PerCP-Cy5.5-A", "Nd143Di",
		"  "} {
		if got := antigenOf(x); got != "" {
			t.Errorf("%q is taken for the antigen %q", x, got)
		}
	}
}

func TestMatchDoubts(t *testing.T) {
	p := New([]*dataset.Dataset{
		made(t, "a.fcs", "fcs", "Qdot 605-A", "APC-A=TCRb", "FITC-A=CD4", "FITC-H=CD4", "BV1-A=CD8", "BV2-A=CD8"),
		made(t, "b.fcs", "fcs", "Qdot605-A", "APC-A", "PE-A=CD4", "PE-H=CD4", "BV3-A=CD8", "BV2-A=CD8"),
	}, How{})
	same(t, "doubts", p,
		"Qdot 605-A: Qdot_605-A Qdot605-A by similar detector ? apart 2",
		"APC-A: APC-A APC-A by detector ? apart 2",
		"CD8: BV1-A BV3-A by antigen ? apart 2",
		"CD4: FITC-A PE-A by antigen",
		"CD4 (2): FITC-H PE-H by antigen",
		"BV2-A: BV2-A BV2-A by antigen")
	for i, want := range []string{"spelt differently", "APC-A names no antigen", "more than once"} {
		if !strings.Contains(p.Rows[i].Doubt, want) {
			t.Errorf("%q", p.Rows[i].Doubt)
		}
	}
}

// Files that are no cytometry match by the names of their columns, and with cytometry by the antigen that these are.
func TestMatchTables(t *testing.T) {
	same(t, "tables", New([]*dataset.Dataset{made(t, "a.csv", "csv", "CD4", "x 1", "mean area"),
		made(t, "b.csv", "csv", "cd4-fitc", "X 1", "Mean_Area", "else"),
		made(t, "c.fcs", "fcs", "V450-A=CD4", "x 1", "mean area")}, How{}),
		"CD4: CD4 cd4-fitc V450-A by antigen",
		"x 1: x_1 X_1 x_1 by detector",
		"mean area: mean_area Mean_Area mean_area by detector",
		"else: - else -")
	same(t, "without names", New([]*dataset.Dataset{made(t, "a.csv", "csv", "x", "y"),
		made(t, "b.npy", "npy", "c1", "c2")},
		How{}), "x: x c1 by place ?", "y: y c2 by place ?")
	same(t, "matrices", New([]*dataset.Dataset{made(t, "b.npy", "npy", "c1", "c2"),
		made(t, "c.npy", "npy", "c1", "c2", "c3")}, How{}), "c1: c1 c1 by place", "c2: c2 c2 by place", "c3: - c3")
}

func TestMatchStrangers(t *testing.T) {
	tables := []*dataset.Dataset{made(t, "a.csv", "csv", "x", "y")}
	for i := range 20 {
		tables = append(tables, made(t, fmt.Sprintf("f%d.fcs", i), "fcs", "FITC-A=CD3", fmt.Sprintf("PE-A=M%d", i)))
	}
	p := New(tables, How{})
	if odd, n := p.Odd(); odd != 0 || n != 1 || p.Common() != 0 {
		t.Errorf("odd %d, %d columns, %d in all", odd, n, p.Common())
	}
	_, err := p.Join(t.Context())
	if err == nil || err.Error() != "/data/a.csv: has no column in common with the other files: "+
		"leave it out: then 1 column is in all files" {
		t.Errorf("%v", err)
	}
	// 20 panels of which each has a column of its own: no more memory than three times what was read.
	ds, err := New(tables[1:], How{}).Join(t.Context())
	if err != nil || len(ds.Columns) > 3*2+1 || ds.Columns[0].Label != "CD3" {
		t.Fatalf("%v, %v", ds, err)
	}
	if !strings.Contains(strings.Join(ds.Warnings, "\n"), "left out, because not all files have them: M") {
		t.Errorf("%q", ds.Warnings)
	}
	if _, err = New([]*dataset.Dataset{tables[0], tables[1]}, How{}).Join(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "has no column in common with a.csv") {
		t.Errorf("%v", err)
	}
	if (How{By: "colour"}).Check() == nil {
		t.Error("an unknown way passes")
	}
}

// By name, letter by letter, is by all that the header of a text table says.
func TestNameIsTheWholeHeading(t *testing.T) {
	files := []*dataset.Dataset{made(t, "a", "csv", "PE-A=NK1/1", "APC-A=CD4"),
		made(t, "b", "csv", "PE-A=CD33", "APC-A=CD4")}
	p := New(files, How{By: Name})
	same(t, "by name", p, "APC-A: APC-A APC-A by name", "NK1/1: PE-A -", "CD33: - PE-A")
	for _, f := range files {
		f.Cells, f.Headed = true, false // $PnN alone
	}
	if p = New(files, How{By: Name}); p.Common() != 2 {
		t.Errorf("of FCS files:\n%s", told(p))
	}
}
