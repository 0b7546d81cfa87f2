package view_test

import (
	"bytes"
	"image"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/density"
	"blossom/model/maps/selection"
	"blossom/render"
	"blossom/render/scene"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// drawAs has the active view draw its points in a way, coloured by a column.
func drawAs(s *stand.Window, d *uitest.Driver, column string, how parts.Drawing) {
	uitest.Do(func() {
		s.Desk.ColourBy(column)
		s.Desk.SetLook("Draw", func(l *parts.Look) { l.Drawing = how })
	})
	s.Rest(d)
}

// bothPictures are the points of the active view as the window has drawn them, and as a file has them.
func bothPictures(t *testing.T, s *stand.Window) (window, file *image.RGBA) {
	t.Helper()
	uitest.Do(func() {
		v := s.Desk.Stage.Scatter()
		window = v.Image()
		o, err := v.Picture(scene.Options{Width: window.Rect.Dx(), Height: window.Rect.Dy(),
			Scale: float64(s.Desk.Stage.Scene.Scale) * v.Eye.Ratio})
		if err == nil {
			o.Fitted = nil
			file, err = s.Desk.Stage.Scene.Renderer.Picture(o)
		}
		if err != nil {
			t.Error(err)
		}
	})
	return window, file
}

// Cells of a window are those of a file, pixel by pixel, whatever they show; points that are not selected stand back,
// and a landmark that moves takes its cells along.
func TestCellsAreTheSameInAFile(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:6000", W: 700, H: 560})
	uitest.Do(func() {
		s.Desk.Show(func(v *parts.View) { v.Landmarks, v.Legend, v.Axes, v.NoWords = false, false, false, true })
	})
	var before *image.RGBA
	check := func(name string) *image.RGBA {
		t.Helper()
		window, file := bothPictures(t, s)
		if file == nil || window.Rect != file.Rect || !bytes.Equal(window.Pix, file.Pix) {
			t.Errorf("%s: a file has other pixels", name)
		}
		if before != nil && bytes.Equal(before.Pix, window.Pix) {
			t.Errorf("%s: it looks as before", name)
		}
		before = window
		d.Shoot("cells-" + name)
		return window
	}
	for _, mode := range []string{"density", "hexagons"} {
		for _, scale := range density.Scales {
			drawAs(s, d, "", parts.Drawing{Draw: mode, Counts: scale, Cell: 7})
			check(mode + "-" + scale.Word())
		}
	}
	drawAs(s, d, "BUV563-A", parts.Drawing{Draw: "hexagons"})
	check("means")
	drawAs(s, d, "population", parts.Drawing{Draw: "hexagons", Cell: 12})
	check("commonest")
	drawAs(s, d, "population", parts.Drawing{Draw: "density", Cell: 2, Smooth: 4, Show: parts.ShowShare + "CD4 naive"})
	check("share")
	drawAs(s, d, "BUV563-A", parts.Drawing{Draw: "hexagons", Cell: 12, Show: parts.ShowMedian})
	check("medians")
	drawAs(s, d, "", parts.Drawing{Draw: "density", Cell: 1, Smooth: 3})
	check("smoothed")
	uitest.Do(func() {
		s.Desk.Doc.Do("Select", func(at *state.State) {
			bits := make([]uint64, (s.Desk.Doc.Data.Points+63)/64)
			for i := range bits[:len(bits)/3] {
				bits[i] = ^uint64(0)
			}
			parts.Select(at, selection.FromBits(s.Desk.Doc.Data.Points, bits))
		})
	})
	s.Rest(d)
	check("selected")
	uitest.Do(func() {
		s.Desk.Doc.Do("Move", func(at *state.State) {
			set, err := parts.Landmarks.Of(*at).Move([]int{0, 1, 2, 3}, []float32{2, 3})
			if err != nil {
				t.Error(err)
			}
			parts.Landmarks.Put(at, set)
		})
	})
	s.Rest(d)
	check("moved")
}

// The legend of cells says how many points the fullest has; that of a column, that cells show its mean, and a key says
// what their opacity means.
func TestTheLegendSaysWhatCellsAre(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:6000", W: 900, H: 640})
	picture := func() (o render.PictureOptions) { return pictured(t, s) }
	drawAs(s, d, "", parts.Drawing{Draw: "hexagons", Counts: density.Linear, Cell: 400})
	l := picture().Legend
	if l == nil || l.Title != "points per hexagon" || l.Subtitle != "linear" || len(l.Numbers) < 2 {
		t.Fatalf("%+v", l)
	}
	d.Shoot("cells-legend-counts")
	drawAs(s, d, "BUV563-A", parts.Drawing{Draw: "density", Cell: 3})
	o := picture()
	if o.Legend == nil || o.Legend.Subtitle != "mean per square, BUV563-A, asinh/150" || o.Legend.OfCells {
		t.Errorf("%+v", o.Legend)
	}
	if len(o.Keys) == 0 || o.Keys[len(o.Keys)-1].Title != "opacity: points per square, log" ||
		o.Keys[len(o.Keys)-1].Ends[0] != "1" {
		t.Errorf("%+v", o.Keys)
	}
	d.Shoot("cells-legend-means")
}
