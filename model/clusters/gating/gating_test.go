package gating

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/oracle"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/xmlfile"
	"blossom/model/data/format"
)

// load reads a table.
func load(t *testing.T, path string) *dataset.Dataset {
	t.Helper()
	ds, err := format.Open(t.Context(), path, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// truth is which events of the compliance set are in each gate.
func truth(t *testing.T, dir string) map[string][]bool {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, "truth.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]bool{}
	for j, name := range rows[0] {
		for _, row := range rows[1:] {
			out[name] = append(out[name], row[j] == "1")
		}
	}
	return out
}

// expected is what other programs find in a file.
type expected struct {
	FCS         string
	Inside      map[string]int
	Populations map[string]int
}

func expectations(t *testing.T, dir string) map[string]expected {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	out := map[string]expected{}
	for file, of := range raw {
		if strings.HasPrefix(file, "gml/") || strings.HasPrefix(file, "wsp/") {
			var e expected
			if err := json.Unmarshal(of, &e); err != nil {
				t.Fatal(file, err)
			}
			out[file] = e
		}
	}
	return out
}

// Every event of every gate of the official compliance set of Gating-ML 2.0.
func TestGatesOfTheComplianceSetHaveEachEvent(t *testing.T) {
	dir := oracle.Formats(t)
	ds, in, results := load(t, filepath.Join(dir, "gml", "data1.fcs")), truth(t, filepath.Join(dir, "gml")), 0
	for file, want := range expectations(t, dir) {
		if !strings.HasPrefix(file, "gml/") {
			continue
		}
		s, err := Read(t.Context(), filepath.Join(dir, file), ds)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		sets, err := s.Rows(t.Context(), ds)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		seen := 0
		for i, g := range s.Gates {
			count, ok := want.Inside[g.Name]
			if !ok {
				t.Errorf("%s: there is no gate %s", file, g.Name)
				continue
			}
			seen++
			if sets[i].Count() != count {
				t.Errorf("%s: %s has %d events, want %d", file, g.Name, sets[i].Count(), count)
			}
			events := in[g.Name]
			if len(events) != ds.Points {
				t.Fatalf("%s is known of %d events", g.Name, len(events))
			}
			for row, want := range events {
				if sets[i].Contains(row) != want {
					t.Errorf("%s: %s has event %d: %t", file, g.Name, row, !want)
					break
				}
			}
			results++
		}
		if seen != len(want.Inside) {
			t.Errorf("%s has %d gates, want %d", file, seen, len(want.Inside))
		}
	}
	if results < 49 {
		t.Errorf("%d results were compared", results)
	}
}

// Populations of workspaces have as many events as FlowJo says, but for one in a thousand of all.
func TestWorkspacesOfFlowJoHaveItsCounts(t *testing.T) {
	dir := oracle.Formats(t)
	files := 0
	for file, want := range expectations(t, dir) {
		if !strings.HasPrefix(file, "wsp/") {
			continue
		}
		files++
		ds := load(t, filepath.Join(dir, want.FCS))
		s, err := Read(t.Context(), filepath.Join(dir, file), ds)
		if err != nil {
			t.Fatal(err)
		}
		sets, err := s.Rows(t.Context(), ds)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Gates) != len(want.Populations) || len(s.Left) > 0 {
			t.Errorf("%s has %d populations, want %d; left: %v", file, len(s.Gates), len(want.Populations), s.Left)
		}
		for i, g := range s.Gates {
			t.Logf("%s: %d, FlowJo has %d", g.Name, sets[i].Count(), want.Populations[g.Name])
			if off := math.Abs(float64(sets[i].Count() - want.Populations[g.Name])); off > 0.001*float64(ds.Points) {
				t.Errorf("%s: %s has %d events, FlowJo has %d", file, g.Name, sets[i].Count(), want.Populations[g.Name])
			}
		}
	}
	if files == 0 {
		t.Error("there are no workspaces")
	}
}

// table is a table of columns of numbers.
func table(t testing.TB, columns ...dataset.Column) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.FromColumns(t.Context(), "x.fcs", columns)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// of reads gates from a text.
func of(t *testing.T, text string, ds *dataset.Dataset) (*Strategy, error) {
	t.Helper()
	root, err := xmlfile.Parse(t.Context(), []byte(text), "g.xml")
	if err != nil {
		t.Fatal(err)
	}
	return Of(root, "g.xml", ds)
}

// rows are the rows of each gate of a text.
func rows(t *testing.T, text string, ds *dataset.Dataset) map[string][]int {
	t.Helper()
	s, err := of(t, text, ds)
	if err != nil {
		t.Fatal(err)
	}
	sets, err := s.Rows(t.Context(), ds)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]int{}
	for i, g := range s.Gates {
		in := []int{}
		sets[i].Each(0, ds.Points, func(row int) { in = append(in, row) })
		out[g.Name] = in
	}
	return out
}

const flow = `<Workspace><SampleList><Sample><DataSet uri="file:/a/b/x.fcs"/>
<Transformations><biex width="-10" neg="0" pos="4.42" maxRange="262144"><parameter name="Comp-PE"/></biex>
<log offset="1" decades="4"><parameter name="SSC"/></log></Transformations>
<spilloverMatrix prefix="Comp-"><spillover parameter="PE"><coefficient parameter="PE" value="1"/>
<coefficient parameter="APC" value="0.5"/></spillover><spillover parameter="APC">
<coefficient parameter="APC" value="1"/><coefficient parameter="PE" value="0"/>
</spillover></spilloverMatrix><SampleNode name="x.fcs"><Subpopulations>
<Population name="A"><Gate><RectangleGate eventsInside="1"><dimension min="10" max="20"><fcs-dimension name="Comp-APC"/>
</dimension></RectangleGate></Gate><Subpopulations><Population name="B"><Gate><RectangleGate eventsInside="0">
<dimension max="100"><fcs-dimension name="PE"/></dimension></RectangleGate></Gate></Population></Subpopulations>
</Population>
<Population name="E"><Gate><EllipsoidGate/></Gate><Subpopulations><Population name="F"/></Subpopulations></Population>
<Population name="P"><Gate><PolygonGate><dimension><fcs-dimension name="Comp-PE"/></dimension><dimension>
<fcs-dimension name="SSC"/></dimension><vertex><coordinate value="-1000"/><coordinate value="0.1"/></vertex><vertex>
<coordinate value="300000"/><coordinate value="0.1"/></vertex><vertex><coordinate value="300000"/>
<coordinate value="100"/>
</vertex><vertex><coordinate value="-1000"/><coordinate value="100"/></vertex></PolygonGate></Gate></Population>
</Subpopulations></SampleNode></Sample></SampleList></Workspace>`

// Populations of FlowJo: nested, compensated, on their scales, what lies outside, and what is left out with what is in
// it.
func TestPopulationsOfAWorkspace(t *testing.T) {
	ds := table(t, dataset.Column{Name: "PE", Values: []float32{0, 50, 100, 200, 20}},
		dataset.Column{Name: "APC", Values: []float32{10, 44.9, 60, 115, 29.9}},
		dataset.Column{Name: "SSC", Values: []float32{-5, 50, 100, 101, 99}})
	got := rows(t, flow, ds)
	want := map[string][]int{ // APC without half of PE: 10, 19.9, 10, 15, 19.9
		"A": {0, 1, 2, 3, 4}, "B": {2, 3}, "P": {0, 1, 2, 4}}
	for name, rows := range want {
		if !slices.Equal(got[name], rows) {
			t.Errorf("%s has the rows %v, want %v", name, got[name], rows)
		}
	}
	s, err := of(t, flow, ds)
	if err != nil || len(s.Left) != 2 || !strings.Contains(s.Left[0], "ellipses of FlowJo") ||
		!strings.Contains(s.Left[1], "what lies in E") || s.Gates[1].Parent != 0 {
		t.Errorf("left out: %v, %v", s.Left, err)
	}
	ds.Name, ds.Path = "y.fcs", "y.fcs"
	if _, err := of(t, flow, ds); err == nil || !strings.Contains(err.Error(), "no sample y.fcs (it has x.fcs)") {
		t.Errorf("another file: %v", err)
	}
	ds.Metadata = map[string]string{"$FIL": "X.FCS"}
	if _, err := of(t, flow, ds); err != nil {
		t.Errorf("the sample by $FIL: %v", err)
	}
}

// gate is a document of Gating-ML.
func gate(of string) string { return "<Gating-ML>" + of + "</Gating-ML>" }

const side = `<dimension compensation-ref="uncompensated"><fcs-dimension name="a"/></dimension>`

// Ends, edges and dividers belong to one side, as the standard says, and rows without a value to none.
func TestEndsAndEdgesOfGates(t *testing.T) {
	nan := float32(math.NaN())
	ds := table(t, dataset.Column{Name: "a", Values: []float32{0, 1, 2, 3, nan, 1.5}},
		dataset.Column{Name: "b", Values: []float32{0, 0, 2, 1, 1, 0.75}})
	b := strings.ReplaceAll(side, `"a"`, `"b"`)
	got := rows(t, gate(`
		<RectangleGate id="range">`+strings.Replace(side, "<dimension", `<dimension min="1" max="3"`, 1)+
		`</RectangleGate>
		<RectangleGate id="from">`+strings.Replace(side, "<dimension", `<dimension min="1"`, 1)+`</RectangleGate>
		<PolygonGate id="edges">`+side+b+`<vertex><coordinate value="0"/><coordinate value="0"/></vertex>
		<vertex><coordinate value="2"/><coordinate value="0"/></vertex><vertex><coordinate value="2"/>
<coordinate value="2"/>
		</vertex></PolygonGate>
		<QuadrantGate id="q"><divider id="d" compensation-ref="uncompensated"><fcs-dimension name="a"/><value>2</value>
		<value>1</value></divider><Quadrant id="low"><position divider_ref="d" location="0.5"/></Quadrant>
<Quadrant id="mid">
		<position divider_ref="d" location="1.5"/></Quadrant><Quadrant id="up"><position divider_ref="d" location="2"/>
		</Quadrant></QuadrantGate>
		<BooleanGate id="no"><not><gateReference ref="range"/></not></BooleanGate>
		<BooleanGate id="in" parent_id="from"><and><gateReference ref="range" use-as-complement="true"/>
		<gateReference ref="from"/></and></BooleanGate>`), ds)
	for name, want := range map[string][]int{"range": {1, 2, 5}, "from": {1, 2, 3, 5}, "edges": {0, 1, 2, 5},
		"low": {0},
		"mid": {1, 5}, "up": {2, 3}, "no": {0, 3, 4}, "in": {3}} {
		if !slices.Equal(got[name], want) {
			t.Errorf("%s has the rows %v, want %v", name, got[name], want)
		}
	}
}

// A file that is none of gates is refused in one line that says why.
func TestBrokenGatesAreRefusedInALine(t *testing.T) {
	ds := table(t, dataset.Column{Name: "a", Values: []float32{1, 2}})
	ref := func(id, of string) string {
		return `<BooleanGate id="` + id + `"><or><gateReference ref="` + of + `"/></or></BooleanGate>`
	}
	laughs := `<RectangleGate id="g0">` + side + `</RectangleGate>`
	for i := range 40 {
		last := fmt.Sprint("g", i)
		laughs += `<BooleanGate id="g` + fmt.Sprint(i+1) + `"><and><gateReference ref="` + last +
			`"/><gateReference ref="` + last + `"/></and></BooleanGate>`
	}
	for says, text := range map[string]string{
		"circle":                  gate(ref("x", "y") + ref("y", "x")),
		"which is not there":      gate(ref("x", "z")),
		"in \"up\", which is not": gate(`<RectangleGate id="r" parent_id="up">` + side + `</RectangleGate>`),
		"in a circle":             gate(`<RectangleGate id="r" parent_id="r">` + side + `</RectangleGate>`),
		"without an id":           gate(`<RectangleGate>` + side + `</RectangleGate>`),
		"two gates":               gate(strings.Repeat(`<RectangleGate id="r">`+side+`</RectangleGate>`, 2)),
		"not a number": gate(`<RectangleGate id="r">` + strings.Replace(side, "<dimension", `<dimension min="x"`, 1) +
			`</RectangleGate>`),
		"compensated with \"M\"": gate(`<RectangleGate id="r">` + strings.Replace(side, "uncompensated", "M", 1) +
			`</RectangleGate>`),
		"made of more than": gate(laughs),
		"0 corners":         gate(`<PolygonGate id="p">` + side + side + `</PolygonGate>`),
		"a polygon of 10001 corners is no gate": gate(`<PolygonGate id="p">` + side + side + strings.Repeat(
			`<vertex><coordinate value="1"/><coordinate value="2"/></vertex>`, MostCorners+1) + `</PolygonGate>`),
		"has no gates":  gate(""),
		"without gates": "<html/>",
		"cannot be inverted": gate(`<spectrumMatrix id="m"><detectors><fcs-dimension name="a"/><fcs-dimension name="b"/>
			</detectors><spectrum><coefficient value="1"/><coefficient value="1"/></spectrum><spectrum>
			<coefficient value="1"/><coefficient value="1"/></spectrum></spectrumMatrix>`),
		"kind that is not known": gate(`<transformation id="t"><magic/></transformation>`),
		"0 <= W <= 2": gate(`<transformation id="t"><logicle T="1000" W="3" M="4" A="0"/></transformation>
			<RectangleGate id="r">` + strings.Replace(side, "<dimension", `<dimension transformation-ref="t"`, 1) +
			`</RectangleGate>`),
	} {
		_, err := of(t, text, ds)
		if err == nil || !strings.Contains(err.Error(), says) || problem.As(err).File != "g.xml" ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", says, err)
		}
	}
	s, err := of(t, gate(`<RectangleGate id="r">`+strings.Replace(side, `"a"`, `"c"`, 1)+`</RectangleGate>`), ds)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Rows(t.Context(), ds); err == nil || !strings.Contains(err.Error(), `no column "c"`) {
		t.Errorf("a column that is not there: %v", err)
	}
}

// An ellipsoid whose covariance is none, or whose distance is none, is refused by its name.
func TestEllipsoidsWithoutACovarianceAreRefused(t *testing.T) {
	ds := table(t, dataset.Column{Name: "a", Values: []float32{1, 2}}, dataset.Column{Name: "b",
		Values: []float32{1, 2}})
	read := func(a, b, c, d, distance float64) error {
		_, err := of(t, gate(fmt.Sprintf(`<EllipsoidGate id="E">%s%s<mean><coordinate value="1"/><coordinate value="1"/>
			</mean><covarianceMatrix><row><entry value="%g"/><entry value="%g"/></row><row><entry value="%g"/>
			<entry value="%g"/></row></covarianceMatrix><distanceSquare value="%g"/></EllipsoidGate>`, side,
			strings.ReplaceAll(side, `"a"`, `"b"`), a, b, c, d, distance)), ds)
		return err
	}
	for says, x := range map[string][5]float64{
		"variance 0":              {0, 0, 0, 0, 1},
		"variance -2":             {-2, 0, 0, -1, 1},
		"cannot be inverted":      {1, 1, 1, 1, 1},
		"that cannot be inverted": {1e308, 1e308, 1e308, 1e308, 1},
		"above 0, it has 0":       {1, 0, 0, 1, 0},
		"above 0, it has -1":      {1, 0, 0, 1, -1},
		"too small":               {1e-320, 0, 0, 1e-320, 1},
	} {
		err := read(x[0], x[1], x[2], x[3], x[4])
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), `gate "E"`) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", says, err)
		}
	}
	for _, x := range [][5]float64{{62.5, 37.5, 37.5, 62.5, 1}, {1e-12, 0, 0, 1e12, 1}, {1, 0.9999, 0.9999, 1, 4},
		{2, 0.333333, 0.333334, 1, 1}} {
		if err := read(x[0], x[1], x[2], x[3], x[4]); err != nil {
			t.Errorf("%v: %v", x, err)
		}
	}
}

// Gates of another version of the standard are refused by its name; what has no version is remarked upon.
func TestTheVersionOfGatingMLIsThatOfItsNamespace(t *testing.T) {
	ds := table(t, dataset.Column{Name: "a", Values: []float32{1, 2}})
	read := func(namespace string) (*Strategy, error) {
		return of(t, `<g:Gating-ML xmlns:g="`+namespace+`"><g:RectangleGate id="r">`+side+
			`</g:RectangleGate></g:Gating-ML>`, ds)
	}
	for _, v := range []string{"1.5", "1.0", "3.0"} {
		_, err := read("http://www.isac-net.org/std/Gating-ML/v" + v + "/gating")
		if err == nil || !strings.Contains(err.Error(), "is Gating-ML "+v+", which is not read") {
			t.Errorf("%s: %v", v, err)
		}
	}
	for namespace, remark := range map[string]string{
		"http://www.isac-net.org/std/Gating-ML/v2.0/gating": "",
		"":                                   "in no namespace",
		"http://x.org/std/Gating-ML/v2.0/of": `"http://x.org/std/Gating-ML/v2.0/of"`,
		"g":                                  `the namespace "g"`,
	} {
		s, err := read(namespace)
		if err != nil || len(s.Gates) != 1 || len(s.Notes) > 1 || (remark == "") != (len(s.Notes) == 0) ||
			remark != "" && !strings.Contains(s.Notes[0], remark) {
			t.Errorf("%q: %+v, %v", namespace, s, err)
		}
	}
}
