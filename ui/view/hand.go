package view

import (
	"math"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/parts"
	"blossom/model/selection"
	"blossom/model/state"
	"blossom/render/camera"
	"blossom/ui/shell"
)

// Tool is what a plain drag in a view does.
type Tool int

const (
	Navigate  Tool = iota // pan; in 3D orbit
	Landmarks             // select landmarks by rectangle
	Select                // select points
)

// Shape is how points are enclosed.
type Shape int

const (
	ByRect Shape = iota
	ByLasso
)

// Mode is what a stroke does to the selection of points.
type Mode int

const (
	Replace Mode = iota
	Add
	Subtract
)

// Hand turns what the mouse does on the views into changes of the document and of the cameras. It is fed every
// event in order, so that nothing is lost however slow a frame was.
type Hand struct {
	Doc *state.Document
	// At is the view under the hand: that of the gesture under way, else that under the cursor, or nil.
	At Ground
	// Map is the view in which landmarks are worked on with keys, or nil.
	Map Ground
	// Tool, Shape and Mode are what the user has chosen.
	Tool  Tool
	Shape Shape
	Mode  Mode
	// Reach is the distance in screen units at which a landmark counts as hit.
	Reach float64
	// Mean is the codebook vector for a landmark added where there is no other.
	Mean func() []float32
	// Menu opens the menu of what can be done at a place; id is a landmark or -1.
	Menu func(x, y float64, id int)
	// Said is told what was done.
	Said func(string)
	// Steered is told what moved the camera of At, for those that follow it.
	Steered func(move func(Ground))
	// Enclosed is told of a stroke of the Select tool, in screen units.
	Enclosed func(at Ground, r selection.Region, m Mode)

	Selected []int // landmarks, ascending
	nudged   []int // the selection that was nudged last
	Hover    int   // landmark under the cursor, or -1
	Space    bool  // held: a drag pans
	SpaceHad bool  // the held space has been used for a drag

	kind     gestureKind
	button   shell.Button
	press    point // where the button went down
	Cursor   point // where the cursor is
	moved    bool  // further than a click
	turned   bool  // 3D has turned since
	id       int   // the landmark under the press, or -1
	mods     shell.Mods
	path     []point    // of a lasso
	grab     camera.Vec // world offset from the press to the landmark grabbed
	last     camera.Vec // world place of the cursor at the last move
	keepOnUp bool       // the press was on a selected landmark: a click selects it alone on release
	count    countChip
}

// Ground is a view as the hand needs it. Screen units, origin at the top left of the window.
type Ground interface {
	Screen(p camera.Vec) (sx, sy float64, ok bool)
	World(sx, sy float64) camera.Vec
	WorldAt(sx, sy float64, p camera.Vec) camera.Vec
	Pan(dsx, dsy float64)
	ZoomAt(sx, sy, factor float64)
	Rotate(dsx, dsy float64)
	CentreOn(p camera.Vec)
	Solid() bool
	// HasLandmarks says whether landmarks can be seen there, and so be hit.
	HasLandmarks() bool
	// IsMap says whether it shows the map that the landmarks carry.
	IsMap() bool
}

type point struct{ x, y float64 }

type gestureKind int

const (
	idle gestureKind = iota
	panning
	turning
	moving
	choosingRect // landmarks
	choosingLasso
	pointsRect // points
	pointsLasso
	pressed // a button is down and nothing has been decided
)

// clickSlack is how far, in points, the cursor may wander in a click.
const clickSlack = 3

// Dragging says whether landmarks are in hand.
func (g *Hand) Dragging() bool { return g.kind == moving && g.moved }

// Active says whether any gesture is under way.
func (g *Hand) Active() bool { return g.kind != idle }

// Handle takes one event. scale is screen units per point. It returns whether the event was used.
func (g *Hand) Handle(e shell.Event, scale float64) bool {
	at := point{float64(e.Pos.X), float64(e.Pos.Y)}
	switch e.Kind {
	case shell.MouseMove:
		g.moveTo(at, scale)
		return true
	case shell.MouseDown:
		g.Cursor = at
		if g.kind != idle {
			return true // a second button does not disturb the gesture under way
		}
		g.down(e, at)
		return true
	case shell.MouseUp:
		if g.kind == idle || e.Button != g.button {
			return false
		}
		g.moveTo(at, scale)
		g.up(e)
		return true
	case shell.Wheel:
		if e.Wheel.Y != 0 {
			f := math.Pow(1.1, float64(e.Wheel.Y))
			g.steer(func(v Ground) { v.ZoomAt(at.x, at.y, f) })
		}
		return true
	case shell.Blur:
		g.Space = false
		if g.kind != idle {
			g.finish()
		}
		return true
	}
	return false
}

func (g *Hand) down(e shell.Event, at point) {
	g.button, g.press, g.mods, g.moved = e.Button, at, e.Mods, false
	g.id = g.pick(at)
	g.kind = pressed
	g.keepOnUp = false
	g.last = g.At.World(at.x, at.y)
	switch {
	case e.Button == shell.Middle, e.Button == shell.Left && g.Space:
		g.kind = panning
		g.SpaceHad = g.Space
	case e.Button != shell.Left:
		return
	case g.Tool == Select && !e.Mods.Has(shell.Ctrl):
		g.kind = pointsRect
		if g.Shape == ByLasso {
			g.kind = pointsLasso
		}
		g.path = append(g.path[:0], at)
	case e.Mods.Has(shell.Ctrl):
		return // decided on release: a click adds or duplicates
	case g.Tool == Navigate && g.At.Solid() && e.Mods.Has(shell.Shift):
		g.kind = panning
	case !g.At.IsMap() && !g.At.Solid():
		g.kind = panning
	case e.Mods.Has(shell.Shift):
		g.kind = choosingRect
	case e.Mods.Has(shell.Alt):
		g.kind = choosingLasso
		g.path = append(g.path[:0], at)
	case g.id >= 0 && !(g.At.Solid() && g.Tool == Navigate): // a cloud is turned, wherever it is taken hold of
		if !slices.Contains(g.Selected, g.id) {
			g.Selected = []int{g.id}
		} else {
			g.keepOnUp = true
		}
		p := place(parts.Landmarks.Of(g.Doc.State()).Pos.Row(g.id))
		g.grab = minus(p, g.At.WorldAt(at.x, at.y, p))
		g.kind = moving
	case g.Tool == Landmarks && g.At.IsMap():
		g.kind = choosingRect
	case g.At.Solid():
		g.kind = turning
	default:
		g.kind = panning
	}
}

func (g *Hand) moveTo(at point, scale float64) {
	prev := g.Cursor
	g.Cursor = at
	if g.kind == idle {
		g.Hover = g.pick(at)
		return
	}
	if !g.moved {
		if math.Hypot(at.x-g.press.x, at.y-g.press.y) < clickSlack*scale {
			return
		}
		g.moved = true
		if g.kind == moving {
			name := "Move landmark"
			if len(g.Selected) > 1 {
				name = "Move landmarks"
			}
			g.Doc.Begin(name)
		}
	}
	switch g.kind {
	case panning:
		// The world point under the cursor at the press stays under it: no drift, whatever the frame rate.
		if sx, sy, ok := g.At.Screen(g.last); ok {
			g.steer(func(v Ground) { v.Pan(at.x-sx, at.y-sy) })
		}
	case turning:
		dx, dy := at.x-prev.x, at.y-prev.y
		if !g.turned {
			dx, dy, g.turned = at.x-g.press.x, at.y-g.press.y, true
		}
		g.steer(func(v Ground) { v.Rotate(dx, dy) })
	case moving:
		g.drag(at)
	case choosingLasso, pointsLasso:
		if prev != at {
			g.path = append(g.path, at)
		}
	}
}

// steer moves the camera under the hand, and those that follow it.
func (g *Hand) steer(move func(Ground)) {
	if g.Steered != nil {
		g.Steered(move)
		return
	}
	move(g.At)
}

// drag moves the landmarks in hand so that the grabbed spot stays under the cursor.
func (g *Hand) drag(at point) {
	l := parts.Landmarks.Of(g.Doc.State())
	if !g.Doc.Open() || g.id >= l.Len() {
		return // taken back meanwhile (undo in mid-drag)
	}
	p := place(l.Pos.Row(g.id))
	d := minus(plus(g.At.WorldAt(at.x, at.y, p), g.grab), p)
	if d == (camera.Vec{}) {
		return
	}
	moved, err := l.Move(g.Selected, coordinates(l, d))
	if err != nil {
		return // beyond what a position can be: the landmark stays behind the hand
	}
	g.Doc.Change(func(s *state.State) { parts.Landmarks.Put(s, moved.Arranged()) })
}

func (g *Hand) up(e shell.Event) {
	switch {
	case g.moved:
		switch g.kind {
		case choosingRect:
			g.choose(func(p point) bool {
				return p.x >= min(g.press.x, g.Cursor.x) && p.x <= max(g.press.x, g.Cursor.x) &&
					p.y >= min(g.press.y, g.Cursor.y) && p.y <= max(g.press.y, g.Cursor.y)
			}, g.mods.Has(shell.Ctrl))
		case choosingLasso:
			g.choose(func(p point) bool { return inside(g.path, p) }, g.mods.Has(shell.Ctrl))
		case pointsRect, pointsLasso:
			g.Enclosed(g.At, g.region(), g.mode())
		}
	case e.Button == shell.Middle:
		p := g.At.World(g.press.x, g.press.y)
		g.At.CentreOn(p)
	case e.Button == shell.Right && g.mods.Has(shell.Ctrl):
		if g.id >= 0 {
			g.remove([]int{g.id})
		}
	case e.Button == shell.Right:
		if g.id >= 0 && !slices.Contains(g.Selected, g.id) {
			g.Selected = []int{g.id}
		}
		g.Menu(g.press.x, g.press.y, g.id)
	case g.Tool == Select && e.Button == shell.Left && !g.mods.Has(shell.Ctrl):
		if g.mode() == Replace && !g.Space { // a click on nothing lets go
			g.Enclosed(g.At, selection.Lasso(nil), Replace)
		}
	case !g.At.IsMap():
	case e.Button == shell.Left && g.mods.Has(shell.Ctrl):
		if g.id >= 0 {
			g.Duplicate(g.id)
		} else {
			g.AddAt(g.press.x, g.press.y)
		}
	case e.Button == shell.Left && g.mods.Has(shell.Shift) && g.id >= 0:
		g.toggle(g.id)
	case e.Button == shell.Left && g.id >= 0:
		if g.keepOnUp {
			g.Selected = []int{g.id}
		}
	case e.Button == shell.Left && !g.Space:
		g.Selected = nil
	}
	g.finish()
}

// finish ends the gesture and keeps what it did.
func (g *Hand) finish() {
	if g.kind == moving && g.moved {
		g.Doc.Commit()
	}
	g.kind, g.moved, g.turned = idle, false, false
	g.Hover = g.pick(g.Cursor)
}

// Cancel ends the gesture and takes back what it did. It returns whether there was one.
func (g *Hand) Cancel() bool {
	if g.kind == idle {
		return false
	}
	if g.kind == moving && g.moved {
		g.Doc.Cancel()
	}
	g.kind, g.moved, g.turned = idle, false, false
	return true
}

// inside says whether p is within the closed path, by the even-odd rule.
func inside(path []point, p point) bool {
	in := false
	for i, j := 0, len(path)-1; i < len(path); j, i = i, i+1 {
		a, b := path[i], path[j]
		if (a.y > p.y) != (b.y > p.y) && p.x < (b.x-a.x)*(p.y-a.y)/(b.y-a.y)+a.x {
			in = !in
		}
	}
	return in
}

func vec(p point) imgui.Vec2 { return imgui.Vec2{X: float32(p.x), Y: float32(p.y)} }
