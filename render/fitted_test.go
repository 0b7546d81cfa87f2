package render

import (
	"fmt"
	"image"
	"math"
	"testing"

	"blossom/render/camera"
	"blossom/render/legend"
	"blossom/render/pen"
	"blossom/render/text"
)

// A picture of another shape than its view shows all of what that was fitted to, beside the list of names, wherever it
// stands; under it where that is wanted.
func TestAPictureOfAnotherShapeIsFittedBesideItsLegend(t *testing.T) {
	names := &legend.Legend{Title: "population"}
	for i := range 30 {
		names.Entries = append(names.Entries, legend.Entry{Name: fmt.Sprintf("number %d", i), Label: i, Count: i})
	}
	flat := camera.Bounds{Min: camera.Vec{X: -3, Y: 2}, Max: camera.Vec{X: 9, Y: 11}}
	deep := camera.Bounds{Min: camera.Vec{X: -1, Y: -1, Z: -1}, Max: camera.Vec{X: 2, Y: 1, Z: 3}}
	for _, size := range [][2]int{{900, 600}, {500, 1000}, {1600, 500}} {
		for _, at := range []legend.Place{{}, {X: 1, Y: 1}, {X: 0.5, Y: 1}, {X: 1}, {Room: legend.RoomNever}} {
			for _, c := range []struct {
				cam camera.Camera
				box camera.Bounds
			}{{camera.NewFlat(size[0], size[1]), flat}, {camera.NewOrbit(size[0], size[1]), deep}} {
				o := PictureOptions{Width: size[0], Height: size[1], Scale: 1.5, Legend: names, LegendAt: at,
					Fitted: &Fitted{Box: c.box, Width: 600, Height: 600, Scale: 1}, Fonts: text.Builtin()}
				o.refit(c.cam, false)
				shown := pen.Rect{X0: math.Inf(1), Y0: math.Inf(1), X1: math.Inf(-1), Y1: math.Inf(-1)}
				for i := range 8 {
					p := c.box.Min
					for axis, x := range []*float64{&p.X, &p.Y, &p.Z} {
						if i>>axis&1 == 1 {
							*x = []float64{c.box.Max.X, c.box.Max.Y, c.box.Max.Z}[axis]
						}
					}
					x, y, _ := c.cam.ScreenFromWorld(p)
					shown = pen.Rect{X0: min(shown.X0, x), Y0: min(shown.Y0, y), X1: max(shown.X1, x),
						Y1: max(shown.Y1, y)}
				}
				w, h := float64(size[0]), float64(size[1])
				if shown.X0 < 0 || shown.Y0 < 0 || shown.X1 > w || shown.Y1 > h {
					t.Errorf("%v, legend at %+v: the map at %+v is cut", size, at, shown)
				}
				p := &pen.Image{Dst: image.NewRGBA(image.Rect(0, 0, 1, 1)), Fonts: o.Fonts, Points: o.Scale}
				over, ok := names.Lay(p, w, h, at)
				if under := over.Box.Overlaps(shown); !ok || under && at.Room != legend.RoomNever {
					t.Errorf("%v, legend at %+v: the map at %+v, the legend at %+v", size, at, shown, over.Box)
				}
			}
		}
	}
}

// One of the shape of its view shows what the view shows, whatever its size.
func TestAPictureOfTheShapeOfItsViewIsNotFittedAnew(t *testing.T) {
	for _, k := range []float64{0.5, 1, 3} {
		cam := camera.NewFlat(int(600*k), int(400*k))
		cam.Scale, cam.Centre = 17, camera.Vec{X: 2, Y: 3}
		was := *cam
		o := PictureOptions{Width: int(600*k) + 1, Height: int(400 * k), Scale: 2 * k, Fonts: text.Builtin(),
			Fitted: &Fitted{Box: camera.Bounds{Max: camera.Vec{X: 1, Y: 1}}, Width: 600, Height: 400, Scale: 2}}
		if o.refit(cam, false); *cam != was {
			t.Errorf("%g times as large it shows %+v, not %+v", k, *cam, was)
		}
		o.Scale *= 1.5
		if o.refit(cam, false); *cam == was {
			t.Error("with larger letters it makes no room for them")
		}
	}
}
