package view

import (
	"fmt"

	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/render/camera"
)

// across is the direction of the screen's x, or y upwards, on the map, with as many coordinates as positions have.
func (g *Hand) across(x bool) []float64 {
	l := parts.Landmarks.Of(g.Doc.State())
	through := camera.Vec{}
	if len(g.Selected) > 0 {
		through = place(l.Pos.Row(g.Selected[0]))
	}
	axes := g.planeOf(g.Map, through)
	a := axes[1]
	if x {
		a = axes[0]
	}
	return a[:l.Pos.Cols]
}

// Align puts the selected landmarks on one line of the screen, vertical if they move across.
func (g *Hand) Align(name string, across bool, to landmark.Side) {
	g.edit(name, true, func(l *landmark.Set) (*landmark.Set, error) {
		return l.Align(g.Selected, g.across(across), to)
	})
}

// Distribute makes the gaps between the selected landmarks even, across the screen or down.
func (g *Hand) Distribute(name string, across bool) {
	g.edit(name, true, func(l *landmark.Set) (*landmark.Set, error) {
		return l.Distribute(g.Selected, g.across(across))
	})
}

// MergeSelected makes one landmark of those selected.
func (g *Hand) MergeSelected() {
	n := len(g.Selected)
	if n < 2 {
		g.Said("select the landmarks to merge first")
		return
	}
	g.edit(fmt.Sprintf("Merge %d landmarks", n), true, func(l *landmark.Set) (*landmark.Set, error) {
		t, index, err := l.Merge(g.Selected)
		if err == nil {
			g.Selected = []int{int(index[g.Selected[0]])}
		}
		return t, err
	})
	g.Hover = g.within()
}

// SplitSelected makes two of each selected landmark; all halves are selected.
func (g *Hand) SplitSelected() {
	n := len(g.Selected)
	if n == 0 {
		g.Said("select the landmarks to split first")
		return
	}
	name := "Split landmark"
	if n > 1 {
		name = fmt.Sprintf("Split %d landmarks", n)
	}
	g.edit(name, true, func(l *landmark.Set) (*landmark.Set, error) {
		t, halves, err := l.Split(g.Selected)
		if err == nil {
			g.Selected = append(append([]int(nil), g.Selected...), halves...)
		}
		return t, err
	})
	g.Hover = g.within()
}
