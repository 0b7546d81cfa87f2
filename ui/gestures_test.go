package ui

import (
	"math"
	"slices"
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"
	"pgregory.net/rapid"

	"blossom/model/landmark"
	"blossom/model/matrix"
	"blossom/model/parts"
	"blossom/model/state"
	"blossom/ui/shell"
)

// hands makes gestures over a 5 x 5 grid of landmarks, 100 pixels apart, with a canvas at (40, 30).
func hands(t interface{ Fatal(...any) }) (*gestures, *view, *[]string) {
	pos, edges := landmark.Grid(landmark.Shape{Cols: 5, Rows: 5}, landmark.Rect)
	code := matrix.New(25, 3)
	for i := range code.Data {
		code.Data[i] = float32(i)
	}
	l, err := landmark.New(code, pos)
	if err != nil {
		t.Fatal(err)
	}
	l.Edges = edges
	v := newView()
	v.setCanvas(40, 30, 800, 600, 1)
	v.set(place{0, 0, 100})
	var said []string
	g := &gestures{doc: state.New(nil, "", 1, stateOf(l)), view: v, reach: 8, visible: true, hover: -1,
		mean: func() []float32 { return make([]float32, 3) },
		menu: func(x, y float64, id int) {}, said: func(s string) { said = append(said, s) }}
	return g, v, &said
}

func (g *gestures) do(kind shell.Kind, x, y float64, b shell.Button, m shell.Mods) {
	g.handle(shell.Event{Kind: kind, Pos: imgui.Vec2{X: float32(x), Y: float32(y)}, Button: b, Mods: m}, 1)
}

func (g *gestures) dragFrom(x0, y0, x1, y1 float64, b shell.Button, m shell.Mods) {
	g.do(shell.MouseMove, x0, y0, 0, m)
	g.do(shell.MouseDown, x0, y0, b, m)
	for i := 1; i <= 4; i++ {
		f := float64(i) / 4
		g.do(shell.MouseMove, x0+(x1-x0)*f, y0+(y1-y0)*f, 0, m)
	}
	g.do(shell.MouseUp, x1, y1, b, m)
}

func (g *gestures) click(x, y float64, b shell.Button, m shell.Mods) {
	g.do(shell.MouseMove, x, y, 0, m)
	g.do(shell.MouseDown, x, y, b, m)
	g.do(shell.MouseUp, x, y, b, m)
}

// at returns where landmark id is on the screen.
func (g *gestures) where(id int) (x, y float64) {
	p := parts.Landmarks.Of(g.doc.State()).Pos.Row(id)
	return g.view.ScreenFromWorld(float64(p[0]), float64(p[1]))
}

func TestDragMovesALandmarkAsOneEntry(t *testing.T) {
	g, _, _ := hands(t)
	x, y := g.where(7)
	g.dragFrom(x+3, y-2, x+63, y+38, shell.Left, 0)
	nx, ny := g.where(7)
	if math.Abs(nx-x-60) > 1e-3 || math.Abs(ny-y-40) > 1e-3 {
		t.Fatalf("moved by %g, %g", nx-x, ny-y)
	}
	s := g.doc.State()
	if h := g.doc.History(); h.Len() != 1 || h.Name(0) != "Move landmark" || !parts.Landmarks.Of(s).ByHand {
		t.Fatalf("%d entries", h.Len())
	}
	g.doc.Undo()
	if bx, by := g.where(7); bx != x || by != y {
		t.Fatal("undo did not put it back")
	}
}

func TestAClickMovesNothing(t *testing.T) {
	g, _, _ := hands(t)
	x, y := g.where(3)
	g.click(x+1, y+1, shell.Left, 0)
	if g.doc.History().Len() != 0 || !slices.Equal(g.selected, []int{3}) {
		t.Fatalf("history %d, selected %v", g.doc.History().Len(), g.selected)
	}
}

func TestEscapeTakesBackADrag(t *testing.T) {
	g, _, _ := hands(t)
	x, y := g.where(3)
	g.do(shell.MouseDown, x, y, shell.Left, 0)
	g.do(shell.MouseMove, x+50, y, 0, 0)
	if !g.Dragging() || !g.cancel() {
		t.Fatal("no drag under way")
	}
	g.do(shell.MouseMove, x+90, y, 0, 0)
	g.do(shell.MouseUp, x+90, y, shell.Left, 0)
	if nx, _ := g.where(3); nx != x || g.doc.History().Len() != 0 {
		t.Fatal("the drag was not taken back")
	}
}

func TestUndoInTheMiddleOfADragDoesNotHurt(t *testing.T) {
	g, _, _ := hands(t)
	x, y := g.where(3)
	g.do(shell.MouseDown, x, y, shell.Left, 0)
	g.do(shell.MouseMove, x+50, y, 0, 0)
	g.doc.Undo()
	g.do(shell.MouseMove, x+90, y, 0, 0)
	g.do(shell.MouseUp, x+90, y, shell.Left, 0)
	if nx, _ := g.where(3); nx != x {
		t.Fatal("it moved after undo")
	}
}

func TestPanKeepsThePointUnderTheHand(t *testing.T) {
	g, v, _ := hands(t)
	wx, wy := v.WorldFromScreen(90, 95)
	g.dragFrom(90, 95, 333, 271, shell.Left, 0)
	if sx, sy := v.ScreenFromWorld(wx, wy); math.Hypot(sx-333, sy-271) > 1e-9 {
		t.Fatalf("drifted to %g, %g", sx, sy)
	}
}

func TestMiddleAndSpaceDragPanInAnyTool(t *testing.T) {
	g, v, _ := hands(t)
	g.tool = landmarks
	x, y := g.where(12) // on a landmark, even
	g.dragFrom(x, y, x+50, y, shell.Middle, 0)
	g.space = true
	x, y = g.where(12)
	g.dragFrom(x, y, x+50, y, shell.Left, 0)
	if p := v.here(); math.Abs(p.x+1) > 1e-9 || g.doc.History().Len() != 0 {
		t.Fatalf("panned to %g", p.x)
	}
}

func TestRectangleAndLassoSelect(t *testing.T) {
	g, _, _ := hands(t)
	x0, y0 := g.where(0)
	x1, y1 := g.where(6)
	g.dragFrom(min(x0, x1)-20, min(y0, y1)-20, max(x0, x1)+20, max(y0, y1)+20, shell.Left, shell.Shift)
	if !slices.Equal(g.selected, []int{0, 1, 5, 6}) {
		t.Fatalf("rectangle chose %v", g.selected)
	}
	x, y := g.where(12)
	g.do(shell.MouseDown, x-20, y-20, shell.Left, shell.Alt)
	for _, p := range [][2]float64{{20, -20}, {20, 20}, {-20, 20}} {
		g.do(shell.MouseMove, x+p[0], y+p[1], 0, shell.Alt)
	}
	g.do(shell.MouseUp, x-20, y-10, shell.Left, shell.Alt)
	if !slices.Equal(g.selected, []int{12}) {
		t.Fatalf("lasso chose %v", g.selected)
	}
}

func TestSelectedMoveTogether(t *testing.T) {
	g, _, _ := hands(t)
	g.selected = []int{0, 1, 2}
	before := parts.Landmarks.Of(g.doc.State()).Pos.Clone()
	x, y := g.where(1)
	g.dragFrom(x, y, x+40, y+10, shell.Left, 0)
	now := parts.Landmarks.Of(g.doc.State()).Pos
	for i := range 25 {
		dx := float64(now.Row(i)[0] - before.Row(i)[0])
		if want := map[bool]float64{true: 0.4}[i < 3]; math.Abs(dx-want) > 1e-5 {
			t.Fatalf("landmark %d moved by %g", i, dx)
		}
	}
}

func TestAddDuplicateRemove(t *testing.T) {
	g, _, said := hands(t)
	g.click(95, 97, shell.Left, shell.Ctrl)
	x, y := g.where(12)
	g.click(x, y, shell.Left, shell.Ctrl)
	if n := parts.Landmarks.Of(g.doc.State()).Len(); n != 27 {
		t.Fatalf("%d landmarks after adding two; said %q", n, *said)
	}
	if ax, ay := g.where(25); math.Hypot(ax-95, ay-97) > 1e-3 {
		t.Fatalf("added at %g, %g", ax, ay)
	}
	g.selected = []int{24, 26}
	x, y = g.where(0)
	g.click(x, y, shell.Right, shell.Ctrl)
	if l := parts.Landmarks.Of(g.doc.State()); l.Len() != 26 || !slices.Equal(g.selected, []int{23, 25}) {
		t.Fatalf("%d landmarks, selected %v", l.Len(), g.selected)
	}
	for i := range 26 {
		g.selected = append(g.selected[:0:0], i)
		g.removeSelected()
		break
	}
	g.selected = nil
	for i := range parts.Landmarks.Of(g.doc.State()).Len() {
		g.selected = append(g.selected, i)
	}
	g.removeSelected()
	if parts.Landmarks.Of(g.doc.State()).Len() == 0 || len(*said) != 1 {
		t.Fatal("the last landmarks were removed")
	}
}

func TestPins(t *testing.T) {
	g, _, _ := hands(t)
	g.selected = []int{2, 4}
	g.togglePins()
	if l := parts.Landmarks.Of(g.doc.State()); !l.Pinned[2] || !l.Pinned[4] || l.Pinned[3] {
		t.Fatal("not pinned")
	}
	g.togglePins()
	if parts.Landmarks.Of(g.doc.State()).Pinned[2] {
		t.Fatal("not unpinned")
	}
}

// Whatever is done with mouse and keys, the selection names landmarks that exist, every gesture ends
// with the button, and undoing everything leads back to the start.
func TestNoGestureLeavesAStaleIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, _, _ := hands(t)
		start := parts.Landmarks.Of(g.doc.State())
		coordinate := rapid.Float64Range(0, 900)
		for range rapid.IntRange(1, 30).Draw(t, "events") {
			x, y := coordinate.Draw(t, "x"), coordinate.Draw(t, "y")
			if rapid.Bool().Draw(t, "on landmark") {
				x, y = g.where(rapid.IntRange(0, parts.Landmarks.Of(g.doc.State()).Len()-1).Draw(t, "id"))
			}
			b := rapid.SampledFrom([]shell.Button{shell.Left, shell.Right, shell.Middle}).Draw(t, "button")
			m := rapid.SampledFrom([]shell.Mods{0, shell.Ctrl, shell.Shift, shell.Alt}).Draw(t, "mods")
			before := parts.Landmarks.Of(g.doc.State())
			switch rapid.IntRange(0, 7).Draw(t, "what") {
			case 0:
				g.do(shell.MouseDown, x, y, b, m)
			case 1:
				g.do(shell.MouseUp, x, y, b, m)
			case 2, 3:
				g.do(shell.MouseMove, x, y, b, m)
			case 4:
				g.click(x, y, b, m)
			case 5:
				g.cancel()
				g.removeSelected()
			case 6:
				g.cancel()
				g.doc.Undo()
				g.validate(before, parts.Landmarks.Of(g.doc.State()))
			case 7:
				g.do(shell.Wheel, x, y, b, m)
			}
			n := parts.Landmarks.Of(g.doc.State()).Len()
			for _, i := range g.selected {
				if i >= n {
					t.Fatalf("selected %d of %d", i, n)
				}
			}
			if g.hover >= n {
				t.Fatalf("hovers %d of %d", g.hover, n)
			}
		}
		g.cancel()
		for g.doc.Undo() != "" {
		}
		if now := parts.Landmarks.Of(g.doc.State()); now.PosRev != start.PosRev || now.CodeRev != start.CodeRev {
			t.Fatal("undo of everything does not lead back")
		}
	})
}

func stateOf(l *landmark.Set) (s state.State) {
	parts.Landmarks.Put(&s, l)
	return s
}
