// Package widget draws the controls of the program: a theme, a type scale and some twenty controls over
// Dear ImGui's draw lists, with ImGui's ids, so that hovering, activating, focus and clipping are ImGui's.
//
// Lengths in arguments are points; Rect and what Pt returns are screen units. The label of a control is
// its id; text after "##" makes it unique and is not shown ("Open##recent"). Every control is known to
// tests by a name: the part after "##" if there is one, else the label, after the titles of the
// enclosing panels and groups: "Train/Pause".
package widget

import (
	"strings"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Env is what the controls need to know of the window in each frame; *shell.Context is one.
type Env interface {
	Scale() float32                // screen units per point
	FramebufferScale() float32     // pixels per screen unit
	Size() imgui.Vec2              // of the window, screen units
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
	fonts fonts
	other others // fonts of the system
	scale float32
	pixel float32 // pixels per screen unit
	env   Env
	dirty bool                         // the style must be applied again
	taken struct{ now, was keysTaken } // in this frame and in the last one

	coming      int // for so many frames a field that was clicked may take to have the keyboard
	path        []string
	rects, seen map[string]Rect // of the last frame, of this one
	cover       []Rect          // places of areas that lie over the canvas
	lastCover   []Rect
	hoverID     imgui.ID // what the cursor rests on, and since when
	hoverSince  time.Time
	hoverTold   bool
	typing      imgui.ID // the value box that is being typed into
	typed       string
	typeStart   bool
	tabs        tabs
	drag        drag
	combo       comboState
	takeFocus   bool // Tab was pressed and nothing has the focus: the next area takes it
	toasts      []toast
	toastCount  int
	toastArea   Rect
	toastRead   bool // the mouse was on one in the last frame
	emptyHeight float32
	points      []imgui.Vec2 // reused by plots
	lasso       []imgui.Vec2 // and by lassos
	crossings   []crossing
	bars        map[string]*barState // options bars, by name
	menuUnder   menuUnder
	depth       int             // how many menus, lists and dialogs lie over each other where is drawn now,
	top, under  int             // at most in this frame, and at most in the last one
	splitters   []*imgui.Window // of this frame
	cards       []*imgui.Window
	widths      map[string]float32 // of menus, by id
	tipBeside   bool               // the tooltip of what is drawn goes to the right of it
	menuWidth   *menuWidth         // of the menu that is being drawn
	menuLast    string             // the menu of the bar that was open in the last frame
	menuNow     string             // and in this one
	menuPress   string             // the one that was open when the mouse was pressed
}

// keysTaken are the keys that a control with the focus answers to: arrows; of a number all that can be typed.
type keysTaken struct{ arrows, number bool }

// New makes the controls for the current ImGui context.
func New() *UI {
	return &UI{
		Open: map[string]bool{}, theme: Light(), fonts: loadFonts(), scale: 1, pixel: 1, dirty: true,
		rects: map[string]Rect{}, seen: map[string]Rect{}, widths: map[string]float32{},
		bars: map[string]*barState{},
	}
}

// Theme returns the theme in use.
func (u *UI) Theme() *Theme { return &u.theme }

// SetTheme changes the theme from the next frame on.
func (u *UI) SetTheme(t Theme) { u.theme, u.dirty = t, true }

// Begin starts a frame; call it first in each.
func (u *UI) Begin(e Env) {
	u.env = e
	if s := e.Scale(); s != u.scale || u.dirty {
		u.scale, u.dirty = s, false
		u.theme.apply(u.Pt)
	}
	u.pixel = e.FramebufferScale()
	b := u.theme.Surface.Vec4()
	e.SetBackground(b.X, b.Y, b.Z)
	clear(u.seen)
	u.tabs.turn()
	u.taken.was, u.taken.now = u.taken.now, keysTaken{}
	u.lastCover, u.cover = u.cover, u.lastCover[:0]
	u.path = u.path[:0]
	u.hoverTold = false
	u.takeFocus = imgui.IsKeyPressedBool(imgui.KeyTab) && !imgui.CurrentContext().NavIdIsAlive() &&
		!imgui.IsAnyItemActive()
}

// End ends a frame; call it last in each. It draws the toasts.
func (u *UI) End() {
	u.drawToasts()
	u.raise()
	u.rects, u.seen = u.seen, u.rects
	u.menuLast, u.menuNow = u.menuNow, ""
	u.under, u.depth, u.top = u.top, 0, 0
	if u.coming > 0 {
		u.coming--
		u.env.HoldKeys()
		u.env.Within(0)
	}
	if !u.hoverTold {
		u.hoverID = 0
	}
}

// raise brings splitters above the areas that they part, and cards above these, whichever was clicked last.
func (u *UI) raise() {
	if !u.PopupOpen() {
		for _, l := range [][]*imgui.Window{u.splitters, u.cards} {
			for _, w := range l {
				imgui.InternalBringWindowToDisplayFront(w)
			}
		}
	}
	u.splitters, u.cards = u.splitters[:0], u.cards[:0]
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

// Rect returns where a control was in the last whole frame, by its name (see the package), and whether
// it was drawn. A name of fewer parts finds a control by the end of its full name.
func (u *UI) Rect(name string) (Rect, bool) {
	if r, ok := u.rects[name]; ok {
		return r, true
	}
	for k, r := range u.rects {
		if strings.HasSuffix(k, "/"+name) {
			return r, true
		}
	}
	return Rect{}, false
}

// Names returns the names of all controls of the last whole frame, in no order.
func (u *UI) Names() []string {
	out := make([]string, 0, len(u.rects))
	for k := range u.rects {
		out = append(out, k)
	}
	return out
}

// Mark names a place, for things that are drawn by hand.
func (u *UI) Mark(name string, r Rect) { u.mark(name, r) }

func (u *UI) mark(label string, r Rect) {
	_, name := split(label)
	if len(u.path) > 0 {
		name = strings.Join(u.path, "/") + "/" + name
	}
	u.seen[name] = r
}

// Group gives what body draws a name of its own: ids and names in it do not clash with those outside.
func (u *UI) Group(name string, body func()) {
	imgui.PushIDStr(name)
	_, n := split(name)
	u.path = append(u.path, n)
	body()
	u.path = u.path[:len(u.path)-1]
	imgui.PopID()
}

// split returns what a label shows and what it is called.
func split(label string) (shown, name string) {
	if i := strings.Index(label, "##"); i >= 0 {
		return label[:i], label[i+2:]
	}
	return label, label
}

// Edit tells what happened to a value. A drag is Active from press to release, Changed in the frames in
// which it moved, and Committed once at its end if it changed anything: one undo entry.
type Edit struct {
	Changed, Active, Committed bool
	Entered                    bool // a text field was left with Enter, its text changed or not
}
