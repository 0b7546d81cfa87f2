package render_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"blossom/render"
	"blossom/render/camera"
	"blossom/render/rendertest"
)

// Where a part of the points was counted, it is shown until more than that are drawn one by one; then it goes away, and
// what is drawn is the picture, long before all are.
func TestACrowdGoesAwayWhenMoreIsDrawn(t *testing.T) {
	r := rendertest.Renderer(t, render.OpenGL)
	r.CountAlways()
	r.Take(1e9, 200) // 10,000 points are drawn in a frame, and 30,000 counted
	points := newCrowded(r, rand.New(rand.NewPCG(7, 8)))
	points.style = render.Style{Size: 1, Opacity: 0.3, Colouring: colouring(render.Light())}
	l := r.NewLayer()
	defer l.Free()
	l.Begin(points.proj, points.style)
	if drawn := l.DrawNext(points.b, points.v, points.s, 0, crowdedPoints); drawn != 0 || l.Counted() != 30_000 {
		t.Fatalf("%d are drawn and %d counted", drawn, l.Counted())
	}
	l.Resolve(render.Light().Background)
	crowd := l.Read()
	drawn, behind := 0, 0
	for drawn < l.Counted() {
		drawn = l.DrawNext(points.b, points.v, points.s, drawn, crowdedPoints)
		l.Resolve(render.Light().Background)
		if l.Counted() == 0 {
			break
		}
		if behind++; l.Shown(drawn) != 30_000 || !bytes.Equal(l.Read().Pix, crowd.Pix) {
			t.Fatalf("with %d drawn, %d are shown, or others", drawn, l.Shown(drawn))
		}
	}
	if behind == 0 || drawn < 30_000 || drawn >= crowdedPoints || l.Shown(drawn) != drawn {
		t.Fatalf("after %d frames behind the crowd %d are drawn and %d shown", behind, drawn, l.Shown(drawn))
	}
	some := r.NewLayer()
	defer some.Free()
	some.Begin(points.proj, points.style)
	some.DrawRange(points.b, points.v, points.s, 0, drawn)
	some.Resolve(render.Light().Background)
	if d := rendertest.Compare(nrgba(some.Read()), nrgba(l.Read())); d.Most != 0 {
		t.Errorf("the picture is not that of the %d points that are drawn: %v", drawn, d)
	}
}

// A card without memory for what is counted is asked once, not in each frame, and not for a larger picture: points are
// drawn one by one. For a smaller picture it is asked again.
func TestACardWithoutMemoryIsAskedOnce(t *testing.T) {
	r := rendertest.Renderer(t, render.OpenGL)
	r.CountAlways()
	r.Take(1e9, 0)
	points := newCrowded(r, rand.New(rand.NewPCG(9, 10)))
	points.style = render.Style{Size: 1, Opacity: 0.3, Colouring: colouring(render.Light())}
	l := r.NewLayer()
	defer l.Free()
	asked, back := render.WithoutStorage()
	defer back()
	frame := func(w, h int) {
		t.Helper()
		cam := camera.NewFlat(w, h)
		cam.Fit(camera.Bounds{Min: camera.Vec{X: -5, Y: -5}, Max: camera.Vec{X: 5, Y: 5}}, camera.Margins{})
		l.Begin(cam.Projection(), points.style)
		if drawn := l.DrawNext(points.b, points.v, points.s, 0, crowdedPoints); drawn == 0 || l.Counted() != 0 {
			t.Fatalf("at %d x %d %d points are drawn and %d counted", w, h, drawn, l.Counted())
		}
		l.Resolve(render.Light().Background)
	}
	for _, c := range []struct{ w, h, want int }{{200, 150, 1}, {200, 150, 1}, {260, 190, 1}, {200, 150, 1},
		{120, 90, 2}, {120, 90, 2}, {200, 150, 2}} {
		frame(c.w, c.h)
		if asked() != c.want {
			t.Errorf("at %d x %d it was asked %d times, not %d", c.w, c.h, asked(), c.want)
		}
	}
	back()
	frameCounts := func() int {
		cam := camera.NewFlat(100, 80)
		l.Begin(cam.Projection(), points.style)
		l.DrawNext(points.b, points.v, points.s, 0, crowdedPoints)
		return l.Counted()
	}
	if n := frameCounts(); n != crowdedPoints {
		t.Errorf("with memory for a smaller picture %d points are counted", n)
	}
}
