package view

import (
	"slices"
	"strings"

	"blossom/ui/shell"
	"blossom/ui/widget"
)

// Tool is what a plain press and drag in a view does. A tool is a file, tool_*.go, that registers one: the strip, the
// menu, the palette and the list of keys have it from there.
type Tool struct {
	ID    string // ID of its command, "navigate"
	Title string // "Navigate"
	Help  string // a drag's meaning, "Drag moves the view"
	Also  string // other words that it is sought by
	Key   string // "1"; tools stand in the order of their keys
	Icon  string
	// Landmarks says that landmarks answer to clicks of the tool. Large says that they are drawn so that they can be
	// taken hold of, and are made visible when the tool is chosen.
	Landmarks, Large bool
	// Handles says that several selected landmarks stand in a frame by which they are sized and turned.
	Handles bool
	// Takes says whether a press with these keys held takes the landmark under it: it has a halo then. It may be nil.
	Takes func(held shell.Mods) bool
	// Points says that the tool is about points, not landmarks: to select all selects them, and those that are selected
	// have a grip by which they can be dragged.
	Points bool
	// Sketching says whether something is being drawn that is not there yet: no card covers it. It may be nil.
	Sketching func(*Hand) bool
	// Press is the gesture that a press of the left button at Hand.press begins, or nil where only a click counts.
	Press func(*Hand) gesture
	// Click is a press and release of the left button in one place.
	Click func(*Hand)
	// Options are drawn over the views while the tool is chosen; thing is what a point is, "cell". It may be nil.
	Options func(s *Stage, r widget.Rect, thing string)
}

var tools []*Tool

// Register adds a tool, from the init of its file. It panics if the ID or the key is taken.
func Register(t *Tool) {
	at := 0
	for i, x := range tools {
		if x.ID == t.ID || x.Key == t.Key {
			panic("view: tool registered twice: " + t.ID)
		}
		if strings.Compare(x.Key, t.Key) < 0 {
			at = i + 1
		}
	}
	tools = slices.Insert(tools, at, t)
}

// Tools are all tools, in the order of their keys; the first is the one to begin with.
func Tools() []*Tool { return tools }

// ToolByID returns a tool that is known to exist.
func ToolByID(id string) *Tool {
	for _, t := range tools {
		if t.ID == id {
			return t
		}
	}
	panic("view: no tool " + id)
}

// onLandmarks is what presses with keys held do in every tool for landmarks; decided is false where the tool decides.
func (g *Hand) onLandmarks() (begun gesture, decided bool) {
	switch {
	case g.press.mods == shell.Ctrl && g.press.id >= 0:
		return g.take(), true
	case g.press.mods.Has(shell.Ctrl):
		return nil, true // a click adds or duplicates
	case !g.At.IsMap() && g.press.mods&(shell.Shift|shell.Alt) != 0: // there are only points
		if g.press.mods.Has(shell.Shift) {
			return newStroke(ByRect, true), true
		}
		return newStroke(ByLasso, true), true
	case !g.At.IsMap() && !g.At.Lens().Solid():
		return &pan{}, true
	case g.press.mods.Has(shell.Shift):
		return &choose{}, true
	case g.press.mods.Has(shell.Alt):
		return &choose{outline{lasso: true}}, true
	}
	return nil, false
}

// clickLandmarks is what a click does in every tool for landmarks.
func (g *Hand) clickLandmarks() {
	if _, grip := g.gesture.(*arrange); grip {
		return // it is a click of the frame around the selected ones
	}
	switch {
	case !g.At.IsMap():
	case g.press.mods.Has(shell.Ctrl):
		g.clickToAdd()
	case g.press.mods.Has(shell.Shift) && g.press.id >= 0:
		g.Landmarks.toggle(g.press.id)
	case g.press.id >= 0:
		g.Landmarks.Selected = []int{g.press.id}
	case !g.Space.Held:
		g.Landmarks.Selected = nil
	}
}

// clickToAdd duplicates the landmark under the press, or adds one where there is none.
func (g *Hand) clickToAdd() {
	switch {
	case !g.At.IsMap():
	case g.press.id >= 0:
		g.Landmarks.Duplicate(g.At, g.press.id, Aside*g.Reach)
	default:
		g.Landmarks.AddAt(g.At, g.press.at.x, g.press.at.y)
	}
}
