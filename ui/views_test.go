package ui

import (
	"math"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/work/embedding"
	"blossom/render/camera"
	"blossom/ui/uitest"
	"blossom/ui/view"
)

// fourViews shows the map, its principal components, two columns, and components in 3D.
func fourViews(a *App, d *uitest.Driver, t testing.TB) {
	t.Helper()
	var two embedding.Recipe
	uitest.Do(func() {
		in := a.desk.Table().Cols
		two = embedding.Columns(a.desk.Doc.Data.Columns[in[0]].Name, a.desk.Doc.Data.Columns[in[1]].Name)
		for i := range a.desk.Doc.Data.Columns { // as people look at a blood sample
			switch c := a.desk.Doc.Data.Columns[i]; c.Short() {
			case "CD4":
				two.Columns[0] = c.Name
			case "CD8":
				two.Columns[1] = c.Name
			}
		}
	})
	for _, r := range []embedding.Recipe{embedding.PCA(2), two, embedding.PCA(3)} {
		uitest.Do(func() {
			a.desk.Stage.Split(a.active().View)
			a.desk.Stage.SetEmbedding(a.active().View, r)
		})
		d.Frames(3)
	}
	rest(t, a, d)
}

func TestFourViews(t *testing.T) {
	a, d := begin(t, 1400, 880, 1, Options{Paths: []string{"demo:cytometry:3000"}})
	opened(t, a, d)
	d.Shoot("one")
	fourViews(a, d, t)
	uitest.Do(func() {
		for _, v := range a.desk.Stage.Scatters() {
			v.View.ColourBy("population")
		}
	})
	rest(t, a, d)
	d.Shoot("four")
	uitest.Do(func() { a.setTool(view.ToolByID("select")) })
	d.Frames(5)
	d.Shoot("select")
}

// A map in three dimensions: landmarks are made, trained, turned, dragged in the plane of the screen, and undone.
func TestAMapInThreeDimensions(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:1000"}})
	opened(t, a, d)
	uitest.Do(func() {
		a.desk.Start.SetSolid(true)
		a.newLandmarks()
	})
	d.Wait("a map of three dimensions", 60*time.Second, func() bool {
		return parts.Landmarks.Of(a.desk.Doc.State()).Pos.Cols == 3
	})
	rest(t, a, d)
	if v := a.active(); !v.Solid() || v.Points().Dims() != 3 || v.Field().Err() != nil {
		t.Fatalf("the view is not solid: %v", v.Field().Err())
	}
	d.Shoot("map3d")
	var x, y float32
	id := 0
	uitest.Do(func() { // a landmark that nothing hides
		l := parts.Landmarks.Of(a.desk.Doc.State())
		best := -1.0
		for i := range l.Len() {
			if sx, sy, ok := a.active().Screen(vecOf(l.Pos.Row(i))); ok && sx > best {
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
		sx, sy, _ := a.active().Screen(vecOf(l.Pos.Row(id)))
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
		uitest.Do(a.undo)
	}
	rest(t, a, d)
	if v := a.active(); v.Solid() || v.Points().Dims() != 2 {
		t.Error("undo does not bring the flat map back")
	}
	uitest.Do(a.redo)
	for a.desk.Doc.History().CanRedo() != "" {
		uitest.Do(a.redo)
	}
	rest(t, a, d)
	if !a.active().Solid() {
		t.Error("redo does not bring the map of three dimensions back")
	}
}

func vecOf(row []float32) camera.Vec {
	p := camera.Vec{X: float64(row[0]), Y: float64(row[1])}
	if len(row) > 2 {
		p.Z = float64(row[2])
	}
	return p
}

// A torus knot as three columns.
func TestAKnot(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:torus-knot:4000"}})
	opened(t, a, d)
	uitest.Do(func() {
		data := a.desk.Doc.Data
		a.desk.Stage.SetEmbedding(a.active().View, embedding.Columns(data.Columns[0].Name, data.Columns[1].Name,
			data.Columns[2].Name))
	})
	rest(t, a, d)
	d.Sleep(time.Second)
	rest(t, a, d)
	d.Shoot("knot")
}

// A view that is split off fits by itself, as the one beside it, until it is moved; and so it does when its
// embedding changes to three dimensions.
func TestASplitViewFits(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:3000"}})
	opened(t, a, d)
	fits := func(what string) {
		t.Helper()
		rest(t, a, d)
		uitest.Do(func() {
			v := a.active()
			b, ok := v.Extent()
			if !ok || v.Moved {
				t.Errorf("%s: extent %v, moved %v", what, ok, v.Moved)
				return
			}
			for i := range 8 {
				p := b.Min
				if i&1 != 0 {
					p.X = b.Max.X
				}
				if i&2 != 0 {
					p.Y = b.Max.Y
				}
				if i&4 != 0 {
					p.Z = b.Max.Z
				}
				if x, y, ok := v.Screen(p); !ok || !v.Contains(x, y) {
					t.Errorf("%s: the corner %v is at %g, %g, out of the picture %v", what, p, x, y, v.Box)
				}
			}
		})
	}
	for range 2 {
		uitest.Do(func() { a.desk.Stage.Split(a.active().View) })
		d.Frames(3)
		fits("split off")
	}
	uitest.Do(func() { a.desk.Stage.SetEmbedding(a.active().View, embedding.PCA(3)) })
	d.Frames(3)
	fits("in three dimensions")
}
