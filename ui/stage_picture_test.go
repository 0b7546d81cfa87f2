package ui

import (
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/document/parts"
	"blossom/render/camera"
	"blossom/ui/desk"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/view"
)

func TestColoursOfViews(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:2000"}, Still: true})
	opened(t, a, d)
	fourViews(a, d, t)
	views, names := a.desk.Stage.Scatters(), []string{"x", "y", "z", "w"}
	for i, v := range views {
		d.ClickOn("view" + v.View.ID.Key() + "/colour")
		d.Frames(3)
		d.Type(names[i])
		d.Frames(2)
		d.Keys("Enter")
		d.Frames(3)
	}
	rest(t, a, d)
	for i, v := range views {
		if v.Colours.Column != names[i] || v.View.Look().Column != names[i] {
			t.Errorf("view %d is coloured by %q, not %q", v.View.ID, v.Colours.Column, names[i])
		}
	}
	if h := a.desk.Doc.History(); h.Done() < 3 || !strings.HasPrefix(h.Name(h.Done()-1), "Colour by ") {
		t.Fatalf("%d entries", h.Done())
	}
	d.Keys("Ctrl+Z")
	rest(t, a, d)
	if views[3].Colours.Column == "w" || views[0].Colours.Column != "x" {
		t.Fatal("undo took back another view's colour")
	}
}

// In a window with no room for four views one is shown, with a switch to the others.
func TestFourViewsInASmallWindow(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:2000"}, Still: true})
	opened(t, a, d)
	fourViews(a, d, t)
	d.Resize(500, 400)
	rest(t, a, d)
	if len(a.desk.Stage.Scatters()) != 1 || a.desk.Stage.Count() != view.Most {
		t.Fatalf("%d of %d views in sight", len(a.desk.Stage.Scatters()), a.desk.Stage.Count())
	}
	seen := map[view.ID]bool{}
	for range view.Most {
		v := a.desk.Stage.Scatters()[0]
		seen[v.View.ID] = true
		if r := v.Rect(); r.W() < 300 || r.H() < 200 {
			t.Fatalf("the view has only %v", r)
		}
		d.ClickOn("view" + v.View.ID.Key() + "/views")
		rest(t, a, d)
	}
	if len(seen) != view.Most {
		t.Fatalf("the switch goes round %d views", len(seen))
	}
	d.Resize(1280, 800)
	rest(t, a, d)
	if len(a.desk.Stage.Scatters()) != view.Most {
		t.Fatal("they do not come back in a larger window")
	}
}

// A picture of all views is as large as they are together, and has the pixels of each.
func TestAPictureOfAllViews(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:3000"}, Still: true})
	opened(t, a, d)
	fourViews(a, d, t)
	uitest.Do(func() { a.desk.Show(func(v *parts.View) { v.Axes = false }) })
	for _, v := range a.desk.Stage.Scatters() {
		uitest.Do(func() { v.View.Edit(func(s *parts.View) { s.Axes, s.Legend = false, false }) })
	}
	rest(t, a, d)
	write := func(p desk.Picture) *image.RGBA {
		path := filepath.Join(t.TempDir(), "out.png")
		uitest.Do(func() { a.exportPicture(path, p) })
		d.Wait("the picture is written", 20*time.Second, func() bool {
			return exists(path) && a.picture == nil && len(a.compute.jobs.List()) == 0
		})
		return pictureFile(t, path)
	}
	for i, v := range a.desk.Stage.Scatters() {
		uitest.Do(func() { a.desk.Stage.Activate(v.View) })
		d.Frames(3)
		var want *image.RGBA
		uitest.Do(func() { want = v.Image() })
		if n := differing(write(desk.Picture{}), want); n > 0 {
			t.Errorf("view %d: %d pixels of its picture are not those of the window", i+1, n)
		}
	}
	r := a.rooms.regions.views
	all := write(desk.Picture{All: true})
	if all.Rect.Dx() != int(r.W()) || all.Rect.Dy() != int(r.H()) {
		t.Fatalf("%v, the views are %v", all.Rect, r)
	}
	for i, v := range a.desk.Stage.Scatters() {
		var want *image.RGBA
		uitest.Do(func() { want = v.Image() })
		b := v.Rect()
		at := image.Pt(int(b.X0-r.X0), int(b.Y0-r.Y0))
		got := all.SubImage(want.Rect.Add(at)).(*image.RGBA)
		if n := differing(got, want); n > 0 {
			t.Errorf("view %d: %d of %d pixels in the picture of all differ", i+1, n, want.Rect.Dx()*want.Rect.Dy())
		}
	}
	if fine := write(desk.Picture{All: true, Size: desk.TwiceAsFine}); fine.Rect.Dx() != 2*all.Rect.Dx() ||
		fine.Rect.Dy() != 2*all.Rect.Dy() {
		t.Errorf("twice as fine: %v of %v", fine.Rect, all.Rect)
	}
	if own := write(desk.Picture{All: true, Size: desk.OwnSize, Width: 640, Height: 300, Scale: 1}); own.Rect.Dx() !=
		640 || own.Rect.Dy() != 300 {
		t.Errorf("own size: %v", own.Rect)
	}
}

func pictureFile(t *testing.T, path string) *image.RGBA {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	out := image.NewRGBA(img.Bounds())
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.Set(x, y, img.At(x, y))
		}
	}
	return out
}

// The frame of four views takes no memory: neither at rest nor while a landmark is dragged. What ImGui is told is
// another matter.
func TestTheFrameOfFourViewsDoesNotAllocate(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:4000"}, Still: true})
	opened(t, a, d)
	fourViews(a, d, t)
	frame := func() {
		a.shown = a.desk.Stage.Recipes(a.shown[:0])
		a.desk.Map.Show(a.shown)
		if _, err := a.desk.Frame(shell.FrameTime, 50*time.Millisecond); err != nil {
			t.Error(err)
		}
		a.desk.Stage.Arrange(a.rooms.regions.views, false)
		a.desk.Stage.Update(a.ctx.Now())
		a.desk.Stage.Draw(a.desk.Busy())
		a.desk.Stage.Keep()
	}
	uitest.Do(func() {
		if n := testing.AllocsPerRun(50, frame); n > 0 {
			t.Errorf("%g allocations in a frame at rest", n)
		}
	})
	d.Keys("2")
	x, y := landmarkAt(a, 30)
	d.Move(x, y)
	d.Press(shell.Left)
	d.Move(x+20, y)
	i := 0
	uitest.Do(func() {
		frame()
		drag := func() {
			i++
			a.desk.Stage.Hand().Handle(shell.Event{Kind: shell.MouseMove,
				Pos: imgui.Vec2{X: x + 20 + float32(i%7), Y: y + float32(i%5)}}, 1)
		}
		hand := testing.AllocsPerRun(50, drag)
		both := testing.AllocsPerRun(50, func() { drag(); frame() })
		if both > hand {
			t.Errorf("%g allocations in a frame of a drag, %g of them of the landmarks that move", both, hand)
		}
	})
	d.Release(shell.Left)
	rest(t, a, d)
}

// The map stays where it is on the screen when the options of a tool come and go, flat and in 3D, one view or several.
func TestTheMapStaysUnderTheOptionsOfATool(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:3000"}, Still: true})
	opened(t, a, d)
	for _, solid := range []bool{false, true} {
		if solid {
			uitest.Do(func() {
				a.desk.Start.SetSolid(true)
				a.newLandmarks()
				a.desk.Training().Pause()
			})
			rest(t, a, d)
			d.Keys("F")
			rest(t, a, d)
		}
		uitest.Do(func() { a.active().Moved = true })
		for range 2 {
			at := func() (out [][2]float64) {
				uitest.Do(func() {
					for _, v := range a.desk.Stage.Scatters() {
						for _, id := range []int{0, 30, 77} {
							p := marksOf(a).Pos.Row(id)
							w := camera.Vec{X: float64(p[0]), Y: float64(p[1])}
							if solid {
								w.Z = float64(p[2])
							}
							x, y, _ := v.Screen(w)
							out = append(out, [2]float64{x, y})
						}
					}
				})
				return out
			}
			d.Keys("1")
			rest(t, a, d)
			before, box := at(), canvas(a)
			for _, key := range []string{"4", "3", "1"} {
				d.Keys(key)
				d.Frames(2)
				if a.desk.Stage.Flying() {
					t.Error("it flies")
				}
				rest(t, a, d)
				far := 1.0
				if solid {
					far = 4 // what is not in the plane of the middle is seen a little more from the side
				}
				for i, p := range at() {
					if math.Hypot(p[0]-before[i][0], p[1]-before[i][1]) > far {
						t.Errorf("3D %v, with %s a landmark is at %.1f, before at %.1f", solid, key, p, before[i])
					}
				}
			}
			if canvas(a) != box {
				t.Error("the view has not its place again")
			}
			if !solid {
				d.Keys("Ctrl+D")
				rest(t, a, d)
			}
		}
		if !solid {
			for a.desk.Stage.Count() > 1 {
				d.Keys("Ctrl+W")
				d.Frames(2)
			}
		}
		rest(t, a, d)
	}
}
