package view_test

import (
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
	"blossom/render"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// Points of a sample are as large and as opaque as so few points are, not as all those that are not drawn.
func TestASampleIsDrawnAsItsOwnNumberOfPoints(t *testing.T) {
	const points = 150
	s, d := begin(t, stand.Options{Data: "demo:tesseract:3000", W: 1200, H: 800})
	uitest.Do(func() {
		s.Desk.Doc.Do("Points", func(at *state.State) {
			parts.Runs.Put(at, parts.Runs.Of(*at).Edit(embedding.TSNE(2), func(c *parts.RunChoice) {
				c.Values["points"], c.Values["total"] = points, 60
			}))
		})
		s.Desk.ShowBeside(embedding.TSNE(2))
	})
	s.Rest(d)
	uitest.Do(func() {
		v := s.Desk.Stage.Scatter()
		if e := v.Field(); e.Kind().ID != "tsne" || e.Shown() != 3000 || e.Placed() != points {
			t.Fatalf("%d of %d points have a place", e.Placed(), e.Shown())
		}
		w, h := v.Eye.Cam.Viewport()
		all, faint := render.AutoStyle(3000, w, h, 1, 0)
		if size, opacity := v.Drawn(); size < 1.4*float64(all) || opacity < float64(faint) {
			t.Errorf("points are %.2f large and %.2f opaque, all would be %.2f and %.2f", size, opacity, all, faint)
		}
	})
	d.Shoot("sample")
}
