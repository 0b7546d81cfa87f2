package panel

import (
	"math"
	"slices"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/ui/desk"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

// LeastViews is the width in points that the side bar leaves to the views where it stands beside them.
const LeastViews = 180

// revealTime is how long a panel that is shown stays in sight although those above it grow, unless a hand is at it.
const revealTime = time.Second

// Place is how the side bar is shown, as settings remember it.
type Place struct {
	Sidebar bool    `json:"sidebar"`
	Width   float32 `json:"sidebar_width"` // points
}

// Side is the side bar with the panels of the open document: at the right of the views, or over them where the window
// is narrow.
type Side struct {
	UI      *widget.UI
	Context *shell.Context
	Place   *Place
	Narrow  func() bool // the window has no room for it beside the views
	Busy    func() bool // something that may have been asked for in a panel is yet to come
	// Remember is told that Place has changed, for good.
	Remember func()

	Set
	over     bool        // it is shown in a narrow window
	rect     widget.Rect // where it stands in this frame; empty where it is not shown
	revealed struct {    // a panel to scroll to, and to keep in sight while what it has asked for comes
		panel string
		at    time.Time
	}
}

// Set is the panels of a desk, and how far the side bar is scrolled.
type Set struct {
	list   []placed
	scroll float32
	again  int // frames in which it is yet to be scrolled so far, as other panels were there
}

// Swap puts the panels of another desk, which were taken away before, or none, in place of those that there are, which
// it returns as they are.
func (s *Side) Swap(to Set) (former Set) {
	former, s.Set, s.revealed.panel = s.Set, to, ""
	s.again = 3
	return former
}

// scrolled keeps the side bar as far scrolled as it was, and notes how far it is.
func (s *Side) scrolled() {
	if s.again > 0 {
		s.again--
		imgui.SetScrollYFloat(s.scroll)
		s.UI.Again()
		return
	}
	s.scroll = imgui.ScrollY()
}

// placed is a panel with its kind.
type placed struct {
	Kind
	Panel
}

// Make makes the panels of a desk; nil: there are none, and no side bar.
func (s *Side) Make(d *desk.Desk) {
	s.Set, s.revealed.panel = Set{}, ""
	if d == nil {
		return
	}
	for _, k := range Kinds() {
		s.list = append(s.list, placed{k, k.New(d)})
	}
}

// Reveal opens a panel and scrolls to it.
func (s *Side) Reveal(id string) {
	s.Place.Sidebar, s.over, s.UI.Open[id] = true, true, true
	s.revealed.panel, s.revealed.at = id, s.Context.Now()
	s.Context.Refresh()
}

// Toggle shows or hides the side bar.
func (s *Side) Toggle() {
	if s.Narrow() {
		s.over = !s.over
		return
	}
	s.Place.Sidebar = !s.Place.Sidebar
	s.Remember()
}

// Shown says whether it is there in this frame.
func (s *Side) Shown() bool { return !s.rect.Empty() }

// Arrange finds the place of the side bar in room, and returns what is left of that for the views.
func (s *Side) Arrange(room widget.Rect) widget.Rect {
	s.rect = widget.Rect{}
	if s.list == nil {
		return room
	}
	room, s.rect = s.split(room)
	return room
}

// Views is what Arrange will leave of room for the views of a document that is still to come.
func (s *Side) Views(room widget.Rect) widget.Rect {
	room, _ = s.split(room)
	return room
}

// split finds the place of the side bar in room, which is empty where it is not shown, and what is left of that.
func (s *Side) split(room widget.Rect) (left, bar widget.Rect) {
	narrow := s.Narrow()
	if narrow && !s.over || !narrow && !s.Place.Sidebar {
		return room, widget.Rect{}
	}
	width := s.Place.Width
	if !narrow { // the map comes first
		width = max(widget.SideLeast, min(width, room.W()/s.UI.Pt(1)-LeastViews))
	}
	// Whole units, as the views have.
	right := max(room.X1-float32(math.Round(float64(s.UI.Pt(width)))), room.X0)
	bar = widget.Rect{X0: right, Y0: room.Y0, X1: room.X1, Y1: room.Y1}
	if !narrow {
		room.X1 = right
	}
	return room, bar
}

// Draw draws the panels, where the side bar is shown.
func (s *Side) Draw() {
	if !s.Shown() {
		return
	}
	s.UI.Area("side bar", s.rect, widget.AreaOpts{Border: widget.SideLeft, PadX: 12, Scroll: true}, func() {
		s.scrolled()
		for _, p := range s.list {
			if s.revealed.panel == p.ID && s.revealing() {
				imgui.SetScrollHereYV(0)
			}
			s.UI.Panel(p.Title+"##"+p.ID, widget.PanelOpts{Note: p.Note(), Closed: p.Closed}, p.Draw)
		}
		s.UI.Space(24)
	})
	if s.Narrow() {
		return
	}
	if e := s.UI.SideEdge("side edge", s.rect, &s.Place.Width); e.Committed {
		s.Remember()
	}
}

// revealing says whether a panel is still to be shown, and ends that in time.
func (s *Side) revealing() bool {
	handed := slices.ContainsFunc(s.Context.Events(), func(e shell.Event) bool {
		return e.Kind == shell.MouseDown || e.Kind == shell.Wheel
	})
	if s.Busy() {
		s.revealed.at = s.Context.Now()
	}
	if handed || s.Context.Now().Sub(s.revealed.at) > revealTime {
		s.revealed.panel = ""
	}
	return !handed
}
