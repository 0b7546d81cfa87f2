package main

import (
	"bytes"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
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

// A picture of a session has the points that its window shows: those of a population alone, none of a hidden one. That
// is what --population asks for, too.
func TestAPictureHasThePointsInSight(t *testing.T) {
	dir := t.TempDir()
	doc := labelled(t, dir)
	draw := func(file string, flags ...string) (text []byte, coloured int) {
		ok(t, dir, append([]string{"render", "--session", "s.blossom", "-o", file, "--colour", "kind", "--opacity", "1",
			"--point-size", "4", "--no-legend", "--no-recipe", "--size", "600x500"}, flags...)...)
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
				if max(c.R, c.G, c.B)-min(c.R, c.G, c.B) > 40 {
					coloured++
				}
			}
		}
		return text, coloured
	}
	all, most := draw("all.png")
	asked, few := draw("asked.png", "--population", "high/some, \"odd\"")
	named, _ := draw("named.png", "--population", "some, \"odd\"")
	_, axes := draw("axes.png", "--at", "a,b")
	look := func(of string, hide ...string) {
		tree := parts.Populations.Of(doc.State())
		doc.Look(func(s *state.State) {
			views := parts.Views.Of(*s)
			p, _ := tree.Named(of)
			views = views.Edit(views.Active, func(v *parts.View) { v.Of = p.ID })
			views.Hidden = nil
			for _, name := range hide {
				p, _ := tree.Named(name)
				views = views.Hide(p.ID, true)
			}
			parts.Views.Put(s, views)
		})
		saveRecipe(t, doc, filepath.Join(dir, "s.blossom"))
	}
	look("some, \"odd\"")
	seen, _ := draw("seen.png")
	again, _ := draw("again.png", "--population", "none")
	if !bytes.Equal(seen, asked) || !bytes.Equal(seen, named) || !bytes.Equal(again, all) {
		t.Error("the view's population is drawn otherwise than the one that is asked for")
	}
	if few == 0 || few >= most {
		t.Errorf("20 of 300 points have %d coloured pixels, all %d", few, most)
	}
	if _, n := draw("few.png", "--at", "a,b"); n == 0 || n*2 > axes {
		t.Errorf("on axes, 20 points have %d coloured pixels, all %d", n, axes)
	}
	look("", "high")
	if _, n := draw("hidden.png", "--at", "a,b"); n == 0 || n > axes/2 {
		t.Errorf("without 200 of 300 points there are %d coloured pixels, with all %d", n, axes)
	}
	blossom(t, dir, "render", "--session", "s.blossom", "-o", "q.png", "--population", "low").refused(t, exitFailed,
		"low", "high")
	blossom(t, dir, "render", "points.csv", "-o", "q.png", "--population", "low").refused(t, exitFailed, "low")
	look("high", "high")
	blossom(t, dir, "render", "--session", "s.blossom", "-o", "q.png").refused(t, exitFailed, "hidden")
}
