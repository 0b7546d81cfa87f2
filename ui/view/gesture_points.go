package view

import (
	"context"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/live"
	"blossom/model/maps/selection"
	"blossom/render"
	"blossom/render/camera"
)

// taken is points of an embedding that runs, as the hand has taken them.
type taken struct {
	e      *live.Embedding
	points []int
	places []float32 // where they were
	at     camera.Vec
}

// companions is which points a press on one of them takes.
type companions int

const (
	alone      companions = iota // the point itself, or all that are selected if it is one of them
	ofLandmark                   // points of its nearest landmark, or all that are selected if it is one of them
	chosen                       // all that are selected, wherever they are
)

// drift moves points of an embedding that runs. They stay where the hand is, and the others answer.
type drift struct {
	still
	taken
	grab  camera.Vec // from the press to where they were taken
	woken bool       // it did not run
	due   bool       // the hand has moved since the points followed
}

// takeHold begins to drag points of an embedding that runs, if a press has hit some.
func (g *Hand) takeHold(with companions) gesture {
	if g.Host.Take == nil || g.Locked || g.Space.Held {
		return nil
	}
	t, ok := g.Host.Take(g.At, g.press.at.x, g.press.at.y, with)
	if !ok {
		return nil
	}
	return &drift{taken: t, grab: minus(t.at, g.At.Lens().WorldAt(g.press.at.x, g.press.at.y, t.at))}
}

func (d *drift) start(*Hand) {
	d.woken = !d.e.Stands().Active
	d.e.Hold(true)
}

// move only notes that the hand has moved: a mouse tells of it many times in a frame, and points follow once.
func (d *drift) move(*Hand, point) { d.due = true }

// follow brings the points to where the hand is now.
func (d *drift) follow(g *Hand) {
	if !d.due {
		return
	}
	d.due = false
	way := minus(plus(g.At.Lens().WorldAt(g.Cursor.x, g.Cursor.y, d.at), d.grab), d.at)
	d.to(g, []float32{float32(way.X), float32(way.Y), float32(way.Z)})
}

// to puts the points so far from where they were.
func (d *drift) to(g *Hand, way []float32) {
	pos, dims := slices.Clone(d.places), d.e.Dims()
	for c := range pos {
		pos[c] += way[c%dims]
	}
	if slices.ContainsFunc(pos, func(x float32) bool { return x-x != 0 }) {
		return // beyond what a position can be: the points stay behind the hand
	}
	if err := d.e.Move(d.points, pos); err != nil {
		g.Host.Said(err.Error())
	}
}

func (d *drift) end(g *Hand, how ending) {
	if how != takenBack {
		d.follow(g)
		d.e.Hold(false)
		return
	}
	if !d.woken { // it is part of a run, which goes on
		d.to(g, make([]float32, 3))
		d.e.Hold(false)
		return
	}
	d.e.Hold(false)
	g.Landmarks.Doc.Undo()
}

// take finds the points of an embedding that runs that a press takes.
func (s *Stage) take(at Ground, x, y float64, with companions) (t taken, ok bool) {
	v, is := at.(*Scatter)
	if !is || v.field == nil || !v.field.Runs() || v.field.Shown() == 0 {
		return t, false
	}
	t.e = v.field
	dims := v.field.Dims()
	if with == chosen {
		if t.at, ok = v.Grip(); !ok {
			return t, false
		}
		t.points = s.AllSelected()
	} else {
		hit, found := v.pointAt(x, y)
		if !found {
			return t, false
		}
		t.at = place(v.Points().Host()[hit*dims : (hit+1)*dims])
		switch {
		case s.Scene.States.Host()[hit]&render.Selected != 0:
			t.points = s.AllSelected()
		case with == ofLandmark:
			var err error
			if t.points, _, err = s.Scene.Map.Company(hit); err != nil {
				s.Scene.Fail(err)
			}
		}
		if len(t.points) == 0 {
			t.points = []int{hit}
		}
	}
	host := v.Points().Host()
	t.points = slices.DeleteFunc(t.points, func(p int) bool { // points without a place are left out
		return slices.ContainsFunc(host[p*dims:(p+1)*dims], func(x float32) bool { return x-x != 0 })
	})
	for _, p := range t.points {
		t.places = append(t.places, host[p*dims:(p+1)*dims]...)
	}
	return t, len(t.points) > 0
}

// AllSelected returns the selected points, in the order of the table.
func (s *Stage) AllSelected() (points []int) {
	for i, state := range s.Scene.States.Host() {
		if state&render.Selected != 0 {
			points = append(points, i)
		}
	}
	return points
}

// pointAt is the point that a press would take: the nearest on the screen, within reach.
func (v *Scatter) pointAt(x, y float64) (int, bool) {
	points, ok := v.SelectionPoints()
	if !ok {
		return 0, false
	}
	px, py := v.Eye.pixel(x, y)
	hit, found, err := selection.Nearest(context.Background(), v.SelectionView(), points, selection.Point{X: px, Y: py},
		hoverReach*v.View.scene.pixels())
	return hit.Point, err == nil && found
}

// pinsShown is how many pins are drawn at most: of more, the first.
const pinsShown = 2000

func init() { RegisterOver(Over{Order: 50, Draw: pinsOver{}.draw}) }

// pinsOver marks the points that are pinned.
type pinsOver struct{}

func (pinsOver) draw(v *Scatter, dl *imgui.DrawList) {
	pins := v.field.Pinned()
	for _, i := range pins[:min(len(pins), pinsShown)] {
		if sx, sy, ok := v.hovered(i); ok {
			v.View.scene.UI.PinDot(dl, imgui.Vec2{X: float32(sx), Y: float32(sy)})
		}
	}
}
