package view

import (
	"context"
	"math"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/selection"
	"blossom/render/camera"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

// Shape is what points are enclosed with (shapes in gesture_enclose.go), in the order in which they are offered.
type Shape int

const (
	ByRect Shape = iota
	ByEllipse
	ByLasso
	ByPolygon
	ByBrush
	ByQuadrants
	shapesKnown
)

// Mode is what a stroke does to the selection of points.
type Mode int

const (
	Replace Mode = iota
	Add
	Subtract
	Intersect
)

// Hand turns what the mouse does on the views into changes of the document and of the cameras. It is fed every
// event in order, so that nothing is lost however slow a frame was.
type Hand struct {
	Landmarks Landmarks // the landmarks of the document
	// At is the view under the hand: that of the gesture under way, else that under the cursor, or nil.
	At Ground
	// Map is the view in which landmarks are worked on with keys, or nil.
	Map Ground
	// Tool, Shape and Mode are what the user has chosen.
	Tool  *Tool
	Shape Shape
	Brush float64 // how far the brush reaches, in points
	Mode  Mode
	Along Along
	// Reach is the distance in screen units at which a landmark counts as hit.
	Reach float64
	Host  Host

	Hover int // the landmark that a press would take, or -1
	// HoverEdge is the edge that the menu would be of, Edge the one that it is of; noEdge: none.
	HoverEdge, Edge Pair
	Locked          bool     // the picture is not the document's present: nothing is taken hold of, a drag pans
	Space           Spacebar // held: a drag pans

	Draw  Drawing    // the shape of the Draw map tool
	UI    *widget.UI // lengths of grips; nil: there are none
	usual usualGap

	gesture gesture // between a press and its release, or nil
	press   press
	Cursor  point      // where the cursor is
	keys    shell.Mods // held now
	told    bool       // the user has been told how landmarks are moved
	count   countChip
	polygon polygon // is being clicked together around points
}

// Host is what a hand asks of the window around it. Any may be nil, but Said.
type Host struct {
	// Menu opens the menu of what can be done at a place; id is a landmark or -1.
	Menu func(x, y float64, id int)
	// Said is told what was done.
	Said func(string)
	// Steered is told what moved the camera of Hand.At, for those that follow it.
	Steered func(move func(Steered))
	// Lead prepares dragging the points that are selected.
	Lead func() (*landmark.Lead, error)
	// Take finds the points of an embedding that runs that a press at a place takes.
	Take func(at Ground, x, y float64, with companions) (taken, bool)
	// Colour is the name of the column that the active view is coloured by.
	Colour func() string
	// Job does what takes longer than a frame beside the window, and then what it returns; nil: nothing may.
	Job func(title string, work func(context.Context) (apply func(), err error))
	// Finished is told that the tool has done what it was chosen for; the one before is chosen again then.
	Finished func()
	// Name asks for a name of what is selected: it becomes a population.
	Name func()
	// Enclosed is told of a stroke of the Select tool, in screen units.
	Enclosed func(at Ground, r selection.Region, m Mode)
}

// press is how a gesture began, and whether it is one by now.
type press struct {
	button   shell.Button
	at       point
	mods     shell.Mods
	clicks   int        // 2: the second of a double click
	id       int        // the landmark under it, or -1
	held     camera.Vec // the place of the world under it
	moved    bool       // further than a click
	passedBy bool       // it was on a landmark, and the drag moves the view
}

// Spacebar is the key that makes a drag move the view.
type Spacebar struct {
	Held bool
	Used bool // for a drag, while it was held
}

// usualGap is the spacing of the landmarks of a revision.
type usualGap struct {
	gap float64
	of  revision.Revision
}

// Ground is a view as the hand needs it. Screen units, origin at the top left of the window.
type Ground interface {
	// Lens is where the eye is: what lies where on the screen.
	Lens() *Eye
	// HasLandmarks says whether landmarks can be seen there, and so be hit.
	HasLandmarks() bool
	// EdgesShown says whether edges between landmarks can be seen there, and so be hit.
	EdgesShown() bool
	// Grip is where the points that are selected can be taken hold of there, if anywhere.
	Grip() (camera.Vec, bool)
	// IsMap says whether it shows the map that the landmarks carry.
	IsMap() bool
}

type point struct{ x, y float64 }

// clickSlack is how far, in points, the cursor may wander in a click.
const clickSlack = 3

// Dragging says whether landmarks are in hand, or points that they carry.
func (g *Hand) Dragging() bool {
	switch g.gesture.(type) {
	case *carry, *arrange, *lead:
		return g.press.moved
	}
	return false
}

// Active says whether any gesture is under way.
func (g *Hand) Active() bool { return g.gesture != nil }

// busy says whether the hand is at something that a card would cover: a gesture, or a shape that is not placed yet.
func (g *Hand) busy() bool { return g.Active() || g.Tool.Sketching != nil && g.Tool.Sketching(g) }

// Hold tells which keys are held, without an event of the mouse: they decide what a press would take.
func (g *Hand) Hold(keys shell.Mods) {
	if keys == g.keys {
		return
	}
	if g.keys = keys; !g.Active() {
		g.look()
	}
}

// within is the landmark that a press would take, or -1.
func (g *Hand) within() int {
	if g.Tool.Takes == nil || g.Space.Held || !g.Tool.Takes(g.keys) {
		return -1
	}
	return g.pick(g.Cursor)
}

// Handle takes one event. scale is screen units per point. It returns whether the event was used.
func (g *Hand) Handle(e shell.Event, scale float64) bool {
	at := point{float64(e.Pos.X), float64(e.Pos.Y)}
	g.keys = e.Mods
	switch e.Kind {
	case shell.MouseMove:
		g.moveTo(at, scale)
		return true
	case shell.MouseDown:
		g.Cursor = at
		if g.Active() {
			return true // a second button does not disturb the gesture under way
		}
		g.down(e, at)
		return true
	case shell.MouseUp:
		if !g.Active() || e.Button != g.press.button {
			return false
		}
		g.moveTo(at, scale)
		g.up(e)
		return true
	case shell.Wheel:
		if e.Wheel.Y != 0 {
			f := math.Pow(1.1, float64(e.Wheel.Y))
			g.steer(func(v Steered) { v.ZoomAt(at.x, at.y, f) })
		}
		return true
	case shell.Blur:
		g.Space.Held = false
		if g.Active() {
			g.finish(lost)
		}
		return true
	}
	return false
}

func (g *Hand) down(e shell.Event, at point) {
	g.press = press{button: e.Button, at: at, mods: e.Mods, clicks: e.Clicks, id: g.pick(at),
		held: g.At.Lens().World(at.x, at.y)}
	g.gesture = nil
	switch {
	case e.Button == shell.Middle, e.Button == shell.Left && (g.Space.Held || g.Locked && !g.At.Lens().Solid()):
		g.gesture, g.Space.Used = &pan{}, g.Space.Held
	case e.Button == shell.Left && g.Locked:
		g.gesture = &turn{}
	case e.Button == shell.Left:
		g.gesture = g.Tool.Press(g)
	}
	if g.gesture == nil {
		g.gesture = still{}
	}
}

func (g *Hand) moveTo(at point, scale float64) {
	from := g.Cursor
	g.Cursor = at
	if !g.Active() {
		g.look()
		return
	}
	if !g.press.moved {
		if math.Hypot(at.x-g.press.at.x, at.y-g.press.at.y) < clickSlack*scale {
			return
		}
		g.press.moved = true
		g.gesture.start(g)
	}
	g.gesture.move(g, from)
}

// steer moves the camera under the hand, and those that follow it.
func (g *Hand) steer(move func(Steered)) {
	if g.Host.Steered != nil {
		g.Host.Steered(move)
		return
	}
	move(g.At.Lens())
}

func (g *Hand) up(e shell.Event) {
	switch {
	case g.press.moved:
	case e.Button == shell.Middle:
		g.At.Lens().CentreOn(g.At.Lens().World(g.press.at.x, g.press.at.y))
	case g.Locked:
	case e.Button == shell.Right && g.press.mods.Has(shell.Ctrl):
		if g.press.id >= 0 {
			g.Landmarks.remove([]int{g.press.id})
		}
	case e.Button == shell.Right:
		if g.press.id >= 0 && !slices.Contains(g.Landmarks.Selected, g.press.id) {
			g.Landmarks.Selected = []int{g.press.id}
		}
		g.Edge = g.pickEdge(g.press.at)
		g.Host.Menu(g.press.at.x, g.press.at.y, g.press.id)
	default:
		g.Tool.Click(g)
	}
	g.finish(released)
}

// finish ends the gesture and keeps what it did.
func (g *Hand) finish(how ending) {
	if g.press.moved {
		g.gesture.end(g, how)
	}
	if g.press.moved && g.press.passedBy && !g.told {
		g.told = true
		g.Host.Said("a drag moves the view; Ctrl+drag moves a landmark, as a drag with the Landmarks tool does")
	}
	g.gesture, g.press.moved = nil, false
	g.look()
}

// Cancel ends the gesture and takes back what it did, or lets go of a polygon. It returns whether there was one.
func (g *Hand) Cancel() bool {
	if !g.Active() {
		return g.polygon.drop()
	}
	if g.press.moved {
		g.gesture.end(g, takenBack)
	}
	g.gesture, g.press.moved = nil, false
	return true
}

func vec(p point) imgui.Vec2 { return imgui.Vec2{X: float32(p.x), Y: float32(p.y)} }
