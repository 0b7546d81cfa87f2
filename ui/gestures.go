package ui

import (
	"fmt"
	"math"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/landmark"
	"blossom/model/parts"
	"blossom/model/state"
	"blossom/ui/shell"
)

// tool is what a plain drag on the map does.
type tool int

const (
	navigate  tool = iota // pan
	landmarks             // select by rectangle
)

// viewport is the camera as gestures need it. Screen units, origin at the top left of the window.
type viewport interface {
	ScreenFromWorld(x, y float64) (sx, sy float64)
	WorldFromScreen(sx, sy float64) (x, y float64)
	Pan(dsx, dsy float64)
	ZoomAt(sx, sy, factor float64)
	CentreOn(x, y float64)
}

// gestures turns what the mouse does on the map into changes of the document and of the view. It is
// fed every event in order, so that nothing is lost however slow a frame was.
type gestures struct {
	doc  *state.Document
	view viewport
	tool tool
	// reach is the distance in screen units at which a landmark counts as hit.
	reach float64
	// visible says whether landmarks can be hit at all.
	visible bool
	// mean is the codebook vector for a landmark added where there is no other.
	mean func() []float32
	// menu opens the menu of what can be done at a place; id is a landmark or -1.
	menu func(x, y float64, id int)
	// said is told what was done.
	said func(string)

	selected []int // ascending
	nudged   []int // the selection that was nudged last
	hover    int   // landmark under the cursor, or -1
	space    bool  // held: a drag pans
	spaceHad bool  // the held space has been used for a drag

	kind     gestureKind
	button   shell.Button
	press    point // where the button went down
	at       point // where the cursor is
	moved    bool  // further than a click
	id       int   // the landmark under the press, or -1
	mods     shell.Mods
	path     []point // of a lasso
	grab     point   // world offset from the press to the landmark grabbed
	last     point   // world place of the cursor at the last move
	keepOnUp bool    // the press was on a selected landmark: a click selects it alone on release
}

type point struct{ x, y float64 }

type gestureKind int

const (
	idle gestureKind = iota
	panning
	moving
	choosingRect
	choosingLasso
	pressed // a button is down and nothing has been decided
)

// clickSlack is how far, in points, the cursor may wander in a click.
const clickSlack = 3

// Dragging says whether landmarks are in hand.
func (g *gestures) Dragging() bool { return g.kind == moving && g.moved }

// Active says whether any gesture is under way.
func (g *gestures) Active() bool { return g.kind != idle }

// handle takes one event. scale is screen units per point. It returns whether the event was used.
func (g *gestures) handle(e shell.Event, scale float64) bool {
	at := point{float64(e.Pos.X), float64(e.Pos.Y)}
	switch e.Kind {
	case shell.MouseMove:
		g.moveTo(at, scale)
		return true
	case shell.MouseDown:
		g.at = at
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
			g.view.ZoomAt(at.x, at.y, math.Pow(1.1, float64(e.Wheel.Y)))
		}
		return true
	case shell.Blur:
		g.space = false
		if g.kind != idle {
			g.finish()
		}
		return true
	}
	return false
}

func (g *gestures) down(e shell.Event, at point) {
	g.button, g.press, g.mods, g.moved = e.Button, at, e.Mods, false
	g.id = g.pick(at)
	g.kind = pressed
	g.keepOnUp = false
	wx, wy := g.view.WorldFromScreen(at.x, at.y)
	g.last = point{wx, wy}
	switch {
	case e.Button == shell.Middle, e.Button == shell.Left && g.space:
		g.kind = panning
		g.spaceHad = g.space
	case e.Button != shell.Left:
		return
	case e.Mods.Has(shell.Ctrl):
		return // decided on release: a click adds or duplicates
	case e.Mods.Has(shell.Shift):
		g.kind = choosingRect
	case e.Mods.Has(shell.Alt):
		g.kind = choosingLasso
		g.path = append(g.path[:0], at)
	case g.id >= 0:
		if !slices.Contains(g.selected, g.id) {
			g.selected = []int{g.id}
		} else {
			g.keepOnUp = true
		}
		l := parts.Landmarks.Of(g.doc.State()).Pos.Row(g.id)
		g.grab = point{float64(l[0]) - wx, float64(l[1]) - wy}
		g.kind = moving
	case g.tool == landmarks:
		g.kind = choosingRect
	default:
		g.kind = panning
	}
}

func (g *gestures) moveTo(at point, scale float64) {
	prev := g.at
	g.at = at
	if g.kind == idle {
		g.hover = g.pick(at)
		return
	}
	if !g.moved {
		if math.Hypot(at.x-g.press.x, at.y-g.press.y) < clickSlack*scale {
			return
		}
		g.moved = true
		if g.kind == moving {
			name := "Move landmark"
			if len(g.selected) > 1 {
				name = "Move landmarks"
			}
			g.doc.Begin(name)
		}
	}
	switch g.kind {
	case panning:
		// The world point under the cursor at the press stays under it: no drift, whatever the frame rate.
		sx, sy := g.view.ScreenFromWorld(g.last.x, g.last.y)
		g.view.Pan(at.x-sx, at.y-sy)
	case moving:
		g.drag(at)
	case choosingLasso:
		if prev != at {
			g.path = append(g.path, at)
		}
	}
}

// drag moves the landmarks in hand so that the grabbed spot stays under the cursor.
func (g *gestures) drag(at point) {
	wx, wy := g.view.WorldFromScreen(at.x, at.y)
	l := parts.Landmarks.Of(g.doc.State())
	if !g.doc.Open() || g.id >= l.Len() {
		return // taken back meanwhile (undo in mid-drag)
	}
	p := l.Pos.Row(g.id)
	dx, dy := wx+g.grab.x-float64(p[0]), wy+g.grab.y-float64(p[1])
	if dx == 0 && dy == 0 {
		return
	}
	moved, err := l.Move(g.selected, shift(l, dx, dy))
	if err != nil {
		return // beyond what a position can be: the landmark stays behind the hand
	}
	g.doc.Change(func(s *state.State) { parts.Landmarks.Put(s, moved.Arranged()) })
}

func (g *gestures) up(e shell.Event) {
	switch {
	case g.moved:
		switch g.kind {
		case choosingRect:
			g.choose(func(p point) bool {
				return p.x >= min(g.press.x, g.at.x) && p.x <= max(g.press.x, g.at.x) &&
					p.y >= min(g.press.y, g.at.y) && p.y <= max(g.press.y, g.at.y)
			}, g.mods.Has(shell.Ctrl))
		case choosingLasso:
			g.choose(func(p point) bool { return inside(g.path, p) }, g.mods.Has(shell.Ctrl))
		}
	case e.Button == shell.Middle:
		g.view.CentreOn(g.view.WorldFromScreen(g.press.x, g.press.y))
	case e.Button == shell.Right && g.mods.Has(shell.Ctrl):
		if g.id >= 0 {
			g.remove([]int{g.id})
		}
	case e.Button == shell.Right:
		if g.id >= 0 && !slices.Contains(g.selected, g.id) {
			g.selected = []int{g.id}
		}
		g.menu(g.press.x, g.press.y, g.id)
	case e.Button == shell.Left && g.mods.Has(shell.Ctrl):
		if g.id >= 0 {
			g.duplicate(g.id)
		} else {
			g.add(g.press)
		}
	case e.Button == shell.Left && g.mods.Has(shell.Shift) && g.id >= 0:
		g.toggle(g.id)
	case e.Button == shell.Left && g.id >= 0:
		if g.keepOnUp {
			g.selected = []int{g.id}
		}
	case e.Button == shell.Left && !g.space:
		g.selected = nil
	}
	g.finish()
}

// finish ends the gesture and keeps what it did.
func (g *gestures) finish() {
	if g.kind == moving && g.moved {
		g.doc.Commit()
	}
	g.kind = idle
	g.moved = false
	g.hover = g.pick(g.at)
}

// cancel ends the gesture and takes back what it did. It returns whether there was one.
func (g *gestures) cancel() bool {
	if g.kind == idle {
		return false
	}
	if g.kind == moving && g.moved {
		g.doc.Cancel()
	}
	g.kind = idle
	g.moved = false
	return true
}

// pick returns the nearest landmark within reach of a screen place, or -1.
func (g *gestures) pick(at point) int {
	if !g.visible || g.doc == nil {
		return -1
	}
	l := parts.Landmarks.Of(g.doc.State())
	best, found := g.reach*g.reach, -1
	for i := range l.Len() {
		p := l.Pos.Row(i)
		sx, sy := g.view.ScreenFromWorld(float64(p[0]), float64(p[1]))
		if d := (sx-at.x)*(sx-at.x) + (sy-at.y)*(sy-at.y); d <= best {
			best, found = d, i
		}
	}
	return found
}

func (g *gestures) choose(in func(point) bool, add bool) {
	if !add {
		g.selected = nil
	}
	l := parts.Landmarks.Of(g.doc.State())
	for i := range l.Len() {
		p := l.Pos.Row(i)
		sx, sy := g.view.ScreenFromWorld(float64(p[0]), float64(p[1]))
		if in(point{sx, sy}) && !slices.Contains(g.selected, i) {
			g.selected = append(g.selected, i)
		}
	}
	slices.Sort(g.selected)
}

func (g *gestures) toggle(id int) {
	if i := slices.Index(g.selected, id); i >= 0 {
		g.selected = slices.Delete(slices.Clone(g.selected), i, i+1)
		return
	}
	g.selected = append(slices.Clone(g.selected), id)
	slices.Sort(g.selected)
}

// edit makes one entry of the history from a change of the landmarks; one that cannot be made is said.
func (g *gestures) edit(name string, byHand bool, change func(*landmark.Set) (*landmark.Set, error)) bool {
	l, err := change(parts.Landmarks.Of(g.doc.State()))
	if err != nil {
		g.said(err.Error())
		return false
	}
	if byHand {
		l = l.Arranged()
	}
	g.doc.Do(name, func(s *state.State) { parts.Landmarks.Put(s, l) })
	return true
}

// add puts a new landmark at a screen place, its codebook fitted from its neighbours on the map.
func (g *gestures) add(at point) {
	wx, wy := g.view.WorldFromScreen(at.x, at.y)
	g.edit("Add landmark", true, func(l *landmark.Set) (*landmark.Set, error) {
		n, id, err := l.AddFitted(shift(l, wx, wy), g.mean())
		if err == nil {
			g.selected = []int{id}
		}
		return n, err
	})
}

// duplicate puts a copy of a landmark a little to its side, so that both can be grabbed.
func (g *gestures) duplicate(id int) {
	g.edit("Duplicate landmark", true, func(l *landmark.Set) (*landmark.Set, error) {
		p := l.Pos.Row(id)
		sx, sy := g.view.ScreenFromWorld(float64(p[0]), float64(p[1]))
		wx, wy := g.view.WorldFromScreen(sx+2.5*g.reach, sy)
		n, id, err := l.Duplicate(id, shift(l, wx-float64(p[0]), wy-float64(p[1])))
		if err == nil {
			g.selected = []int{id}
		}
		return n, err
	})
}

// removeSelected removes the selected landmarks, but never the last one.
func (g *gestures) removeSelected() { g.remove(g.selected) }

func (g *gestures) remove(ids []int) {
	n := parts.Landmarks.Of(g.doc.State()).Len()
	switch {
	case len(ids) == 0:
		return
	case len(ids) >= n:
		g.said("a map needs at least one landmark, so nothing was removed")
		return
	}
	name := "Remove landmark"
	if len(ids) > 1 {
		name = "Remove landmarks"
	}
	var moved []int32
	g.edit(name, false, func(l *landmark.Set) (n *landmark.Set, err error) {
		n, moved, err = l.Remove(ids)
		return n, err
	})
	var left []int
	for _, i := range g.selected {
		if i < len(moved) && moved[i] >= 0 {
			left = append(left, int(moved[i]))
		}
	}
	g.selected, g.hover = left, g.pick(g.at)
}

// nudge moves the selected landmarks by screen units.
func (g *gestures) nudge(dsx, dsy float64) {
	if len(g.selected) == 0 {
		return
	}
	x0, y0 := g.view.WorldFromScreen(0, 0)
	x1, y1 := g.view.WorldFromScreen(dsx, dsy)
	now := parts.Landmarks.Of(g.doc.State())
	l, err := now.Move(g.selected, shift(now, x1-x0, y1-y0))
	if err != nil {
		g.said(err.Error())
		return
	}
	change := g.doc.Extend
	if !slices.Equal(g.nudged, g.selected) {
		change = g.doc.Do // another selection is another interaction
	}
	g.nudged = slices.Clone(g.selected)
	change("Nudge landmarks", func(s *state.State) { parts.Landmarks.Put(s, l.Arranged()) })
}

// togglePins pins the selected landmarks, or unpins them if all are pinned.
func (g *gestures) togglePins() {
	if len(g.selected) == 0 {
		g.said("select the landmarks to pin first")
		return
	}
	l := parts.Landmarks.Of(g.doc.State())
	on := false
	for _, i := range g.selected {
		on = on || !(l.Pinned != nil && l.Pinned[i])
	}
	name := "Unpin landmarks"
	if on {
		name = "Pin landmarks"
	}
	if g.edit(name, false, func(l *landmark.Set) (*landmark.Set, error) { return l.Pin(g.selected, on) }) {
		g.said(fmt.Sprintf("%s: %d", name, len(g.selected)))
	}
}

// validate drops a selection that the landmarks no longer have, as after an undo.
func (g *gestures) validate(before, now *landmark.Set) {
	if before.Len() != now.Len() {
		g.selected = nil
		g.hover = -1
	}
}

// shift is a move on the map as a vector of as many coordinates as positions have.
func shift(l *landmark.Set, dx, dy float64) []float32 {
	v := make([]float32, l.Pos.Cols)
	v[0], v[1] = float32(dx), float32(dy)
	return v
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
