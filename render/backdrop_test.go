package render_test

import (
	"image"
	"image/color"
	"testing"

	"blossom/render"
	"blossom/render/camera"
	"blossom/render/rendertest"
)

// A picture behind the points shows where there are none, under points, and ends with Begin.
func TestABackdropLiesBehindThePoints(t *testing.T) {
	red, ground := color.NRGBA{200, 0, 0, 255}, color.NRGBA{255, 255, 255, 255}
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		b := r.NewPointBuffer(1, 2)
		b.Upload(0, 1)
		cam := camera.NewFlat(80, 60)
		cam.Fit(camera.Bounds{Min: camera.Vec{X: -1, Y: -1}, Max: camera.Vec{X: 1, Y: 1}}, camera.Margins{})
		back := image.NewRGBA(image.Rect(0, 0, 80, 60))
		for y := range 10 { // the upper left corner
			for x := range 20 {
				back.SetRGBA(x, y, color.RGBA{0, 0, 100, 128})
			}
		}
		l := r.NewLayer()
		look := func(img *image.RGBA) *image.NRGBA {
			l.Begin(cam.Projection(), paint(red, 9, 1))
			l.BehindPicture(img)
			l.DrawRange(b, nil, nil, 0, 1)
			l.Resolve(ground)
			return nrgba(l.Read())
		}
		img := look(back)
		if got := img.NRGBAAt(40, 30); got != red {
			t.Errorf("%s: the point is %v", name, got)
		}
		if got := img.NRGBAAt(5, 5); got.B < 225 || got.R > 130 || got.R < 124 || got.A != 255 {
			t.Errorf("%s: behind it is %v", name, got)
		}
		if got := img.NRGBAAt(5, 50); got != ground {
			t.Errorf("%s: the picture is upside down: %v", name, got)
		}
		if got := look(nil).NRGBAAt(5, 5); got != ground {
			t.Errorf("%s: the last picture is there: %v", name, got)
		}
		l.Free()
	}
}

// A file has what lies behind the points, without any points as well.
func TestFilesHaveTheirBackdrop(t *testing.T) {
	r := rendertest.Renderer(t, render.CPU)
	blue := color.RGBA{0, 0, 255, 255}
	o := render.PictureOptions{Width: 60, Height: 40, View: camera.NewFlat(60, 40), Theme: render.Light(), Bare: true,
		Backdrop: func(p camera.Projection) *image.RGBA {
			img := image.NewRGBA(image.Rect(0, 0, p.W, p.H))
			img.SetRGBA(7, 8, blue)
			return img
		}}
	img, err := r.Picture(o)
	if err != nil {
		t.Fatal(err)
	}
	if got := img.RGBAAt(7, 8); got != blue {
		t.Errorf("the backdrop is %v", got)
	}
}
