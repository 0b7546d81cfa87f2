package gating

import (
	"fmt"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/spillover"
)

// samples is a workspace of samples, each the uri of its file, its $FIL and the least value of its only gate.
func samples(of ...[3]string) string {
	text := "<Workspace><SampleList>"
	for _, s := range of {
		text += fmt.Sprintf(`<Sample><DataSet uri="%s"/><Keywords>
<Keyword name="$FIL" value="%s"/></Keywords><SampleNode><Subpopulations>
<Population name="P"><Gate><RectangleGate><dimension min="%s"><fcs-dimension name="a"/></dimension>
</RectangleGate></Gate></Population></Subpopulations></SampleNode></Sample>`, s[0], s[1], s[2])
	}
	return text + "</SampleList></Workspace>"
}

// A sample is found by the surest of its names: that of its file comes before what another file says that it was called
// once. Where several samples have a name and different gates, none of them is taken.
func TestASampleIsFoundByTheSurestOfItsNames(t *testing.T) {
	copied := [][3]string{{"file:/x/a.fcs", "b.fcs", "1"}, {"file:/x/b.fcs", "b.fcs", "2"}}
	for name, c := range map[string]struct {
		path, fil string
		samples   [][3]string
		rows      int // the number of rows of 1, 2 and 3 that are in
		says      string
	}{
		"a copy":             {"a.fcs", "b.fcs", copied, 3, ""},
		"behind its copy":    {"b.fcs", "b.fcs", copied, 2, ""},
		"under another name": {"c.fcs", "B.FCS", copied[1:], 2, ""},
		"by what two were":   {"c.fcs", "b.fcs", copied, 0, "several samples called b.fcs"},
		"of two folders": {"a.fcs", "", [][3]string{{"/x/a.fcs", "", "1"}, {"/y/a.fcs", "", "2"}}, 0,
			"several samples called a.fcs"},
		"of two folders, alike": {"a.fcs", "", [][3]string{{"/x/a.fcs", "", "3"}, {"/y/a.fcs", "", "3"}}, 1, ""},
		"of none":               {"d.fcs", "", copied, 0, "has no sample d.fcs (it has a.fcs, b.fcs)"},
	} {
		ds := table(t, dataset.Column{Name: "a", Values: []float32{1, 2, 3}})
		ds.Path, ds.Name, ds.Metadata = c.path, c.path, map[string]string{"$FIL": c.fil}
		s, err := of(t, samples(c.samples...), ds)
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, want that it says %q", name, err, c.says)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if sets, err := s.Rows(t.Context(), ds); err != nil || sets[0].Count() != c.rows {
			t.Errorf("%s: it has %d rows, want %d (%v)", name, sets[0].Count(), c.rows, err)
		}
	}
}

// A scale that is wrong costs the polygons that are on it, which are left out with the reason; biex with negative
// decades below 0, as FlowJo writes some, is biex with none.
func TestAWrongScaleCostsItsOwnPolygonsOnly(t *testing.T) {
	ds := table(t, dataset.Column{Name: "PE", Values: []float32{0, 50, 100, 200, 20}},
		dataset.Column{Name: "APC", Values: []float32{10, 44.9, 60, 115, 29.9}},
		dataset.Column{Name: "SSC", Values: []float32{-5, 50, 100, 101, 99}})
	want := rows(t, flow, ds)
	below := rows(t, strings.Replace(flow, `neg="0"`, `neg="-0.5"`, 1), ds)
	if len(want["P"]) == 0 || fmt.Sprint(below) != fmt.Sprint(want) {
		t.Errorf("negative decades below 0: %v, want %v", below, want)
	}
	for says, change := range map[string][2]string{"the width of biex": {`width="-10"`, `width="5"`},
		"not a number": {`neg="0"`, `neg="many"`}, "the kind magic is not read": {"<biex ", "<magic "}} {
		text := strings.Replace(strings.Replace(flow, change[0], change[1], 1), "</biex>", "</"+
			strings.Fields(strings.Replace("<biex ", change[0], change[1], 1))[0][1:]+">", 1)
		s, err := of(t, text, ds)
		if err != nil {
			t.Errorf("%s: %v", says, err)
			continue
		}
		if len(s.Gates) != 2 || !strings.Contains(strings.Join(s.Left, "; "), says) {
			t.Errorf("%s: %d gates, without %v", says, len(s.Gates), s.Left)
		}
	}
}

// A matrix of a workspace is the same for its gates as for compensation, however it is written, and is refused by both
// where a number is missing; names of samples have the escapes of addresses.
func TestAWorkspaceHasTheMatrixThatCompensationReadsInIt(t *testing.T) {
	ds := table(t, dataset.Column{Name: "PE", Values: []float32{0, 50, 100, 200, 20}},
		dataset.Column{Name: "APC", Values: []float32{10, 44.9, 60, 115, 29.9}},
		dataset.Column{Name: "SSC", Values: []float32{-5, 50, 100, 101, 99}})
	want := fmt.Sprint(rows(t, flow, ds))
	half, one := `parameter="APC" value="0.5"`, `value="1"`
	for name, text := range map[string]string{
		"a comma": strings.Replace(flow, half, `parameter="APC" value="0,5"`, 1),
		"percent": strings.Replace(strings.ReplaceAll(flow, one, `value="100"`), half,
			`parameter="APC" value="50"`, 1),
	} {
		got := fmt.Sprint(rows(t, text, ds))
		ms, err := spillover.Parse([]byte(text), "x.wsp")
		if err != nil || ms[0].M[0][1] != 0.5 || got != want {
			t.Errorf("%s: %s, want %s; %v, %v", name, got, want, ms, err)
		}
	}
	for name, text := range map[string]string{
		"a number is missing": strings.Replace(flow, `<coefficient parameter="PE" value="0"/>`, "", 1),
		"two rows of one":     strings.Replace(flow, `<spillover parameter="APC">`, `<spillover parameter="PE">`, 1),
	} {
		_, err := of(t, text, ds)
		if _, other := spillover.Parse([]byte(text), "x.wsp"); err == nil || other == nil {
			t.Errorf("%s: %v, %v", name, err, other)
		}
	}
	ds.Path, ds.Name = "x (1).fcs", ""
	if _, err := of(t, strings.Replace(flow, "/b/x.fcs", "/b/x%20%281%29.fcs", 1), ds); err != nil {
		t.Error(err)
	}
}
