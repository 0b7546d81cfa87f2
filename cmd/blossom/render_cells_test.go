package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/job"
)

// Points are drawn in cells, of a size in lengths or pixels and on a scale; hexagons are shapes in a file of lines, and
// the legend says in text what they count. A job makes the same bytes again.
func TestRenderInCells(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	args := []string{"render", "demo:cytometry:900", "--at", "BUV563-A,BUV805-A", "--no-recipe"}
	made := map[string]string{}
	for name, flags := range map[string]string{"points": "", "density": "--draw density",
		"hexagons": "--draw hexagons", "4px": "--draw density --cell 4px",
		"12px": "--draw density --cell 12px", "linear": "--draw hexagons --density-scale linear",
		"equal": "--draw hexagons --density-scale equal", "mean": "--draw hexagons --colour CD4",
		"commonest": "--draw hexagons --colour population", "two": "--draw hexagons --colour CD4 --colour-and CD8",
		"labels": "--draw hexagons --contour-labels", "smooth": "--draw density --smooth 4px",
		"smooth mean": "--draw density --smooth 4px --colour CD4", "median": "--draw hexagons --colour CD4 " +
			"--cells-show median",
		"share":        "--draw hexagons --colour population --cells-show share:doublet",
		"smooth share": "--draw density --smooth 2px --colour population --cells-show share:doublet"} {
		ok(t, dir, append(append(args, strings.Fields(flags)...), "-o", "c.png")...)
		b := string(read("c.png"))
		for other, same := range made {
			if b == same {
				t.Errorf("%s is the picture of %s", name, other)
			}
		}
		made[name] = b
	}
	lines := append(args, "--draw", "hexagons", "--cell", "2mm", "--width", "85mm", "--contour-labels", "-o", "c.svg")
	ok(t, dir, lines...)
	svg := read("c.svg")
	for _, want := range []string{">points per hexagon</text>", ">log</text>", " %</text>", `id="levels"`} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("no %s", want)
		}
	}
	if bytes.Contains(svg, []byte("<image")) {
		t.Error("hexagons are a picture")
	}
	job := ok(t, dir, append(lines, "--print-job")...).stdout
	for _, want := range []string{`"draw":"hexagons"`, `"contour_labels":true`, `"contours":"over"`} {
		if !strings.Contains(strings.ReplaceAll(job, " ", ""), want) {
			t.Errorf("a job has no %s: %s", want, job)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "job.json"), []byte(job), 0o644); err != nil {
		t.Fatal(err)
	}
	ok(t, dir, "job", "job.json")
	if !bytes.Equal(read("c.svg"), svg) {
		t.Error("the job makes another picture")
	}
	for flags, says := range map[string]string{"--draw dots": "points, density or hexagons",
		"--density-scale cube": "log, linear or equal", "--cell 3": "with its unit", "--cell 9in": "500 points",
		"--draw hexagons --smooth 2mm": "add --draw density", "--draw density --smooth 2": "with its unit",
		"--draw density --cells-show mode": "share:LABEL"} {
		r := blossom(t, dir, append(append(args, strings.Fields(flags)...), "-o", "bad.png")...)
		if r.code != 2 || !strings.Contains(r.stderr, says) {
			t.Errorf("%s: %d, %s", flags, r.code, r.stderr)
		}
	}
}

func TestCellsThatNoPictureCanShowAreRefused(t *testing.T) {
	for text, want := range map[string]string{"1e-9mm": "too small", "1e9mm": "too large", "0.1mm": ""} {
		_, err := (&cellFlags{}).length(job.NewPicture(), "cell", text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
