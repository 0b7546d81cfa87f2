package view

import (
	"fmt"
	"slices"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/landmark"
)

// Landmarks are those of a document as they are edited: which are selected, and what is done to them, each an entry of
// the history.
type Landmarks struct {
	Doc      *state.Document
	Selected []int // ascending
	// Mean is the codebook vector for a landmark added where there is no other.
	Mean func() []float32
	// Graph is the graph over the landmarks.
	Graph func() graph.Graph
	Said  func(string) // is told what was done, and what could not be
	// Edited is told that they have changed: another may be under the cursor now. nil: nobody minds.
	Edited func()

	nudged []int // the selection that was nudged last
}

func (m *Landmarks) done() {
	if m.Edited != nil {
		m.Edited()
	}
}

// SelectAll selects every landmark.
func (m *Landmarks) SelectAll() {
	m.Selected = make([]int, parts.Landmarks.Of(m.Doc.State()).Len())
	for i := range m.Selected {
		m.Selected[i] = i
	}
}

func (m *Landmarks) toggle(id int) {
	if i := slices.Index(m.Selected, id); i >= 0 {
		m.Selected = slices.Delete(slices.Clone(m.Selected), i, i+1)
		return
	}
	m.Selected = append(slices.Clone(m.Selected), id)
	slices.Sort(m.Selected)
}

// edit makes one entry of the history from a change of the landmarks; one that cannot be made is said.
func (m *Landmarks) edit(name string, byHand bool, change func(*landmark.Set) (*landmark.Set, error)) bool {
	l, err := change(parts.Landmarks.Of(m.Doc.State()))
	if err != nil {
		m.Said(err.Error())
		return false
	}
	if byHand {
		l = l.Arranged()
	}
	m.Doc.Do(name, func(s *state.State) { parts.Landmarks.Put(s, l) })
	return true
}

// AddAt puts a new landmark at a screen place of a view, its codebook fitted from its neighbours on the map.
func (m *Landmarks) AddAt(on Ground, sx, sy float64) {
	p := on.Lens().World(sx, sy)
	m.edit("Add landmark", true, func(l *landmark.Set) (*landmark.Set, error) {
		n, id, err := l.AddFitted(coordinates(l, p), m.Mean())
		if err == nil {
			m.Selected = []int{id}
		}
		return n, err
	})
}

// Aside is how far a copy of a landmark is put aside, as a share of Hand.Reach.
const Aside = 2.5

// Duplicate puts a copy of a landmark aside by so many screen units of a view, so that both can be grabbed.
func (m *Landmarks) Duplicate(on Ground, id int, aside float64) {
	m.edit("Duplicate landmark", true, func(l *landmark.Set) (*landmark.Set, error) {
		p := place(l.Pos.Row(id))
		sx, sy, _ := on.Lens().Screen(p)
		n, id, err := l.Duplicate(id, coordinates(l, minus(on.Lens().WorldAt(sx+aside, sy, p), p)))
		if err == nil {
			m.Selected = []int{id}
		}
		return n, err
	})
}

// RemoveSelected removes the selected landmarks, but never the last one.
func (m *Landmarks) RemoveSelected() { m.remove(m.Selected) }

func (m *Landmarks) remove(ids []int) {
	n := parts.Landmarks.Of(m.Doc.State()).Len()
	switch {
	case len(ids) == 0:
		return
	case len(ids) >= n:
		m.Said("a map needs at least one landmark, so nothing was removed")
		return
	}
	name := "Remove landmark"
	if len(ids) > 1 {
		name = "Remove landmarks"
	}
	var moved []int32
	m.edit(name, false, func(l *landmark.Set) (n *landmark.Set, err error) {
		n, moved, err = l.Remove(ids)
		return n, err
	})
	var left []int
	for _, i := range m.Selected {
		if i < len(moved) && moved[i] >= 0 {
			left = append(left, int(moved[i]))
		}
	}
	m.Selected = left
	m.done()
}

// Nudge moves the selected landmarks by screen units of a view.
func (m *Landmarks) Nudge(on Ground, dsx, dsy float64) {
	if len(m.Selected) == 0 || on == nil {
		return
	}
	now := parts.Landmarks.Of(m.Doc.State())
	p := place(now.Pos.Row(m.Selected[0]))
	sx, sy, _ := on.Lens().Screen(p)
	l, err := now.Move(m.Selected, coordinates(now, minus(on.Lens().WorldAt(sx+dsx, sy+dsy, p), p)))
	if err != nil {
		m.Said(err.Error())
		return
	}
	change := m.Doc.Extend
	if !slices.Equal(m.nudged, m.Selected) {
		change = m.Doc.Do // another selection is another interaction
	}
	m.nudged = slices.Clone(m.Selected)
	change("Nudge landmarks", func(s *state.State) { parts.Landmarks.Put(s, l.Arranged()) })
}

// TogglePins pins the selected landmarks, or unpins them if all are pinned.
func (m *Landmarks) TogglePins() {
	if len(m.Selected) == 0 {
		m.Said("select the landmarks to pin first")
		return
	}
	l := parts.Landmarks.Of(m.Doc.State())
	on := false
	for _, i := range m.Selected {
		on = on || !(l.Pinned != nil && l.Pinned[i])
	}
	name := "Unpin landmarks"
	if on {
		name = "Pin landmarks"
	}
	if m.edit(name, false, func(l *landmark.Set) (*landmark.Set, error) { return l.Pin(m.Selected, on) }) {
		m.Said(fmt.Sprintf("%s: %d", name, len(m.Selected)))
	}
}
