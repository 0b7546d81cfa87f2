package gating

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/base/bounded/fuzzing"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/xmlfile"
)

// documents are small documents of gates of all kinds, and those of the compliance set where they are at hand.
func documents() (out [][]byte) {
	for _, text := range []string{
		flow,
		gate(`<transformation id="t"><flog T="100" M="2"/></transformation><transformation id="q"><fratio A="1" B="0"
			C="-1"><fcs-dimension name="a"/><fcs-dimension name="b"/></fratio></transformation><RectangleGate id="r">
			<dimension transformation-ref="t" min="0.1"><new-dimension transformation-ref="q"/></dimension>
			</RectangleGate>`),
		gate(`<EllipsoidGate id="e">` + side + side + `<mean><coordinate value="1"/><coordinate value="2"/></mean>
			<covarianceMatrix><row><entry value="1"/><entry value="0"/></row>
			<row><entry value="0"/><entry value="1"/></row>
			</covarianceMatrix><distanceSquare value="1"/></EllipsoidGate><BooleanGate id="b" parent_id="e"><not>
			<gateReference ref="e"/></not></BooleanGate>`),
		gate(`<QuadrantGate id="q"><divider id="d"><fcs-dimension name="a"/><value>2</value></divider>
			<Quadrant id="w"><position divider_ref="d" location="2"/></Quadrant></QuadrantGate>`),
	} {
		out = append(out, []byte(text))
	}
	data := os.Getenv("BLOSSOM_TESTDATA")
	if paths, _ := filepath.Glob(filepath.Join(filepath.Dir(data), "formats", "gml", "*.xml")); data != "" {
		for _, path := range paths {
			if text, err := os.ReadFile(path); err == nil {
				out = append(out, text)
			}
		}
	}
	return out
}

// workedOut reads any document of gates, works out what is in them, and says what became of it.
func workedOut(t testing.TB, text []byte) string {
	root, err := xmlfile.Parse(t.Context(), text, "g.xml")
	if err != nil {
		return err.Error()
	}
	ds := table(t, dataset.Column{Name: "a", Values: []float32{1, 2, float32(math.NaN())}},
		dataset.Column{Name: "PE", Values: []float32{-1, 1e5, 3}})
	s, err := Of(root, "g.xml", ds)
	if err != nil {
		if problem.As(err).File == "" || strings.Contains(err.Error(), "\n") {
			t.Fatalf("%q", err)
		}
		return err.Error()
	}
	for i, g := range s.Gates {
		if g.Parent >= i {
			t.Fatalf("gate %d lies in %d", i, g.Parent)
		}
	}
	sets, err := s.Rows(t.Context(), ds)
	if err == nil && len(sets) != len(s.Gates) {
		t.Fatalf("%d sets of %d gates", len(sets), len(s.Gates))
	}
	return fmt.Sprint(strings.Repeat("+", len(s.Gates)), err, s.Notes)
}

// No document of gates makes the program fail, and what is read of one can be worked out or says why not.
func FuzzGates(f *testing.F) { fuzzing.Target(f, documents(), 1000, workedOut) }
