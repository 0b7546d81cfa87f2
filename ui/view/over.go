package view

import (
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/render"
	"blossom/render/camera"
	"blossom/ui/widget"
)

// Over is something that lies over the points of a view, between the names with the axes below and the legend above.
// It is registered by the file that draws it.
type Over struct {
	Order int // from below
	Draw  func(v *Scatter, dl *imgui.DrawList)
	// Print adds it to a picture for a file; nil where it belongs to the hand alone.
	Print func(v *Scatter, o *render.PictureOptions)
}

var overs []Over

// RegisterOver adds something that lies over points, and returns what takes it away again, for tests.
func RegisterOver(o Over) (remove func()) {
	at := slices.IndexFunc(overs, func(x Over) bool { return x.Order > o.Order })
	if at < 0 {
		at = len(overs)
	}
	overs = slices.Insert(overs, at, o)
	return func() { overs = slices.DeleteFunc(overs, func(x Over) bool { return x.Order == o.Order }) }
}

// Over draws what lies over the points.
func (v *Scatter) Over(dl *imgui.DrawList) {
	pen, over := inkOver(dl, v.View.scene, v.Eye), v.overlay()
	v.names = v.names[:0]
	over.Paint(noting{pen, &v.names})
	for _, o := range overs {
		o.Draw(v, dl)
	}
	v.key.draw(v, &over, pen)
	over.PaintKeys(pen, v.key.Box)
	switch err := v.field.Err(); {
	case err != nil:
		v.View.scene.UI.Centred(dl, v.Rect(), problemText(err))
	case v.field.Runs() && v.field.Shown() == 0:
		if j := v.field.Stands().Job; j != nil {
			v.View.scene.UI.Centred(dl, v.Rect(), jobText(j))
		}
	}
}

// overlay is what is written over the points now.
func (v *Scatter) overlay() render.Overlay {
	o := render.Overlay{Theme: v.View.scene.Theme, Cam: v.Eye.Cam, Marks: v.picture.kinds,
		Axes: v.Axes(), Ends: v.axes.ends,
		LegendAt: v.key.place(v)}
	if v.HasLandmarks() && v.View.State().Names {
		l := v.View.scene.Map.Landmarks()
		o.Landmarks, o.Names = l.Pos, l.Names
		o.LandmarkStyle = v.picture.landmarkStyle(v, v.View.scene.Theme, float32(v.View.scene.pixels()))
	}
	if v.View.State().Legend && !v.contours.alone(v) { // lines alone have no colours to be told of
		o.Legend = v.Colours.picked.legend(v, v.Colouring())
	}
	if v.View.State().ContourLabels {
		o.Levels = v.contours.levels
	}
	o.Keys = v.graph.keys(v)
	style := v.Style()
	if v.View.State().Legend {
		if key, ok := style.Tally.Key(style.Opacity, o.Theme.Text, o.Theme.Background); ok {
			o.Keys = append(o.Keys, key)
		}
		if v.tree.of != 0 {
			o.Keys = append(o.Keys, v.tree.key)
		}
	}
	if v.View.State().Legend && v.allRows.shown != nil {
		o.Keys = append(o.Keys, v.allRows.shown.Key(o.Theme))
	}
	style.Tally.Tell(o.Legend, o.Keys, v.picture.layer.Levels())
	return o
}

// Rect is the picture's place for widgets.
func (v *Scatter) Rect() widget.Rect { return widget.Rect(v.Eye.Box) }

// place is a row of positions as a point of the world.
func place(row []float32) camera.Vec {
	p := camera.Vec{X: float64(row[0]), Y: float64(row[1])}
	if len(row) > 2 {
		p.Z = float64(row[2])
	}
	return p
}
