// Package panel is the tool windows beside the map, a file for each. A panel is registered with what the
// sidebar, the palette and the keys need to know of it, and made anew for each desk. Panels know the desk,
// not the program around it.
package panel

import (
	"slices"
	"sort"
	"strings"

	"blossom/model/base/step"
	"blossom/ui/desk"
)

// Kind describes a panel.
type Kind struct {
	ID    string // stable key of settings and commands
	Title string
	Help  string // its purpose, for the palette
	Also  string // other words that it is sought by there
	// Params are the parameters that are set in it, by whose titles it is sought, too; nil: none.
	Params func() []step.Param
	Key    string // shortcut that opens it, or ""
	Order  int    // place in the sidebar, from the top
	// Closed until the user opens it.
	Closed bool
	New    func(*desk.Desk) Panel
}

// Panel is a tool window at one desk.
type Panel interface {
	// Note says at the right of the header how things stand, "" for nothing.
	Note() string
	// Draw draws what the panel holds, with the desk's UI.
	Draw()
}

var kinds []Kind

// Register adds a panel, from the init of its file, and returns what takes it out again, for tests. It panics if the
// ID is taken.
func Register(k Kind) (remove func()) {
	for _, x := range kinds {
		if x.ID == k.ID {
			panic("panel: registered twice: " + k.ID)
		}
	}
	kinds = append(kinds, k)
	sort.SliceStable(kinds, func(i, j int) bool { return kinds[i].Order < kinds[j].Order })
	return func() { kinds = slices.DeleteFunc(kinds, func(x Kind) bool { return x.ID == k.ID }) }
}

// Words are all words that it is sought by beside its title.
func (k *Kind) Words() string {
	words := []string{k.Also}
	if k.Params != nil {
		for _, p := range k.Params() {
			words = append(words, p.Title)
		}
	}
	return strings.Join(words, " ")
}

// Kinds returns all panels, from the top.
func Kinds() []Kind { return append([]Kind(nil), kinds...) }
