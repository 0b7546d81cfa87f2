package ui

import (
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/work/embedding"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
	"blossom/ui/widget"

	"github.com/AllenDang/cimgui-go/imgui"
)

// four shows four views of a blood sample by population, with a lasso around some cells and the mouse over one.
func four(t *testing.T, a *App, d *uitest.Driver) {
	t.Helper()
	short := map[string]string{}
	for i := range a.desk.Doc.Data.Columns {
		c := &a.desk.Doc.Data.Columns[i]
		short[c.Short()] = c.Name
	}
	split := func(v *view.Scatter, r embedding.Recipe) {
		uitest.Do(func() {
			a.desk.Stage.Split(v.View)
			a.desk.Stage.SetEmbedding(a.active().View, r)
		})
		d.Frames(3)
	}
	first := a.active()
	split(first, embedding.PCA(2))
	second := a.active()
	split(first, embedding.Columns(short["CD4"], short["CD8"]))
	split(second, embedding.PCA(3))
	rest(t, a, d)
	uitest.Do(func() {
		for _, v := range a.desk.Stage.Scatters() {
			v.View.ColourBy("population")
		}
		a.desk.Stage.Activate(first.View)
		a.setTool(view.ToolByID("select"))
	})
	rest(t, a, d)
	calm(a, d)
	rest(t, a, d)
	r := first.Rect()
	at := func(fx, fy float32) (x, y float32) { return r.X0 + r.W()*fx, r.Y0 + r.H()*fy }
	d.Move(at(0.70, 0.30))
	d.Press(shell.Left)
	for _, p := range [][2]float32{{0.80, 0.26}, {0.92, 0.34}, {0.95, 0.5}, {0.86, 0.6}, {0.74, 0.55}, {0.68, 0.42}} {
		d.Move(at(p[0], p[1]))
	}
	d.Release(shell.Left)
	d.Sleep(4 * time.Second) // the chip with the number goes
	rest(t, a, d)
	// One of those that are selected, seen in all views and where the card leaves all headers to be read.
	set, order := a.desk.Stage.Selected(), a.desk.Table().Order
	found := -1
	uitest.Do(func() {
		for i := range order {
			label := first.Colours.Labels[int(first.Colours.Numbers[i])]
			ok := set.Contains(int(order[i])) && label == "CD8 naive"
			for _, v := range a.desk.Stage.Scatters() {
				x, y, seen := stand.Spot(v, i)
				b := v.Rect()
				in := widget.Rect{X0: b.X0 + b.W()*0.2, Y0: b.Y0 + b.H()*0.2, X1: b.X1 - 30, Y1: b.Y1 - 30}
				ok = ok && seen && in.Has(imgui.Vec2{X: float32(x), Y: float32(y)})
			}
			if ok {
				found = i
				return
			}
		}
	})
	if found < 0 {
		t.Fatalf("none of %d cells of the lasso is seen in all views", set.Count())
	}
	x, y, _ := stand.Spot(first, found)
	d.Move(float32(x), float32(y))
	d.Sleep(300 * time.Millisecond)
	rest(t, a, d)
	if !a.desk.Stage.Hover().On {
		t.Fatal("nothing is hovered")
	}
}

func TestPicturesOfFourViews(t *testing.T) {
	a, d := beginTraining(t, 1400, 880, 1, Options{Paths: []string{"demo:cytometry:20000"}, Theme: "light"})
	opened(t, a, d)
	four(t, a, d)
	wholeWindow(t, a, d, "views-light")
}

func TestPicturesOfAKnot(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:torus-knot:30000"}, Theme: "dark"})
	opened(t, a, d)
	uitest.Do(func() {
		a.desk.Stage.SetEmbedding(a.active().View, embedding.Columns("x", "y", "z"))
		a.desk.Show(func(v *parts.View) { v.Axes = true })
	})
	rest(t, a, d)
	wholeWindow(t, a, d, "knot-dark")
}
