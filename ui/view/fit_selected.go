package view

import (
	"blossom/render"
	"blossom/render/camera"
)

// FitSelected shows the selected points of a view of points, as large as they go; it says whether there are any that
// have a place in it.
func (v *View) FitSelected() bool {
	p := v.Scatter()
	if p == nil {
		return false
	}
	points, ok := p.SelectionPoints()
	if !ok {
		return false
	}
	b, found := camera.Bounds{}, false
	for i, state := range p.among.in(v.scene).Host() {
		if state&render.Selected == 0 || state&render.Hidden != 0 || !finiteAt(p.Points(), i) {
			continue
		}
		at := place(points.Pos[i*points.Dims : (i+1)*points.Dims])
		if one := (camera.Bounds{Min: at, Max: at}); found {
			b = b.Union(one)
		} else {
			b, found = one, true
		}
	}
	if !found {
		return false
	}
	k := p.Eye.Ratio
	room := render.FitMargins(k*float64(p.Eye.Box.W()), k*float64(p.Eye.Box.H()), v.scene.pixels())
	p.Eye.Fit(b, room, true)
	p.Eye.Moved = true // the user has gone there
	return true
}
