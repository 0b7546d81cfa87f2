package view

import (
	"math"
	"slices"
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"
	"pgregory.net/rapid"

	"blossom/model/base/matrix"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/selection"
	"blossom/render/camera"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

// ground is a view without a window: an eye over a map, or over something that is none.
type ground struct {
	*Eye
	isMap, landmarks bool
	grip             camera.Vec
	gripped          bool
}

func (g *ground) Lens() *Eye         { return g.Eye }
func (g *ground) HasLandmarks() bool { return g.landmarks }
func (g *ground) IsMap() bool        { return g.isMap }
func (g *ground) EdgesShown() bool   { return g.landmarks }

func (g *ground) Grip() (camera.Vec, bool) { return g.grip, g.gripped }

// enclosed is what the Select tool has enclosed.
type enclosed struct {
	at     Ground
	region selection.Region
	mode   Mode
}

// hands makes gestures and keeps what came of them.
type hands struct {
	*Hand
	at      *ground
	said    []string
	strokes []enclosed
	menus   []int
}

// newHands makes gestures over a 5 x 5 grid of landmarks, 100 screen units apart, with a picture at (40, 30).
func newHands(t interface{ Fatal(...any) }) *hands { return handsOver(t, 2) }

// handsOver is newHands for positions of dims coordinates. In 3D landmarks lie on a bent sheet.
func handsOver(t interface{ Fatal(...any) }, dims int) *hands {
	flat, edges := landmark.Grid(landmark.Shape{Cols: 5, Rows: 5}, landmark.Rect)
	pos := matrix.New(25, dims)
	code := matrix.New(25, 3)
	for i := range 25 {
		copy(pos.Row(i), flat.Row(i))
		if dims == 3 {
			pos.Row(i)[2] = float32(i%5) * float32(i/5) / 4
		}
	}
	for i := range code.Data {
		code.Data[i] = float32(i)
	}
	l, err := landmark.New(code, pos)
	if err != nil {
		t.Fatal(err)
	}
	l.Edges = edges
	e := NewEye(dims)
	e.SetBox(Box{X0: 40, Y0: 30, X1: 840, Y1: 630}, 1)
	if f, ok := e.Cam.(*camera.Flat); ok {
		f.Centre, f.Scale = camera.Vec{}, 100
	} else {
		b, _ := camera.BoundsOf(pos.Data, dims)
		e.Fit(b, camera.Margins{}, false)
	}
	h := &hands{at: &ground{Eye: e, isMap: true, landmarks: true}}
	var s state.State
	parts.Landmarks.Put(&s, l)
	said := func(s string) { h.said = append(h.said, s) }
	h.Hand = &Hand{Landmarks: Landmarks{Doc: state.New(nil, "", 1, s), Said: said,
		Mean: func() []float32 { return make([]float32, 3) }},
		At: h.at, Map: h.at, Reach: 8, Hover: -1, HoverEdge: noEdge, Edge: noEdge, Tool: Tools()[0], Shape: ByLasso,
		Host: Host{Said: said, Menu: func(x, y float64, id int) { h.menus = append(h.menus, id) },
			Enclosed: func(at Ground, r selection.Region, m Mode) {
				h.strokes = append(h.strokes, enclosed{at, r, m})
			}}}
	h.Landmarks.Edited = h.look
	return h
}

func (h *hands) do(kind shell.Kind, x, y float64, b shell.Button, m shell.Mods) {
	h.Handle(shell.Event{Kind: kind, Pos: imgui.Vec2{X: float32(x), Y: float32(y)}, Button: b, Mods: m}, 1)
}

func (h *hands) dragFrom(x0, y0, x1, y1 float64, b shell.Button, m shell.Mods) {
	h.do(shell.MouseMove, x0, y0, 0, m)
	h.do(shell.MouseDown, x0, y0, b, m)
	for i := 1; i <= 4; i++ {
		f := float64(i) / 4
		h.do(shell.MouseMove, x0+(x1-x0)*f, y0+(y1-y0)*f, 0, m)
	}
	h.do(shell.MouseUp, x1, y1, b, m)
}

func (h *hands) click(x, y float64, b shell.Button, m shell.Mods) {
	h.do(shell.MouseMove, x, y, 0, m)
	h.do(shell.MouseDown, x, y, b, m)
	h.do(shell.MouseUp, x, y, b, m)
}

func (h *hands) now() *landmark.Set { return parts.Landmarks.Of(h.Landmarks.Doc.State()) }

// where is the place of a landmark on the screen.
func (h *hands) where(id int) (x, y float64) {
	x, y, _ = h.at.Screen(place(h.now().Pos.Row(id)))
	return x, y
}

func TestDragMovesALandmarkAsOneEntry(t *testing.T) {
	h := newHands(t)
	h.Tool = ToolByID("landmarks")
	x, y := h.where(7)
	h.dragFrom(x+3, y-2, x+63, y+38, shell.Left, 0)
	nx, ny := h.where(7)
	if math.Abs(nx-x-60) > 1e-3 || math.Abs(ny-y-40) > 1e-3 {
		t.Fatalf("moved by %g, %g", nx-x, ny-y)
	}
	if l := h.Landmarks.Doc.History(); l.Len() != 1 || l.Name(0) != "Move landmark" || !h.now().ByHand {
		t.Fatalf("%d entries", l.Len())
	}
	h.Landmarks.Doc.Undo()
	if bx, by := h.where(7); bx != x || by != y {
		t.Fatal("undo did not put it back")
	}
}

func TestAClickMovesNothing(t *testing.T) {
	h := newHands(t)
	x, y := h.where(3)
	h.click(x+1, y+1, shell.Left, 0)
	if h.Landmarks.Doc.History().Len() != 0 || !slices.Equal(h.Landmarks.Selected, []int{3}) {
		t.Fatalf("history %d, selected %v", h.Landmarks.Doc.History().Len(), h.Landmarks.Selected)
	}
	h.click(95, 97, shell.Left, 0)
	if h.Landmarks.Selected != nil {
		t.Fatal("a click beside landmarks does not let go of them")
	}
}

func TestEscapeTakesBackADrag(t *testing.T) {
	h := newHands(t)
	h.Tool = ToolByID("landmarks")
	x, y := h.where(3)
	h.do(shell.MouseDown, x, y, shell.Left, 0)
	h.do(shell.MouseMove, x+50, y, 0, 0)
	if !h.Dragging() || !h.Cancel() {
		t.Fatal("no drag under way")
	}
	h.do(shell.MouseMove, x+90, y, 0, 0)
	h.do(shell.MouseUp, x+90, y, shell.Left, 0)
	if nx, _ := h.where(3); nx != x || h.Landmarks.Doc.History().Len() != 0 {
		t.Fatal("the drag was not taken back")
	}
}

func TestUndoInTheMiddleOfADragDoesNotHurt(t *testing.T) {
	h := newHands(t)
	h.Tool = ToolByID("landmarks")
	x, y := h.where(3)
	h.do(shell.MouseDown, x, y, shell.Left, 0)
	h.do(shell.MouseMove, x+50, y, 0, 0)
	h.Landmarks.Doc.Undo()
	h.do(shell.MouseMove, x+90, y, 0, 0)
	h.do(shell.MouseUp, x+90, y, shell.Left, 0)
	if nx, _ := h.where(3); nx != x {
		t.Fatal("it moved after undo")
	}
}

// The window loses the keyboard and the mouse: what was done until then stays, as one entry.
func TestBlurEndsADragAndKeepsIt(t *testing.T) {
	h := newHands(t)
	h.Tool = ToolByID("landmarks")
	h.Space.Held = true
	x, y := h.where(3)
	h.Space.Held = false
	h.do(shell.MouseDown, x, y, shell.Left, 0)
	h.do(shell.MouseMove, x+50, y, 0, 0)
	h.Space.Held = true
	h.do(shell.Blur, 0, 0, 0, 0)
	if h.Active() || h.Landmarks.Doc.Open() || h.Space.Held {
		t.Fatal("the gesture goes on in a window that does not hear of its end")
	}
	h.do(shell.MouseMove, x+90, y, 0, 0)
	h.do(shell.MouseUp, x+90, y, shell.Left, 0)
	if nx, _ := h.where(3); math.Abs(nx-x-50) > 1e-3 || h.Landmarks.Doc.History().Len() != 1 {
		t.Fatalf("moved by %g in %d entries", nx-x, h.Landmarks.Doc.History().Len())
	}
}

func TestASecondButtonDoesNotDisturbADrag(t *testing.T) {
	for _, second := range []shell.Button{shell.Right, shell.Middle} {
		h := newHands(t)
		h.Tool = ToolByID("landmarks")
		x, y := h.where(3)
		h.do(shell.MouseDown, x, y, shell.Left, 0)
		h.do(shell.MouseMove, x+50, y, 0, 0)
		h.do(shell.MouseDown, x+50, y, second, 0)
		h.do(shell.MouseMove, x+60, y, 0, 0)
		h.do(shell.MouseUp, x+60, y, second, 0)
		if !h.Dragging() || len(h.menus) > 0 {
			t.Fatal("another button ended the drag, or opened a menu")
		}
		h.do(shell.MouseMove, x+80, y, 0, 0)
		h.do(shell.MouseUp, x+80, y, shell.Left, 0)
		nx, _ := h.where(3)
		if math.Abs(nx-x-80) > 1e-3 || h.Landmarks.Doc.History().Len() != 1 || h.Active() {
			t.Fatalf("moved by %g in %d entries", nx-x, h.Landmarks.Doc.History().Len())
		}
	}
}

func TestPanKeepsThePointUnderTheHand(t *testing.T) {
	h := newHands(t)
	p := h.at.World(90, 95)
	h.dragFrom(90, 95, 333, 271, shell.Left, 0)
	if sx, sy, _ := h.at.Screen(p); math.Hypot(sx-333, sy-271) > 1e-9 {
		t.Fatalf("drifted to %g, %g", sx, sy)
	}
}

func TestMiddleAndSpaceDragPanInAnyTool(t *testing.T) {
	h := newHands(t)
	h.Tool = ToolByID("landmarks")
	x, y := h.where(12) // on a landmark, even
	h.dragFrom(x, y, x+50, y, shell.Middle, 0)
	h.Space.Held = true
	x, y = h.where(12)
	h.dragFrom(x, y, x+50, y, shell.Left, 0)
	if c := h.at.Cam.(*camera.Flat).Centre; math.Abs(c.X+1) > 1e-9 || h.Landmarks.Doc.History().Len() != 0 {
		t.Fatalf("panned to %g", c.X)
	}
	if !h.Space.Used {
		t.Fatal("space was used, and letting it go would run the training")
	}
}

func TestRectangleAndLassoSelect(t *testing.T) {
	h := newHands(t)
	x0, y0 := h.where(0)
	x1, y1 := h.where(6)
	h.dragFrom(min(x0, x1)-20, min(y0, y1)-20, max(x0, x1)+20, max(y0, y1)+20, shell.Left, shell.Shift)
	if !slices.Equal(h.Landmarks.Selected, []int{0, 1, 5, 6}) {
		t.Fatalf("rectangle chose %v", h.Landmarks.Selected)
	}
	x, y := h.where(12)
	h.do(shell.MouseDown, x-20, y-20, shell.Left, shell.Alt)
	for _, p := range [][2]float64{{20, -20}, {20, 20}, {-20, 20}} {
		h.do(shell.MouseMove, x+p[0], y+p[1], 0, shell.Alt)
	}
	h.do(shell.MouseUp, x-20, y-10, shell.Left, shell.Alt)
	if !slices.Equal(h.Landmarks.Selected, []int{12}) {
		t.Fatalf("lasso chose %v", h.Landmarks.Selected)
	}
}

func TestSelectedMoveTogether(t *testing.T) {
	h := newHands(t)
	h.Tool = ToolByID("landmarks")
	h.Landmarks.Selected = []int{0, 1, 2}
	before := h.now().Pos.Clone()
	x, y := h.where(1)
	h.dragFrom(x, y, x+40, y+10, shell.Left, 0)
	now := h.now().Pos
	for i := range 25 {
		dx := float64(now.Row(i)[0] - before.Row(i)[0])
		if want := map[bool]float64{true: 0.4}[i < 3]; math.Abs(dx-want) > 1e-5 {
			t.Fatalf("landmark %d moved by %g", i, dx)
		}
	}
}

func TestAddDuplicateRemove(t *testing.T) {
	h := newHands(t)
	h.click(95, 97, shell.Left, shell.Ctrl)
	x, y := h.where(12)
	h.click(x, y, shell.Left, shell.Ctrl)
	if n := h.now().Len(); n != 27 {
		t.Fatalf("%d landmarks after adding two; said %q", n, h.said)
	}
	if ax, ay := h.where(25); math.Hypot(ax-95, ay-97) > 1e-3 {
		t.Fatalf("added at %g, %g", ax, ay)
	}
	h.Landmarks.Selected = []int{24, 26}
	x, y = h.where(0)
	h.click(x, y, shell.Right, shell.Ctrl)
	if l := h.now(); l.Len() != 26 || !slices.Equal(h.Landmarks.Selected, []int{23, 25}) {
		t.Fatalf("%d landmarks, selected %v", l.Len(), h.Landmarks.Selected)
	}
	h.Landmarks.Selected = []int{0}
	h.Landmarks.RemoveSelected()
	if h.now().Len() != 25 || len(h.Landmarks.Selected) != 0 {
		t.Fatalf("%d landmarks, selected %v", h.now().Len(), h.Landmarks.Selected)
	}
	h.Landmarks.Selected = nil
	for i := range h.now().Len() {
		h.Landmarks.Selected = append(h.Landmarks.Selected, i)
	}
	h.Landmarks.RemoveSelected()
	if h.now().Len() == 0 || len(h.said) != 1 {
		t.Fatal("the last landmarks were removed")
	}
}

func TestPins(t *testing.T) {
	h := newHands(t)
	h.Landmarks.Selected = []int{2, 4}
	h.Landmarks.TogglePins()
	if l := h.now(); !l.Pinned[2] || !l.Pinned[4] || l.Pinned[3] {
		t.Fatal("not pinned")
	}
	h.Landmarks.TogglePins()
	if h.now().Pinned[2] {
		t.Fatal("not unpinned")
	}
}

// Whatever is done with mouse and keys, in 2D and in 3D and with any tool, the selection names landmarks that exist,
// every gesture ends with the button, and undoing everything leads back to the start.
func TestNoGestureLeavesAStaleIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := handsOver(t, rapid.IntRange(2, 3).Draw(t, "dims"))
		h.Tool, h.UI = rapid.SampledFrom(Tools()).Draw(t, "tool"), &widget.UI{} // there are grips, of no size
		start := h.now()
		coordinate := rapid.Float64Range(0, 900)
		for range rapid.IntRange(1, 30).Draw(t, "events") {
			x, y := coordinate.Draw(t, "x"), coordinate.Draw(t, "y")
			if rapid.Bool().Draw(t, "on landmark") {
				x, y = h.where(rapid.IntRange(0, h.now().Len()-1).Draw(t, "id"))
			}
			b := rapid.SampledFrom([]shell.Button{shell.Left, shell.Right, shell.Middle}).Draw(t, "button")
			m := rapid.SampledFrom([]shell.Mods{0, shell.Ctrl, shell.Shift, shell.Alt}).Draw(t, "mods")
			before := h.now()
			switch rapid.IntRange(0, 8).Draw(t, "what") {
			case 0:
				h.do(shell.MouseDown, x, y, b, m)
			case 1:
				h.do(shell.MouseUp, x, y, b, m)
			case 2, 3:
				h.do(shell.MouseMove, x, y, b, m)
			case 4:
				h.click(x, y, b, m)
			case 5:
				h.Cancel()
				h.Landmarks.RemoveSelected()
			case 6:
				h.Cancel()
				h.Landmarks.Doc.Undo()
				h.Validate(before, h.now())
			case 7:
				h.do(shell.Wheel, x, y, b, m)
			case 8:
				h.do(shell.Blur, 0, 0, 0, 0)
			}
			n := h.now().Len()
			for _, i := range h.Landmarks.Selected {
				if i >= n {
					t.Fatalf("selected %d of %d", i, n)
				}
			}
			if h.Hover >= n {
				t.Fatalf("hovers %d of %d", h.Hover, n)
			}
		}
		h.Cancel()
		for h.Landmarks.Doc.Undo() != "" {
		}
		if now := h.now(); now.PosRev != start.PosRev || now.CodeRev != start.CodeRev {
			t.Fatal("undo of everything does not lead back")
		}
	})
}

// In 3D a plain drag turns, with Shift it pans, the wheel zooms at the cursor.
func TestOrbitPanAndZoomInThreeDimensions(t *testing.T) {
	h := handsOver(t, 3)
	o := h.at.Cam.(*camera.Orbit)
	turn, tilt := o.TurnTilt()
	centre := o.Centre
	h.dragFrom(60, 60, 110, 40, shell.Left, 0)
	k := math.Pi / 600 // half a turn for the smaller side
	if now, up := o.TurnTilt(); math.Abs(now-turn+50*k) > 1e-9 || math.Abs(up-tilt+20*k) > 1e-9 || o.Centre != centre {
		t.Fatalf("a drag turns by %g and tilts by %g", now-turn, up-tilt)
	}
	facing := o.Place().Facing
	p := h.at.World(60, 60)
	h.dragFrom(60, 60, 210, 140, shell.Left, shell.Shift)
	if x, y, ok := h.at.Screen(p); !ok || math.Hypot(x-210, y-140) > 1e-6 || o.Place().Facing != facing {
		t.Fatalf("Shift+drag brought what was under the hand to %g, %g", x, y)
	}
	distance, under := o.Distance, h.at.World(300, 200)
	h.Handle(shell.Event{Kind: shell.Wheel, Pos: imgui.Vec2{X: 300, Y: 200}, Wheel: imgui.Vec2{Y: 3}}, 1)
	if x, y, ok := h.at.Screen(under); !ok || math.Hypot(x-300, y-200) > 1e-6 {
		t.Fatalf("zooming moved what was under the cursor to %g, %g", x, y)
	}
	if got := distance / o.Distance; math.Abs(got-1.1*1.1*1.1) > 1e-9 {
		t.Fatalf("three steps of the wheel zoom by %g", got)
	}
	if h.Landmarks.Doc.History().Len() != 0 {
		t.Fatal("looking around changed the document")
	}
}

// With the Landmarks tool a landmark is dragged in the plane of the screen: it stays under the cursor, and as far from
// the eye as it was. To navigate is to turn, also where a landmark is.
func TestDragInThePlaneOfTheScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := handsOver(t, 3)
		o := h.at.Cam.(*camera.Orbit)
		o.SetTurnTilt(rapid.Float64Range(-3, 3).Draw(t, "turn"), rapid.Float64Range(-1.5, 1.5).Draw(t, "tilt"))
		id := rapid.IntRange(0, 24).Draw(t, "id")
		sx, sy := h.where(id)
		x, y := math.Round(sx), math.Round(sy) // places are those of float32 events
		if h.pick(point{x, y}) != id {
			return // another is as near
		}
		dx, dy := rapid.Float64Range(-150, 150).Draw(t, "dx"), rapid.Float64Range(-150, 150).Draw(t, "dy")
		if math.Hypot(dx, dy) < 20 {
			return // too short for four moves of a drag
		}
		dx, dy = math.Round(dx), math.Round(dy)
		was := o.Place()
		h.dragFrom(x, y, x+dx, y+dy, shell.Left, 0)
		if h.Landmarks.Doc.History().Len() > 0 || o.Place() == was {
			t.Fatal("Navigate has not turned the view")
		}
		o.SetPlace(was)
		h.Tool = ToolByID("landmarks")
		depth := o.Eye().Depth(place(h.now().Pos.Row(id)))
		h.dragFrom(x, y, x+dx, y+dy, shell.Left, 0)
		nx, ny := h.where(id)
		if math.Abs(nx-sx-dx) > 1e-3 || math.Abs(ny-sy-dy) > 1e-3 {
			t.Fatalf("moved by %g, %g, the hand by %g, %g", nx-sx, ny-sy, dx, dy)
		}
		if now := o.Eye().Depth(place(h.now().Pos.Row(id))); math.Abs(now-depth) > 1e-5*depth {
			t.Fatalf("its depth went from %g to %g", depth, now)
		}
		if n := h.Landmarks.Doc.History().Len(); n != 1 {
			t.Fatalf("%d entries", n)
		}
	})
}

func TestStrokesOfTheSelectTool(t *testing.T) {
	h := newHands(t)
	h.Tool = ToolByID("select")
	last := func() enclosed {
		if len(h.strokes) == 0 {
			t.Fatal("nothing was enclosed")
		}
		return h.strokes[len(h.strokes)-1]
	}
	inside := func(x, y float64) bool { return last().region.Contains(selection.Point{X: x, Y: y}) }
	// Over landmarks too, and with both shapes.
	x, y := h.where(12)
	h.do(shell.MouseDown, x, y, shell.Left, 0)
	for _, p := range [][2]float64{{100, 0}, {100, 100}} {
		h.do(shell.MouseMove, x+p[0], y+p[1], 0, 0)
	}
	if !h.Stroking() {
		t.Fatal("a drag of the Select tool is no stroke")
	}
	h.do(shell.MouseUp, x+100, y+100, shell.Left, 0)
	if s := last(); s.mode != Replace || s.at != Ground(h.at) || !inside(x+80, y+40) || inside(x+40, y+80) {
		t.Fatalf("%+v", s)
	}
	h.Shape = ByRect
	h.dragFrom(x, y, x+100, y+100, shell.Left, shell.Shift)
	if s := last(); s.mode != Add || !inside(x+80, y+40) || !inside(x+40, y+80) || inside(x+101, y+50) {
		t.Fatalf("Shift: %+v", s)
	}
	h.dragFrom(x+100, y+100, x, y, shell.Left, shell.Alt)
	if s := last(); s.mode != Subtract || !inside(x+40, y+80) {
		t.Fatalf("Alt: %+v", s)
	}
	for _, m := range []Mode{Add, Subtract} {
		h.Mode = m
		h.dragFrom(x, y, x+50, y+50, shell.Left, 0)
		if last().mode != m {
			t.Fatalf("chosen %d, done %d", m, last().mode)
		}
		n := len(h.strokes)
		if h.click(95, 97, shell.Left, 0); len(h.strokes) != n {
			t.Fatal("a click that adds or subtracts nothing was taken for a stroke")
		}
	}
	h.Mode = Replace
	n := len(h.strokes)
	if h.click(95, 97, shell.Left, shell.Shift); len(h.strokes) != n {
		t.Fatal("Shift+click cleared the selection")
	}
	h.click(95, 97, shell.Left, 0)
	if s := last(); len(h.strokes) != n+1 || s.mode != Replace || s.region.Contains(selection.Point{X: 95, Y: 97}) {
		t.Fatal("a click on nothing does not let go of the points")
	}
	if h.Landmarks.Doc.History().Len() != 0 || h.Landmarks.Selected != nil {
		t.Fatal("selecting points touched landmarks")
	}
	n = len(h.strokes)
	h.do(shell.MouseDown, 100, 100, shell.Left, 0)
	h.do(shell.MouseMove, 200, 200, 0, 0)
	if !h.Cancel() {
		t.Fatal("no stroke to cancel")
	}
	if h.do(shell.MouseUp, 200, 200, shell.Left, 0); len(h.strokes) != n {
		t.Fatal("a stroke that was taken back selected points")
	}
}

// A view that shows no map has no landmarks to grab: a drag pans it whatever the tool, but Select.
func TestAViewThatIsNoMap(t *testing.T) {
	h := newHands(t)
	h.at.isMap, h.at.landmarks = false, false
	h.Tool = ToolByID("landmarks")
	x, y := h.where(12)
	h.dragFrom(x, y, x+50, y, shell.Left, 0)
	h.click(x, y, shell.Left, shell.Ctrl)
	c := h.at.Cam.(*camera.Flat).Centre
	if math.Abs(c.X+0.5) > 1e-9 || h.Landmarks.Doc.History().Len() != 0 || h.Landmarks.Selected != nil {
		t.Fatalf("panned to %g, %d entries", c.X, h.Landmarks.Doc.History().Len())
	}
	if h.click(x+50, y, shell.Right, 0); !slices.Equal(h.menus, []int{-1}) {
		t.Fatalf("menus of %v", h.menus)
	}
}

// Whatever moves the camera under the hand is told, so that linked views can follow.
func TestTheCameraIsSteered(t *testing.T) {
	for _, dims := range []int{2, 3} {
		h := handsOver(t, dims)
		h.Landmarks.Doc = handsOver(t, dims).Landmarks.Doc
		follower := handsOver(t, dims).at
		told := 0
		h.Host.Steered = func(move func(Steered)) {
			told++
			move(h.at)
			move(follower)
		}
		h.dragFrom(60, 60, 160, 100, shell.Left, 0)
		h.dragFrom(60, 60, 160, 100, shell.Middle, 0)
		h.Handle(shell.Event{Kind: shell.Wheel, Pos: imgui.Vec2{X: 300, Y: 200}, Wheel: imgui.Vec2{Y: -2}}, 1)
		if told != 11 {
			t.Fatalf("%dD: told %d times of two drags of four moves, and one turn of the wheel", dims, told)
		}
		if a, b := h.at.Cam.Place(), follower.Cam.Place(); a != b || a == handsOver(t, dims).at.Cam.Place() {
			t.Fatalf("%dD: at %+v, and what follows at %+v", dims, a, b)
		}
	}
}
