package view

import (
	"fmt"

	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/render/camera"
)

// across is the direction of the screen's x, or y upwards, on the map, with as many coordinates as positions have.
func (m *Landmarks) across(on Ground, x bool) []float64 {
	l := parts.Landmarks.Of(m.Doc.State())
	through := camera.Vec{}
	if len(m.Selected) > 0 {
		through = place(l.Pos.Row(m.Selected[0]))
	}
	axes := planeOf(on, through)
	a := axes[1]
	if x {
		a = axes[0]
	}
	return a[:l.Pos.Cols]
}

// Align puts the selected landmarks on one line of the screen, vertical if they move across.
func (m *Landmarks) Align(on Ground, name string, across bool, to landmark.Side) {
	m.edit(name, true, func(l *landmark.Set) (*landmark.Set, error) {
		return l.Align(m.Selected, m.across(on, across), to)
	})
}

// Distribute makes the gaps between the selected landmarks even, across the screen or down.
func (m *Landmarks) Distribute(on Ground, name string, across bool) {
	m.edit(name, true, func(l *landmark.Set) (*landmark.Set, error) {
		return l.Distribute(m.Selected, m.across(on, across))
	})
}

// MergeSelected makes one landmark of those selected.
func (m *Landmarks) MergeSelected() {
	n := len(m.Selected)
	if n < 2 {
		m.Said("select the landmarks to merge first")
		return
	}
	m.edit(fmt.Sprintf("Merge %d landmarks", n), true, func(l *landmark.Set) (*landmark.Set, error) {
		t, index, err := l.Merge(m.Selected)
		if err == nil {
			m.Selected = []int{int(index[m.Selected[0]])}
		}
		return t, err
	})
	m.done()
}

// SplitSelected makes two of each selected landmark; all halves are selected.
func (m *Landmarks) SplitSelected() {
	n := len(m.Selected)
	if n == 0 {
		m.Said("select the landmarks to split first")
		return
	}
	name := "Split landmark"
	if n > 1 {
		name = fmt.Sprintf("Split %d landmarks", n)
	}
	m.edit(name, true, func(l *landmark.Set) (*landmark.Set, error) {
		t, halves, err := l.Split(m.Selected)
		if err == nil {
			m.Selected = append(append([]int(nil), m.Selected...), halves...)
		}
		return t, err
	})
	m.done()
}
