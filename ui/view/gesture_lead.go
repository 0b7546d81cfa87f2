package view

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/matrix"
	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/render"
	"blossom/render/camera"
)

// lead drags the points that are selected: the landmarks that carry them follow.
type lead struct {
	still
	from camera.Vec // the middle of the points at the press
	grab camera.Vec // from the press to it
	lead *landmark.Lead
	due  bool // the hand has moved since the landmarks followed
}

// gripReach is the radius of the grip, as a multiple of Hand.Reach.
const gripReach = 1.5

// onGrip says whether a place of the screen is on the grip of the selected points.
func (g *Hand) onGrip(at point) bool {
	if g.At == nil || g.Host.Lead == nil || g.Locked || !g.Tool.Points {
		return false
	}
	p, ok := g.At.Grip()
	if !ok {
		return false
	}
	sx, sy, ok := g.At.Lens().Screen(p)
	r := g.Reach * gripReach
	return ok && (sx-at.x)*(sx-at.x)+(sy-at.y)*(sy-at.y) <= r*r
}

// takePoints begins to drag the selected points, if the press was on their grip.
func (g *Hand) takePoints() gesture {
	if g.press.mods != 0 || !g.onGrip(g.press.at) {
		return nil
	}
	if !g.At.IsMap() {
		return g.takeHold(chosen)
	}
	p, _ := g.At.Grip()
	return &lead{from: p, grab: minus(p, g.At.Lens().WorldAt(g.press.at.x, g.press.at.y, p))}
}

func (d *lead) start(g *Hand) {
	l, err := g.Host.Lead()
	if err != nil {
		g.Host.Said(err.Error())
		return
	}
	d.lead = l
	g.Landmarks.Doc.Begin("Move points")
}

// move only notes that the hand has moved: a mouse tells of it many times in a frame, and landmarks follow once.
func (d *lead) move(*Hand, point) { d.due = true }

// follow lets the landmarks come to where the hand is now.
func (d *lead) follow(g *Hand) {
	if d.lead == nil || !d.due || !g.Landmarks.Doc.Open() {
		return
	}
	d.due = false
	l := parts.Landmarks.Of(g.Landmarks.Doc.State())
	way := minus(plus(g.At.Lens().WorldAt(g.Cursor.x, g.Cursor.y, d.from), d.grab), d.from)
	pos, _ := d.lead.To([]float64{way.X, way.Y, way.Z}[:l.Pos.Cols])
	if pos.Rows != l.Len() {
		return // taken back meanwhile (undo in mid-drag)
	}
	ids, to := make([]int, 0, len(d.lead.IDs())), matrix.New(len(d.lead.IDs()), pos.Cols)
	for i, id := range d.lead.IDs() {
		ids = append(ids, int(id))
		copy(to.Row(i), pos.Row(int(id)))
	}
	moved, err := l.SetPos(ids, to)
	if err != nil {
		return // beyond what a position can be: the points stay behind the hand
	}
	g.Landmarks.Doc.Change(parts.Landmarks.With(moved.Arranged()))
}

func (d *lead) end(g *Hand, how ending) {
	if d.lead == nil {
		return
	}
	if how == takenBack {
		g.Landmarks.Doc.Cancel()
		return
	}
	d.follow(g)
	g.Landmarks.Doc.Commit()
}

// Settle does what gestures have put off to once a frame.
func (g *Hand) Settle() {
	if !g.press.moved {
		return
	}
	switch d := g.gesture.(type) {
	case *lead:
		d.follow(g)
	case *drift:
		d.follow(g)
	}
}

// gripSample is how many of the selected points say where their middle is.
const gripSample = 2000

// selectedPoints are some of the selected points of the map, in the order of the table, which is random.
func (s *Stage) selectedPoints() []int32 {
	if s.gripOf == s.selection && s.gripTable == s.table && s.gripKnown {
		return s.gripped
	}
	s.gripOf, s.gripTable, s.gripKnown, s.gripped = s.selection, s.table, true, s.gripped[:0]
	if s.Selected().Empty() {
		return nil
	}
	for i, state := range s.Scene.States.Host() {
		if state&render.Selected != 0 {
			if s.gripped = append(s.gripped, int32(i)); len(s.gripped) == gripSample {
				break
			}
		}
	}
	return s.gripped
}

// Grip is where the selected points can be taken hold of: in their middle, or beside a name that stands there. ok is
// false where they cannot.
func (v *Scatter) Grip() (p camera.Vec, ok bool) {
	h := v.View.scene.Hand
	if !h.Tool.Points || !v.IsMap() && (v.field == nil || !v.field.Runs()) || h.Locked ||
		v.View.scene.gripPoints == nil {
		return p, false
	}
	b, n := v.Points(), 0
	if b == nil {
		return p, false
	}
	d := b.Dims()
	for _, i := range v.View.scene.gripPoints() {
		if int(i) >= b.Len() || !b.Ready() && !b.Known(int(i)+1) {
			break
		}
		at := place(b.Host()[int(i)*d : (int(i)+1)*d])
		if at.X-at.X != 0 || at.Y-at.Y != 0 || at.Z-at.Z != 0 {
			continue
		}
		p, n = plus(p, at), n+1
	}
	if n == 0 {
		return p, false
	}
	return v.names.clear(v, camera.Vec{X: p.X / float64(n), Y: p.Y / float64(n), Z: p.Z / float64(n)}), true
}

func init() { RegisterOver(Over{Order: 60, Draw: gripOver{}.draw}) }

// gripOver is the grip; while it is held, where the hand has it.
type gripOver struct{}

func (gripOver) draw(v *Scatter, dl *imgui.DrawList) {
	h, u := v.View.scene.Hand, v.View.scene.UI
	if h.Active() {
		d, leading := h.gesture.(*lead)
		_, drifting := h.gesture.(*drift)
		if h.At == Ground(v) && (leading && d.lead != nil || drifting && h.Tool.Points) {
			u.Grip(dl, vec(h.Cursor), true)
		}
		return
	}
	if p, ok := v.Grip(); ok {
		if sx, sy, ok := v.Eye.Screen(p); ok && v.Eye.Contains(sx, sy) {
			u.Grip(dl, imgui.Vec2{X: float32(sx), Y: float32(sy)}, h.At == Ground(v) && h.onGrip(h.Cursor))
		}
	}
}
