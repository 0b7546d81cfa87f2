package output_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/export"
	"blossom/model/maps/density"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
	"blossom/render"
	"blossom/ui/desk"
	"blossom/ui/output/studio"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
	_ "blossom/ui/view/skyline"
	_ "blossom/ui/view/wall"
)

// viewed has this program draw pictures by views, as the program does that has a window.
func viewed(t *testing.T) {
	job.Views = studio.Draw
	job.Painter = func(context.Context, *job.Picture, *job.Drawn, int, func(done, total int64)) (
		func(io.Writer) error, error) {
		return nil, errors.New("a picture of the window is drawn by its views")
	}
	t.Cleanup(func() { job.Views, job.Painter = nil, nil })
}

// pixels reads a picture.
func pixels(t *testing.T, path string) image.Image {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// differing counts the pixels that two pictures do not have alike.
func differing(a, b image.Image) (n int) {
	if a.Bounds() != b.Bounds() {
		return -1
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if a.At(x, y) != b.At(x, y) {
				n++
			}
		}
	}
	return n
}

// again writes a picture, executes the job that it carries, and compares the two, pixel by pixel.
func again(t *testing.T, a *room, d *uitest.Driver, name string, p desk.Picture) {
	t.Helper()
	a.Rest(d)
	dir := t.TempDir()
	path := filepath.Join(dir, "picture.png")
	uitest.Do(func() { a.out.Picture(path, p) })
	d.Wait("the picture is written", 20*time.Second, func() bool {
		return a.failed != nil || there(path) && a.Jobs.Idle()
	})
	if a.failed != nil {
		t.Fatalf("%s: %v", name, a.failed)
	}
	j, _, err := job.Carrier(t.Context(), path)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, w := range j.Wanted {
		if p, ok := w.(*job.Picture); ok {
			p.Output = filepath.Join(dir, "again.png")
		}
	}
	if _, err := job.Execute(t.Context(), j, job.Options{}); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	want, got := pixels(t, path), pixels(t, filepath.Join(dir, "again.png"))
	if n := differing(want, got); n != 0 {
		t.Errorf("%s: %d of %v pixels differ", name, n, want.Bounds().Size())
		if dir := os.Getenv("BLOSSOM_PICTURES"); dir != "" {
			for which, img := range map[string]image.Image{"window": want, "again": got} {
				if err := uitest.WritePNG(filepath.Join(dir, name+" "+which+".png"), img); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// A picture of the window is the one that its recipe makes without a window, pixel by pixel: whatever is switched in
// the view, of the hand, of the file.
func TestAPictureIsThatOfItsRecipe(t *testing.T) {
	viewed(t)
	a, d := enter(t, 620, 480, "demo:cytometry:1500")
	uitest.Do(func() { a.Desk().Stage.Scene.Renderer.SetPath(render.CPU) })
	look := func(change func(*parts.Look)) {
		uitest.Do(func() { a.Desk().SetLook("Look", change) })
	}
	show := func(change func(*parts.View)) { uitest.Do(func() { a.Desk().Show(change) }) }
	do := func(change func(*state.State)) { uitest.Do(func() { a.Desk().Doc.Do("Change", change) }) }
	again(t, a, d, "as it opens", desk.Picture{})
	do(func(s *state.State) {
		parts.Graph.Edit(s, func(g *parts.GraphChoice) { g.Edges, g.Shade = parts.EdgesAlways, true })
	})
	again(t, a, d, "edges and patches", desk.Picture{})
	look(func(l *parts.Look) {
		l.Column, l.Size, l.Opacity, l.Palette, l.Reverse, l.Spread = "BUV563-A", 5, 0.4, "magma", true,
			transform.SpreadAsinh
	})
	show(func(v *parts.View) { v.Names, v.LegendAt.Folded, v.Contours = true, true, parts.ContoursOver })
	again(t, a, d, "a column, contours, a folded legend", desk.Picture{White: true})
	gate(t, a)
	a.Rest(d)
	uitest.Do(func() {
		set := selection.FromBits(1500, []uint64{^uint64(0), 0, ^uint64(0)})
		a.Desk().Stage.Scene.SetSelection("Select", set)
		tree := parts.Populations.Of(a.Desk().Doc.State())
		a.Desk().Doc.Look(func(s *state.State) {
			parts.Views.Put(s, parts.Views.Of(*s).Hide(tree.All()[2].ID, true))
		})
		a.Desk().Stage.Hand().Landmarks.Selected = []int{3, 9}
		a.Desk().Stage.Scatter().Eye.Pan(31, 12)
		a.Desk().Stage.Scatter().Eye.ZoomAt(200, 200, 1.7)
	})
	look(func(l *parts.Look) { l.Draw, l.Cell, l.Counts = "hexagons", 9, density.Linear })
	again(t, a, d, "zoomed, hidden, selected, hexagons", desk.Picture{Transparent: true, Title: true})
	uitest.Do(func() { a.Theme(true) })
	uitest.Do(func() {
		a.Desk().Stage.SetEmbedding(a.Desk().Stage.Active(), embedding.Columns("BUV563-A", "BUV615-A"))
		a.Desk().Stage.Scatter().View.ColourBy(a.Desk().Populations().Column())
	})
	look(func(l *parts.Look) { l.Draw = "" })
	again(t, a, d, "gates in the dark", desk.Picture{})
	uitest.Do(func() {
		a.Desk().Stage.SetEmbedding(a.Desk().Stage.Active(), embedding.Columns("BUV563-A", "BUV615-A", "BUV395-A"))
	})
	a.Rest(d)
	uitest.Do(func() { a.Desk().Stage.Scatter().Eye.Rotate(60, 20) })
	again(t, a, d, "3D, turned", desk.Picture{Size: desk.OnPaper, Print: export.Print{Width: 60, Height: 50, DPI: 150,
		Font: 7}})
	uitest.Do(func() {
		a.Desk().Stage.SetEmbedding(a.Desk().Stage.Active(), embedding.Recipe{Kind: "pca", Dims: 2})
	})
	again(t, a, d, "principal components", desk.Picture{Title: true})
	clustered(t, a)
	a.Rest(d)
	for _, k := range view.Kinds() {
		uitest.Do(func() { a.Desk().Stage.ShowKind(a.Desk().Stage.Active(), k.ID) })
		d.Frames(5)
		again(t, a, d, k.ID, desk.Picture{White: k.Order%2 == 0})
	}
	uitest.Do(func() { a.Desk().Stage.ShowKind(a.Desk().Stage.Active(), view.ScatterKind) })
	stand.FourViews(a.Desk(), d)
	again(t, a, d, "a page as the views stand", desk.Picture{All: true})
	again(t, a, d, "a page in columns", desk.Picture{All: true, Columns: 2, Letters: true, Size: desk.OwnSize,
		Width: 700, Height: 500, Scale: 1.25})
}
