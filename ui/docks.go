package ui

import (
	"math"

	"blossom/ui/dock"
	"blossom/ui/widget"
)

// leastViews is the height in points that docks leave to the views.
const leastViews = 160

// DockPlace is how a dock is shown, as settings remember it.
type DockPlace struct {
	Shown  bool    `json:"shown"`
	Folded bool    `json:"folded,omitempty"`
	Height float32 `json:"height,omitempty"` // points, with the header
}

// placedDock is a dock of the open document below its views.
type placedDock struct {
	dock.Kind
	dock.Dock
	rect   widget.Rect // of this frame
	folded bool        // as it is shown now
	most   float32     // how high it may be made, points
}

// makeDocks makes the docks of the desk.
func (a *App) makeDocks() {
	a.rooms.docks = a.rooms.docks[:0:0]
	for _, k := range dock.Kinds() {
		a.rooms.docks = append(a.rooms.docks, placedDock{Kind: k, Dock: k.New(a.desk)})
	}
}

// dockPlace is how a dock is to be shown.
func (a *App) dockPlace(k dock.Kind) DockPlace {
	p, known := a.settings.Docks[k.ID]
	if !known {
		p.Shown = k.Shown
	}
	if !(p.Height >= widget.DockLeast) {
		p.Height = max(k.Height, widget.DockLeast)
	}
	p.Height = min(p.Height, widget.DockMost)
	return p
}

func (a *App) setDock(k dock.Kind, p DockPlace) {
	if a.settings.Docks == nil {
		a.settings.Docks = map[string]DockPlace{}
	}
	a.settings.Docks[k.ID] = p
}

// toggleDock shows or hides a dock. Where it is folded for want of room, what was asked for is unfolded.
func (a *App) toggleDock(k dock.Kind) {
	p := a.dockPlace(k)
	p.Shown = !p.Shown
	p.Folded = false
	if p.Shown && a.narrow() {
		a.setUnfolded(k.ID, true)
	}
	a.setDock(k, p)
	a.keepSettings()
	a.ctx.Refresh()
}

// setUnfolded says that a dock is to be open in a window that has no room for all of it.
func (a *App) setUnfolded(id string, on bool) {
	if a.narrowed.docks == nil {
		a.narrowed.docks = map[string]bool{}
	}
	a.narrowed.docks[id] = on
}

// foldDock folds a dock to its header, or opens it again.
func (a *App) foldDock(d *placedDock) {
	if a.narrow() {
		a.setUnfolded(d.ID, d.folded)
		return
	}
	p := a.dockPlace(d.Kind)
	if p.Folded == d.folded {
		p.Folded = !d.folded
	} else { // it is folded for want of room: the others make it
		for i := range a.rooms.docks {
			if o := &a.rooms.docks[i]; o.ID != d.ID {
				q := a.dockPlace(o.Kind)
				q.Folded = true
				a.setDock(o.Kind, q)
			}
		}
	}
	a.setDock(d.Kind, p)
	a.keepSettings()
}

// arrangeDocks finds the places of the docks at the foot of canvas, and returns what is left of it. The views come
// first: docks that leave too little of them fold to their headers, the lowest ones first, then become lower.
func (a *App) arrangeDocks(canvas widget.Rect) widget.Rect {
	pt := func(x float32) float32 { return float32(math.Round(float64(a.ui.Pt(x)))) }
	least := pt(leastViews)
	if a.narrow() {
		least = pt(leastViews - 40)
	}
	room := canvas.H() - least
	head, all := pt(widget.DockHeader), float32(0)
	for i := range a.rooms.docks {
		d := &a.rooms.docks[i]
		p := a.dockPlace(d.Kind)
		d.rect = widget.Rect{}
		if !p.Shown {
			continue
		}
		d.folded = p.Folded
		if a.narrow() {
			d.folded = !a.narrowed.docks[d.ID]
		}
		h := head
		if !d.folded {
			h = pt(p.Height)
		}
		d.rect.Y1 = h
		all += h
	}
	for i := len(a.rooms.docks) - 1; i >= 0 && all > room; i-- {
		d := &a.rooms.docks[i]
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
	for i := len(a.rooms.docks) - 1; i >= 0; i-- {
		d := &a.rooms.docks[i]
		if d.rect.Y1 == 0 {
			continue
		}
		h := d.rect.Y1
		d.most = (h + room - all) / a.ui.Pt(1)
		d.rect = widget.Rect{X0: canvas.X0, Y0: y - h, X1: canvas.X1, Y1: y}
		y -= h
	}
	canvas.Y1 = max(y, canvas.Y0+1)
	return canvas
}

// drawDocks draws the docks that are shown.
func (a *App) drawDocks() {
	for i := range a.rooms.docks {
		d := &a.rooms.docks[i]
		if d.rect.Empty() {
			continue
		}
		a.ui.Dock("dock-"+d.ID, d.Title, "Hide; the View menu brings it back\t"+d.Key, d.rect, d.folded, d.Head,
			func(x widget.DockHit) {
				switch {
				case x.Close:
					a.toggleDock(d.Kind)
				case x.Fold:
					a.foldDock(d)
				default:
					d.Act(x.Act, x.Under)
				}
			}, d.Draw)
		if d.folded {
			continue
		}
		p := a.dockPlace(d.Kind)
		h := d.rect.H() / a.ui.Pt(1)
		e := a.ui.DockEdge("dock-"+d.ID+" edge", d.rect, &h, max(d.Height, widget.DockLeast), d.most)
		if e.Changed {
			p.Height = h
			a.setDock(d.Kind, p)
		}
		if e.Committed {
			a.keepSettings()
		}
	}
}

// dockCommands are the commands that show and hide docks.
func dockCommands() (out []*entry) {
	for i, k := range dock.Kinds() {
		c := &entry{ID: "dock-" + k.ID, Menu: "View", Title: k.Title, Help: k.Help, Also: k.Also, Icon: k.Icon,
			Rule:    i == 0,
			Enabled: hasMap, Checked: func(a *App) bool { return a.dockPlace(k).Shown },
			Run: func(a *App) { a.toggleDock(k) }}
		if k.Key != "" {
			c.Keys = []string{k.Key}
		}
		out = append(out, c)
	}
	return out
}
