package gating

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/maps/selection"
)

// tube is a file of random values of three columns, the names of which are those of its detectors.
func tube(t *testing.T, name string, seed uint64, labels ...string) *dataset.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	columns := []dataset.Column{{Name: "FSC"}, {Name: "FL1"}, {Name: "FL2"}}
	for i := range columns {
		columns[i].Label = labels[i]
		for range 500 {
			columns[i].Values = append(columns[i].Values, float32(200*rng.Float64()))
		}
	}
	ds := table(t, columns...)
	ds.Name, ds.Path = name, name
	return ds
}

// swapped are two files with the antigens of FL1 and FL2 the other way round, and both as one table of antigens.
func swapped(t *testing.T) (files []*dataset.Dataset, both *dataset.Dataset) {
	t.Helper()
	files = []*dataset.Dataset{tube(t, "a.fcs", 1, "", "CD3", "CD4"), tube(t, "b.fcs", 2, "", "CD4", "CD3")}
	both, err := dataset.Stack(t.Context(), files, []dataset.Joined{{Name: "FSC", From: []int{0, 0}},
		{Name: "CD3", From: []int{1, 2}}, {Name: "CD4", From: []int{2, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	return files, both
}

// alone compares the rows of gates of several files with those that each file has by itself.
func alone(t *testing.T, what, text string, files []*dataset.Dataset, both *dataset.Dataset) {
	t.Helper()
	got, want := rows(t, text, both), map[string][]int{}
	for f, ds := range files {
		for name, in := range rows(t, text, ds) {
			if len(in) == 0 || len(in) == ds.Points {
				t.Errorf("%s: %s has %d rows of %s, which shows nothing", what, name, len(in), ds.Name)
			}
			for _, row := range in {
				want[name] = append(want[name], 500*f+row)
			}
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s has other rows in one table than in each file", what)
	}
}

const ofDetectors = `<spectrumMatrix id="M"><fluorochromes><fcs-dimension name="Dye1"/><fcs-dimension name="Dye2"/>
</fluorochromes><detectors><fcs-dimension name="FL1"/><fcs-dimension name="FL2"/></detectors>
<spectrum><coefficient value="1"/><coefficient value="0.4"/></spectrum>
<spectrum><coefficient value="0"/><coefficient value="1"/></spectrum></spectrumMatrix>
<transformation id="R"><fratio A="1" B="0" C="-1"><fcs-dimension name="FL1"/><fcs-dimension name="FL2"/></fratio>
</transformation>
<RectangleGate id="raw"><dimension min="50" compensation-ref="uncompensated"><fcs-dimension name="FL1"/></dimension>
</RectangleGate>
<RectangleGate id="dye"><dimension min="20" compensation-ref="M"><fcs-dimension name="Dye2"/></dimension>
</RectangleGate>
<RectangleGate id="ratio"><dimension min="1" compensation-ref="uncompensated"><new-dimension transformation-ref="R"/>
</dimension></RectangleGate>
<BooleanGate id="both"><and><gateReference ref="raw"/><gateReference ref="dye" use-as-complement="true"/></and>
</BooleanGate>`

// Gates look at the detectors of each file, wherever these stand in a table of several.
func TestGatesFindTheirColumnsInEachFile(t *testing.T) {
	files, both := swapped(t)
	alone(t, "Gating-ML", gate(ofDetectors), files, both)
	s, err := of(t, gate(ofDetectors), both)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(s.Notes, byFile) {
		t.Errorf("it notes %q", s.Notes)
	}
	text, _ := json.Marshal(s.Gates[1].Gate)
	again := &Gate{}
	if err := json.Unmarshal(text, again); err != nil || again.Check() != nil {
		t.Fatal(err, again.Check())
	}
	sets, err := Rows(t.Context(), both, s.Gates[1].Gate, again)
	if err != nil || !selection.Equal(sets[0], sets[1]) {
		t.Errorf("written and read it has other rows, %v", err)
	}
	if got := again.Renamed("CD3", "x").Columns(); !slices.Equal(got, []string{"x", "CD4"}) {
		t.Errorf("renamed it looks at %v", got)
	}
	files[1].Name = "c.fcs"
	if _, err := Rows(t.Context(), files[1], again); err == nil || !strings.Contains(err.Error(), "a.fcs, b.fcs") {
		t.Errorf("rows of another file: %v", err)
	}
	antigens := strings.NewReplacer("FL1", "CD3", "FL2", "CD4").Replace(gate(ofDetectors))
	if s, err = of(t, antigens, both); err != nil || slices.Contains(s.Notes, byFile) {
		t.Errorf("gates of the columns of the table: %v, %v", err, s)
	}
}

// A gate that the first file takes twice is not taken for two gates of another file.
func TestAGateThatAnotherFileHasOtherwiseTheSecondTimeIsSeen(t *testing.T) {
	_, both := swapped(t)
	low := func(x float64) *Gate { return &Gate{Sides: []Side{{Column: "FSC"}}, Range: []Range{{Low: &x}}} }
	a, b, c := low(5), low(5), low(6)
	of := func(g ...*Gate) *Strategy {
		s := &Strategy{}
		for i, x := range g {
			s.Gates = append(s.Gates, Named{Name: fmt.Sprint(i), Parent: -1, Gate: x})
		}
		return s
	}
	s, err := together(both, []*Strategy{of(a, a), of(b, b)})
	if err != nil || s.Gates[0].Gate != s.Gates[1].Gate {
		t.Errorf("the same gate twice: %v, %v", s, err)
	}
	if _, err := together(both, []*Strategy{of(a, a), of(b, low(5))}); err != nil {
		t.Errorf("two gates that are the same: %v", err)
	}
	if _, err := together(both, []*Strategy{of(a, a), of(b, c)}); err == nil ||
		!strings.Contains(err.Error(), "other gates or scales for b.fcs") {
		t.Errorf("two gates: %v", err)
	}
}

// A gate looks at the detectors of a matrix only where it looks at a dye of it.
func TestAGateLooksAtTheDetectorsOfItsDyesAlone(t *testing.T) {
	m := &Matrix{Dyes: []string{"Dye1", "Dye2"}, Detectors: []string{"FL1", "FL2"}}
	for _, c := range []struct {
		side Side
		want []string
	}{
		{Side{Column: "FSC", Matrix: m}, []string{"FSC"}},
		{Side{Column: "Dye2", Matrix: m}, []string{"FL1", "FL2"}},
		{Side{Ratio: &Ratio{X: "FSC", Y: "Dye1"}, Matrix: m}, []string{"FSC", "FL1", "FL2"}},
		{Side{Ratio: &Ratio{X: "FSC", Y: "SSC"}, Matrix: m}, []string{"FSC", "SSC"}},
		{Side{Files: []OfFile{{"a", Side{Column: "FSC", Matrix: m}}, {"b", Side{Column: "SSC"}}}},
			[]string{"FSC", "SSC"}},
	} {
		within := &Gate{Sides: []Side{c.side}}
		g := &Gate{Of: []Part{{Gate: within}, {Gate: within, Not: true}}}
		if got := g.Columns(); !slices.Equal(got, c.want) {
			t.Errorf("%+v looks at %v, want %v", c.side, got, c.want)
		}
	}
}

// sampleOf is a sample of a workspace with a matrix of its own and gates of what it compensates.
func sampleOf(file string, share float64) string {
	return fmt.Sprintf(`<Sample><DataSet uri="%s"/><Transformations/><spilloverMatrix prefix="Comp-">
<spillover parameter="FL1"><coefficient parameter="FL1" value="1"/><coefficient parameter="FL2" value="%g"/></spillover>
<spillover parameter="FL2"><coefficient parameter="FL1" value="0"/><coefficient parameter="FL2" value="1"/></spillover>
</spilloverMatrix><SampleNode name="%s"><Subpopulations><Population name="P"><Gate><RectangleGate>
<dimension min="20" max="150"><fcs-dimension name="Comp-FL2"/></dimension>
<dimension min="50"><fcs-dimension name="Comp-FL1"/></dimension></RectangleGate></Gate>
<Subpopulations><Population name="Q"><Gate><PolygonGate><dimension><fcs-dimension name="FSC"/></dimension>
<dimension><fcs-dimension name="Comp-FL2"/></dimension><vertex><coordinate value="0"/><coordinate value="0"/></vertex>
<vertex><coordinate value="200"/><coordinate value="0"/></vertex><vertex><coordinate value="100"/>
<coordinate value="120"/></vertex></PolygonGate></Gate></Population></Subpopulations></Population></Subpopulations>
</SampleNode></Sample>`, file, share, file)
}

// Samples of a workspace that have matrices of their own are gated each by its own, whether the antigens are the same
// or not, and whether the files bring these matrices or others.
func TestSamplesOfAWorkspaceHaveMatricesOfTheirOwn(t *testing.T) {
	workspace := "<Workspace>" + sampleOf("b.fcs", 0.6) + sampleOf("a.fcs", 0.2) + "</Workspace>"
	files, both := swapped(t)
	alone(t, "swapped", workspace, files, both)

	files = []*dataset.Dataset{tube(t, "a.fcs", 3, "", "", ""), tube(t, "b.fcs", 4, "", "", "")}
	for _, brought := range []bool{false, true} {
		for f, share := range []float64{0.2, 0.6} {
			if brought {
				files[f].Spillover = &dataset.Spillover{Names: []string{"FL1", "FL2"},
					M: [][]float64{{1, share}, {0, 1}}}
			}
		}
		both, err := dataset.Concat(t.Context(), files)
		if err != nil {
			t.Fatal(err)
		}
		alone(t, fmt.Sprintf("brought %v", brought), workspace, files, both)
		s, err := of(t, workspace, both)
		if err != nil {
			t.Fatal(err)
		}
		if own := s.Gates[0].Gate.Sides[0].Own; own != brought {
			t.Errorf("brought %v: each file's own is %v", brought, own)
		}
	}
	other := strings.Replace(workspace, `max="150"`, `max="140"`, 1)
	if _, err := of(t, other, both); err == nil || !strings.Contains(err.Error(), "other gates or scales for b.fcs") {
		t.Errorf("other gates: %v", err)
	}
}
