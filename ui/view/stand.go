package view

import (
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/ui/widget"
)

// Standing is how a view is looked at beyond what the document has of it: what its window knows.
type Standing struct {
	Camera parts.Camera
	Fitted bool // it fits by itself
	First  int  // label at the top of the legend
}

// Standing is how the view stands now.
func (v *View) Standing() (s Standing) {
	if p := v.Scatter(); p != nil && p.field != nil {
		s = Standing{Camera: p.Eye.Saved(), Fitted: !p.Eye.Moved, First: p.key.first}
	}
	return s
}

// Stand has the view be looked at as another window did, whose view had the same place.
func (v *View) Stand(s Standing) {
	p := v.Scatter()
	if p == nil || p.field == nil {
		return
	}
	p.key.first = s.First
	if !p.Eye.Moved {
		p.Fit(false)
	}
	if !s.Camera.Set() {
		p.key.unseen = !p.Eye.Moved
		return
	}
	p.Eye.Load(s.Camera)
	p.Eye.Moved, p.unfit = !s.Fitted, false
}

// Held is what the hand has hold of, as pictures show it.
type Held struct {
	Large      bool // landmarks are as a tool of theirs shows them
	Landmarks  []int
	Population population.ID
}

// Held is what it has hold of now.
func (s *Stage) Held() Held {
	return Held{s.hand.Tool.Large, s.hand.Landmarks.Selected, s.Scene.Gating.Chosen}
}

// Hold has it take hold of the same, where there is no hand.
func (s *Stage) Hold(h Held) {
	s.hand.Landmarks.Selected, s.Scene.Gating.Chosen = h.Landmarks, h.Population
	for _, t := range tools {
		if t.Large == h.Large {
			s.hand.Tool = t
			break
		}
	}
}

// Order is the IDs of the views as the document has them.
func (s *Stage) Order() (ids []ID) {
	s.sync()
	for _, v := range s.list().Views {
		ids = append(ids, ParseID(v.ID))
	}
	return ids
}

// Stand puts some views into places of their own, without headers: where no window arranges them.
func (s *Stage) Stand(places []Place) {
	s.bury()
	s.sync()
	s.shown, s.scatters = s.shown[:0], s.scatters[:0]
	for _, p := range places {
		s.stand(p, 0, widget.Rect{}, false)
	}
	s.handed()
}

// stand puts a view into its place, below a header of such a height and a bar.
func (s *Stage) stand(p Place, header float32, bar widget.Rect, still bool) {
	v := s.views[p.View]
	if v == nil {
		return
	}
	v.lie(p.Box, header, bar)
	v.fill()
	v.content.Place(v.room, s.Scene.Ratio, still)
	s.shown = append(s.shown, v)
	if p := v.Scatter(); p != nil {
		s.scatters = append(s.scatters, p)
	}
}

// handed gives the hand the map that it works on: the active view's, or the first.
func (s *Stage) handed() {
	s.hand.Map = nil
	for _, v := range s.scatters {
		if v.IsMap() && (s.hand.Map == nil || v.View == s.Active()) {
			s.hand.Map = v
		}
	}
}
