package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/base/oracle"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

// Gates of another program are a column of labels, one of 0 and 1 of each, populations, and what info tells of; a job
// that is printed knows them.
func TestGatesOfOtherProgramsAreColumns(t *testing.T) {
	dir := t.TempDir()
	ds, err := dataset.FromColumns(t.Context(), "s", []dataset.Column{
		{Name: "a", Values: []float32{1, 5, 9, 20}}, {Name: "b", Values: []float32{10, 20, 30, 41}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := format.Save(t.Context(), filepath.Join(dir, "s.fcs"), ds, nil); err != nil {
		t.Fatal(err)
	}
	side := func(ends, name string) string {
		return `<dimension ` + ends + ` compensation-ref="uncompensated"><fcs-dimension name="` + name +
			`"/></dimension>`
	}
	gates := `<Gating-ML><RectangleGate id="low">` + side(`max="10"`, "a") + `</RectangleGate><RectangleGate id="mid"
		parent_id="low">` + side(`min="20"`, "b") + `</RectangleGate></Gating-ML>`
	if err := os.WriteFile(filepath.Join(dir, "g.xml"), []byte(gates), 0o644); err != nil {
		t.Fatal(err)
	}
	r := ok(t, dir, "convert", "s.fcs", "c.csv", "--gates", "g.xml", "--gates-all")
	if got := text(t, filepath.Join(dir, "c.csv")); got != "a,b,gate,low,mid\n1,10,low,1,0\n"+
		"5,20,mid,1,1\n9,30,mid,1,1\n"+
		"20,41,,0,0\n" || !strings.Contains(r.stderr, "gates of g.xml: low 3, mid 2") ||
		!strings.Contains(r.stderr, "in no namespace") {
		t.Errorf("%s%s", got, r.stderr)
	}
	for _, name := range []string{"back.fcs", "back.parquet", "back.h5ad"} { // which make no map of the gates
		ok(t, dir, "convert", "s.fcs", name, "--gates", "g.xml", "--gates-all")
		back, err := format.Open(t.Context(), filepath.Join(dir, name), format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		at := back.Places()
		for column, role := range map[string]dataset.Role{"a": dataset.Marker, "gate": dataset.Label,
			"low": dataset.Measure, "mid": dataset.Measure} {
			if c := &back.Columns[at[column]]; c.Name != column || c.Role != role {
				t.Errorf("%s: %s is %v, want %v", name, c.Name, c.Role, role)
			}
		}
	}
	if r := ok(t, dir, "info", "s.fcs", "--gates", "g.xml"); !strings.Contains(r.stdout, "low 3, mid 2") {
		t.Error(r.stdout)
	}
	ok(t, dir, "label", "s.fcs", "--rules", "g.xml", "-o", "l.csv")
	if got := text(t, filepath.Join(dir, "l.csv")); !strings.Contains(got, "low\nmid\nmid\n") {
		t.Error(got)
	}
	job := ok(t, dir, "convert", "s.fcs", "d.csv", "--gates", "g.xml", "--print-job")
	if !strings.Contains(job.stdout, `"gates":"label"`) {
		t.Error(job.stdout)
	}
	blossom(t, dir, "convert", "s.fcs", "e.csv", "--gates-all").refused(t, exitUsage, "", "needs gates", "")
	bad := strings.Replace(gates, `parent_id="low"`, `parent_id="mid"`, 1)
	if err := os.WriteFile(filepath.Join(dir, "b.xml"), []byte(bad), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := blossom(t, dir, "convert", "s.fcs", "e.csv", "--gates", "b.xml"); r.code == 0 ||
		!strings.Contains(r.stderr, "in a circle") {
		t.Errorf("%d: %s", r.code, r.stderr)
	}
}

// The gate of logicle values that are compensated of the compliance set has 809 events beside a map.
func TestTheGateOfTheComplianceSetBesideAMap(t *testing.T) {
	gml, dir := filepath.Join(oracle.Formats(t), "gml"), t.TempDir()
	ok(t, dir, "embed", filepath.Join(gml, "data1.fcs"), "--gates",
		filepath.Join(gml, "gml_matrix_transform_logicle_rect1_gate.xml"), "--with-data", "--som", "3x3", "--epochs",
		"1",
		"-o", "g.csv")
	if n := strings.Count(text(t, filepath.Join(dir, "g.csv")), ",ScaleRect1,"); n != 809 {
		t.Errorf("%d events are inside", n)
	}
}
