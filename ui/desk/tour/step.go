// Package tour is the guided tour of the window: steps that the user does by hand on demo data, a file for each. A step
// says in a sentence or two what to do, points at where, and knows from the state of the document when it is done. The
// tour knows the desk, not the program around it; what it is shown on is a guest, of which nothing is kept.
package tour

import (
	"cmp"

	"blossom/model/base/registry"
	"blossom/ui/desk"
)

// Data is what the tour is shown on: so few points that everything answers at once on any machine.
const Data = "demo:cytometry:20000"

// Step is something that the user does in the tour.
type Step struct {
	ID    string
	Order int // place in the tour, from the first
	Title string
	Words string // a sentence or two: what to do, and what comes of it
	Keys  string // how the keyboard does it
	// Panel is shown at the side, where there is room, when the step begins; "": none.
	Panel string
	// At names what it points at as things are, as widget.UI.Rect has it: the first that is in sight. Places of the
	// map itself are those that Spots marks.
	At func(d *desk.Desk) []string
	// Begin looks at how things are when the step begins. What it returns is asked in each frame from then on, and says
	// whether the user has done it since.
	Begin func(d *desk.Desk) (done func() bool)
	// Needs says what has to be done first, "" for nothing: as things are the step cannot be done. It may be nil.
	Needs func(d *desk.Desk) string
}

var steps = registry.New("tour", func(s *Step) string { return s.ID },
	func(a, b *Step) int { return cmp.Compare(a.Order, b.Order) })

// Register adds a step, from the init of its file. It panics if its ID is taken.
func Register(s *Step) { steps.Add(s) }

// Steps are those of the tour, in their order.
func Steps() []*Step { return steps.All() }

// need is what a step needs as things are, "" for nothing.
func (s *Step) need(d *desk.Desk) (first string) {
	if s.Needs != nil {
		first = s.Needs(d)
	}
	return first
}
