package main

import (
	"fmt"
	"image"
	"path/filepath"
	"strings"
	"testing"
)

// painted counts the pixels of a picture that are purple and those that are yellow, the ends of the default palette,
// left and right of the middle.
func painted(img image.Image) (purple, yellow [2]int) {
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, bl, _ := img.At(x, y).RGBA()
			side := 2 * (x - b.Min.X) / b.Dx()
			switch r, g, bl = r>>8, g>>8, bl>>8; {
			case r > g+25 && bl > g+25:
				purple[side]++
			case r > bl+60 && g > bl+60:
				yellow[side]++
			}
		}
	}
	return purple, yellow
}

// Any two or three columns of a table can be drawn, coloured by a fourth.
func TestRenderAt(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	var csv strings.Builder
	csv.WriteString("UMAP1,UMAP2,UMAP3,CD4,none of it\n")
	for i := range 400 {
		// Low values on the left, high ones on the right.
		x, y, value := float64(i%20)/20-8, float64(i/20)/20, float64(i%7)/10
		if i >= 200 {
			x, y, value = x+15, y-0.5, 9+value
		}
		fmt.Fprintf(&csv, "%g,%g,%g,%g,\n", x, y, float64(i%11)/11, value)
	}
	csv.WriteString("-7,,0.5,9,\nNaN,0.2,0.5,9,\n") // without a place: they would be yellow on the left
	write(t, filepath.Join(dir, "umap.csv"), csv.String())
	draw := func(input, at, out string, more ...string) image.Image {
		t.Helper()
		ok(t, dir, append([]string{"render", input, "--at", at, "-o", out, "--size", "400x300", "--no-legend",
			"--point-size", "4", "--opacity", "1"}, more...)...)
		return decode(t, filepath.Join(dir, out))
	}

	img := draw("umap.csv", "UMAP1,UMAP2", "two.png", "--colour", "CD4")
	if purple, yellow := painted(img); purple[0] < 200 || yellow[1] < 200 || purple[1] > 0 || yellow[0] > 0 {
		t.Errorf("purple %v, yellow %v", purple, yellow)
	}
	// Turned round by naming the columns the other way: the left is above or below now.
	if purple, yellow := painted(draw("umap.csv", "2,1", "turned.png", "--colour", "CD4")); purple[0] == 0 ||
		purple[1] == 0 || yellow[0]+yellow[1] < 200 {
		t.Errorf("turned: purple %v, yellow %v", purple, yellow)
	}
	// Three columns are a picture in 3D, another one, of the same points.
	solid := draw("umap.csv", "UMAP1,UMAP2,UMAP3", "three.png", "--colour", "CD4")
	if purple, yellow := painted(solid); purple[0]+purple[1] < 200 || yellow[0]+yellow[1] < 200 {
		t.Errorf("in 3D: purple %v, yellow %v", purple, yellow)
	}
	if text(t, filepath.Join(dir, "three.png")) == text(t, filepath.Join(dir, "two.png")) {
		t.Error("the third column changes nothing")
	}
	draw("demo:cytometry:2000", "CD4,CD8", "labels.png") // labels of columns, coloured by population
	if n := len(colours(decode(t, filepath.Join(dir, "labels.png")))); n < 10 {
		t.Errorf("%d strong colours for 31 populations", n)
	}
	draw("demo:cytometry:2000", "CD4,Time", "linear.png", "--transform", "CD4=linear", "--colour", "none")
	draw("demo:cytometry:2000", "CD4,Time", "asinh.png", "--colour", "none")
	if text(t, filepath.Join(dir, "linear.png")) == text(t, filepath.Join(dir, "asinh.png")) {
		t.Error("the transform of an axis changes nothing")
	}

	var done summary
	parse(t, ok(t, dir, "render", "umap.csv", "--at", "UMAP1,UMAP2", "-o", "s.png", "--json").stdout, &done)
	if done.Points != 402 || done.Invalid != 2 || done.Dims != 2 || strings.Join(done.Columns, " ") != "UMAP1 UMAP2" ||
		done.Engine != "" {
		t.Errorf("%+v", done)
	}
	for _, c := range []struct {
		at   string
		more []string
		code int
		want []string
	}{
		{"UMAP1,UMAPP2", nil, exitFailed, []string{"umap.csv", `no column "UMAPP2"`, `did you mean "UMAP2"`}},
		{"UMAP1,9", nil, exitFailed, []string{"no column number 9", "1 to 5"}},
		{"UMAP1,none of it", nil, exitFailed, []string{"umap.csv", "no point has a value in all of"}},
		{"UMAP1", nil, exitUsage, []string{"--at UMAP1 names one column:", "two columns"}},
		{"UMAP1,UMAP1", nil, exitUsage, []string{"names one column"}},
		{"1-4", nil, exitUsage, []string{"names 4 columns"}},
		{"1,2", []string{"--som", "5x5"}, exitUsage, []string{"--at", "--som is for a map"}},
		{"1,2", []string{"--coordinates", "umap.csv"}, exitUsage, []string{"--at", "--coordinates"}},
		{"1,2", []string{"--colour", "CD44"}, exitFailed, []string{`no column "CD44"`, `did you mean "CD4"`}},
	} {
		blossom(t, dir, append([]string{"render", "umap.csv", "--at", c.at, "-o", "no.png"}, c.more...)...).refused(t,
			c.code, c.want...)
	}
	for _, n := range names(t, dir) {
		if n == "no.png" || strings.HasSuffix(n, ".part") {
			t.Errorf("%s was left", n)
		}
	}
}

// Points are drawn where the input has them, by the name of the map with or without what AnnData begins it with, in the
// colours that the file gives its labels.
func TestRenderPositionsThatTheInputBrings(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	cells := filepath.Join(formats(t), "h5ad", "pbmc68k_reduced.h5ad")
	draw := func(name, out string, more ...string) image.Image {
		t.Helper()
		ok(t, dir, append([]string{"render", cells, "--positions", name, "--colour", "bulk_labels", "-o", out, "--size",
			"400x300", "--no-legend", "--no-recipe", "--point-size", "5", "--opacity", "1"}, more...)...)
		return decode(t, filepath.Join(dir, out))
	}
	img := draw("X_umap", "u.png")
	draw("umap", "again.png")
	if text(t, filepath.Join(dir, "u.png")) != text(t, filepath.Join(dir, "again.png")) {
		t.Error("the name without X_ gives another picture")
	}
	monocytes := 0 // #8c564b, as uns has it
	for y := range 300 {
		for x := range 400 {
			if r, g, b, _ := img.At(x, y).RGBA(); r>>8 == 0x8c && g>>8 == 0x56 && b>>8 == 0x4b {
				monocytes++
			}
		}
	}
	if monocytes < 200 {
		t.Errorf("%d pixels have the colour of CD14+ monocytes", monocytes)
	}
	draw("X_umap", "palette.png", "--palette", "okabe-ito")
	blossom(t, dir, "render", cells, "--positions", "X_tsne", "-o", "no.png").refused(t, exitFailed, "X_tsne", "umap")
	blossom(t, dir, "render", cells, "--positions", "umap", "--at", "umap1,umap2", "-o", "no.png").refused(t, exitUsage,
		"--positions")
	write(t, filepath.Join(dir, "j.json"), ok(t, dir, "render", cells, "--positions", "X_umap", "-o", "j.png",
		"--print-job").stdout)
	ok(t, dir, "job", "j.json")
}
