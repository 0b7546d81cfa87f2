package axes

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"blossom/render/camera"
	"blossom/render/pen"
	"blossom/render/text"
)

var (
	white = color.NRGBA{255, 255, 255, 255}
	look  = Look{Fonts: text.Builtin(), Scale: 1, Line: color.NRGBA{255, 0, 0, 255}, Text: color.NRGBA{0, 0, 0, 255},
		TextDim: color.NRGBA{0, 0, 255, 255}, Halo: white}
)

func canvas(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(white), image.Point{}, draw.Src)
	return img
}

// inked counts the pixels of a region that are not white.
func inked(img *image.RGBA, r image.Rectangle) int {
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if img.RGBAAt(x, y) != (color.RGBA{255, 255, 255, 255}) {
				n++
			}
		}
	}
	return n
}

// Lines are at the frame's left and bottom, numbers outside of them where their values are, titles inside.
func TestDraw(t *testing.T) {
	img := canvas(400, 300)
	paint := func(img *image.RGBA, frame image.Rectangle, x, y Axis, seenX, seenY Span) {
		p := &pen.Image{Dst: img, Fonts: text.Builtin(), Points: 1}
		inside := pen.Rect{X0: float64(frame.Min.X), Y0: float64(frame.Min.Y), X1: float64(frame.Max.X),
			Y1: float64(frame.Max.Y)}
		if f, ok := Of(p, inside, x, y, seenX, seenY); ok {
			f.Paint(p, Ink{Line: look.Line, Text: look.Text, Dim: look.TextDim, Halo: white}, x, y)
		}
	}
	frame := image.Rect(50, 20, 380, 260)
	paint(img, frame, Axis{Title: "CD4", Note: "BUV563-A"}, Axis{Title: "CD8"}, Span{0, 10}, Span{-5, 5})
	red := color.RGBA{255, 0, 0, 255}
	for _, p := range []image.Point{{50, 60}, {50, 200}, {200, 260}, {379, 260}, {50 + 330/2, 262}, {48, 140}} {
		if img.RGBAAt(p.X, p.Y) != red {
			t.Errorf("no line at %v: %v", p, img.RGBAAt(p.X, p.Y))
		}
	}
	for name, r := range map[string]image.Rectangle{
		"the number in the middle of x": image.Rect(205, 266, 225, 280),
		"the number in the middle of y": image.Rect(20, 130, 46, 150),
		"the title of x":                image.Rect(290, 240, 380, 259),
		"the title of y":                image.Rect(56, 22, 100, 42),
	} {
		if inked(img, r) < 10 {
			t.Errorf("%s is missing", name)
		}
	}
	if n := inked(img, image.Rect(60, 60, 280, 230)); n > 0 {
		t.Errorf("%d pixels are painted on the map", n)
	}
	small := canvas(30, 30)
	paint(small, image.Rect(10, 10, 20, 20), Axis{Title: "x"}, Axis{Title: "y"}, Span{0, 1}, Span{0, 1})
	if n := inked(small, small.Rect); n > 0 {
		t.Errorf("axes without room paint %d pixels", n)
	}
}

// The edges that axes are shown on lie at the outline of the box as it is seen, from wherever.
func TestEdges(t *testing.T) {
	box := camera.Bounds{Min: camera.Vec{X: -1, Y: 2, Z: 0}, Max: camera.Vec{X: 3, Y: 4, Z: 5}}
	cam := camera.NewOrbit(400, 300)
	cam.Fit(box, camera.Even(40))
	for turn := range 40 {
		cam.Rotate(13, float64(turn%7)*5-15)
		edges, ok := Edges(box, cam.ScreenFromWorld)
		if !ok {
			t.Fatalf("turn %d: no edges", turn)
		}
		for i, e := range edges {
			if from, to := e.From, e.To; i == 0 && (from.X != -1 || to.X != 3 || from.Y != to.Y || from.Z != to.Z) ||
				i == 1 && (from.Y != 2 || to.Y != 4 || from.X != to.X) || i == 2 && (from.Z != 0 || to.Z != 5) {
				t.Errorf("axis %d goes from %v to %v", i, from, to)
			}
			if !atOutline(box, cam, e) {
				for c := range 8 {
					if o := (Edge{corner(box, c), corner(box, c|1<<i)}); o.From != o.To && atOutline(box, cam, o) {
						t.Errorf("turn %d: the edge of axis %d is not at the outline", turn, i)
					}
				}
			}
		}
	}
	if _, ok := Edges(box, func(camera.Vec) (x, y float64, ok bool) { return 0, 0, false }); ok {
		t.Error("edges of a box that cannot be seen")
	}
}

func TestDrawBox(t *testing.T) {
	img := canvas(400, 300)
	box := camera.Bounds{Max: camera.Vec{X: 1, Y: 1, Z: 1}}
	cam := camera.NewOrbit(400, 300)
	cam.Fit(box, camera.Even(Around))
	DrawBox(&pen.Image{Dst: img, Fonts: look.Fonts, Points: 1}, pen.Box(0, 0, 400, 300), look,
		[3]Axis{{Title: "a"}, {Title: "b", Note: "n"}, {Title: "c"}}, box, cam.ScreenFromWorld)
	edges, _ := Edges(box, cam.ScreenFromWorld)
	for i, e := range edges {
		x, y, _ := cam.ScreenFromWorld(e.At(0.3))
		if r, g, _, _ := img.At(int(x), int(y)).RGBA(); g > 0xe000 || r < g {
			t.Errorf("axis %d is not drawn at %g, %g: %v", i, x, y, img.At(int(x), int(y)))
		}
	}
	x, y, _ := cam.ScreenFromWorld(camera.Vec{X: 0.5, Y: 0.5, Z: 0.5})
	if n := inked(img, image.Rect(int(x)-30, int(y)-30, int(x)+30, int(y)+30)); n > 0 {
		t.Errorf("%d pixels are painted in the middle", n)
	}
	if n := inked(img, img.Rect); n < 300 {
		t.Errorf("only %d pixels are painted", n)
	}
}

// atOutline says whether all corners of the box are on one side of an edge.
func atOutline(box camera.Bounds, cam camera.Camera, e Edge) bool {
	x0, y0, _ := cam.ScreenFromWorld(e.From)
	x1, y1, _ := cam.ScreenFromWorld(e.To)
	left, right := 0, 0
	for c := range 8 {
		x, y, _ := cam.ScreenFromWorld(corner(box, c))
		switch s := ((x1-x0)*(y-y0) - (y1-y0)*(x-x0)) / (1 + math.Hypot(x1-x0, y1-y0)); {
		case s > 0.01:
			left++
		case s < -0.01:
			right++
		}
	}
	return left == 0 || right == 0
}
