package view

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/render/camera"
	"blossom/ui/widget"
)

// Keeping is what becomes of a selection when its map moves.
type Keeping int

const (
	ThesePoints Keeping = iota // the points stay selected
	ThisRegion                 // whatever lies within the outline then is selected
)

// keepings are the ways to keep a selection, by Keeping.
func keepings(word, why string) []widget.Option {
	live := widget.Option{Label: "This region, live", Icon: assets.IconRefreshCw, Disabled: why != "", Tip: why}
	if why == "" {
		live.Tip = "The selection follows: whatever lies within the dashed outline when the map moves"
	}
	return []widget.Option{ThesePoints: {Label: "These " + word + "s", Icon: assets.IconPin,
		Tip: "The selection is of these " + word + "s, wherever they go"}, ThisRegion: live}
}

// Keeps is how what is drawn next is kept: as the selection is, where that is live, else as was chosen.
func (p Picking) Keeps() Keeping {
	s := p.Stage
	if parts.Region.Of(s.Scene.Map.Doc.State()) != nil {
		return ThisRegion
	}
	return s.Scene.Gating.Keeps
}

// unlive says why there can be no live region in a view; "": there can be.
func (x gated) unlive(shape Shape) string {
	v := x.v
	switch {
	case v.dims == 3:
		return "In 3D an outline says nothing without the camera: turn the map flat for a live region"
	case v.View.State().Recipe.Kind == "columns":
		return "An outline on columns is a gate once it has a name, and follows by itself"
	case shape == ByBrush:
		return "A brush paints points: choose another shape for a live region"
	case shape == ByQuadrants:
		return "Quadrants are of two columns"
	case x.hides():
		return "Points of hidden populations would be in it, too: show all populations for a live region"
	}
	return ""
}

// hides says whether points of a population are hidden: a region has all that lie in it, also those.
func (x gated) hides() bool {
	now := x.v.View.scene.Map.Doc.State()
	return hides(parts.Populations.Of(now), parts.Views.Of(now))
}

// stroke is a region of the screen as a stroke on the map of a flat view; ok is false where it has no outline.
func (x gated) stroke(r selection.Region, m Mode) (s population.Stroke, ok bool) {
	v := x.v
	corners, rectangle := r.Outline()
	if v.dims != 2 || len(corners) == 0 || len(corners) < 3 && !rectangle {
		return s, false
	}
	s.Shape = population.Polygon
	if rectangle {
		s.Shape = population.Rectangle
	}
	switch s.Does = population.Adds; m {
	case Subtract:
		s.Does = population.Takes
	case Intersect:
		s.Does = population.Intersects
	}
	for _, p := range corners {
		at := v.Eye.World(p.X, p.Y)
		s.Path = append(s.Path, [2]float64{at.X, at.Y})
	}
	return s, true
}

// region is what a stroke in a view makes a live region of; nil where what was selected before is none that the stroke
// can be a part of, with the reason.
func (x gated) region(s population.Stroke, m Mode) (live *parts.LiveRegion, why string) {
	v := x.v
	now := v.View.scene.Map.Doc.State()
	was, of := parts.Region.Of(now), population.Map(v.View.State().Recipe)
	selected := parts.Selection.Of(now)
	if m == Replace || m == Add && selected.Empty() {
		s.Does = population.Adds
		return &parts.LiveRegion{Rule: &population.Region{Of: of, Strokes: []population.Stroke{s}}, In: v.among.id}, ""
	}
	switch {
	case was == nil:
		why = "what was selected before is no live region"
	case was.Rule.Of.Key() != of.Key():
		why = "what was selected before is a region of another map"
	case v.among.id != 0 && was.In != v.among.id:
		why = "what was selected before lies among other points than the view shows"
	default: // where the view shows all, the region stays among the points that it was of
		if rule, ok := was.Rule.And(s); ok {
			return &parts.LiveRegion{Rule: rule, In: was.In}, ""
		}
		why = "the live region has as many strokes as it can have"
	}
	if m == Intersect && v.among.id == 0 { // with a population that is selected
		if id := v.View.scene.populationOf(selected); id != 0 {
			s.Does = population.Adds
			return &parts.LiveRegion{Rule: &population.Region{Of: of, Strokes: []population.Stroke{s}}, In: id}, ""
		}
	}
	return nil, why
}

// populationOf is a population that has exactly some points; 0: none has.
func (s *Scene) populationOf(set *selection.Set) (id population.ID) {
	now, fresh := s.Map.Populations().Now()
	if now == nil || !fresh {
		return 0
	}
	for i, p := range now.Tree.All() {
		if selection.Equal(now.Sets[i], set) {
			id = p.ID
		}
	}
	return id
}

// parentKey is what the population around a selection depends on.
type parentKey struct{ selection, labels revision.Revision }

// parent is the population around the selection, kept while both are the same.
type parent struct {
	of parentKey
	id population.ID
}

// ParentOf is the deepest population that has all of some points, but for those that have no others; 0: none has.
func (s *Scene) ParentOf(points *selection.Set) (id population.ID) {
	now, fresh := s.Map.Populations().Now()
	if now == nil || !fresh || points.Empty() {
		return 0
	}
	deepest, depths := -1, now.Tree.Depths()
	for i, p := range now.Tree.All() {
		in := now.Sets[i]
		if depths[i] > deepest && in.Count() > points.Count() && selection.Covers(in, points) {
			deepest, id = depths[i], p.ID
		}
	}
	return id
}

// above is the name of the population that has all selected points, and how many it has; 0: none has.
func (s *Scene) above(selected *selection.Set) (name string, of int) {
	now, fresh := s.Map.Populations().Now()
	if now == nil || !fresh {
		return "", 0
	}
	if key := (parentKey{parts.Selection.Rev(s.Map.Doc.State()), now.Derived.Rev}); key != s.parent.of {
		s.parent = parent{key, s.ParentOf(selected)}
	}
	place := now.Tree.Place(s.parent.id)
	if place < 0 {
		return "", 0
	}
	return now.Tree.All()[place].Name, now.Sets[place].Count()
}

// follow makes what a stroke encloses a live selection, and says whether it could.
func (p Picking) follow(v *Scatter, r selection.Region, m Mode) bool {
	s, x := p.Stage, gated{v}
	if p.Keeps() != ThisRegion || x.unlive(s.hand.Shape) != "" {
		if p.Live() && x.hides() {
			s.hand.Host.Said("the points are fixed: a live region would have those of hidden populations, too")
		}
		return false
	}
	stroke, ok := x.stroke(x.thin(r), m)
	if !ok {
		return false
	}
	live, why := x.region(stroke, m)
	if live == nil {
		s.hand.Host.Said("the points are fixed: " + why)
		return false
	}
	ok = s.Scene.selectLive(live, []string{"Select a live region", "Add to the live region",
		"Take from the live region", "Keep of the live region"}[m])
	if !ok {
		s.hand.Host.Said("the points are fixed: the map is on its way")
	}
	return ok
}

// selectLive makes a live region the selection as an entry of the history; false: its points are not known now.
func (s *Scene) selectLive(live *parts.LiveRegion, name string) bool {
	set, err := s.Map.Populations().Enclosed(live)
	if err != nil {
		s.Fail(err)
	}
	if set == nil {
		return false
	}
	s.Map.Doc.Do(name, func(now *state.State) { parts.SelectLive(now, live, set) })
	return true
}

// KeepAs makes the selection live, where it came of an outline that can be, or fixed; what is drawn next is kept so,
// too.
func (p Picking) KeepAs(k Keeping) {
	s := p.Stage
	s.Scene.Gating.Keeps = k
	doc := s.Scene.Map.Doc
	live, drawn := parts.Region.Of(doc.State()), &s.Scene.Gating.drawn
	switch {
	case k == ThesePoints && live != nil:
		doc.Do("Fix the selected points", func(now *state.State) { parts.Select(now, parts.Selection.Of(*now)) })
	case k == ThisRegion && live == nil && drawn.live != nil && drawn.selected == s.Selected() && !s.Selected().Empty():
		s.Scene.selectLive(drawn.live, "Follow the map")
	}
}

// Live says whether the selection follows a region of its map.
func (p Picking) Live() bool { return parts.Region.Of(p.Stage.Scene.Map.Doc.State()) != nil }

// shows says whether a view shows a map.
func (x gated) shows(of population.Map) bool {
	v := x.v
	return v.dims == 2 && population.Map(v.View.State().Recipe).Key() == of.Key()
}

// outlines are the corners of the strokes of a region on the screen.
func (x gated) outlines(r *population.Region) (out [][]imgui.Vec2) {
	for _, s := range r.Strokes {
		var path []imgui.Vec2
		for _, p := range s.Corners() {
			sx, sy, ok := x.v.Eye.Screen(camera.Vec{X: p[0], Y: p[1]})
			if !ok {
				return nil
			}
			path = append(path, imgui.Vec2{X: float32(sx), Y: float32(sy)})
		}
		out = append(out, path)
	}
	return out
}

// clipped are the parts of lines, by their ends, within a place of the screen and a little around it: a line that goes
// on far beyond would be of millions of dashes.
func clipped(lines [][2]imgui.Vec2, in widget.Rect) (out [][2]imgui.Vec2) {
	in = in.Inset(-64, -64)
	for _, l := range lines {
		from, to, dx, dy := float32(0), float32(1), l[1].X-l[0].X, l[1].Y-l[0].Y
		for _, side := range [4][2]float32{{-dx, l[0].X - in.X0}, {dx, in.X1 - l[0].X}, {-dy, l[0].Y - in.Y0},
			{dy, in.Y1 - l[0].Y}} {
			switch at := side[1] / side[0]; {
			case side[0] == 0 && side[1] < 0:
				to = -1
			case side[0] < 0:
				from = max(from, at)
			case side[0] > 0:
				to = min(to, at)
			}
		}
		switch {
		case !(from <= to):
		case from == 0 && to == 1:
			out = append(out, l)
		default:
			place := func(t float32) imgui.Vec2 { return imgui.Vec2{X: l[0].X + t*dx, Y: l[0].Y + t*dy} }
			out = append(out, [2]imgui.Vec2{place(from), place(to)})
		}
	}
	return out
}

func init() {
	RegisterOver(Over{Order: 21, Draw: func(v *Scatter, dl *imgui.DrawList) {
		if live := parts.Region.Of(v.View.scene.Map.Doc.State()); live != nil && (gated{v}).shows(live.Rule.Of) {
			x := gateShown{}
			for _, path := range (gated{v}).outlines(live.Rule) {
				x.outline, x.strokes = append(x.outline, path...), append(x.strokes, len(path))
			}
			v.View.scene.UI.Gate(dl, clipped(x.sides(), v.Rect()), v.Rect(),
				widget.GateOpts{Chosen: true, Dashed: true})
		}
	}})
}
