package scene

import (
	"cmp"
	"context"
	"image"

	"blossom/model/base/problem"
	"blossom/model/maps/pyramid"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/colour"
	"blossom/render/legend"
	"blossom/render/splat/tally"
)

// Whole is all rows that the points of a flat map are a sample of. Methods of nil are of a map that is no sample.
type Whole struct {
	Rows    int64
	Density *pyramid.Pyramid // how many of them lie where
	Beneath bool             // they stand beneath points that they could stand in the place of, too
	Faded   bool             // the points have moved on since they were counted
	Of      string           // SavedLandmarks or SavedMap, where they have
}

// Words for that by which all rows were placed, where there is another one by now.
const (
	SavedLandmarks = "the saved landmarks"
	SavedMap       = "the saved map"
)

// SampleNote says of how many rows so many points are a sample, and what the density behind these is of:
// SavedLandmarks, SavedMap or, "", all rows as they are.
func SampleNote(points int, rows int64, of string) string {
	return problem.Grouped(int64(points)) + " of " + problem.Grouped(rows) + " points; density is of " +
		cmp.Or(of, "all")
}

// alone says whether all rows stand in the place of points of such colours.
func (w *Whole) alone(v *colour.Values) bool { return w != nil && !w.Beneath && !w.Faded && v == nil }

// put puts all rows behind the points of a picture that fits its map by itself, or in their place: in the cells that
// suit what is fitted.
func (w *Whole) put(ctx context.Context, o *render.PictureOptions, s Scene, how Options) error {
	if w == nil || s.Points.Dims() != 2 {
		return nil
	}
	box := s.Box
	if box == nil {
		if b, ok := camera.BoundsOf(s.Points.Host(), 2); ok {
			box = &b
		}
	}
	if box == nil {
		return nil // no point has a place
	}
	cam, frame := camera.NewFlat(how.Width, how.Height), w.Density.Frame
	cam.Fit(*box, camera.Margins{})
	region, err := w.Density.Read(ctx, Seen(frame, w.Density.Inside, cam.Projection()))
	if err != nil {
		return err
	}
	alone := w.alone(s.Colours)
	rows := AllRowsOf(frame, region, s.Look, how.Dark, !alone, w.Faded)
	o.Backdrop = func(p camera.Projection) *image.RGBA {
		now := *rows
		if r, err := w.Density.Read(ctx, SeenIn(frame, p, region.Side)); err == nil { // else it has the fitted part
			now.Region = r
		}
		return now.Backdrop(p)
	}
	if alone {
		o.Bare, o.Style.Tally, o.Legend = true, tally.Settings{}, nil
		if how.Legend.Shown {
			o.Legend = &legend.Legend{Title: "points per square", Subtitle: rows.Scale.Word() + ", of all rows",
				Colouring: countsOf(s.Look, how.Dark), Numbers: tally.Marks(rows.levels)}
		}
	}
	text := SampleNote(s.Points.Len(), w.Rows, w.Of)
	if o.Note != "" {
		text = o.Note + " · " + text
	}
	o.Note = text
	return nil
}
