package view

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/maps/selection"
)

// Picking is what is done with the points that are selected on a stage.
type Picking struct{ Stage *Stage }

// nearby has what is near in the space of the map looked for, and calls then with it and the selection.
func (p Picking) nearby(then func(near selection.Nearby, now *selection.Set) error) {
	s := p.Stage
	m := s.Scene.Map
	asked := parts.Selection.Rev(m.Doc.State())
	ok := live.Nearby(m, func(near selection.Nearby) {
		if parts.Selection.Rev(m.Doc.State()) != asked {
			return // something else was selected meanwhile
		}
		if err := then(near, s.Selected()); err != nil {
			s.Scene.Fail(err)
		}
	})
	if !ok {
		s.hand.Host.Said("there are no landmarks that would tell what is near")
	}
}

// Grow takes the points that are near the selected ones in the space of the map into the selection, one step further
// with each call; those that the active view shows, where it shows some alone.
func (p Picking) Grow() {
	s := p.Stage
	p.nearby(func(near selection.Nearby, now *selection.Set) error {
		next, err := near.Grow(context.Background(), now)
		if err != nil {
			return err
		}
		if among := s.Active().Among(); among != nil {
			next = selection.Union(now, selection.Intersect(next, among))
		}
		if selection.Equal(next, now) {
			s.hand.Host.Said("nothing more is near: the selection is all that hangs together")
			return nil
		}
		s.Scene.SetSelection("Grow the selection", next)
		return nil
	})
}

// Shrink takes points away that are near others which are not selected, one step further with each call.
func (p Picking) Shrink() {
	s := p.Stage
	p.nearby(func(near selection.Nearby, now *selection.Set) error {
		next, err := near.Shrink(context.Background(), now)
		if err != nil {
			return err
		}
		if selection.Equal(next, now) {
			s.hand.Host.Said("the selection has no points that are near others")
			return nil
		}
		s.Scene.SetSelection("Shrink the selection", next)
		return nil
	})
}

// PointsOfLandmarks selects the points whose nearest landmark, in the space of the map, is one of those selected; of
// those that the active view shows, where it shows some alone.
func (p Picking) PointsOfLandmarks() {
	s := p.Stage
	chosen := append([]int(nil), s.hand.Landmarks.Selected...)
	p.nearby(func(near selection.Nearby, _ *selection.Set) error {
		of := make([]bool, len(near.Near))
		for _, l := range chosen {
			if l < len(of) {
				of[l] = true
			}
		}
		set, err := near.Points(context.Background(), of)
		if among := s.Active().Among(); err == nil && among != nil {
			set = selection.Intersect(set, among)
		}
		if err == nil {
			s.Scene.SetSelection("Select points of landmarks", set)
		}
		return err
	})
}

// LandmarksOfPoints selects the landmarks that the selected points are of: those at least half of whose points are
// selected or, where there are none, those that any selected point is nearest to.
func (p Picking) LandmarksOfPoints() {
	s := p.Stage
	p.nearby(func(near selection.Nearby, now *selection.Set) error {
		var chosen []int
		for l, taken := range near.Taken(now) {
			if taken {
				chosen = append(chosen, l)
			}
		}
		s.hand.Landmarks.Selected = chosen
		for _, v := range s.scatters {
			if v.IsMap() && !v.View.State().Landmarks {
				v.View.Edit(func(x *parts.View) { x.Landmarks = true })
			}
		}
		s.hand.Host.Said(problem.Count(len(chosen), "landmark") + " selected")
		return nil
	})
}
