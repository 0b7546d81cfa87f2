package view

import (
	"fmt"
	"math"

	"blossom/model/data/dataset"
	"blossom/model/live"
	"blossom/model/work/embedding"
	"blossom/render"
	"blossom/render/axes"
)

// axesOver is where the axes of a 3D box ended when it was drawn last.
type axesOver struct {
	lines []render.Segment
	ends  [3]render.AxisEnd
}

// freeAxes says whether the axes of an embedding have units of their own: it is of columns that are not all places on a
// map.
func freeAxes(m *live.Map, r embedding.Recipe) bool {
	if len(r.Columns) == 0 {
		return false
	}
	for _, name := range r.Columns {
		c, _, err := m.Column(name)
		if err == nil && c != nil && c.Role != dataset.Placed && c.Provenance != dataset.Derived {
			return true
		}
	}
	return false
}

// axesShown says whether the view has axes and shows them.
func (v *Scatter) axesShown() bool {
	if v.field == nil || !v.View.State().Axes {
		return false
	}
	return v.Eye.Solid() || len(v.field.Axes()) > 0
}

// Frame returns the place of the picture in the area of a view: numbers of flat axes stand outside of it.
func (v *Scatter) Frame(area Box) Box {
	if !v.axesShown() || v.Eye.Solid() {
		return area
	}
	pt := func(x float64) float32 { return float32(math.Round(x * float64(v.View.scene.Scale))) }
	area.X0 = min(area.X0+pt(axes.Left), area.X1-1)
	area.Y1 = max(area.Y1-pt(axes.Bottom), area.Y0+1)
	return area
}

// Axes are the axes that are shown, for pictures; nil: none.
func (v *Scatter) Axes() []axes.Axis {
	if !v.axesShown() {
		return nil
	}
	var out []axes.Axis
	for _, a := range v.field.Axes() {
		out = append(out, axes.Axis{Title: a.Title, Note: a.Note, Scale: a.Scale})
	}
	for i := len(out); i < 3 && v.Eye.Solid(); i++ {
		out = append(out, axes.Axis{Title: fmt.Sprintf("axis %d", i+1)})
	}
	return out
}

// behind puts what lies behind the points of a view into a picture that has begun: all rows, patches, the box
// of a 3D view.
func (p *picture) behind(v *Scatter) {
	v.allRows.put(p.layer, v)
	if c := v.graph.cells.Patches; len(c) > 0 {
		p.layer.BehindCells(c, float32(v.View.scene.pixels()))
	}
	o := v.Eye.orbit()
	if o == nil || !v.axesShown() {
		return
	}
	b, ok := v.Extent()
	if !ok {
		return
	}
	v.axes.lines, v.axes.ends = render.Axes3D(v.axes.lines[:0], b, o, v.View.scene.Theme)
	p.layer.Behind(v.axes.lines, float32(v.View.scene.pixels()))
}
