package spillover

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"blossom/model/base/bounded/fuzzing"
	"blossom/model/base/oracle"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/xmlfile"
)

var want = dataset.Spillover{Names: []string{"FITC-A", "PE-A"}, M: [][]float64{{1, 0.25}, {0.5, 1}}}

// Spectra in percent are known by the greatest share of each dye, also of fewer dyes than detectors.
func TestSpectraInPercentAreSharesToo(t *testing.T) {
	for text, percent := range map[string]bool{
		"100 25 3;50 100 40": true, "25 100 3;3 40 100": true, "1 0.25 0.03;0.5 1 0.4": false,
		"100 25 3;50 1 40": false, "25 100;100 3": true, "1 0.25;0.5 1": false,
	} {
		var rows strings.Builder
		var names []string
		var want [][]float64
		for i, row := range strings.Split(text, ";") {
			names = append(names, string(rune('a'+i)))
			rows.WriteString("<spectrum>")
			want = append(want, nil)
			for _, x := range strings.Fields(row) {
				v, err := strconv.ParseFloat(x, 64)
				if err != nil {
					t.Fatal(err)
				}
				if percent {
					v /= 100
				}
				want[i] = append(want[i], v)
				rows.WriteString(`<coefficient value="` + x + `"/>`)
			}
			rows.WriteString("</spectrum>")
		}
		of := func(names []string) string {
			return `<fcs-dimension name="` + strings.Join(names, `"/><fcs-dimension name="`) + `"/>`
		}
		e, err := xmlfile.Parse(t.Context(), []byte("<spectrumMatrix><fluorochromes>"+of(names)+
			"</fluorochromes><detectors>"+
			of([]string{"x", "y", "z"}[:len(want[0])])+"</detectors>"+rows.String()+"</spectrumMatrix>"), "m")
		if err != nil {
			t.Fatal(err)
		}
		s, why := SpectraOf(e)
		if why != "" || s.Percent != percent || !reflect.DeepEqual(s.Rows, want) {
			t.Errorf("%s: %+v %s, want %v", text, s, why, want)
		}
	}
}

// The same matrix in all the ways in which people and programs write it.
func TestTheSameMatrixInManySpellings(t *testing.T) {
	flowjo := `<transforms:spilloverMatrix xmlns:transforms="t" xmlns:data-type="d" prefix="Comp-" name="m">
		<data-type:parameters><data-type:parameter data-type:name="FITC-A"/></data-type:parameters>
		<transforms:spillover data-type:parameter="FITC-A"><transforms:coefficient data-type:parameter="PE-A"
			transforms:value="0.25"/><transforms:coefficient data-type:parameter="FITC-A" transforms:value="1"/>
		</transforms:spillover>
		<transforms:spillover data-type:parameter="PE-A"><transforms:coefficient data-type:parameter="FITC-A"
			transforms:value="0.5"/><transforms:coefficient data-type:parameter="PE-A" transforms:value="1"/>
		</transforms:spillover></transforms:spilloverMatrix>`
	gating := func(attr, values string) string {
		return `<spectrumMatrix id="m" ` + attr + `><fluorochromes><fcs-dimension name="FITC"/>
<fcs-dimension name="PE"/>
			</fluorochromes><detectors><fcs-dimension name="FITC-A"/><fcs-dimension name="PE-A"/>
</detectors>` + values +
			`</spectrumMatrix>`
	}
	spectra := `<spectrum><coefficient value="1"/><coefficient value="0.25"/></spectrum>
		<spectrum><coefficient value="0.5"/><coefficient value="1"/></spectrum>`
	for name, text := range map[string]string{
		"CSV":                    "FITC-A,PE-A\n1,0.25\n0.5,1\n",
		"TSV":                    "FITC-A\tPE-A\r\n1\t0.25\r\n0.5\t1\r\n",
		"CR":                     "FITC-A\tPE-A\r1\t0.25\r.5\t1\r",
		"blanks":                 "FITC-A  PE-A\n 1  0.25\n0.5  1",
		"semicolons and commas":  "FITC-A;PE-A\n1;0,25\n0,5;1\n",
		"a leading hash":         "# FITC-A,PE-A\n1,0.25\n0.5,1\n",
		"junk above":             "a matrix, of 2024\n<\t>\n\nFITC-A,PE-A\n1,0.25\n0.5,1\n\n",
		"names of rows":          ",FITC-A,PE-A\nFITC-A,1,0.25\nPE-A,0.5,1\n",
		"a title as wide":        "Spillover of,my,tube\n,FITC-A,PE-A\nFITC-A,1,0.25\nPE-A,0.5,1\n",
		"rows in another order":  "x,FITC-A,PE-A\nPE-A,0.5,1\nFITC-A,1,0.25\n",
		"rows of other names":    "FITC-A,PE-A\nFITC,1,0.25\nPE,0.5,1\n",
		"numbers of rows":        `"","FITC-A","PE-A"` + "\n" + `"1",1,0.25` + "\n" + `"2",0.5,1`,
		"counted rows":           "FITC-A,PE-A\n1,1,0.25\n2,0.5,1\n",
		"percent":                "FITC-A,PE-A\n100,25\n50,100\n",
		"a line of FCS":          "2,FITC-A,PE-A,1,0.25,0.5,1\n",
		"a keyword before it":    "$SPILLOVER 2,FITC-A,PE-A,1,0.25,0.5,1",
		"a keyword in a cell":    "SPILL,2,FITC-A,PE-A,1,0.25,0.5,1",
		"a mark and empty cells": "\xef\xbb\xbfFITC-A,PE-A,,\n1,0.25,,\n0.5,1,,\n",
		"FlowJo":                 flowjo,
		"FlowJo in a document":   `<?xml version="1.0"?><gating:gatingML>` + flowjo + "</gating:gatingML>",
		"Gating-ML":              "<Gating-ML>" + gating("", spectra) + "</Gating-ML>",
		"Gating-ML, inverted": gating(`matrix-inverted-already="true"`, strings.NewReplacer(`"1"`,
			`"1.1428571428571428"`, "0.25", "-0.2857142857142857", "0.5", "-0.5714285714285714").Replace(spectra)),
		"what is written by Text": Text(&want),
	} {
		ms, err := Parse([]byte(text), "m")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m, err := Of(ms, "m")
		if err != nil || !slices.Equal(m.Names, want.Names) || m.Percent != (name == "percent") {
			t.Errorf("%s: %+v, %v", name, m, err)
			continue
		}
		for i := range want.M {
			for j, x := range want.M[i] {
				if math.Abs(m.M[i][j]-x) > 1e-15 {
					t.Errorf("%s: %v", name, m.M)
				}
			}
		}
	}
}

// Names with separators and quotes come back.
func TestNamesComeBack(t *testing.T) {
	m := dataset.Spillover{Names: []string{`PE, "A" :: CD3`, "#2", "c d"},
		M: [][]float64{{1, 1e-9, 0.1}, {-0.01, 1, 0}, {0, 1.0 / 3, 1}}}
	ms, err := Parse([]byte(Text(&m)), "")
	if err != nil || !ms[0].Spillover.Equal(&m) {
		t.Errorf("%v, %v", ms, err)
	}
}

// Text without a matrix is refused in one line that names the file and says where.
func TestWhatIsNoMatrixIsRefused(t *testing.T) {
	for text, says := range map[string]string{
		"":                     "is empty",
		"a,b\n1,0\n":           "holds no matrix",
		"a,b\n1,x\n0,1\n":      `row 1 of the matrix has "x" for "b"`,
		"a,b\n1,0\n0,1e999\n":  "is not a number",
		",a,b\na,1,0\na,0,1\n": "two rows",
		",a,b\na,1,0\nc,0,1\n": "is no column",
		"1,0\n0,1\n1,1\n":      "holds no matrix",
		"a,b,c,d\n1,.1,0,0\n.1,1,0,0\n0,0,1,.1\n": "it has 4 detectors, 3 rows",
		"m\na,b,c,d\n1,0,0,0\n0,1,0,0\n0,0,1,0\n": "it has 4 detectors, 3 rows",
		"a,b,c,d\n1,.1,0,0\nx,1,0,0\n0,0,1,.1\n":  "it has 4 detectors, 3 rows",
		"a,b,c\n1,.1,0,0\n.1,1,0,0\n0,0,1,.1\n":   "row 2 of the matrix has 4 numbers for 3 detectors",
		"<a/>":                                    "without a matrix",
		strings.Repeat("1\n", 1<<18):              "262144 lines",
		strings.Repeat(",", 1<<21):                "is empty",
		strings.Repeat("1,", 1<<21):               "holds no matrix",
		"<spilloverMatrix name='q'/>":             `"q" has 0 rows`,
		"<!DOCTYPE a><spectrumMatrix>":            "DTD",
		"<spectrumMatrix id='w'><detectors><fcs-dimension name='a'/></detectors></spectrumMatrix>": "not square",
		"<spilloverMatrix><spillover parameter='a'><coefficient parameter='b' " +
			"value='1'/></spillover></spilloverMatrix>": "" +
			"not square",
		"<spilloverMatrix><spillover parameter='a'><coefficient parameter='a' " +
			"value='y'/></spillover></spilloverMatrix>": `"y"`,
	} {
		_, err := Parse([]byte(text), "m.csv")
		if err == nil || !strings.Contains(err.Error(), says) || problem.As(err).File != "m.csv" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A workspace has a matrix for each sample, which is known by $FIL, by its name, or by its file.
func TestTheMatrixOfASample(t *testing.T) {
	sample := func(fil, name, value string) string {
		return `<Sample><DataSet uri="file:/x/` + name + `.fcs"/><spilloverMatrix><spillover parameter="a">
			<coefficient parameter="a" value="` + value + `"/></spillover></spilloverMatrix>
			<Keywords><Keyword name="$FIL" value="` + fil + `"/></Keywords><SampleNode name="` + name + `"/></Sample>`
	}
	text := "<Workspace><SampleList>" + sample("one.fcs", "first", "1") + sample("two.fcs", "second", "2") +
		"</SampleList><spilloverMatrix/></Workspace>"
	ms, err := Parse([]byte(text), "w.wsp")
	if err != nil || len(ms) != 2 {
		t.Fatalf("%v, %v", ms, err)
	}
	for name, value := range map[string]float64{"ONE.fcs": 1, "two": 2, "second.fcs": 2, "/data/first.fcs": 1} {
		if m, err := Of(ms, "w.wsp", name); err != nil || m.M[0][0] != value {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	if _, err := Of(ms, "w.wsp", "three.fcs"); err == nil || !strings.Contains(err.Error(), "one.fcs, two.fcs") {
		t.Error(err)
	}
}

// Matrices of other programs, against what those read.
func TestMatricesOfOtherPrograms(t *testing.T) {
	dir := oracle.Formats(t)
	raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected map[string]struct {
		Channels []string
		Matrix   [][]float64
	}
	if err := json.Unmarshal(raw, &expected); err != nil {
		t.Fatal(err)
	}
	for file, of := range map[string]string{"compmatrix": "fcs/060909.001",
		"comp_complete_example.csv": "fcs/test_comp_example.fcs"} {
		ms, err := Read(t.Context(), filepath.Join(dir, "fcs", file))
		if err != nil {
			t.Fatal(err)
		}
		e := expected[of]
		if m := (dataset.Spillover{Names: e.Channels, M: e.Matrix}); !ms[0].Spillover.Equal(&m) {
			t.Errorf("%s: %v", file, ms[0])
		}
	}
	ms, err := Read(t.Context(), filepath.Join(dir, "fcs", "den_comp.csv"))
	if err != nil || len(ms[0].Names) != 8 || ms[0].Names[0] != "TNFa FITC FLR-A" || ms[0].M[7][6] != 0.0368 {
		t.Errorf("%v, %v", ms, err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "gml", "gml_matrix_*.xml"))
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	for _, path := range found {
		ms, err := Read(t.Context(), path)
		if err != nil || len(ms) != 1 || len(ms[0].Names) < 3 || ms[0].M[0][0] != 1 || ms[0].M[0][1] != 0.02 {
			t.Errorf("%s: %v, %v", path, ms, err)
		}
	}
	if _, err := Read(t.Context(), filepath.Join(dir, "wsp", "test_data_diamond_asinh_rect.wsp")); err == nil ||
		!strings.Contains(err.Error(), "without a matrix") {
		t.Error(err)
	}
	if ms, err := Read(t.Context(), filepath.Join(dir, "fcs", "test_comp_example.fcs")); err != nil ||
		!ms[0].Identity() || len(ms[0].Names) != 14 {
		t.Errorf("%v, %v", ms, err)
	}
}

// small are matrices of each kind in few bytes.
var small = fuzzing.Texts("a,b\n1,0\n0,1", "2,a,b,1,0,0,1", "#a\tb\r1\t.5\r0\t1", ",a\n\"a\",100",
	"<spilloverMatrix><spillover parameter='a'><coefficient parameter='a' "+
		"value='1'/></spillover></spilloverMatrix>",
	"<spectrumMatrix matrix-inverted-already='1'><detectors><fcs-dimension name='a'/></detectors><spectrum>"+
		"<coefficient value='2'/></spectrum></spectrumMatrix>", "\xff\xfea\x00,\x00b\x00")

// parsed parses any bytes and says what became of them.
func parsed(t testing.TB, text []byte) string {
	ms, err := Parse(text, "x")
	if err != nil {
		if len(ms) > 0 || strings.Contains(err.Error(), "\n") {
			t.Fatalf("%v, %v", ms, err)
		}
		return err.Error()
	}
	for _, m := range ms {
		if len(m.Names) == 0 || len(m.M) != len(m.Names) {
			t.Fatalf("%+v", m)
		}
		for _, row := range m.M {
			if len(row) != len(m.Names) || slices.ContainsFunc(row, func(x float64) bool { return x-x != 0 }) {
				t.Fatalf("%+v", m)
			}
		}
	}
	return strings.Repeat("+", len(ms))
}

// Damaged matrices are matrices or refused.
func FuzzParse(f *testing.F) { fuzzing.Target(f, small, 2000, parsed) }
