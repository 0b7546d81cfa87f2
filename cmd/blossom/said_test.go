package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/space/transform"
)

// logarithmic writes a file of a logarithmic amplifier, of 1,024 channels.
func logarithmic(t *testing.T, path string) {
	t.Helper()
	columns := []dataset.Column{{Name: "FSC-H"}, {Name: "FL1-H"}, {Name: "FL2-H"}}
	for i := range columns {
		c := &columns[i]
		for k := range 200 {
			c.Values = append(c.Values, float32((k*(17+i))%1000))
		}
		if c.Range = 1024; i > 0 {
			c.Log = &dataset.LogScale{Decades: 4, Offset: 1, Range: 1024}
		}
	}
	ds, err := dataset.FromColumns(t.Context(), "x.fcs", columns)
	if err != nil {
		t.Fatal(err)
	}
	ds.Cells = true
	if err := format.Save(t.Context(), path, ds, nil); err != nil {
		t.Fatal(err)
	}
}

// Values that are transformed under the names of their columns are said, noted in the file, and not transformed again
// when that is opened; raw ones are none of that.
func TestTransformedValuesAreSaidAndNotedInTheFile(t *testing.T) {
	dir := t.TempDir()
	said := ok(t, dir, "convert", "demo:cytometry:300", "--transform", "linear:0.5", "t.fcs")
	if !strings.Contains(said.stderr, "values are transformed") {
		t.Errorf("it is not said: %s", said.stderr)
	}
	raw := ok(t, dir, "convert", "demo:cytometry:300", "--transform", "none", "r.fcs")
	if strings.Contains(raw.stderr, "transformed") {
		t.Errorf("said of raw values: %s", raw.stderr)
	}
	for name, want := range map[string]bool{"t.fcs": true, "r.fcs": false} {
		ds := read(t, filepath.Join(dir, name))
		spec := transform.Default(ds)
		for _, c := range spec.MapColumns() {
			if got := spec.Columns[c].Op == transform.None; got != want || ds.Transformed() != want {
				t.Errorf("%s: %s is opened with %s", name, ds.Columns[c].Name, spec.Columns[c])
				break
			}
		}
	}
}

// Channel numbers that are made linear for a transform are said, and not where compensation does that or nothing is
// asked for.
func TestChannelsThatAreMadeLinearAreSaid(t *testing.T) {
	dir := t.TempDir()
	logarithmic(t, filepath.Join(dir, "x.fcs"))
	write(t, filepath.Join(dir, "m.csv"), "FL1-H,FL2-H\n1,0.2\n0,1\n")
	embed := func(more ...string) string {
		return ok(t, dir, append([]string{"embed", "x.fcs", "--som", "3x3", "--epochs", "2", "-o", "o.csv"},
			more...)...).stderr
	}
	const words = "are made linear before they are transformed"
	if said := embed("--transform", "asinh:150"); !strings.Contains(said, words+": FL1-H, FL2-H") {
		t.Errorf("it is not said: %s", said)
	}
	for _, more := range [][]string{nil, {"--transform", "asinh:150", "--compensation", "m.csv"}} {
		if said := embed(more...); strings.Contains(said, words) {
			t.Errorf("%v: %s", more, said)
		}
	}
}

// A file of gates in the place of data is refused with what takes it.
func TestGatesInThePlaceOfDataNameWhatTakesThem(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "g.xml"), `<?xml version="1.0"?><gating:Gating-ML xmlns:gating="g"/>`)
	write(t, filepath.Join(dir, "w.wsp"), `<?xml version="1.0"?><Workspace version="20.0"/>`)
	for _, name := range []string{"g.xml", "w.wsp"} {
		blossom(t, dir, "info", name).refused(t, 1, name, "--gates")
		blossom(t, dir, "embed", name, "-o", "o.csv").refused(t, 1, name, "--gates")
	}
}

// Gates of a file of rules that cannot be read are refused, unless --partial leaves them out, which is said.
func TestGatesThatCannotBeReadAreRefusedUnlessPartial(t *testing.T) {
	dir := t.TempDir()
	labelled(t, dir)
	write(t, filepath.Join(dir, "w.wsp"), `<?xml version="1.0"?><Workspace><SampleList><Sample>
		<DataSet uri="points.csv"/><SampleNode name="points.csv"><Subpopulations><Population name="R"><Gate>
		<RectangleGate><dimension min="10"><fcs-dimension name="a"/></dimension></RectangleGate></Gate></Population>
		<Population name="round"><Gate><EllipsoidGate/></Gate></Population></Subpopulations></SampleNode></Sample>
		</SampleList></Workspace>`)
	blossom(t, dir, "label", "points.csv", "--rules", "w.wsp", "-o", "n.csv").refused(t, 1, "w.wsp", "round",
		"--partial")
	if _, err := os.Stat(filepath.Join(dir, "n.csv")); err == nil {
		t.Error("something is written")
	}
	said := ok(t, dir, "label", "points.csv", "--rules", "w.wsp", "-o", "n.csv", "--partial")
	if !strings.Contains(said.stderr, "left out of the gates: round") {
		t.Errorf("it is not said: %s", said.stderr)
	}
}

// Files that are written beside their inputs are said to be, and that they are left out where the folder is opened.
func TestFilesBesideTheirInputsAreSaid(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	if err := os.Mkdir(in, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.csv", "b.csv"} {
		write(t, filepath.Join(in, name), "x,y\n1,2\n3,5\n4,4\n6,1\n7,7\n")
	}
	split := func(to string) string {
		return ok(t, dir, "embed", "in", "--som", "2x2", "--append", "--split", "-o", to).stderr
	}
	const words = "into the folder of the input"
	if said := split("in/"); !strings.Contains(said, words) {
		t.Errorf("it is not said: %s", said)
	}
	if said := ok(t, dir, "info", "in").stderr; !strings.Contains(said, "blossom has written them") ||
		!strings.Contains(said, "2 files") {
		t.Errorf("opened again: %s", said)
	}
	if said := split("out/"); strings.Contains(said, words) {
		t.Errorf("said of another folder: %s", said)
	}
}

// No command writes an h5ad file that is not read again: coordinates alone are one, labels alone are not.
func TestAnH5ADIsReadAgainOrNotWritten(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x.csv"), "x,y,z\n1,2,1\n3,5,2\n4,4,1\n6,1,9\n7,7,3\n")
	ok(t, dir, "embed", "x.csv", "--som", "2x2", "-o", "m.h5ad")
	if ds := read(t, filepath.Join(dir, "m.h5ad")); ds.Points != 5 || ds.Columns[0].Name != "embedsom1" {
		t.Errorf("%d points, %v", ds.Points, ds.Columns[0].Name)
	}
	blossom(t, dir, "cluster", "x.csv", "--n-clusters", "2", "-o", "c.h5ad").refused(t, 1, "c.h5ad", ".csv")
	if _, err := os.Stat(filepath.Join(dir, "c.h5ad")); err == nil {
		t.Error("labels alone are written")
	}
}
