package render_test

import (
	"bytes"
	"image"
	"math"
	"strings"
	"testing"

	"blossom/render"
	"blossom/render/camera"
	"blossom/render/pen"
	"blossom/render/pen/figure"
	"blossom/render/rendertest"
	"blossom/render/splat/tally"
	"blossom/render/text"
)

// seen is a buffer of n points in clusters of which the first few are shown: the others have no place, or are hidden.
func seen(t *testing.T, r *render.Renderer, n, few int) (*render.PointBuffer, *render.StateBuffer) {
	t.Helper()
	points, states := r.NewPointBuffer(n, 2), r.NewStateBuffer(n)
	t.Cleanup(func() { points.Free(); states.Free() })
	for i := range n {
		points.Host()[2*i], points.Host()[2*i+1] = float32(i%few%40), float32(i%few/40)
		if i >= few && i%2 == 0 {
			points.Host()[2*i] = float32(math.NaN())
		} else if i >= few {
			states.Host()[i] = render.Hidden
		}
	}
	points.Upload(0, n)
	states.Upload(0, n)
	return points, states
}

// Points that are not drawn are not counted: those that are have the size, opacity and cells that they have alone, and
// may be shapes.
func TestHiddenPointsAreNotCounted(t *testing.T) {
	r := rendertest.Renderer(t, render.CPU)
	many, states := seen(t, r, 3*render.MostShapes, 1000)
	alone, _ := seen(t, r, 1000, 1000)
	picture := func(p *render.PointBuffer, s *render.StateBuffer, shapes bool, mode string) *image.RGBA {
		img, err := r.Picture(render.PictureOptions{Width: 300, Height: 200, Points: p, States: s,
			Theme: render.Light(), Shapes: shapes, Style: render.Style{Colouring: colouring(render.Light()),
				Tally: tally.Settings{Mode: mode}}})
		if err != nil {
			t.Fatalf("shapes %v, drawn as %q: %v", shapes, mode, err)
		}
		return img
	}
	for _, mode := range []string{"", "hexagons"} {
		for _, shapes := range []bool{false, true} {
			a, b := picture(many, states, shapes, mode), picture(alone, nil, shapes, mode)
			if !bytes.Equal(a.Pix, b.Pix) {
				t.Errorf("shapes %v, drawn as %q: the points look otherwise where others are hidden", shapes, mode)
			}
		}
	}
}

// Pictures within a picture have shapes where that has, and as many as that at most.
func TestPointsOfTilesAreShapes(t *testing.T) {
	r := rendertest.Renderer(t, render.CPU)
	few, _ := seen(t, r, 90, 90)
	file := func(p *render.PointBuffer, shapes bool) (string, error) {
		f, err := figure.Of("x.svg")
		if err != nil {
			t.Fatal(err)
		}
		paper := pen.Paper{Width: 50, Height: 50, Pixels: [2]int{300, 300}, Points: 1, Fonts: text.Builtin()}
		svg := f.New(paper)
		job, err := r.NewDrawing(render.PictureOptions{Width: 300, Height: 300, Scale: 1, Theme: render.Light(),
			View: camera.NewFlat(300, 300), Shapes: shapes, Tiles: []render.SheetCell{{
				Rect:    image.Rect(10, 10, 290, 290),
				Picture: render.PictureOptions{Points: p, Style: render.Style{Colouring: colouring(render.Light())}}}}},
			svg)
		if err != nil {
			return "", err
		}
		defer job.Close()
		for done := 0.0; done < 1; {
			if done, err = job.Step(math.MaxInt); err != nil {
				return "", err
			}
		}
		var b bytes.Buffer
		err = svg.Encode(&b, paper)
		return b.String(), err
	}
	for _, shapes := range []bool{false, true} {
		svg, err := file(few, shapes)
		if err != nil || strings.Contains(svg, "<image") == shapes || (strings.Count(svg, "<circle") >= 90) != shapes {
			t.Errorf("shapes %v: %d circles, an image: %v, %v", shapes, strings.Count(svg, "<circle"),
				strings.Contains(svg, "<image"), err)
		}
	}
	many, _ := seen(t, r, render.MostShapes+1, render.MostShapes+1)
	if _, err := file(many, true); err == nil {
		t.Error("more points than may be shapes are left out in silence")
	}
}

// Tiles that cannot be drawn are told, not left out.
func TestATileThatCannotBeDrawnIsTold(t *testing.T) {
	r := rendertest.Renderer(t, render.CPU)
	points, _ := seen(t, r, 90, 90)
	const side = 8300 // more cells of one pixel than a picture has
	tile := render.SheetCell{Rect: image.Rect(0, 0, side, side), Picture: render.PictureOptions{Points: points,
		Style: render.Style{Colouring: colouring(render.Light()),
			Tally: tally.Settings{Mode: "density", Size: 1}}}}
	f, err := figure.Of("x.svg")
	if err != nil {
		t.Fatal(err)
	}
	svg := f.New(pen.Paper{Width: 50, Height: 50, Pixels: [2]int{side, side}, Points: 1, Fonts: text.Builtin()})
	for _, after := range []int{0, 1} { // the last one, and one before another
		tiles := append([]render.SheetCell{tile}, make([]render.SheetCell, after)...)
		job, err := r.NewDrawing(render.PictureOptions{Width: side, Height: side, Theme: render.Light(),
			Tiles: tiles}, svg)
		if err != nil {
			t.Fatal(err)
		}
		for done := 0.0; done < 1 && err == nil; {
			done, err = job.Step(math.MaxInt)
		}
		if err == nil || !strings.Contains(err.Error(), "too many cells") {
			t.Errorf("with %d after it: %v", after, err)
		}
		job.Close()
	}
}
