package main

import (
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/data/demo"
)

func TestDemo(t *testing.T) {
	dir := t.TempDir()
	list := ok(t, dir, "demo").stdout
	for _, name := range demo.Names() {
		if !strings.Contains(list, name) {
			t.Errorf("%s is not listed:\n%s", name, list)
		}
		file := name + ".csv"
		ok(t, dir, "demo", name, "--points", "120", "-o", file)
		ds := read(t, filepath.Join(dir, file))
		if ds.Points != 120 {
			t.Errorf("%s: %d points", name, ds.Points)
		}
		// Markers of the generated table are markers in the file too, and no other columns are, but where no name
		// tells.
		want, err := demo.Generate(t.Context(), name, 120, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.Columns {
			g, w := ds.Columns[i].Role.String(), want.Columns[i].Role.String()
			if g != w && w != "index" && w != "placed" {
				t.Errorf("%s: column %s is read back as %s, not as %s", name, want.Columns[i].Name, g, w)
			}
		}
	}
	// The simulated blood sample is a valid FCS file with names, labels and all events.
	ok(t, dir, "demo", "cytometry", "--points", "1000", "-o", "blood.fcs")
	var got infoFiles
	parse(t, ok(t, dir, "info", "--json", "blood.fcs").stdout, &got)
	f := got.Files[0]
	if f.Points != 1000 || len(f.Columns) != 35 || f.Columns[4].Name != "BUV496-A" || f.Columns[4].Label != "CD3" ||
		len(f.Warnings) > 0 {
		t.Errorf("%d x %d, column 5 is %+v, warnings %q", f.Points, len(f.Columns), f.Columns[4], f.Warnings)
	}
	for _, key := range []string{"$PAR", "$TOT", "$DATATYPE", "$BYTEORD", "$P1N", "$P5S"} {
		if f.Metadata[key] == "" {
			t.Errorf("no keyword %s", key)
		}
	}
}

// The form in which a data set stands for a file is understood where its name is asked for.
func TestDemoAsAFile(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"cytometry:300", "demo:cytometry:300"} {
		if r := blossom(t, dir, "demo", name, "-o", "out.npy"); r.code != 0 {
			t.Errorf("%+v", r)
		} else if got := read(t, filepath.Join(dir, "out.npy")); got.Points != 300 {
			t.Errorf("%s: %d points", name, got.Points)
		}
	}
	blossom(t, dir, "demo", "cytometry:x").refused(t, exitUsage, "number of points")
	blossom(t, dir, "demo", "cytometry:300", "--points", "20").refused(t, exitUsage, "--points")
}
