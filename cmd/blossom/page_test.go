package main

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
)

// pictureAt are the pixels of a PNG.
func pictureAt(t *testing.T, path string) *image.RGBA {
	t.Helper()
	img := decode(t, path)
	out := image.NewRGBA(image.Rect(0, 0, img.Bounds().Dx(), img.Bounds().Dy()))
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out
}

// samePart counts the pixels of a picture that a page has otherwise with its corner at x, y.
func samePart(page, want *image.RGBA, x, y int) (apart int) {
	for j := range want.Rect.Dy() {
		for i := range want.Rect.Dx() {
			if page.RGBAAt(x+i, y+j) != want.RGBAAt(i, j) {
				apart++
			}
		}
	}
	return apart
}

// The header of a panel with the rule below it, in pixels at a zoom of 1.
const panelHead = 28

// Each map of a wall of moments is the picture of the session as it was then, in a frame of its own or in one for all,
// and what is left out of the history or cannot be is said.
func TestAWallOfMoments(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	d := dragged(t, dir)
	saveWhole(t, d, filepath.Join(dir, "s.blossom"))
	entries := d.History().Entries()
	ok(t, dir, "render", "--session", "s.blossom", "--moments", "1,Second drag", "--across", "1", "--letters", "--size",
		"400x657", "--colour", "a", "-o", "page.png")
	page := pictureAt(t, filepath.Join(dir, "page.png"))
	for i, e := range []state.Entry{entries[0], entries[len(entries)-1]} {
		d.Go(e.ID)
		name := fmt.Sprintf("%d.blossom", i)
		saveWhole(t, d, filepath.Join(dir, name))
		ok(t, dir, "render", "--session", name, "--size", "400x300", "--colour", "a", "-o", "one.png")
		if n := samePart(page, pictureAt(t, filepath.Join(dir, "one.png")), 0, i*(301+panelHead)+panelHead); n > 0 {
			t.Errorf("moment %d: %d pixels are not those of the session as it was", i, n)
		}
	}
	for _, how := range [][]string{{"--moments", "3"}, {"--wall", "moments"},
		{"--moments", "1,now", "--one-range", "--progress",
			"--background", "light", "--zoom", "1"}} {
		args := append([]string{"render", "--session", "s.blossom", "-o", "x.svg", "--size", "900x300"}, how...)
		ok(t, dir, args...)
		svg := string(mustRead(t, filepath.Join(dir, "x.svg")))
		for _, want := range []string{"First drag", "Second drag"}[min(1, len(how)-2):] {
			if !strings.Contains(svg, ">"+want+"<") {
				t.Errorf("%v: it does not say %q", how, want)
			}
		}
	}
	if text := ok(t, dir, "job", "--from", "page.png").stdout; !strings.Contains(text, `"moments"`) {
		t.Error("the picture does not carry its moments")
	} else {
		ok(t, dir, "job", write(t, filepath.Join(dir, "job.json"), text))
		again := pictureAt(t, filepath.Join(dir, "picture.png"))
		if !bytes.Equal(again.Pix, page.Pix) {
			t.Error("its job makes another picture")
		}
	}
	blossom(t, dir, "render", "--session", "s.blossom", "--moments", "1,Third drag", "-o", "x.png").refused(t, 1,
		"Third drag", "First drag")
	blossom(t, dir, "render", "points.csv", "--moments", "3", "-o", "x.png").refused(t, exitUsage, "--session")
	blossom(t, dir, "render", "--session", "s.blossom", "--moments", "99", "-o", "x.png").refused(t, 1, "99")
}

// viewed is a session with a map, two columns, a heat map and a t-SNE map that is zoomed.
func viewed(t *testing.T, dir string) (*state.Document, []float32) {
	t.Helper()
	d := dragged(t, dir)
	r := embedding.Recipe{Kind: "tsne", Dims: 2}
	n := d.Data.Points
	at := func(turn float32) []float32 {
		pos := make([]float32, 2*n)
		for i := range n {
			pos[2*i], pos[2*i+1] = float32(i%23)+turn, float32(i%7)-turn
		}
		return pos
	}
	for i, name := range []string{"Run", "Drag on it"} {
		d.Do(name, func(s *state.State) {
			snap := parts.NewSnapshot(r, at(float32(i)), nil, nil, n)
			parts.Snapshots.Put(s, parts.Snapshots.Of(*s).With(snap))
		})
	}
	views := parts.ViewList{Active: "1"}
	views.Views = []parts.View{parts.NewView("1", embedding.EmbedSOM()),
		parts.NewView("2", embedding.Columns("a", "b")), parts.NewView("3", embedding.EmbedSOM()),
		parts.NewView("4", r)}
	views.Views[2].Kind = "heat"
	views.Views[3].Legend = false
	views.Views[3].Camera = parts.Camera{X: 10, Y: 2, Scale: 20}
	d.Do("Views", func(s *state.State) {
		parts.Views.Put(s, views)
		parts.Looks.Put(s, parts.LookTable{"2": {Column: "b", Low: 5, High: 95}})
	})
	return d, at(1)
}

// A page of views of points has each as render --view draws it, zoomed or not, which is what the view shows.
func TestAPageOfViews(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	d, _ := viewed(t, dir)
	saveWhole(t, d, filepath.Join(dir, "s.blossom"))
	ok(t, dir, "render", "--session", "s.blossom", "--views", "1,2,4", "--across", "1", "--size", "400x986", "-o",
		"page.png")
	page := pictureAt(t, filepath.Join(dir, "page.png"))
	for i, view := range []string{"1", "a × b, b", "tsne"} {
		ok(t, dir, "render", "--session", "s.blossom", "--view", view, "--size", "400x300", "-o", "one.png")
		if n := samePart(page, pictureAt(t, filepath.Join(dir, "one.png")), 0, i*(301+panelHead)+panelHead); n > 0 {
			t.Errorf("view %s: %d pixels differ", view, n)
		}
	}
	blossom(t, dir, "render", "--session", "s.blossom", "--view", "9", "-o", "x.png").refused(t, exitUsage, "9",
		"a × b")
	blossom(t, dir, "render", "points.csv", "--views", "1", "-o", "x.png").refused(t, exitUsage, "--session")
	blossom(t, dir, "render", "--session", "s.blossom", "--embedding", "umap", "-o", "x.png").refused(t, exitUsage,
		"umap", "tsne")
}

// A map that the session keeps is drawn where its points lie, and a film of the history shows it as it was.
func TestAKeptMapIsDrawnAndFilmed(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	d, pos := viewed(t, dir)
	saveWhole(t, d, filepath.Join(dir, "s.blossom"))
	var at strings.Builder
	at.WriteString("x,y\n")
	for i := 0; i < len(pos); i += 2 {
		fmt.Fprintf(&at, "%g,%g\n", pos[i], pos[i+1])
	}
	write(t, filepath.Join(dir, "at.csv"), at.String())
	look := []string{"--colour", "a", "--size", "300x200", "--no-legend"}
	ok(t, dir, append([]string{"render", "--session", "s.blossom", "--embedding", "tsne", "-o", "kept.png"},
		look...)...)
	ok(t, dir, append([]string{"render", "points.csv", "--coordinates", "at.csv", "-o", "at.png"}, look...)...)
	kept := pictureAt(t, filepath.Join(dir, "kept.png"))
	if n := samePart(kept, pictureAt(t, filepath.Join(dir, "at.png")), 0, 0); n > 0 {
		t.Errorf("%d pixels are not where the points lie", n)
	}
	ok(t, dir, append([]string{"render", "--session", "s.blossom", "--embedding", "tsne", "--box=-1:25,-2:7", "-o",
		"last.png"}, look...)...)
	ok(t, dir, append([]string{"film", "s.blossom", "--embedding", "tsne", "--box=-1:25,-2:7", "--no-caption",
		"--frames", "4", "-o", "film.png"}, look...)...)
	film := filmAt(t, filepath.Join(dir, "film.png"))
	last := pictureAt(t, filepath.Join(dir, "last.png"))
	if n := samePart(last, film.Frames[len(film.Frames)-1], 0, 0); n > 0 {
		t.Errorf("the last frame differs in %d pixels", n)
	}
	if samePart(last, film.Frames[0], 0, 0) == 0 {
		t.Error("nothing moves")
	}
	ok(t, dir, append([]string{"film", "s.blossom", "--view", "4", "--no-caption", "--frames", "2", "-o",
		"view.png"}, look...)...)
	blossom(t, dir, "film", "s.blossom", "--embedding", "tsne", "--of", "training", "-o", "x.png").refused(t, exitUsage,
		"training")
	text := ok(t, dir, "job", "--from", "kept.png").stdout
	blossom(t, dir, "job", write(t, filepath.Join(dir, "job.json"), text)).refused(t, 1, "in the session alone")
}
