package view

import (
	"context"

	"blossom/assets"
	"blossom/model/maps/selection"
	"blossom/render/camera"
	"blossom/ui/widget"
)

// Deep is which of the points under a stroke are meant in 3D.
type Deep int

const (
	Through Deep = iota // all of them, however deep
	InFront             // the ones that no others hide
)

// deeps are the choices, by Deep.
var deeps = []widget.Option{
	Through: {Label: "All through", Icon: assets.IconLayers, Tip: "All points under the stroke, however deep they lie"},
	InFront: {Label: "In front", Icon: assets.IconEye, Tip: "Points under the stroke that no others hide: none lies " +
		"nearer to the eye within a few pixels"},
}

// A point is hidden by one that is nearer by this share of the distance to the middle of the picture, in the same
// square of the screen of so many points of type.
const (
	frontCell   = 6
	frontBehind = 0.04
)

// front says which points under a stroke are meant.
func (x gated) front() selection.Front {
	v := x.v
	if v.dims != 3 || v.View.scene.Gating.Deep != InFront {
		return selection.Front{}
	}
	return selection.Front{Cell: frontCell * v.View.scene.pixels(),
		Behind: frontBehind * float64(v.SelectionView().Reference)}
}

// depths are how deep the nearest points of a view lie, kept while a stroke goes on.
type depths struct {
	now   *selection.Depths
	front selection.Front
	place camera.Place
	known bool
}

// of returns those of a view; nil where all points are meant.
func (d *depths) of(v *Scatter, points selection.Points) *selection.Depths {
	front, place := gated{v}.front(), v.Eye.Cam.Place()
	if !d.known || d.front != front || d.place != place {
		now, err := front.Depths(context.Background(), v.SelectionView(), points)
		if err != nil {
			now = nil // the stroke will say so
		}
		*d = depths{now, front, place, true}
	}
	return d.now
}
