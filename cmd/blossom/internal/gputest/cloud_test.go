package gputest

import (
	"image"
	"image/draw"
	"math/rand/v2"
	"testing"
	"time"

	"blossom/render"
	"blossom/render/camera"
	"blossom/render/palette"
	"blossom/render/rendertest"
)

// cube fills a buffer with points of a few balls, and values with their distance from the middle of one.
func cube(b *render.PointBuffer, v *render.ValueBuffer) camera.Bounds {
	rng := rand.New(rand.NewPCG(1, 2))
	dims := b.Dims()
	for i := range b.Len() {
		ball := i % 7
		for d := range dims {
			b.Host()[i*dims+d] = float32(float64(ball>>d&1) + 0.17*rng.NormFloat64())
		}
		v.Host()[i] = float32(ball)
	}
	b.Upload(0, b.Len())
	v.Upload(0, v.Len())
	box, _ := camera.BoundsOf(b.Host()[:min(len(b.Host()), 60000)], dims)
	return box
}

func looks(size, opacity float32) render.Style {
	return render.Style{Size: size, Opacity: opacity, Ground: render.Light().Background,
		Colouring: palette.Colouring{Palette: palette.Default(), Hi: 7, Missing: render.Light().Missing}}
}

// This machine's OpenGL draws 3D by samples, and gives the picture of the CPU, which sorts.
func TestCloudsOfThisCard(t *testing.T) {
	r := screen(t)
	const n = 60_000
	b, v := r.NewPointBuffer(n, 3), r.NewValueBuffer(n)
	defer b.Free()
	defer v.Free()
	cam := camera.NewOrbit(400, 300)
	cam.Fit(cube(b, v), camera.Even(5))
	l := r.NewLayer()
	defer l.Free()
	for _, s := range []render.Style{looks(2, 1), looks(3, 0.6), looks(1.2, 0.2), looks(8, 0.05)} {
		var got [2]*image.NRGBA
		for i, path := range []render.Path{render.CPU, render.OpenGL} {
			r.SetPath(path)
			l.Begin(cam.Projection(), s)
			l.DrawRange(b, v, nil, 0, n)
			l.Resolve(render.Light().Background)
			m := l.Read()
			got[i] = image.NewNRGBA(m.Rect)
			draw.Draw(got[i], m.Rect, m, image.Point{}, draw.Src)
		}
		d := rendertest.Compare(got[0], got[1])
		t.Logf("size %g, opacity %g: %v", s.Size, s.Opacity, d)
		if !d.Within(rendertest.Samples) {
			t.Errorf("size %g, opacity %g: %v", s.Size, s.Opacity, d)
		}
	}
}

// benchmarkCloud draws points on this machine's OpenGL, in a turning view.
func benchmarkCloud(b *testing.B, dims int) {
	r := screen(b)
	n := 10_000_000
	if r.Software() {
		n = 50_000
	}
	points, values := r.NewPointBuffer(n, dims), r.NewValueBuffer(n)
	defer points.Free()
	defer values.Free()
	box := cube(points, values)
	var cam camera.Camera = camera.NewFlat(1600, 1000)
	orbit := camera.NewOrbit(1600, 1000)
	if dims == 3 {
		cam = orbit
	}
	cam.Fit(box, camera.Even(20))
	l := r.NewLayer()
	defer l.Free()
	size, opacity := render.AutoStyle(n, 1600, 1000, 1, 0)
	best := time.Hour
	for b.Loop() {
		start := time.Now()
		orbit.Rotate(5, 2)
		l.Begin(cam.Projection(), looks(size, opacity))
		l.DrawRange(points, values, nil, 0, n)
		l.Resolve(render.Light().Background)
		r.Finish()
		best = min(best, time.Since(start))
	}
	b.ReportMetric(float64(best.Microseconds())/1000, "best-ms/frame")
	b.ReportMetric(float64(best.Nanoseconds())/float64(n), "best-ns/point")
}

func BenchmarkTenMillionFlat(b *testing.B) { benchmarkCloud(b, 2) }
func BenchmarkTenMillionIn3D(b *testing.B) { benchmarkCloud(b, 3) }
