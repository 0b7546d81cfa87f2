package ui

import (
	"math"
	"slices"
	"testing"

	"blossom/render/camera"
	"blossom/ui/orders"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/widget"
)

// The map and the headers stay where they are on the screen when the options of a tool come and go, flat and in 3D, one
// view or several.
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
			headers := func() (out []widget.Rect) {
				uitest.Do(func() {
					for _, v := range a.desk.Stage.Scatters() {
						out = append(out, v.View.Header)
					}
				})
				return out
			}
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
			before, box, clicked := at(), stand.Canvas(a.desk), headers()
			for _, key := range []string{"4", "3", "1"} {
				d.Keys(key)
				d.Frames(2)
				if a.desk.Stage.Flying() {
					t.Error("it flies")
				}
				rest(t, a, d)
				if now := headers(); !slices.Equal(now, clicked) {
					t.Errorf("3D %v, with %s the headers are at %v, before at %v", solid, key, now, clicked)
				}
				far := 1.0
				if solid {
					far = 4 // points off the plane of the middle are seen a little more from the side
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
