package output_test

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/export"
	"blossom/model/work/embedding"
	"blossom/render/pen/figure"
	"blossom/ui/desk"
	"blossom/ui/output"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
	_ "blossom/ui/view/skyline"
	_ "blossom/ui/view/wall"
)

// written draws what is looked at in a format and returns the file.
func written(t *testing.T, a *room, p desk.Picture, ending string) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	uitest.Do(func() {
		format, _ := figure.Of(ending)
		var job *output.Drawing
		if job, err = a.out.NewPicture(p, format); err != nil {
			return
		}
		defer job.Close()
		for done := 0.0; done < 1 && err == nil; {
			done, err = job.Step(math.MaxInt)
		}
		if err == nil {
			err = job.Encode(&b)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// drawnByPoppler is a PDF as another program draws it.
func drawnByPoppler(t *testing.T, data []byte, size image.Point) *image.RGBA {
	t.Helper()
	in := filepath.Join(t.TempDir(), "x.pdf")
	if err := os.WriteFile(in, data, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pdftoppm", "-png", "-scale-to-x", strconv.Itoa(size.X), "-scale-to-y",
		strconv.Itoa(size.Y), in).Output()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	rgba := image.NewRGBA(img.Bounds())
	draw.Draw(rgba, rgba.Rect, img, image.Point{}, draw.Src)
	return rgba
}

// gate puts populations into the document, for views that are of these: two gates, one within the other, and a limit.
func gate(t *testing.T, a *room) {
	t.Helper()
	uitest.Do(func() {
		axis := func(name string) population.Axis { return population.Axis{Column: name, Transform: "asinh:150"} }
		var tree population.Tree
		under := population.ID(0)
		for _, x := range []population.Population{
			{Name: "cells", Rule: &population.Gate{X: axis("BUV563-A"), Y: axis("BUV615-A"), Shape: population.Polygon,
				Path: [][2]float64{{-2, -2}, {5, -2}, {7, 3}, {2, 7}, {-2, 5}}}},
			{Name: "bright", Rule: &population.Gate{X: axis("BUV395-A"), Y: axis("BUV496-A"), Shape: population.Polygon,
				Path: [][2]float64{{0, -2}, {8, -2}, {8, 8}, {0, 8}}}},
			{Name: "most", Rule: &population.Limits{Of: []population.Limit{{Column: "BUV496-A", Low: 0, High: 1e6}}}},
		} {
			var err error
			x.Parent = under
			if tree, under, err = tree.Add(x); err != nil {
				t.Error(err)
				return
			}
		}
		a.Desk().Doc.Do("Gates", func(now *state.State) { parts.Populations.Put(now, tree) })
	})
}

// clustered has the landmarks clustered, so that there is a hierarchy.
func clustered(t *testing.T, a *room) {
	t.Helper()
	uitest.Do(func() {
		a.Desk().Doc.Do("Clusters", func(now *state.State) {
			choice := parts.Clusters.Of(*now)
			choice.Landmarks = true
			parts.Clusters.Put(now, choice)
		})
	})
}

// Every kind of view writes itself as SVG and as PDF, and what another program draws of it is the picture of pixels:
// maps, plots, 3D, and each registered kind; alone, and as panels of a page with letters.
func TestEveryKindOfViewIsAFigure(t *testing.T) {
	a, d := enter(t, 900, 700, "demo:cytometry:1500")
	_, err := exec.LookPath("pdftoppm")
	check := func(name string, p desk.Picture) {
		t.Helper()
		a.Rest(d)
		if svg := written(t, a, p, ".svg"); !bytes.Contains(svg, []byte("</text>")) || !bytes.HasSuffix(svg,
			[]byte("</svg>\n")) {
			t.Errorf("%s: an SVG of %d bytes without text", name, len(svg))
		}
		pdf := written(t, a, p, ".pdf")
		if dir := os.Getenv("BLOSSOM_PICTURES"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, name+".pdf"), pdf, 0o600); err != nil {
				t.Error(err)
			}
		}
		if err != nil {
			return // nobody is there to draw it
		}
		want := exported(t, a, p)
		share := unlike(want, drawnByPoppler(t, pdf, want.Rect.Size()))
		t.Logf("%s: %.3f %% differ", name, 100*share)
		if share > 0.01 {
			t.Errorf("%s: %.2f %% of the pixels differ", name, 100*share)
		}
	}
	paper := desk.Picture{Size: desk.OnPaper, White: true, Bare: true, Print: export.Print{Width: 85, Height: 70,
		DPI: 300, Font: 7}}
	show := func(r embedding.Recipe) {
		uitest.Do(func() { a.Desk().Stage.SetEmbedding(a.Desk().Stage.Scatter().View, r) })
	}
	check("map", paper)
	show(embedding.Columns("BUV563-A", "BUV615-A"))
	check("plot", paper)
	show(embedding.Columns("BUV563-A", "BUV615-A", "BUV395-A"))
	check("3D", paper)
	gate(t, a)
	a.Rest(d)
	clustered(t, a)
	a.Rest(d)
	for _, k := range view.Kinds() {
		uitest.Do(func() { a.Desk().Stage.ShowKind(a.Desk().Stage.Active(), k.ID) })
		d.Frames(5)
		a.Rest(d)
		check(k.ID, paper)
	}
	uitest.Do(func() { a.Desk().Stage.ShowKind(a.Desk().Stage.Active(), view.ScatterKind) })
	stand.FourViews(a.Desk(), d)
	page := paper
	page.All, page.Letters, page.Columns, page.Print.Width, page.Print.Height = true, true, 2, 174, 150
	check("page", page)
	if svg := written(t, a, page, ".svg"); !bytes.Contains(svg, []byte(">d</text>")) {
		t.Error("the fourth panel has no letter")
	}
}
