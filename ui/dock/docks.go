package dock

import (
	"math"

	"blossom/ui/desk"
	"blossom/ui/widget"
)

// leastViews is the height in points that docks leave to the views.
const leastViews = 160

// Place is how a dock is shown, as settings remember it.
type Place struct {
	Shown  bool    `json:"shown"`
	Folded bool    `json:"folded,omitempty"`
	Height float32 `json:"height,omitempty"` // points, with the header
}

// Docks are those of the open document, below its views.
type Docks struct {
	UI     *widget.UI
	Places map[string]Place // by ID
	Narrow func() bool      // the window has no room for all of them
	// Remember is told that Places have changed, for good.
	Remember func()

	Set
	unfolded map[string]bool // names of docks that are to be open in a narrow window
}

// Set is the docks of a desk.
type Set struct{ list []placed }

// Swap puts the docks of another desk, which were taken away before, or none, in place of those that there are, which
// it returns as they are.
func (s *Docks) Swap(to Set) (former Set) {
	former, s.Set = s.Set, to
	return former
}

// placed is a dock with its place.
type placed struct {
	Kind
	Dock
	rect   widget.Rect // where it is drawn in this frame
	folded bool        // as it is shown now
	most   float32     // how high it may be made, points
}

// Make makes the docks of a desk; nil: there are none.
func (s *Docks) Make(d *desk.Desk) {
	s.list = nil
	if d == nil {
		return
	}
	for _, k := range Kinds() {
		s.list = append(s.list, placed{Kind: k, Dock: k.New(d)})
	}
}

// Place is how a dock is to be shown.
func (s *Docks) Place(k Kind) Place {
	p, known := s.Places[k.ID]
	if !known {
		p.Shown = k.Shown
	}
	if !(p.Height >= widget.DockLeast) {
		p.Height = max(k.Height, widget.DockLeast)
	}
	p.Height = min(p.Height, widget.DockMost)
	return p
}

func (s *Docks) set(k Kind, p Place) {
	if s.Places == nil {
		s.Places = map[string]Place{}
	}
	s.Places[k.ID] = p
}

// Toggle shows or hides a dock. Where it is folded for want of room, what was asked for is unfolded.
func (s *Docks) Toggle(k Kind) {
	p := s.Place(k)
	p.Shown = !p.Shown
	p.Folded = false
	if p.Shown && s.Narrow() {
		s.setUnfolded(k.ID, true)
	}
	s.set(k, p)
	s.Remember()
}

// setUnfolded says that a dock is to be open in a window that has no room for all of it.
func (s *Docks) setUnfolded(id string, on bool) {
	if s.unfolded == nil {
		s.unfolded = map[string]bool{}
	}
	s.unfolded[id] = on
}

// fold folds a dock to its header, or opens it again.
func (s *Docks) fold(d *placed) {
	if s.Narrow() {
		s.setUnfolded(d.ID, d.folded)
		return
	}
	p := s.Place(d.Kind)
	if p.Folded == d.folded {
		p.Folded = !d.folded
	} else { // it is folded for want of room: the others make it
		for i := range s.list {
			if o := &s.list[i]; o.ID != d.ID {
				q := s.Place(o.Kind)
				q.Folded = true
				s.set(o.Kind, q)
			}
		}
	}
	s.set(d.Kind, p)
	s.Remember()
}

// Arrange finds the places of the docks at the foot of canvas, and returns what is left of it. The views come
// first: docks that leave too little of them fold to their headers, the lowest ones first, then become lower.
func (s *Docks) Arrange(canvas widget.Rect) widget.Rect {
	pt := func(x float32) float32 { return float32(math.Round(float64(s.UI.Pt(x)))) }
	least := pt(leastViews)
	if s.Narrow() {
		least = pt(leastViews - 40)
	}
	room := canvas.H() - least
	head, all := pt(widget.DockHeader), float32(0)
	for i := range s.list {
		d := &s.list[i]
		p := s.Place(d.Kind)
		d.rect = widget.Rect{}
		if !p.Shown {
			continue
		}
		d.folded = p.Folded
		if s.Narrow() {
			d.folded = !s.unfolded[d.ID]
		}
		h := head
		if !d.folded {
			h = pt(p.Height)
		}
		d.rect.Y1 = h
		all += h
	}
	for i := len(s.list) - 1; i >= 0 && all > room; i-- {
		d := &s.list[i]
		if d.rect.Y1 <= head {
			continue
		}
		h := max(d.rect.Y1-(all-room), pt(widget.DockLeast))
		if rest := all - d.rect.Y1 + h; rest > room {
			h, d.folded = head, true
		}
		all -= d.rect.Y1 - h
		d.rect.Y1 = h
	}
	y := canvas.Y1
	for i := len(s.list) - 1; i >= 0; i-- {
		d := &s.list[i]
		if d.rect.Y1 == 0 {
			continue
		}
		h := d.rect.Y1
		d.most = (h + room - all) / s.UI.Pt(1)
		d.rect = widget.Rect{X0: canvas.X0, Y0: y - h, X1: canvas.X1, Y1: y}
		y -= h
	}
	canvas.Y1 = max(y, canvas.Y0+1)
	return canvas
}

// Draw draws the docks that are shown.
func (s *Docks) Draw() {
	for i := range s.list {
		d := &s.list[i]
		if d.rect.Empty() {
			continue
		}
		s.UI.Dock("dock-"+d.ID, d.Title, "Hide; the View menu brings it back\t"+d.Key, d.rect, d.folded, d.Head,
			func(x widget.DockHit) {
				switch {
				case x.Close:
					s.Toggle(d.Kind)
				case x.Fold:
					s.fold(d)
				default:
					d.Act(x.Act, x.Under)
				}
			}, d.Draw)
		if d.folded {
			continue
		}
		p := s.Place(d.Kind)
		h := d.rect.H() / s.UI.Pt(1)
		e := s.UI.DockEdge("dock-"+d.ID+" edge", d.rect, &h, max(d.Height, widget.DockLeast), d.most)
		if e.Changed {
			p.Height = h
			s.set(d.Kind, p)
		}
		if e.Committed {
			s.Remember()
		}
	}
}
