package gating

import (
	"fmt"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/spillover"
)

// A matrix of Gating-ML is the same for its gates as for compensation, however it is written, and is refused by both
// where a number is missing or a name is there twice.
func TestGatingMLHasTheMatrixThatCompensationReadsInIt(t *testing.T) {
	ds := table(t, dataset.Column{Name: "FL1", Values: []float32{100, 120, 30, 4, 77}},
		dataset.Column{Name: "FL2", Values: []float32{30, 61, 80, 20, 110}}, dataset.Column{Name: "FSC",
			Values: []float32{1, 2, 3, 4, 5}})
	text := gate(ofDetectors)
	want := fmt.Sprint(rows(t, text, ds))
	for name, text := range map[string]string{
		"a comma": strings.Replace(text, `value="0.4"`, `value="0,4"`, 1),
		"percent": strings.NewReplacer(`value="0.4"`, `value="40"`, `value="1"`, `value="100"`).Replace(text),
	} {
		ms, err := spillover.Parse([]byte(text), "g.xml")
		if err != nil || ms[0].M[0][1] != 0.4 || ms[0].Percent != (name == "percent") {
			t.Fatalf("%s: %v, %v", name, ms, err)
		}
		if got := fmt.Sprint(rows(t, text, ds)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if s, _ := of(t, text, ds); strings.Contains(fmt.Sprint(s.Notes), inPercent) != (name == "percent") {
			t.Errorf("%s: it notes %q", name, s.Notes)
		}
	}
	for name, text := range map[string]string{
		"a number is missing": strings.Replace(text, `<coefficient value="0.4"/>`, "", 1),
		"two of one": strings.Replace(text, `<detectors><fcs-dimension name="FL1"/>`,
			`<detectors><fcs-dimension name="FL2"/>`, 1),
		"a row is missing": strings.Replace(text,
			`<spectrum><coefficient value="0"/><coefficient value="1"/></spectrum>`, "", 1),
	} {
		_, err := of(t, text, ds)
		if _, other := spillover.Parse([]byte(text), "g.xml"); err == nil || other == nil {
			t.Errorf("%s: %v, %v", name, err, other)
		}
	}
}
