package view

import (
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/render"
	"blossom/render/camera"
	"blossom/render/palette"
	"blossom/ui/widget"
)

// Over draws what lies over the points: names of landmarks, the shape being drawn, axes, the legend.
func (v *View) Over(dl *imgui.DrawList) {
	pen, over := ink{v, dl}, v.overlay()
	over.Paint(pen)
	v.drawSelected(dl)
	v.drawGhost(dl)
	if v.scene.Hand.At == v {
		v.scene.Hand.drawShape(dl, v.scene.UI, v.Rect())
	}
	v.drawHalo(dl)
	v.drawPins(dl)
	v.drawGrip(dl, v.scene.UI)
	v.drawHover(dl)
	v.legend(&over, pen)
	over.PaintKeys(pen, v.key.Box)
	switch err := v.field.Err(); {
	case err != nil:
		v.drawProblem(err)
	case v.field.Runs() && v.field.Shown() == 0:
		if j := v.field.Run().Job; j != nil {
			v.drawMessage(jobText(j))
		}
	}
}

// overlay is what is written over the points now.
func (v *View) overlay() render.Overlay {
	o := render.Overlay{Theme: v.scene.Theme, Cam: v.Cam, Marks: v.picture.kinds, Axes: v.Axes(), Ends: v.axes.ends,
		Fold: v.key.fold}
	if v.HasLandmarks() && v.State().Names {
		l := v.scene.Map.Landmarks()
		o.Landmarks, o.Names = l.Pos, l.Names
		o.LandmarkStyle = v.landmarkStyle(v.scene.Theme, float32(v.scene.pixels()))
	}
	if v.State().Legend {
		o.Legend = v.Colours.Legend(v.Colouring())
	}
	o.Keys = v.graphKeys()
	return o
}

// Rect is the picture's place for widgets.
func (v *View) Rect() widget.Rect { return widget.Rect(v.Box) }

// place is a row of positions as a point of the world.
func place(row []float32) camera.Vec {
	p := camera.Vec{X: float64(row[0]), Y: float64(row[1])}
	if len(row) > 2 {
		p.Z = float64(row[2])
	}
	return p
}

// Gradient is a colouring as a strip of colours.
func Gradient(c palette.Colouring) []widget.Color {
	if c.Palette == nil {
		return []widget.Color{Ink(c.Flat), Ink(c.Flat)}
	}
	return Strip(c.Palette, c.Reversed, 96)
}

// drawProblem says in the middle of the view why there are no points.
func (v *View) drawProblem(err error) { v.drawMessage(problemText(err)) }

// drawMessage says something in the middle of the view.
func (v *View) drawMessage(text string) {
	u, t, c := v.scene.UI, v.scene.UI.Theme(), v.Rect()
	dl, width := imgui.WindowDrawList(), min(u.Pt(360), c.W()-u.Pt(40))
	y, line := c.Y0+c.H()*0.4, ""
	put := func() {
		u.DrawText(dl, widget.Body, c.X0+(c.W()-u.Width(widget.Body, line))/2, y, t.Muted, line)
		y += u.Pt(20)
	}
	for word := range strings.FieldsSeq(text) {
		if next := strings.TrimSpace(line + " " + word); line == "" || u.Width(widget.Body, next) <= width {
			line = next
			continue
		}
		put()
		line = word
	}
	put()
}
