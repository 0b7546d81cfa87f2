package render

import (
	"image"
	"math"

	"blossom/render/camera"
	"blossom/render/pen"
)

// FitMargin is the room in points that a map leaves at the sides of a view that it is fitted into.
const FitMargin = 36

// FitMargins returns that room for a view of w x h pixels, of which there are scale to a point: less in a small one.
func FitMargins(w, h, scale float64) camera.Margins {
	return camera.Even(min(FitMargin*scale, 0.06*min(w, h)+4))
}

// Fitted is the box that the camera of a view shows all of by itself, and the size of that view, of which there are
// Scale pixels to a point.
type Fitted struct {
	Box           camera.Bounds
	Width, Height int
	Scale         float64
}

// shapes says whether a picture has the shape of the view, its lengths as large in it as they are there.
func (f *Fitted) shapes(o *PictureOptions) bool {
	k := o.Scale / f.Scale
	near := func(a, b int) bool { return math.Abs(float64(a)-k*float64(b)) <= 2 }
	return near(o.Width, f.Width) && near(o.Height, f.Height)
}

// refit fits what the camera of a view shows into a picture of another shape, beside the legend as it lies there, or
// into the room that a legend apart leaves; and into that which is left by names of axes that stand apart.
func (o *PictureOptions) refit(cam camera.Camera, apart bool) {
	titles := o.AxesApart && len(o.Axes) == 2
	if o.Fitted == nil || !apart && !titles && o.Fitted.shapes(o) {
		return
	}
	pixels, high := cam.Viewport()
	w, h := float64(pixels), float64(high)
	m := FitMargins(w, h, o.Scale)
	if apart {
		cam.Fit(o.Fitted.Box, m)
		return
	}
	p := &pen.Image{Dst: image.NewRGBA(image.Rect(0, 0, 1, 1)), Fonts: o.Fonts, Points: o.Scale}
	if over, ok := o.Legend.Lay(p, w, h, o.LegendAt); ok {
		m = m.Plus(o.LegendAt.Room.Aside(over.Large(), over.Box, w, h, o.Fitted.Box, nil))
	}
	cam.Fit(o.Fitted.Box, m)
}
