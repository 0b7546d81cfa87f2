package view_test

import (
	"slices"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
	"blossom/render"
	"blossom/render/scene"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// pictured is a view as a picture for a file has it.
func pictured(t *testing.T, s *stand.Window) (o render.PictureOptions) {
	t.Helper()
	uitest.Do(func() {
		var err error
		if o, err = s.Desk.Stage.Scatter().Picture(scene.Options{Width: 300, Height: 300, Scale: 1}); err != nil {
			t.Error(err)
		}
	})
	return o
}

// Contours are drawn over the points or in their place, in pictures too, and follow landmarks that are moved. Nothing
// is left of them where they are switched off, nor in 3D.
func TestContoursFollowTheMap(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:2000", W: 900, H: 700})
	show := func(c parts.Contours) render.PictureOptions {
		t.Helper()
		uitest.Do(func() { s.Desk.Show(func(v *parts.View) { v.Contours = c }) })
		s.Rest(d)
		return pictured(t, s)
	}
	drawn := func() (n int) {
		uitest.Do(func() { n = s.Desk.Stage.Scatter().PointsDrawn() })
		return n
	}
	over := show(parts.ContoursOver)
	d.Shoot("contours-over")
	if len(over.Lines.Edges) < 100 || over.Lines.Places.Cols != 2 || over.Bare || drawn() != 2000 {
		t.Errorf("%d pieces over %d points, bare: %v", len(over.Lines.Edges), drawn(), over.Bare)
	}
	alone := show(parts.ContoursAlone)
	d.Shoot("contours-alone")
	if over.Legend == nil || alone.Legend != nil {
		t.Error("points have no legend, or lines alone have one")
	}
	if len(alone.Lines.Edges) != len(over.Lines.Edges) || !alone.Bare || drawn() != 0 {
		t.Errorf("%d pieces alone, %d points, bare: %v", len(alone.Lines.Edges), drawn(), alone.Bare)
	}
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
	if moved := pictured(t, s); slices.Equal(moved.Lines.Places.Data, alone.Lines.Places.Data) {
		t.Error("the lines do not follow the points")
	}
	if none := show(parts.NoContours); len(none.Lines.Edges) > 0 || none.Bare || drawn() != 2000 {
		t.Errorf("%d pieces of contours that are off, %d points", len(none.Lines.Edges), drawn())
	}
	show(parts.ContoursOver)
	uitest.Do(func() { s.Desk.Stage.SetEmbedding(s.Desk.Stage.Active(), embedding.PCA(3)) })
	s.Rest(d)
	if deep := pictured(t, s); len(deep.Lines.Edges) > 0 {
		t.Errorf("%d pieces in 3D", len(deep.Lines.Edges))
	}
}
