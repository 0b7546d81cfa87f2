package view

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/data/demo"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/render/camera"
	"blossom/ui/shell"
)

// A drag of the Navigate tool moves the view, whatever it is begun on: 20 in every demo's map, flat and in 3D, in
// windows of several sizes, half of them begun on a landmark.
func TestAPanMovesNoLandmark(t *testing.T) {
	const points = 1500
	for i, d := range demo.All() {
		data, err := demo.Generate(t.Context(), d.Name, points, 1)
		if err != nil {
			t.Fatal(err)
		}
		x := matrix.New(points, len(data.Columns))
		for j, c := range data.Columns {
			for r, v := range c.Values {
				x.Row(r)[j] = v
			}
		}
		side := landmark.SideFor(demo.DefaultPoints)
		for _, shape := range []landmark.Shape{{Cols: side, Rows: side}, {Cols: 7, Rows: 7, Layers: 7}} {
			l, err := landmark.StartGrid(t.Context(), x, shape, landmark.Rect, 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range [][3]float64{{500, 400, 1}, {900, 600, 1}, {1280, 800, 1}, {2880, 1800, 2}} {
				h := handsWith(l, size[0], size[1], size[2])
				rng := rand.New(rand.NewPCG(uint64(i), uint64(size[0])))
				was, camera := l.PosRev, h.at.Cam.Place()
				for n := range 20 {
					from := [2]float64{rng.Float64() * size[0], rng.Float64() * size[1]}
					if n%2 == 0 {
						from[0], from[1] = h.where(rng.IntN(l.Len()))
					}
					h.dragFrom(from[0], from[1], from[0]+rng.NormFloat64()*150, from[1]+rng.NormFloat64()*150,
						shell.Left, 0)
				}
				if h.now().PosRev != was || h.Landmarks.Doc.History().Len() != 0 || h.now().ByHand {
					t.Fatalf("%s, %v, window %v: a drag to look around moved landmarks", d.Name, shape, size)
				}
				if h.at.Cam.Place() == camera {
					t.Fatalf("%s: the view has not moved", d.Name)
				}
				if len(h.said) != 1 {
					t.Fatalf("how landmarks are moved is said %d times: %q", len(h.said), h.said)
				}
			}
		}
	}
}

// handsWith is hands over landmarks in a window of that size.
func handsWith(l *landmark.Set, w, h, scale float64) *hands {
	dims := l.Pos.Cols
	e := NewEye(dims)
	e.SetBox(Box{X1: float32(w), Y1: float32(h)}, scale)
	b, _ := camera.BoundsOf(l.Pos.Data, dims)
	e.Fit(b, camera.Margins{}, false)
	out := &hands{at: &ground{Eye: e, isMap: true, landmarks: true}}
	var s state.State
	own := *l
	own.PosRev = revision.Next()
	parts.Landmarks.Put(&s, &own)
	*l = own
	said := func(s string) { out.said = append(out.said, s) }
	out.Hand = &Hand{Landmarks: Landmarks{Doc: state.New(nil, "", 1, s), Said: said}, Host: Host{Said: said},
		At: out.at, Map: out.at, Reach: 8 * scale, Hover: -1, Tool: ToolByID("navigate")}
	return out
}

// Landmarks are moved on purpose: with the Landmarks tool, or with Ctrl held, in every tool for landmarks.
func TestACtrlDragMovesALandmark(t *testing.T) {
	for _, tool := range []string{"navigate", "landmarks"} {
		for _, dims := range []int{2, 3} {
			h := handsOver(t, dims)
			h.Tool = ToolByID(tool)
			x, y := h.where(7)
			id := h.pick(point{math.Round(x), math.Round(y)})
			x, y = h.where(id)
			h.dragFrom(x, y, x+60, y+40, shell.Left, shell.Ctrl)
			nx, ny := h.where(id)
			if math.Abs(nx-x-60) > 1e-2 || math.Abs(ny-y-40) > 1e-2 || h.Landmarks.Doc.History().Len() != 1 ||
				h.now().Len() != 25 {
				t.Errorf("%s in %dD: moved by %g, %g in %d entries", tool, dims, nx-x, ny-y,
					h.Landmarks.Doc.History().Len())
			}
			h.click(nx, ny, shell.Left, shell.Ctrl)
			if h.now().Len() != 26 {
				t.Errorf("%s in %dD: a click with Ctrl no longer duplicates", tool, dims)
			}
		}
	}
}

// A halo under the mouse is of the thing that a press would take, and nothing else has one.
func TestAHaloSaysWhatAPressTakes(t *testing.T) {
	for _, c := range []struct {
		tool string
		keys shell.Mods
		halo bool
	}{{"navigate", 0, false}, {"navigate", shell.Ctrl, true}, {"navigate", shell.Shift, false},
		{"landmarks", 0, true}, {"landmarks", shell.Ctrl, true}, {"landmarks", shell.Shift, false},
		{"landmarks", shell.Alt, false}, {"select", 0, false}, {"select", shell.Ctrl, false}} {
		h := newHands(t)
		h.Tool = ToolByID(c.tool)
		h.Landmarks.Selected = []int{1}
		x, y := h.where(7)
		h.do(shell.MouseMove, x, y, 0, c.keys)
		if (h.Hover == 7) != c.halo {
			t.Errorf("%s with keys %d: the halo is on %d", c.tool, c.keys, h.Hover)
		}
		h.do(shell.MouseMove, x, y, 0, 0)
		h.Hold(c.keys) // the mouse rests, a key is pressed
		if (h.Hover == 7) != c.halo {
			t.Errorf("%s, then keys %d: the halo is on %d", c.tool, c.keys, h.Hover)
		}
		h.dragFrom(x, y, x+50, y, shell.Left, c.keys)
		if took := slices.Equal(h.Landmarks.Selected, []int{7}) &&
			h.Landmarks.Doc.History().Len() == 1; took != c.halo {
			t.Errorf("%s with keys %d: taken %v, halo %v", c.tool, c.keys, took, c.halo)
		}
	}
}
