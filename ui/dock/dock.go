// Package dock is the wide panels below the views, a file for each: what needs the width of the window rather than
// its height. A dock is registered with what the View menu, the palette and the keys need to know of it, and made anew
// for each desk. Docks know the desk, not the program around it.
package dock

import (
	"slices"
	"sort"

	"blossom/ui/desk"
	"blossom/ui/widget"
)

// Kind describes a dock.
type Kind struct {
	ID     string // stable key of settings and commands
	Title  string
	Also   string  // other words that it is sought by
	Help   string  // says in the menu and the palette what is done there
	Key    string  // shortcut that shows or hides it, or ""
	Icon   string  // from package assets
	Order  int     // place below the views, from the top
	Height float32 // with its header until the user has changed it, points
	Shown  bool    // until the user hides it
	New    func(*desk.Desk) Dock
}

// Dock is a wide panel at one desk. What it is told of happens within its area: menus may be opened there.
type Dock interface {
	// Head says what the header shows. It is called in each frame in which the dock is shown, folded or not, and may
	// draw menus.
	Head() widget.DockHead
	// Act does what a button of the header stands for, by its ID; under is where the button is.
	Act(id string, under widget.Rect)
	// Draw draws what the dock holds into r.
	Draw(r widget.Rect)
}

var kinds []Kind

// Register adds a dock, from the init of its file, and returns what takes it out again, for tests. It panics if the ID
// is taken.
func Register(k Kind) (remove func()) {
	for _, x := range kinds {
		if x.ID == k.ID {
			panic("dock: registered twice: " + k.ID)
		}
	}
	kinds = append(kinds, k)
	sort.SliceStable(kinds, func(i, j int) bool { return kinds[i].Order < kinds[j].Order })
	return func() { kinds = slices.DeleteFunc(kinds, func(x Kind) bool { return x.ID == k.ID }) }
}

// Kinds returns all docks, from the top.
func Kinds() []Kind { return slices.Clone(kinds) }
