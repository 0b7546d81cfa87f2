package view

import (
	"fmt"
	"slices"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/render/camera"
)

// pick returns the nearest landmark within reach of a screen place, or -1.
func (g *Hand) pick(at point) int {
	if g.Locked || g.Doc == nil || g.At == nil || !g.At.HasLandmarks() || !g.Tool.Landmarks {
		return -1
	}
	l := parts.Landmarks.Of(g.Doc.State())
	best, found := g.Reach*g.Reach, -1
	for i := range l.Len() {
		sx, sy, ok := g.At.Screen(place(l.Pos.Row(i)))
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
	g.Selected = nil
	l := parts.Landmarks.Of(g.Doc.State())
	for i := range l.Len() {
		sx, sy, ok := g.At.Screen(place(l.Pos.Row(i)))
		if ok && in(point{sx, sy}) && !slices.Contains(g.Selected, i) {
			g.Selected = append(g.Selected, i)
		}
	}
	slices.Sort(g.Selected)
}

func (g *Hand) toggle(id int) {
	if i := slices.Index(g.Selected, id); i >= 0 {
		g.Selected = slices.Delete(slices.Clone(g.Selected), i, i+1)
		return
	}
	g.Selected = append(slices.Clone(g.Selected), id)
	slices.Sort(g.Selected)
}

// edit makes one entry of the history from a change of the landmarks; one that cannot be made is said.
func (g *Hand) edit(name string, byHand bool, change func(*landmark.Set) (*landmark.Set, error)) bool {
	l, err := change(parts.Landmarks.Of(g.Doc.State()))
	if err != nil {
		g.Said(err.Error())
		return false
	}
	if byHand {
		l = l.Arranged()
	}
	g.Doc.Do(name, func(s *state.State) { parts.Landmarks.Put(s, l) })
	return true
}

// AddAt puts a new landmark at a screen place, its codebook fitted from its neighbours on the map.
func (g *Hand) AddAt(sx, sy float64) {
	p := g.At.World(sx, sy)
	g.edit("Add landmark", true, func(l *landmark.Set) (*landmark.Set, error) {
		n, id, err := l.AddFitted(coordinates(l, p), g.Mean())
		if err == nil {
			g.Selected = []int{id}
		}
		return n, err
	})
}

// Duplicate puts a copy of a landmark a little to its side, so that both can be grabbed.
func (g *Hand) Duplicate(id int) {
	g.edit("Duplicate landmark", true, func(l *landmark.Set) (*landmark.Set, error) {
		p := place(l.Pos.Row(id))
		sx, sy, _ := g.At.Screen(p)
		n, id, err := l.Duplicate(id, coordinates(l, minus(g.At.WorldAt(sx+2.5*g.Reach, sy, p), p)))
		if err == nil {
			g.Selected = []int{id}
		}
		return n, err
	})
}

// RemoveSelected removes the selected landmarks, but never the last one.
func (g *Hand) RemoveSelected() { g.remove(g.Selected) }

func (g *Hand) remove(ids []int) {
	n := parts.Landmarks.Of(g.Doc.State()).Len()
	switch {
	case len(ids) == 0:
		return
	case len(ids) >= n:
		g.Said("a map needs at least one landmark, so nothing was removed")
		return
	}
	name := "Remove landmark"
	if len(ids) > 1 {
		name = "Remove landmarks"
	}
	var moved []int32
	g.edit(name, false, func(l *landmark.Set) (n *landmark.Set, err error) {
		n, moved, err = l.Remove(ids)
		return n, err
	})
	var left []int
	for _, i := range g.Selected {
		if i < len(moved) && moved[i] >= 0 {
			left = append(left, int(moved[i]))
		}
	}
	g.Selected = left
	g.look()
}

// Nudge moves the selected landmarks by screen units.
func (g *Hand) Nudge(dsx, dsy float64) {
	if len(g.Selected) == 0 || g.Map == nil {
		return
	}
	now := parts.Landmarks.Of(g.Doc.State())
	p := place(now.Pos.Row(g.Selected[0]))
	sx, sy, _ := g.Map.Screen(p)
	l, err := now.Move(g.Selected, coordinates(now, minus(g.Map.WorldAt(sx+dsx, sy+dsy, p), p)))
	if err != nil {
		g.Said(err.Error())
		return
	}
	change := g.Doc.Extend
	if !slices.Equal(g.nudged, g.Selected) {
		change = g.Doc.Do // another selection is another interaction
	}
	g.nudged = slices.Clone(g.Selected)
	change("Nudge landmarks", func(s *state.State) { parts.Landmarks.Put(s, l.Arranged()) })
}

// TogglePins pins the selected landmarks, or unpins them if all are pinned.
func (g *Hand) TogglePins() {
	if len(g.Selected) == 0 {
		g.Said("select the landmarks to pin first")
		return
	}
	l := parts.Landmarks.Of(g.Doc.State())
	on := false
	for _, i := range g.Selected {
		on = on || !(l.Pinned != nil && l.Pinned[i])
	}
	name := "Unpin landmarks"
	if on {
		name = "Pin landmarks"
	}
	if g.edit(name, false, func(l *landmark.Set) (*landmark.Set, error) { return l.Pin(g.Selected, on) }) {
		g.Said(fmt.Sprintf("%s: %d", name, len(g.Selected)))
	}
}

// Validate drops a selection that the landmarks no longer have, as after an undo.
func (g *Hand) Validate(before, now *landmark.Set) {
	if before.Len() != now.Len() {
		g.Selected = nil
		g.Hover, g.HoverEdge = -1, noEdge
	}
}

// coordinates is a place or a move on the map as a vector of as many coordinates as positions have.
func coordinates(l *landmark.Set, d camera.Vec) []float32 {
	return []float32{float32(d.X), float32(d.Y), float32(d.Z)}[:l.Pos.Cols]
}

func minus(a, b camera.Vec) camera.Vec { return camera.Vec{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }
func plus(a, b camera.Vec) camera.Vec  { return camera.Vec{X: a.X + b.X, Y: a.Y + b.Y, Z: a.Z + b.Z} }
