package uitest

import (
	"image"
	"math"
	"path/filepath"

	"blossom/ui/widget"
)

// ofComponent is the limit of a component: less than a digit that is another. A picture of a component holds nothing
// else, so what differs is the component; the corners of some letters may, by a little.
var ofComponent = limit{pixels: 3, channel: 40}

// corner is the largest radius of rounded corners, in points, and a pixel of their soft edge.
const corner = 11

// Picture compares a component (a dialog, a panel, a menu) with testdata/golden/GOLDEN.png. It is cut out of the last
// frame by the name of a control or an area, so that the picture depends on nothing beside it: no map, no status bar,
// no message. The corners are left out, where the ground shows behind round ones.
func (d *Driver) Picture(golden, name string) {
	d.t.Helper()
	d.PictureOf(golden, d.Rect(name))
}

// PictureOf is Picture of a region of the window, in screen units.
func (d *Driver) PictureOf(golden string, r widget.Rect) {
	d.t.Helper()
	var pixel, scale float32
	Do(func() { pixel, scale = d.h.Context().FramebufferScale(), d.h.Context().Scale() })
	box := image.Rect(int(math.Ceil(float64(r.X0*pixel))), int(math.Ceil(float64(r.Y0*pixel))),
		int(math.Floor(float64(r.X1*pixel))), int(math.Floor(float64(r.Y1*pixel))))
	shot := d.Screenshot()
	if box.Empty() || !box.In(shot.Bounds()) {
		d.t.Errorf("%s: %v is no part of the window %v", golden, box, shot.Bounds())
		return
	}
	got := component(shot, box, float64(corner*scale*pixel))
	if err := compareGolden(filepath.Join(packageDir, "testdata", "golden", golden), got, ofComponent,
		*update); err != nil {
		d.t.Error(err)
	}
}

// component is a copy of a region of a picture, without what lies outside its rounded corners.
func component(shot *image.RGBA, box image.Rectangle, radius float64) *image.RGBA {
	w, h := box.Dx(), box.Dy()
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			dx := max(radius-float64(x), radius-float64(w-1-x), 0)
			dy := max(radius-float64(y), radius-float64(h-1-y), 0)
			if math.Hypot(dx, dy) < radius || dx == 0 || dy == 0 {
				out.SetRGBA(x, y, shot.RGBAAt(box.Min.X+x, box.Min.Y+y))
			}
		}
	}
	return out
}
