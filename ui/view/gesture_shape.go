package view

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/landmarks/shape"
	"blossom/render/camera"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

// frameShape draws a new shape by its frame, from corner to corner. With Shift it is square.
type frameShape struct {
	still
	was Drawing
}

func (f *frameShape) start(g *Hand) { f.was = *g.drawing() }

func (f *frameShape) move(g *Hand, _ point) {
	d := g.drawing()
	a := g.At.Lens().World(g.press.at.x, g.press.at.y)
	if g.At.Lens().Solid() {
		a = g.press.held
	}
	s := d.Shape
	s.Frame = shape.Frame{Centre: vecTo(a), Axes: planeOf(g.At, a)}
	q := local(g.At, s.Frame, g.Cursor)
	if g.keys.Has(shell.Shift) {
		side := max(abs(q[0]), abs(q[1]))
		q[0], q[1] = sign(q[0])*side, sign(q[1])*side
	}
	s.Frame.Centre = s.Frame.Out(shape.Vec{q[0] / 2, q[1] / 2})
	s.Frame.Size = shape.Vec{abs(q[0]), abs(q[1])}
	d.put(s.Fitted())
}

func (f *frameShape) end(g *Hand, how ending) {
	if how == takenBack {
		g.Draw = f.was
	}
}

func abs(x float64) float64 { return max(x, -x) }

func sign(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
}

// strokeShape draws a line or an outline freehand.
type strokeShape struct {
	frame  shape.Frame
	world  []camera.Vec
	screen []imgui.Vec2
	closed bool
}

func (s *strokeShape) start(g *Hand) {
	d := g.drawing()
	d.Cancel()
	s.closed = d.kind().By == shape.ByOutline
	s.frame = shape.Frame{Centre: vecTo(g.press.held), Axes: planeOf(g.At, g.press.held)}
	s.add(g, g.press.at)
}

func (s *strokeShape) add(g *Hand, p point) {
	s.world = append(s.world, g.At.Lens().WorldAt(p.x, p.y, g.press.held))
	s.screen = append(s.screen, vec(p))
}

func (s *strokeShape) move(g *Hand, from point) {
	if from != g.Cursor {
		s.add(g, g.Cursor)
	}
}

func (s *strokeShape) end(g *Hand, how ending) {
	if how != released {
		return
	}
	path := make([][2]float64, len(s.world))
	for i, p := range s.world {
		q := s.frame.In(vecTo(p))
		path[i] = [2]float64{q[0], q[1]}
	}
	d := g.drawing()
	next := d.Shape
	next.Frame = s.frame
	next, err := next.Trace(path)
	if err != nil {
		g.Host.Said(err.Error())
		return
	}
	d.put(next)
}

func (s *strokeShape) draw(_ *Hand, dl *imgui.DrawList, u *widget.UI) {
	if s.closed {
		u.Lasso(dl, s.screen, widget.LassoOpts{})
		return
	}
	u.Stroke(dl, s.screen)
}

// pieceShape takes the landmarks in a rectangle as a piece.
type pieceShape struct{ choose }

func (p *pieceShape) end(g *Hand, how ending) {
	p.choose.end(g, how)
	if how == released {
		if len(g.Landmarks.Selected) == 0 {
			g.Host.Said("no landmarks are in the rectangle")
			return
		}
		g.cut(g.Landmarks.Selected)
	}
}

// moveShape moves the ghost, sizeShape drags a handle of its frame, turnShape its knob. All go from the frame as it
// was at the press, so that nothing adds up on the way.
type moveShape struct {
	still
	was shape.Shape
}

func (m *moveShape) start(g *Hand) { m.was = g.Draw.Shape }

func (m *moveShape) move(g *Hand, _ point) {
	from, to := local(g.At, m.was.Frame, g.press.at), local(g.At, m.was.Frame, g.Cursor)
	s := m.was
	s.Frame.Centre = m.was.Frame.Out(shape.Vec{to[0] - from[0], to[1] - from[1], to[2] - from[2]})
	g.Draw.put(s)
}

func (m *moveShape) end(g *Hand, how ending) {
	if how == takenBack {
		g.Draw.put(m.was)
	}
}

type sizeShape struct {
	moveShape
	grip int
}

func (h *sizeShape) move(g *Hand, _ point) {
	x, y := widget.GripSide(h.grip)
	s := h.was
	s.Frame = resized(h.was.Frame, x, y, dragged(g, h.was.Frame, x, y), g.keys.Has(shell.Shift))
	g.Draw.put(s.Fitted())
}

// dragged is where the side or corner (x, y) of a frame has come with the hand, which holds its handle a bit outside.
func dragged(g *Hand, f shape.Frame, x, y int) shape.Vec {
	from, q := local(g.At, f, g.press.at), local(g.At, f, g.Cursor)
	side := [2]float64{float64(x), float64(y)}
	for a := range side {
		q[a] += side[a]*abs(f.Size[a])/2 - from[a]
	}
	return q
}

type turnShape struct{ moveShape }

func (t *turnShape) move(g *Hand, _ point) {
	f := t.was.Frame
	s := t.was
	s.Frame = turned(f, angle(local(g.At, f, g.Cursor))-angle(local(g.At, f, g.press.at)), g.keys.Has(shell.Shift))
	g.Draw.put(s)
}
