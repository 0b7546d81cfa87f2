package documents

import (
	"bytes"
	"encoding/json"
	"image"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/maps/selection"
	"blossom/render/camera"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	_ "blossom/ui/view/heat"
	"blossom/ui/widget"
)

// A session brings back views, how they lie, cameras, looks, selection, and so the very same pictures.
func TestViewsComeBackWithASession(t *testing.T) {
	state := t.TempDir()
	a, d := enter(t, 928, 745, Options{StateDir: state}, "demo:cytometry:4000")
	opened(t, a, d)
	stand.FourViews(a.Desk(), d)
	rest(t, a, d)
	uitest.Do(func() {
		views := a.Desk().Stage.Scatters()
		views[0].View.ColourBy("population")
		views[3].View.ColourBy(a.Desk().Doc.Data.Columns[a.Desk().Table().Cols[2]].Name)
	})
	for i, v := range a.Desk().Stage.Scatters() {
		c := v.Rect().Center()
		d.Wheel(c.X+20, c.Y, float32(1+i))
		if v.Eye.Solid() {
			d.Drag(c.X, c.Y, c.X+90, c.Y+30, 4)
		}
	}
	x, y := stand.Header(d, a.Desk().Stage.Scatters()[0])
	r := a.Desk().Stage.Scatters()[1].View.Area()
	d.Drag(x, y, r.Center().X, r.Center().Y, 4)
	d.Keys("4")
	c := a.Desk().Stage.Scatters()[2].Rect().Center()
	d.Drag(c.X-60, c.Y-40, c.X+60, c.Y-40, 3)
	d.Press(shell.Left)
	for _, p := range [][2]float32{{60, 60}, {-50, 50}, {-60, -20}} {
		d.Move(c.X+p[0], c.Y+p[1])
	}
	d.Release(shell.Left)
	if a.Desk().Stage.Selected().Empty() {
		t.Fatal("nothing is selected")
	}
	d.Keys("1")
	rest(t, a, d)
	d.Keys("Ctrl+S")
	d.Frames(3)
	name := filepath.Join(t.TempDir(), "four.blossom")
	d.Keys("Ctrl+A")
	d.Type(name)
	d.Keys("Enter")
	d.Wait("the session is written", 10*time.Second, func() bool { return exists(name) })
	rest(t, a, d)
	type shown struct {
		place    camera.Place
		area     widget.Rect
		look     parts.Look
		coloured string
		picture  *image.RGBA
	}
	look := func(a *room) (out []shown) {
		uitest.Do(func() {
			for _, v := range a.Desk().Stage.Scatters() {
				out = append(out, shown{v.Eye.Cam.Place(), v.View.Area(), v.View.Look(), v.Colours.Column, v.Image()})
			}
		})
		return out
	}
	// still is what is shown once it stays as it is: beside others a frame may be late.
	still := func(a *room, d *uitest.Driver) (out []shown) {
		out = look(a)
		for range 50 {
			d.Frames(5)
			was := out
			if out = look(a); slices.EqualFunc(was, out, func(x, y shown) bool {
				return uitest.Differing(x.picture, y.picture) == 0
			}) {
				break
			}
		}
		return out
	}
	want, views, chosen := still(a, d), parts.Views.Of(a.Desk().Doc.State()), a.Desk().Stage.Selected()
	d.End()

	b, e := enter(t, 928, 745, Options{StateDir: state}, name)
	opened(t, b, e)
	now := parts.Views.Of(b.Desk().Doc.State())
	if compact(now.Layout) != compact(views.Layout) || now.Active != views.Active ||
		!slices.EqualFunc(now.Views, views.Views, func(x, y parts.View) bool {
			return x.ID == y.ID && x.Recipe.Equal(y.Recipe) && x.Axes == y.Axes && x.Camera.Set() == y.Camera.Set()
		}) {
		t.Fatalf("other views came back:\n%+v\n%+v", views, now)
	}
	if !selection.Equal(chosen, b.Desk().Stage.Selected()) {
		t.Fatalf("%d points were selected, %d came back", chosen.Count(), b.Desk().Stage.Selected().Count())
	}
	got := still(b, e)
	if len(got) != len(want) {
		t.Fatalf("%d views", len(got))
	}
	for i, g := range got {
		w := want[i]
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)) }
		if g.area != w.area || g.look != w.look || g.coloured != w.coloured || !near(g.place.Span, w.place.Span) ||
			!near(g.place.Centre.X, w.place.Centre.X) || !near(g.place.Centre.Z, w.place.Centre.Z) {
			t.Errorf("view %d: %+v, it was %+v", i+1, g.place, w.place)
		}
		if n := uitest.Differing(g.picture, w.picture); n > 20 { // rounding of cameras may cross a pixel's middle
			t.Errorf("view %d: %d pixels differ", i+1, n)
		}
	}
}

func compact(text []byte) string {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		return err.Error()
	}
	return b.String()
}

// A view that shows a heat map of landmarks shows it again, as it was zoomed and scaled.
func TestHeatMapIsKeptInTheSession(t *testing.T) {
	a, d := enter(t, 1280, 800, Options{}, "demo:cytometry:800")
	opened(t, a, d)
	uitest.Do(func() {
		a.Desk().Stage.Split(a.Desk().Stage.Active())
		a.Desk().Stage.ShowKind(a.Desk().Stage.Active(), "heat")
	})
	rest(t, a, d)
	v := a.Desk().Stage.Active()
	r := v.Area()
	d.Wheel(r.X0+0.6*r.W(), r.Y0+0.5*r.H(), 6)
	d.ClickOn("view2/colour")
	d.Frames(3)
	d.ClickOn("Scale all columns alike")
	d.Frames(3)
	path := filepath.Join(t.TempDir(), "heat.blossom")
	uitest.Do(func() { a.docs.Saving.SessionTo(path) })
	d.Wait("it is written", 20*time.Second, func() bool { return exists(path) && a.Jobs.Idle() })
	kept := string(v.State().Settings)
	d.End()
	b, e := enter(t, 1280, 800, Options{}, path)
	opened(t, b, e)
	rest(t, b, e)
	var got struct {
		Common    bool
		Top, Span float64
	}
	all := b.Desk().Stage.Views()
	if len(all) != 2 || all[0].Scatter() == nil || all[1].Scatter() != nil || string(all[1].State().Settings) != kept {
		t.Fatalf("%d views, settings %s, not %s", len(all), all[len(all)-1].State().Settings, kept)
	}
	if err := json.Unmarshal([]byte(kept), &got); err != nil || !got.Common || !(got.Span > 0) || !(got.Top > 0) {
		t.Errorf("%s keeps %+v", kept, got)
	}
	e.ClickOn("view2/embedding")
	e.Frames(3)
	e.ClickOn("PCA 2D")
	rest(t, b, e)
	if p := b.Desk().Stage.Active().Scatter(); p == nil || p.Field().Kind().ID != "pca" {
		t.Error("the view cannot be one of points again")
	}
}
