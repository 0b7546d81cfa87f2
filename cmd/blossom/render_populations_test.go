package main

import (
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"blossom/model/document/parts"
	"blossom/render/palette"
)

// A picture of a session is coloured by its populations, as its window is: each has its colour there.
func TestAPictureIsColouredByThePopulationsOfASession(t *testing.T) {
	dir := t.TempDir()
	doc := labelled(t, dir)
	ok(t, dir, "render", "--session", "s.blossom", "-o", "p.png", "--colour", "populations", "--opacity", "1",
		"--point-size", "6", "--no-legend")
	f, err := os.Open(filepath.Join(dir, "p.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[color.NRGBA]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			seen[color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)]++
		}
	}
	tree := parts.Populations.Of(doc.State())
	var inks []byte
	for _, p := range tree.All() {
		inks = append(inks, p.Ink)
	}
	by := palette.OfLabels("", tree.Len(), string(inks))
	for i, p := range tree.All() {
		if c := by.LabelColour(i); seen[color.NRGBA{R: c.R, G: c.G, B: c.B, A: 255}] < 20 {
			t.Errorf("%s, of the colour %v, is not to be seen", p.Name, c)
		}
	}
	blossom(t, dir, "render", "points.csv", "-o", "q.png", "--colour", "populations").refused(t, 1, "populations")
}
