package ui

import (
	"math"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/ui/orders"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
)

// fourViews shows the map, its principal components, two columns, and components in 3D.
func fourViews(a *App, d *uitest.Driver, t testing.TB) {
	t.Helper()
	stand.FourViews(a.desk, d)
	rest(t, a, d)
}

// A map in three dimensions: landmarks are made, trained, turned, dragged in the plane of the screen, and undone.
func TestAMapInThreeDimensions(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:1000"}})
	opened(t, a, d)
	uitest.Do(func() {
		a.desk.Start.SetSolid(true)
		orders.NewLandmarks(a.desk)
	})
	d.Wait("a map of three dimensions", 60*time.Second, func() bool {
		return parts.Landmarks.Of(a.desk.Doc.State()).Pos.Cols == 3
	})
	rest(t, a, d)
	if v := a.active(); !v.Eye.Solid() || v.Points().Dims() != 3 || v.Field().Err() != nil {
		t.Fatalf("the view is not solid: %v", v.Field().Err())
	}
	d.Shoot("map3d")
	var x, y float32
	id := 0
	uitest.Do(func() { // a landmark that nothing hides
		l := parts.Landmarks.Of(a.desk.Doc.State())
		best := -1.0
		for i := range l.Len() {
			if sx, sy, ok := a.active().Eye.Screen(stand.World(l.Pos.Row(i))); ok && sx > best {
				best, id, x, y = sx, i, float32(sx), float32(sy)
			}
		}
		a.setTool(view.ToolByID("landmarks"))
	})
	d.Frames(2)
	d.Drag(x, y, x-60, y+40, 6)
	d.Frames(3)
	uitest.Do(func() {
		l := parts.Landmarks.Of(a.desk.Doc.State())
		sx, sy, _ := a.active().Eye.Screen(stand.World(l.Pos.Row(id)))
		if math.Hypot(sx-float64(x-60), sy-float64(y+40)) > 0.5 || !l.ByHand {
			t.Errorf("the landmark is at %g, %g and the hand at %g, %g", sx, sy, x-60, y+40)
		}
	})
	before := parts.Landmarks.Of(a.desk.Doc.State())
	uitest.Do(func() { a.setTool(view.ToolByID("navigate")) })
	d.Drag(500, 700, 700, 720, 6) // on nothing: turns
	rest(t, a, d)
	if parts.Landmarks.Of(a.desk.Doc.State()) != before {
		t.Error("turning has changed the landmarks")
	}
	d.Shoot("map3d-turned")
	for a.desk.Doc.History().CanUndo() != "" {
		uitest.Do(func() { commandByID("undo").Run(a) })
	}
	rest(t, a, d)
	if v := a.active(); v.Eye.Solid() || v.Points().Dims() != 2 {
		t.Error("undo does not bring the flat map back")
	}
	uitest.Do(func() { commandByID("redo").Run(a) })
	for a.desk.Doc.History().CanRedo() != "" {
		uitest.Do(func() { commandByID("redo").Run(a) })
	}
	rest(t, a, d)
	if !a.active().Eye.Solid() {
		t.Error("redo does not bring the map of three dimensions back")
	}
}
