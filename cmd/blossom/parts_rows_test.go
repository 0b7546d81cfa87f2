package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/scale"
)

// Parts of the rows of one file are, together, the map of it, with the sample and the density of one part: of every
// format whose rows are read by themselves.
func TestPartsAreRangesOfAFile(t *testing.T) {
	for _, ext := range []string{".fcs", ".parquet", ".csv", ".h5ad"} {
		t.Run(ext, func(t *testing.T) { partsAreRanges(t, ext) })
	}
}

func partsAreRanges(t *testing.T, ext string) {
	t.Helper()
	dir := partsInput(t, ext, 1000)
	for out, rows := range map[string]string{"whole/": "0", "parts/": "300"} {
		ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", out, "--part-rows", rows, "--shown", "100")
	}
	m := manifest(t, filepath.Join(dir, "parts"))
	if len(m.Parts) != 4 || m.Rows != 1000 || m.Parts[3].First != 750 || m.Parts[3].Rows != 250 {
		t.Errorf("the manifest says %+v", m)
	}
	if !slices.Equal(joined(t, filepath.Join(dir, "parts")), joined(t, filepath.Join(dir, "whole"))) {
		t.Error("it is another map")
	}
	sample := rowsOf(t, filepath.Join(dir, "parts", "sample.parquet"))
	if len(sample) != 100 || !slices.Equal(sample, rowsOf(t, filepath.Join(dir, "whole", "sample.parquet"))) {
		t.Error("it has another sample")
	}
	if filesOf(t, filepath.Join(dir, "parts", scale.PyramidFolder)) != filesOf(t, filepath.Join(dir, "whole",
		scale.PyramidFolder)) {
		t.Error("it has another density")
	}
}

// Labels of a folder whose parts are ranges of a file are those of one part, and the file is counted as one.
func TestRangesOfAFileAreLabelled(t *testing.T) {
	dir := partsInput(t, ".npy", 1000)
	write(t, filepath.Join(dir, "r.json"), `{"blossom": "populations", "version": 1, "compensated": false,
		"tree": {"populations": [{"id": 1, "name": "some", "rule": {"limits": [{"column": "c3", "low": 20}]}}]}}`)
	ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "out/", "--part-rows", "400", "--shown", "0")
	ok(t, dir, "label", "out", "--rules", "r.json", "-o", "labels/")
	ok(t, dir, "label", "data/s 0.npy", "--rules", "r.json", "-o", "one/")
	if len(manifest(t, filepath.Join(dir, "labels")).Parts) != 3 ||
		!slices.Equal(joined(t, filepath.Join(dir, "labels")), joined(t, filepath.Join(dir, "one"))) {
		t.Error("labels of ranges are others than those of the file")
	}
	for _, name := range []string{scale.CalledFile, scale.CalledFiles} {
		if text(t, filepath.Join(dir, "labels", name)) != text(t, filepath.Join(dir, "one", name)) {
			t.Errorf("%s:\n%s", name, text(t, filepath.Join(dir, "labels", name)))
		}
	}
}

// Files whose rows cannot be read by themselves are one part each; a file that has become shorter is refused.
func TestFilesThatHaveNoRangesAreOnePart(t *testing.T) {
	dir := partsInput(t, ".csv.gz", 500)
	ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "out/", "--part-rows", "100")
	if n := len(manifest(t, filepath.Join(dir, "out")).Parts); n != 1 {
		t.Errorf("a packed text file is %d parts", n)
	}
	blossom(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "more/", "--part-rows", "-1").refused(t, 2,
		"--part-rows")
	plan := filepath.Join(dir, "out", scale.PlanFile)
	bad := strings.Replace(text(t, plan), `"rows": 500`, `"rows": 500, "from": 100, "of": 550`, 1)
	if bad == text(t, plan) {
		t.Fatal("the plan does not say its rows")
	}
	write(t, plan, bad)
	os.Remove(filepath.Join(dir, "out", "manifest.json"))
	blossom(t, dir, "status", "out").refused(t, 1, "beyond")
}
