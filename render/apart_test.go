package render

import (
	"image"
	"testing"

	"blossom/render/axes"
	"blossom/render/camera"
	"blossom/render/legend"
	"blossom/render/palette"
	"blossom/render/text"
)

// A legend that stands apart from the map of a view lies beside it and its axes, as in a picture that has no view, and
// what the view is fitted to stays in sight. Where that would take half of the picture it lies over the map.
func TestALegendApartLeavesTheMapOfAViewAlone(t *testing.T) {
	names := &legend.Legend{Title: "population", Entries: []legend.Entry{{Name: "T cells", Count: 3000},
		{Name: "B cells", Count: 200}}}
	bar := &legend.Legend{Title: "CD4", Colouring: palette.Colouring{Lo: -1, Hi: 8}}
	box := camera.Bounds{Min: camera.Vec{X: -3, Y: 2}, Max: camera.Vec{X: 9, Y: 11}}
	for _, l := range []*legend.Legend{bar, names} {
		for _, a := range [][]axes.Axis{nil, {{Title: "PC 1"}, {Title: "PC 2"}}} {
			o := PictureOptions{Width: 1004, Height: 753, Scale: 2.25, Legend: l, LegendApart: true, Axes: a,
				View: camera.NewFlat(700, 600), Fonts: text.Builtin(),
				Fitted: &Fitted{Box: box, Width: 700, Height: 600, Scale: 1}}
			f := o.arrange()
			at := image.Rect(int(f.legendX*o.Scale), int(f.legendY*o.Scale), int((f.legendX+f.legendW)*o.Scale),
				int((f.legendY+f.legendH)*o.Scale))
			if !f.hasLegend || at.Overlaps(f.area) || !at.In(image.Rect(0, 0, o.Width, o.Height)) {
				t.Errorf("%s, %d axes: the legend at %v, the map at %v", l.Title, len(a), at, f.area)
			}
			cam := o.View.Framed(f.area.Dx(), f.area.Dy())
			o.refit(cam, f.hasLegend)
			x0, y0, _ := cam.ScreenFromWorld(box.Min)
			x1, y1, _ := cam.ScreenFromWorld(box.Max)
			if x0 < 0 || y1 < 0 || x1 > float64(f.area.Dx()) || y0 > float64(f.area.Dy()) {
				t.Errorf("%s, %d axes: %g, %g to %g, %g is not within %v", l.Title, len(a), x0, y1, x1, y0, f.area)
			}
			o.Width, o.Height = 220, 160
			if f = o.arrange(); f.hasLegend {
				t.Errorf("%s, %d axes: in a small picture it leaves the map %v", l.Title, len(a), f.area)
			}
		}
	}
}

// Names of axes that stand apart lie in the picture and outside of the map, and have what the view is fitted to in
// sight; a small picture keeps its room for the map.
func TestNamesOfAxesApartLeaveTheMapOfAViewAlone(t *testing.T) {
	box := camera.Bounds{Min: camera.Vec{X: -3, Y: 2}, Max: camera.Vec{X: 9, Y: 11}}
	o := PictureOptions{Width: 1004, Height: 753, Scale: 2.25, Axes: []axes.Axis{{Title: "PC 1"}, {Title: "PC 2"}},
		View: camera.NewFlat(700, 600), Fonts: text.Builtin(), Fitted: &Fitted{Box: box, Width: 446, Height: 335,
			Scale: 1}}
	within := o.arrange().area
	o.AxesApart = true
	f := o.arrange()
	if !f.titles || f.area.Min.Y < int(axes.Over*o.Scale) || within.Max.Y-f.area.Max.Y < int(axes.Under*o.Scale) {
		t.Fatalf("the map is %v, and %v with names within", f.area, within)
	}
	cam := o.View.Framed(f.area.Dx(), f.area.Dy())
	o.refit(cam, false)
	x0, y0, _ := cam.ScreenFromWorld(box.Min)
	x1, y1, _ := cam.ScreenFromWorld(box.Max)
	if x0 < 0 || y1 < 0 || x1 > float64(f.area.Dx()) || y0 > float64(f.area.Dy()) {
		t.Errorf("%g, %g to %g, %g is not within %v", x0, y1, x1, y0, f.area)
	}
	o.Width, o.Height = 220, 160
	if f = o.arrange(); f.titles {
		t.Errorf("in a small picture they leave the map %v", f.area)
	}
}
