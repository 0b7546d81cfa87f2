// Package widget draws the controls of the program: a theme, a type scale and some twenty controls over
// Dear ImGui's draw lists, with ImGui's ids, so that hovering, activating, focus and clipping are ImGui's.
//
// Lengths in arguments are points; Rect and what Pt returns are screen units. The label of a control is
// its id; text after "##" makes it unique and is not shown ("Open##recent"). Every control is known to
// tests by a name: the part after "##" if there is one, else the label, after the titles of the
// enclosing panels and groups: "Train/Pause".
package widget

import (
	"time"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Env is what the controls need to know of the window in each frame; *shell.Context is one.
type Env interface {
	Scale() float32                // screen units per point
	FramebufferScale() float32     // pixels per screen unit
	Size() imgui.Vec2              // the window's size, screen units
	Now() time.Time                //
	Within(d time.Duration)        // asks for a frame at the latest after d
	HoldKeys()                     // tells no keys to the next frame, but later
	Post(f func())                 // runs f before the next frame, from any goroutine
	SetBackground(r, g, b float32) // under everything
}

// UI draws controls. It belongs to one ImGui context and the main thread.
type UI struct {
	// Open holds which panels are open, by title. Save it and set it to remember them.
	Open map[string]bool

	theme Theme
	looks looks
	scale float32
	pixel float32 // pixels per screen unit
	env   Env

	names   names
	kept    map[string]any // values that controls keep between frames, see kept
	cover   cover
	layers  layers
	menus   menus
	hover   hover
	typing  typing
	tabs    tabs
	areas   areas
	taken   struct{ now, was keysTaken } // in this frame and in the last one
	drag    drag
	toasts  toasts
	scratch scratch
}

// looks is how text is drawn.
type looks struct {
	fonts fonts
	other others // fonts of the system
	dirty bool   // the style must be applied again
}

// scratch is memory that drawing uses again and again.
type scratch struct {
	points    []imgui.Vec2 // corners of plots
	lasso     []imgui.Vec2
	crossings []crossing
}

// keysTaken are the keys that a control answers to: arrows, or those up and down alone where the mouse is on it; of a
// number all that can be typed; while the ring shows it, the keys that press it and move on.
type keysTaken struct{ arrows, upDown, number, ring bool }

// New makes the controls for the current ImGui context.
func New() *UI {
	return &UI{
		Open: map[string]bool{}, theme: Light(), looks: looks{fonts: loadFonts(), dirty: true}, scale: 1, pixel: 1,
		names: newNames(), kept: map[string]any{},
	}
}

// kept returns what a control keeps between frames under its name: the zero value at first.
func kept[T any](u *UI, name string) *T {
	v, ok := u.kept[name].(*T)
	if !ok {
		v = new(T)
		u.kept[name] = v
	}
	return v
}

// Theme returns the theme in use.
func (u *UI) Theme() *Theme { return &u.theme }

// SetTheme changes the theme from the next frame on.
func (u *UI) SetTheme(t Theme) { u.theme, u.looks.dirty = t, true }

// Fine is how many pixels a screen unit has.
func (u *UI) Fine() float32 { return u.pixel }

// Begin starts a frame; call it first in each.
func (u *UI) Begin(e Env) {
	u.env = e
	if s := e.Scale(); s != u.scale || u.looks.dirty {
		u.scale, u.looks.dirty = s, false
		u.theme.apply(u.Pt)
	}
	u.pixel = e.FramebufferScale()
	b := u.theme.Surface.Vec4()
	e.SetBackground(b.X, b.Y, b.Z)
	clear(u.names.now)
	u.names.path = u.names.path[:0]
	u.tabs.turn()
	u.areas.turn()
	u.taken.was, u.taken.now = u.taken.now, keysTaken{}
	u.cover.last, u.cover.now = u.cover.now, u.cover.last[:0]
	u.hover.told = false
	u.tabs.begins = imgui.IsKeyPressedBool(imgui.KeyTab) && !u.tabs.somewhere &&
		!imgui.IsAnyItemActive()
}

// End ends a frame; call it last in each. It draws the toasts.
func (u *UI) End() {
	u.drawToasts()
	u.raise()
	u.names.last, u.names.now = u.names.now, u.names.last
	u.menus.last, u.menus.now = u.menus.now, ""
	u.tabs.somewhere = imgui.CurrentContext().NavIdIsAlive()
	u.taken.now.ring = u.tabs.somewhere && imgui.CurrentContext().NavCursorVisible()
	u.layers.under, u.layers.depth, u.layers.top = u.layers.top, 0, 0
	if u.typing.coming > 0 {
		u.typing.coming--
		u.env.HoldKeys()
		u.env.Within(0)
	}
	if dim := imgui.CurrentContext().DimBgRatio(); dim > 0 && dim < 1 { // the ground of a dialog fades
		u.env.Within(0)
	}
	if !u.hover.told {
		u.hover.id = 0
	}
}

// Pt returns x points in screen units.
func (u *UI) Pt(x float32) float32 { return x * u.scale }

// snap returns the pixel border nearest to x, so that hairlines are sharp.
func (u *UI) snap(x float32) float32 { return float32(int(x*u.pixel+0.5)) / u.pixel }

// hair returns the width of a thin line: a point, and at least a pixel.
func (u *UI) hair() float32 { return max(u.snap(u.Pt(1)), 1/u.pixel) }

// Rect is a rectangle in screen units.
type Rect struct{ X0, Y0, X1, Y1 float32 }

// R makes a rectangle of a corner and a size.
func R(x, y, w, h float32) Rect { return Rect{x, y, x + w, y + h} }

// W and H are the size.
func (r Rect) W() float32 { return r.X1 - r.X0 }

// H is the height.
func (r Rect) H() float32 { return r.Y1 - r.Y0 }

// Min is the top left corner.
func (r Rect) Min() imgui.Vec2 { return imgui.Vec2{X: r.X0, Y: r.Y0} }

// Max is the bottom right corner.
func (r Rect) Max() imgui.Vec2 { return imgui.Vec2{X: r.X1, Y: r.Y1} }

// Center is the middle.
func (r Rect) Center() imgui.Vec2 { return imgui.Vec2{X: (r.X0 + r.X1) / 2, Y: (r.Y0 + r.Y1) / 2} }

// Inset returns r smaller by dx on the left and right and dy at the top and bottom.
func (r Rect) Inset(dx, dy float32) Rect { return Rect{r.X0 + dx, r.Y0 + dy, r.X1 - dx, r.Y1 - dy} }

// Has reports whether p is inside.
func (r Rect) Has(p imgui.Vec2) bool { return p.X >= r.X0 && p.X < r.X1 && p.Y >= r.Y0 && p.Y < r.Y1 }

// Overlaps reports whether r and o have a place in common.
func (r Rect) Overlaps(o Rect) bool { return r.X0 < o.X1 && o.X0 < r.X1 && r.Y0 < o.Y1 && o.Y0 < r.Y1 }

// Window is the whole window.
func (u *UI) Window() Rect {
	s := u.env.Size()
	return Rect{0, 0, s.X, s.Y}
}

// Empty reports whether nothing is inside.
func (r Rect) Empty() bool { return !(r.X1 > r.X0 && r.Y1 > r.Y0) }

// Edit tells what happened to a value. A drag is Active from press to release, Changed in the frames in
// which it moved, and Committed once at its end if it changed anything: one undo entry.
type Edit struct {
	Changed, Active, Committed bool
	Entered                    bool // a text field was left with Enter, its text changed or not
}
