package view

import (
	"slices"

	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/render/camera"
)

// pick returns the nearest landmark within reach of a screen place, or -1.
func (g *Hand) pick(at point) int {
	if g.Locked || g.Landmarks.Doc == nil || g.At == nil || !g.At.HasLandmarks() || !g.Tool.Landmarks {
		return -1
	}
	l := parts.Landmarks.Of(g.Landmarks.Doc.State())
	best, found := g.Reach*g.Reach, -1
	for i := range l.Len() {
		sx, sy, ok := g.At.Lens().Screen(place(l.Pos.Row(i)))
		if !ok {
			continue
		}
		if d := (sx-at.x)*(sx-at.x) + (sy-at.y)*(sy-at.y); d <= best {
			best, found = d, i
		}
	}
	return found
}

func (g *Hand) choose(in func(point) bool) {
	g.Landmarks.Selected = nil
	l := parts.Landmarks.Of(g.Landmarks.Doc.State())
	for i := range l.Len() {
		sx, sy, ok := g.At.Lens().Screen(place(l.Pos.Row(i)))
		if ok && in(point{sx, sy}) && !slices.Contains(g.Landmarks.Selected, i) {
			g.Landmarks.Selected = append(g.Landmarks.Selected, i)
		}
	}
	slices.Sort(g.Landmarks.Selected)
}

// Validate drops a selection that the landmarks no longer have, as after an undo.
func (g *Hand) Validate(before, now *landmark.Set) {
	if before.Len() != now.Len() {
		g.Landmarks.Selected = nil
		g.Hover, g.HoverEdge = -1, noEdge
	}
}

// coordinates is a place or a move on the map as a vector of as many coordinates as positions have.
func coordinates(l *landmark.Set, d camera.Vec) []float32 {
	return []float32{float32(d.X), float32(d.Y), float32(d.Z)}[:l.Pos.Cols]
}

func minus(a, b camera.Vec) camera.Vec { return camera.Vec{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }
func plus(a, b camera.Vec) camera.Vec  { return camera.Vec{X: a.X + b.X, Y: a.Y + b.Y, Z: a.Z + b.Z} }
