package stand

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/document/parts"
	"blossom/model/work/embedding"
	"blossom/render/camera"
	"blossom/ui/desk"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// The functions here find and do things in the views of a desk as a hand would, in this window or in the program's.

// FourViews shows the map, its principal components, two columns, and components in 3D.
func FourViews(at *desk.Desk, d *uitest.Driver) {
	in, data := at.Table().Cols, at.Doc.Data
	two := embedding.Columns(data.Columns[in[0]].Name, data.Columns[in[1]].Name)
	for i := range data.Columns { // as people look at a blood sample
		switch c := &data.Columns[i]; c.Short() {
		case "CD4":
			two.Columns[0] = c.Name
		case "CD8":
			two.Columns[1] = c.Name
		}
	}
	for _, r := range []embedding.Recipe{embedding.PCA(2), two, embedding.PCA(3)} {
		uitest.Do(func() {
			at.Stage.Split(at.Stage.Active())
			at.Stage.SetEmbedding(at.Stage.Active(), r)
		})
		d.Frames(3)
	}
}

// World is the place of a row of positions.
func World(row []float32) camera.Vec {
	p := camera.Vec{X: float64(row[0]), Y: float64(row[1])}
	if len(row) > 2 {
		p.Z = float64(row[2])
	}
	return p
}

// Spot is the place of a point of the map in a view, on the screen.
func Spot(v *view.Scatter, i int) (x, y float64, ok bool) {
	dims := v.Points().Dims()
	return v.Eye.Screen(World(v.Points().Host()[i*dims : (i+1)*dims]))
}

// Header is a place on the header of a view that is not a button.
func Header(d *uitest.Driver, v *view.Scatter) (x, y float32) {
	r := d.Rect("view" + v.View.ID.Key() + "/colour")
	return r.X1 + 8, r.Center().Y
}

// MarkAt is where a landmark is on the screen, in the active view.
func MarkAt(at *desk.Desk, id int) (x, y float32) {
	uitest.Do(func() {
		sx, sy, _ := at.Stage.Scatter().Eye.Screen(World(parts.Landmarks.Of(at.Doc.State()).Pos.Row(id)))
		x, y = float32(sx), float32(sy)
	})
	return x, y
}

// Visible is a point that every view shows where nothing lies over it, and -1 if there is none.
func Visible(at *desk.Desk) (found int) {
	found = -1
	uitest.Do(func() {
	points:
		for i := range at.Table().X.Rows {
			for _, v := range at.Stage.Scatters() {
				x, y, ok := Spot(v, i)
				r := v.Rect()
				in := widget.Rect{X0: r.X0 + r.W()*0.35, Y0: r.Y0 + 20, X1: r.X1 - 20, Y1: r.Y1 - 60}
				if !ok || !in.Has(imgui.Vec2{X: float32(x), Y: float32(y)}) {
					continue points
				}
			}
			found = i
			return
		}
	})
	return found
}

// Canvas is the picture of the active view.
func Canvas(at *desk.Desk) (r widget.Rect) {
	uitest.Do(func() { r = at.Stage.Scatter().Rect() })
	return r
}

// Strokes drags the mouse along a path of parts of the picture, 0 to 1 from the left and from the top.
func Strokes(at *desk.Desk, d *uitest.Driver, path ...[2]float64) {
	r := Canvas(at)
	place := func(p [2]float64) (x, y float32) { return r.X0 + r.W()*float32(p[0]), r.Y0 + r.H()*float32(p[1]) }
	d.Move(place(path[0]))
	d.Frames(1)
	d.Press(shell.Left)
	for i, p := range path[1:] {
		for f := 1; f <= 4; f++ {
			q := path[i]
			s := float64(f) / 4
			d.Move(place([2]float64{q[0] + s*(p[0]-q[0]), q[1] + s*(p[1]-q[1])}))
		}
	}
	d.Release(shell.Left)
	d.Frames(2)
}

// Drawing is the shape that is being drawn, as it is now.
func Drawing(at *desk.Desk) *view.Drawing {
	var now view.Drawing
	uitest.Do(func() { now = at.Stage.Hand().Draw })
	return &now
}
