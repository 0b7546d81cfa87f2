package render_test

import (
	"testing"
	"time"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/render"
	"blossom/render/camera"
	"blossom/render/rendertest"
)

// benchmarkFrame is a frame in which every position has changed: upload, points, landmarks, and the
// texture ready to be shown.
func benchmarkFrame(b *testing.B, path render.Path, n, dims int) {
	const w, h = 1280, 800
	r := rendertest.Renderer(b, path)
	points, values := r.NewPointBuffer(n, dims), r.NewValueBuffer(n)
	box := rendertest.Clusters(points, values, false)
	var cam camera.Camera = camera.NewFlat(w, h)
	if dims == 3 {
		cam = camera.NewOrbit(w, h)
	}
	cam.Fit(box, camera.Even(40))
	pos, marks, _, edges := landmarkGrid(box)
	size, opacity := render.AutoStyle(n, w, h, 1, 0)
	theme := render.Light()
	l := r.NewLayer()
	best := time.Hour // the machine may be shared
	for b.Loop() {
		start := time.Now()
		points.Upload(0, n)
		l.Begin(cam.Projection(), render.Style{Size: size, Opacity: opacity, Colouring: colouring(theme),
			Ground: theme.Background})
		l.DrawRange(points, values, nil, 0, n)
		l.Resolve(theme.Background)
		l.DrawEdges(pos, edges, 1)
		l.DrawLandmarks(pos, marks, render.ActiveLandmarks(theme, 1))
		gl.Finish()
		best = min(best, time.Since(start))
	}
	b.ReportMetric(float64(best.Microseconds())/1000, "best-ms/frame")
	b.ReportMetric(float64(best.Nanoseconds())/float64(n), "ns/point")
}

func BenchmarkFrame50kCPU(b *testing.B)        { benchmarkFrame(b, render.CPU, 50000, 2) }
func BenchmarkFrame50kOpenGL(b *testing.B)     { benchmarkFrame(b, render.OpenGL, 50000, 2) }
func BenchmarkFrame1MCPU(b *testing.B)         { benchmarkFrame(b, render.CPU, 1<<20, 2) }
func BenchmarkFrame1MOpenGL(b *testing.B)      { benchmarkFrame(b, render.OpenGL, 1<<20, 2) }
func BenchmarkFrame1MIn3DCPU(b *testing.B)     { benchmarkFrame(b, render.CPU, 1<<20, 3) }
func BenchmarkFrame50kIn3DOpenGL(b *testing.B) { benchmarkFrame(b, render.OpenGL, 50000, 3) }
