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

// Footing is a stage as it stands, for pictures of it: with what its window knows, or where there is none.
type Footing struct{ Stage *Stage }

// Held is what the hand has hold of now.
func (f Footing) Held() Held {
	s := f.Stage
	return Held{s.hand.Tool.Large, s.hand.Landmarks.Selected, s.Scene.Gating.Chosen}
}

// Hold has it take hold of the same, where there is no hand.
func (f Footing) Hold(h Held) {
	s := f.Stage
	s.hand.Landmarks.Selected, s.Scene.Gating.Chosen = h.Landmarks, h.Population
	for _, t := range tools {
		if t.Large == h.Large {
			s.hand.Tool = t
			break
		}
	}
}

// Order is the IDs of the views as the document has them.
func (f Footing) Order() (ids []ID) {
	f.Stage.sync()
	for _, v := range f.Stage.list().Views {
		ids = append(ids, ParseID(v.ID))
	}
	return ids
}

// Stand puts some views into places of their own, without headers: where no window arranges them.
func (f Footing) Stand(places []Place) {
	f.Stage.bury()
	f.Stage.sync()
	f.stand(places, 0, widget.Rect{}, false)
}

// stand puts views into their places, below headers of such a height and a bar.
func (f Footing) stand(places []Place, header float32, bar widget.Rect, still bool) {
	s := f.Stage
	s.shown, s.scatters, s.hand.Map = s.shown[:0], s.scatters[:0], nil
	for _, p := range places {
		v := s.views[p.View]
		if v == nil {
			continue
		}
		v.lie(p.Box, header, bar)
		v.fill()
		v.content.Place(v.room, s.Scene.Ratio, still)
		s.shown = append(s.shown, v)
		if p := v.Scatter(); p != nil {
			s.scatters = append(s.scatters, p)
		}
	}
	for _, v := range s.scatters {
		if v.IsMap() && (s.hand.Map == nil || v.View == s.Active()) {
			s.hand.Map = v
		}
	}
}
