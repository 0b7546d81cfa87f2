package view_test

import (
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/document/parts"
	"blossom/model/work/embedding"
	"blossom/render/camera"
	"blossom/render/scene"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
)

// byPopulation opens a blood sample whose legend is a list of many names.
func byPopulation(t *testing.T, w, h int) (*stand.Window, *uitest.Driver, *view.Scatter) {
	t.Helper()
	s, d := begin(t, stand.Options{Data: "demo:cytometry:2000", W: w, H: h})
	uitest.Do(func() { s.Desk.Stage.Scatter().View.ColourBy("population") })
	settle(s, d)
	return s, d, s.Desk.Stage.Scatter()
}

// settle waits until the map has made room for its legend.
func settle(s *stand.Window, d *uitest.Driver) {
	d.Frames(3)
	s.Rest(d)
}

// covered is how many points of a view that are in its picture lie under its legend.
func covered(v *view.Scatter) (n int) {
	uitest.Do(func() {
		p := v.Points()
		p.Sync()
		data, dims := p.Host(), p.Dims()
		for i := range p.Len() {
			at := camera.Vec{X: float64(data[i*dims]), Y: float64(data[i*dims+1])}
			if dims == 3 {
				at.Z = float64(data[i*dims+2])
			}
			x, y, ok := v.Eye.Screen(at)
			if ok && v.LegendBox.Has(imgui.Vec2{X: float32(x), Y: float32(y)}) {
				n++
			}
		}
	})
	return n
}

// A map that is fitted, or reset, lies beside the list of its names: flat and in 3D, in wide views and in narrow ones,
// wherever the list stands; and under it where that is wanted.
func TestAFittedMapLiesBesideItsLegend(t *testing.T) {
	s, d, v := byPopulation(t, 1000, 600)
	least := v.Points().Len() / 100 // the outermost points are not fitted
	for _, kind := range []embedding.Recipe{embedding.EmbedSOM(), embedding.PCA(3)} {
		uitest.Do(func() { s.Desk.Stage.SetEmbedding(v.View, kind) })
		settle(s, d)
		for _, size := range [][2]int{{1000, 600}, {640, 700}} {
			d.Resize(size[0], size[1])
			for _, at := range []parts.LegendAt{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}, {X: 0.5}} {
				uitest.Do(func() { v.View.Edit(func(p *parts.View) { p.LegendAt = at }) })
				settle(s, d)
				if n := covered(v); n > least {
					t.Errorf("%s in %v: %d points under the legend at %+v without being asked", kind.Kind, size, n, at)
				}
				uitest.Do(func() { v.Eye.ZoomAt(300, 300, 4) })
				uitest.Do(v.Reset)
				settle(s, d)
				if n := covered(v); n > least {
					t.Errorf("%s in %v: %d points under the legend at %+v after a reset", kind.Kind, size, n, at)
				}
			}
		}
	}
	uitest.Do(func() {
		v.View.Edit(func(p *parts.View) { p.LegendAt = parts.LegendAt{X: 0.5, Y: 0.5, Room: parts.LegendOver} })
	})
	settle(s, d)
	if covered(v) <= least {
		t.Error("a legend over the map takes room beside it")
	}
}

// A map stands above the bar of its colours where it stays about as large; in a small view the bar lies over it, unless
// it is to stand beside.
func TestAMapStandsAboveABarWhereItStaysAboutAsLarge(t *testing.T) {
	s, d, v := byPopulation(t, 1000, 600)
	uitest.Do(func() { v.View.ColourBy(s.Desk.Doc.Data.Columns[s.Desk.Table().Cols[0]].Name) })
	least := v.Points().Len() / 100
	for _, c := range []struct {
		w    int
		room parts.LegendRoom
		over bool
	}{{700, parts.RoomThatSuits, false}, {350, parts.RoomThatSuits, true}, {350, parts.LegendBeside, false}} {
		d.Resize(c.w, 350)
		uitest.Do(func() { v.View.Edit(func(p *parts.View) { p.LegendAt.Room = c.room }) })
		settle(s, d)
		if n := covered(v); n > least != c.over {
			t.Errorf("%d wide, room %q: %d points lie under the bar", c.w, c.room, n)
		}
	}
}

// A legend goes where its title is dragged and stays there: in the document, in a window of another size, and in
// pictures. Esc takes a move back; the map stays where it is meanwhile.
func TestALegendStaysWhereItIsPut(t *testing.T) {
	s, d, v := byPopulation(t, 1000, 600)
	title := "legend" + v.View.ID.Key() + "/title"
	at := func() (a parts.LegendAt) {
		uitest.Do(func() { a = v.View.State().LegendAt })
		return a
	}
	grip := d.Rect(title).Center()
	was, seen := v.LegendBox, v.Eye.Saved()
	d.Move(grip.X, grip.Y)
	d.Press(0)
	d.Move(grip.X+200, grip.Y-100)
	d.Move(grip.X+300, grip.Y-150)
	d.Frames(1)
	if r := v.LegendBox; r.X0 < was.X0+250 || r.Y0 > was.Y0-60 {
		t.Errorf("a drag by (300, -150) brings it from %v to %v", was, r)
	}
	if v.Eye.Saved() != seen {
		t.Error("the map moves while the legend is held")
	}
	d.Keys("Escape")
	d.Release(0)
	d.Frames(2)
	if v.LegendBox != was || at() != (parts.LegendAt{}) {
		t.Errorf("Esc leaves it at %v, %+v", v.LegendBox, at())
	}

	d.Drag(grip.X, grip.Y, grip.X+2000, grip.Y-2000, 6)
	settle(s, d)
	if a := at(); a.X != 1 || a.Y != 1 || a.Folded {
		t.Errorf("dragged into the upper right corner it is at %+v", a)
	}
	corner := func() bool {
		b, r := v.Rect(), v.LegendBox
		return r.X1 > b.X1-20 && r.X1 < b.X1 && r.Y0 < b.Y0+20 && r.Y0 > b.Y0
	}
	if !corner() {
		t.Errorf("it lies at %v of %v", v.LegendBox, v.Rect())
	}
	d.Resize(800, 500)
	settle(s, d)
	if !corner() {
		t.Errorf("in a smaller window it lies at %v of %v", v.LegendBox, v.Rect())
	}
	d.ClickOn(title)
	d.Frames(2)
	if a := at(); !a.Folded || a.X != 1 {
		t.Errorf("a click on its title makes it %+v", a)
	}
	uitest.Do(func() {
		o, err := v.Picture(scene.Options{Width: 400, Height: 300, Scale: 1, Dark: false})
		if err != nil {
			t.Error(err)
		}
		if !o.LegendAt.Folded || o.LegendAt.X != 1 || o.LegendAt.Y != 1 {
			t.Errorf("a picture has it at %+v", o.LegendAt)
		}
	})
}

// The menu of a legend says how it stands, and changes it.
func TestTheMenuOfALegend(t *testing.T) {
	s, d, v := byPopulation(t, 1000, 600)
	name := "legend" + v.View.ID.Key()
	choose := func(item string) {
		c := d.Rect(name + "/title").Center()
		d.ClickWith(1, c.X, c.Y)
		d.Frames(2)
		d.ClickOn(name + "/legend/" + item)
		settle(s, d)
	}
	choose("Over the map")
	if got := v.View.State().LegendAt.Room; got != parts.LegendOver {
		t.Errorf("room %q", got)
	}
	choose("Beside the map")
	choose("Folded")
	if a := v.View.State().LegendAt; a.Room != parts.LegendBeside || !a.Folded {
		t.Errorf("it stands %+v", a)
	}
	choose("Hide")
	if v.View.State().Legend || !v.LegendBox.Empty() {
		t.Error("it is not hidden")
	}
}

// Pictures are told what a view shows all of, for one of another shape is fitted anew; not of a place that the user has
// gone to.
func TestPicturesKnowWhatTheirViewShowsAllOf(t *testing.T) {
	_, _, v := byPopulation(t, 1000, 600)
	uitest.Do(func() {
		for _, moved := range []bool{false, true} {
			if moved {
				v.Eye.ZoomAt(300, 300, 3)
			}
			o, err := v.Picture(scene.Options{Width: 400, Height: 900, Scale: 1})
			if err != nil || (o.Fitted == nil) != moved {
				t.Errorf("moved %v: %+v, %v", moved, o.Fitted, err)
			}
		}
	})
}
