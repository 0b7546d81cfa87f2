package gputest

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"blossom/gpu/enginetest"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/render/rendertest"
)

// A picture drawn from positions that an engine of the card wrote equals that of the CPU engine, after
// each kind of change: from the start, a drag of one landmark, all positions moved, another k, training,
// fewer landmarks.
func TestThePictureEqualsTheCPUs(t *testing.T) {
	points := givenPoints(t, screen(t), 2500, 100_000)
	names := engines(t)
	for _, name := range names {
		for _, c := range []struct {
			data string
			dims int
		}{{"mammoth", 2}, {"cytometry", 2}, {"mammoth", 3}} {
			t.Run(fmt.Sprintf("%s/%s/%dD", name, c.data, c.dims), func(t *testing.T) {
				r, path := screen(t), fmt.Sprintf("demo:%s:%d", c.data, points)
				card, host := newRig(t, r, name, path, c.dims), newRig(t, r, "cpu", path, c.dims)
				compare := func(step string) {
					t.Helper()
					card.settle()
					l := card.Doc.State()
					host.Doc.Do("same", func(s *state.State) {
						marks := *parts.Landmarks.Of(l)
						marks.Space = parts.Transform.Rev(*s) // the same space, by the number that it has here
						parts.Landmarks.Put(s, &marks)
						parts.Projection.Take(s, l)
					})
					host.settle()
					card.on(name)
					host.on("cpu")
					same(t, step, card, host)
				}
				compare("at first")
				way, _ := card.Path()
				t.Logf("positions reach the picture by: %s", way)
				if way == "" && name != "reference" {
					t.Error("the engine does not say how its positions reach the picture")
				}

				change := func(name string, f func(l *landmark.Set) (*landmark.Set, error)) {
					t.Helper()
					l, err := f(parts.Landmarks.Of(card.Doc.State()))
					if err != nil {
						t.Fatal(err)
					}
					card.Doc.Do(name, func(s *state.State) { parts.Landmarks.Put(s, l) })
				}
				delta := []float32{0.3, -0.2, 0.1}[:c.dims]
				card.Hold(true)
				for i := range 12 { // a drag, a frame each
					change("drag", func(l *landmark.Set) (*landmark.Set, error) { return l.Move([]int{7}, delta) })
					card.frame()
					if i == 5 {
						compare("while a landmark is dragged")
					}
				}
				card.Hold(false)
				compare("after a drag")

				change("shear", func(l *landmark.Set) (*landmark.Set, error) {
					pos := l.Pos.Clone()
					for i := range pos.Rows {
						pos.Row(i)[0] += 0.3 * pos.Row(i)[1]
					}
					return l.WithPos(pos)
				})
				compare("all positions moved")

				card.Doc.Do("k", func(s *state.State) {
					parts.Projection.Edit(s,
						func(p *embedsom.Params) { p.K, p.Boost = 17, 1.3 })
				})
				compare("another k")
				if err := card.Training().Step(); err != nil {
					t.Fatal(err)
				}
				compare("after a step of training")
				change("fewer", func(l *landmark.Set) (*landmark.Set, error) {
					fewer, _, err := l.Remove([]int{0, 3, l.Len() / 2})
					return fewer, err
				})
				compare("fewer landmarks")

				// Another engine takes over the picture, and gives it back.
				if err := card.SetEngine("cpu"); err != nil {
					t.Fatal(err)
				}
				card.settle()
				same(t, "on the CPU", card, host)
				if err := card.SetEngine(name); err != nil {
					t.Fatal(err)
				}
				compare("back on the card")

				// The buffer gets new memory, as when another file is opened.
				if err := card.EmbedSOM().Refill(); err != nil {
					t.Fatal(err)
				}
				card.points.Resize(card.points.Len(), c.dims)
				compare("after the buffer got new memory")
			})
		}
	}
}

// same fails the test unless two maps of the same landmarks show the same.
func same(t *testing.T, step string, card, host *rig) {
	t.Helper()
	for _, d := range differences(card, host) {
		t.Errorf("%s: %s", step, d)
	}
}

// equal is for one rasteriser that draws the same positions but for their rounding, which moves a few
// points to another pixel.
var equal = rendertest.Threshold{Mean: 0.01, Far: 0.0002}

// differences says in words how the positions that OpenGL draws and the picture of a map on a card differ
// from those of one on the processor.
func differences(card, host *rig) (list []string) {
	got, want := card.drawn(), host.drawn()
	e := enginetest.Measure(got, want, enginetest.Extent(parts.Landmarks.Of(host.Doc.State()).Pos))
	if why := e.Fails(nil); why != "" || e.Points < want.Rows/2 {
		list = append(list, fmt.Sprintf("positions of %s and cpu: %s; %d points, %v", card.Engine().Name(), why,
			e.Points, e))
	}
	a, b := flat(card.picture()), flat(host.picture())
	if d := rendertest.Compare(b, a); !d.Within(equal) {
		list = append(list, fmt.Sprintf("pictures of %s and cpu: %v", card.Engine().Name(), d))
	}
	if empty(b) {
		list = append(list, "the picture is empty")
	}
	return list
}

// The comparison can fail: one landmark in another place is seen, in the positions and in the picture.
func TestADifferenceIsSeen(t *testing.T) {
	r := screen(t)
	a, b := newRig(t, r, "cpu", "demo:mammoth:5000", 2), newRig(t, r, "cpu", "demo:mammoth:5000", 2)
	a.settle()
	b.settle()
	if list := differences(a, b); len(list) > 0 {
		t.Fatalf("two maps that are the same: %q", list)
	}
	l, err := parts.Landmarks.Of(b.Doc.State()).Move([]int{210}, []float32{1, 0.5})
	if err != nil {
		t.Fatal(err)
	}
	b.Doc.Do("move", func(s *state.State) { parts.Landmarks.Put(s, l) })
	b.settle()
	if list := differences(a, b); len(list) != 2 {
		t.Errorf("a landmark has moved, and the differences are %q", list)
	}
}

func flat(m image.Image) *image.NRGBA {
	n := image.NewNRGBA(m.Bounds())
	draw.Draw(n, n.Rect, m, m.Bounds().Min, draw.Src)
	return n
}

// empty says whether hardly anything is drawn.
func empty(m *image.NRGBA) bool {
	ground := m.NRGBAAt(0, 0)
	n := 0
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			if m.NRGBAAt(x, y) != (color.NRGBA{ground.R, ground.G, ground.B, ground.A}) {
				n++
			}
		}
	}
	return n < m.Rect.Dx()*m.Rect.Dy()/50
}
