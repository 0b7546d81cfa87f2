package view

import (
	"blossom/render"
	"blossom/render/axes"
	"blossom/render/camera"
	"blossom/render/colour"
)

// Embedded is the embedding that a view shows as points, for kinds that show it otherwise.
type Embedded struct {
	Title  string
	Points *render.PointBuffer
	Box    camera.Bounds // the box that a fitted view shows
	Shown  int           // points that have a place
	Axes   []axes.Axis   // axes of a flat map that are shown; nil: none are
	Free   bool          // the axes have units of their own
	States *render.StateBuffer
	// Colours are those that the look of the view gives the points, ColumnOf the name of the column that they are of.
	Colours  *colour.Values
	ColumnOf string
}

// Embedded brings the embedding of the view up to the document; ok is false while it has no points in a place.
func (v *View) Embedded(busy bool) (e Embedded, ok bool) {
	s := v.scatter
	s.refresh()
	e.Points = s.Points()
	if e.Points == nil {
		return e, false
	}
	s.Fetch(busy)
	if e.Box, ok = s.Extent(); !ok {
		return e, false
	}
	e.Title, _ = s.Label()
	e.States = s.among.in(v.scene)
	if e.Free = s.free; !s.Eye.Solid() {
		e.Axes = s.Axes()
	}
	e.Shown, e.Colours, e.ColumnOf = s.field.Shown(), s.Colours.Values, s.Colours.Column
	return e, true
}
