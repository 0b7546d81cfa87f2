package ui

import (
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/render/camera"
	"blossom/ui/desk"
	"blossom/ui/orders"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

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
		uitest.Do(func() { a.output.Picture(path, p) })
		d.Wait("the picture is written", 20*time.Second, func() bool {
			return exists(path) && !a.output.Drawing() && len(a.compute.jobs.List()) == 0
		})
		return pictureFile(t, path)
	}
	for i, v := range a.desk.Stage.Scatters() {
		uitest.Do(func() { a.desk.Stage.Activate(v.View) })
		d.Frames(3)
		var want *image.RGBA
		uitest.Do(func() { want = v.Image() })
		if n := uitest.Differing(write(desk.Picture{}), want); n > 0 {
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
		if n := uitest.Differing(got, want); n > 0 {
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

// The map stays where it is on the screen when the options of a tool come and go, flat and in 3D, one view or several.
func TestTheMapStaysUnderTheOptionsOfATool(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:3000"}, Still: true})
	opened(t, a, d)
	for _, solid := range []bool{false, true} {
		if solid {
			uitest.Do(func() {
				a.desk.Start.SetSolid(true)
				orders.NewLandmarks(a.desk)
				a.desk.Training().Pause()
			})
			rest(t, a, d)
			d.Keys("F")
			rest(t, a, d)
		}
		uitest.Do(func() { a.active().Eye.Moved = true })
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
							x, y, _ := v.Eye.Screen(w)
							out = append(out, [2]float64{x, y})
						}
					}
				})
				return out
			}
			d.Keys("1")
			rest(t, a, d)
			before, box := at(), stand.Canvas(a.desk)
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
			if stand.Canvas(a.desk) != box {
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
