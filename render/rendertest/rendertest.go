// Package rendertest compares pictures with golden ones. Pictures are drawn by Mesa's software
// rasteriser, so they are the same on every machine within the thresholds in this folder.
//
// Run the tests with -update to accept new pictures. A picture that differs is saved as NAME.new.png
// next to its golden, with the difference, made visible, as NAME.diff.png.
package rendertest

import (
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"blossom/render"
	"blossom/render/egl"
)

var update = flag.Bool("update", false, "accept pictures as the new golden ones")

// Context gives the test an OpenGL context in software. Without one the test is skipped, or fails
// where the environment says CI or BLOSSOM_REQUIRE_GL.
func Context(t testing.TB) {
	t.Helper()
	c, err := egl.New(egl.Options{Software: true})
	if err != nil {
		if os.Getenv("CI") != "" || os.Getenv("BLOSSOM_REQUIRE_GL") != "" {
			t.Fatal(err)
		}
		t.Skip("no OpenGL for this test: ", err)
	}
	t.Cleanup(func() {
		c.Close()
		runtime.UnlockOSThread()
	})
}

// Renderer gives the test a context and a renderer that draws points by path.
func Renderer(t testing.TB, path render.Path) *render.Renderer {
	t.Helper()
	Context(t)
	r, err := render.New(render.Options{Path: path, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// Golden draws three times, which catches pictures that depend on what was drawn before, and compares
// each with testdata/NAME.png of the test's folder. With -update, pictures that are allowed the limits
// OtherPath or Samples are not accepted: they are compared with those of the first path.
func Golden(t *testing.T, name string, limit Threshold, draw func() image.Image) {
	t.Helper()
	for i := range 3 {
		got := toNRGBA(draw())
		if *update && i == 0 && limit != OtherPath && limit != Samples {
			write(t, filepath.Join("testdata", name+".png"), got)
		}
		if !compare(t, name, limit, got) {
			t.Errorf("drawn %d times before", i)
			return
		}
	}
}

func compare(t *testing.T, name string, limit Threshold, got *image.NRGBA) bool {
	t.Helper()
	base := filepath.Join("testdata", name)
	f, err := os.Open(base + ".png")
	if err != nil {
		write(t, base+".new.png", got)
		t.Errorf("no golden picture: look at %s.new.png and run with -update", base)
		return false
	}
	defer f.Close()
	decoded, err := png.Decode(f)
	if err != nil {
		t.Errorf("%s.png: %v", base, err)
		return false
	}
	want := toNRGBA(decoded)
	d := Compare(want, got)
	if d.Within(limit) {
		os.Remove(base + ".new.png")
		os.Remove(base + ".diff.png")
		return true
	}
	write(t, base+".new.png", got)
	if want.Rect == got.Rect {
		write(t, base+".diff.png", Picture(want, got))
	}
	t.Errorf("%s: %v, allowed %+v; see %s.new.png and .diff.png", name, d, limit, base)
	return false
}

func toNRGBA(m image.Image) *image.NRGBA {
	if n, ok := m.(*image.NRGBA); ok && n.Rect.Min == (image.Point{}) {
		return n
	}
	b := m.Bounds()
	n := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(n, n.Rect, m, b.Min, draw.Src)
	return n
}

func write(t testing.TB, path string, m image.Image) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
}

// Picture shows where two pictures of one size differ: the first one faint, differences in red.
func Picture(a, b *image.NRGBA) *image.NRGBA {
	out := image.NewNRGBA(a.Rect)
	for i := 0; i < len(a.Pix); i += 4 {
		d := 0
		for k := range 4 {
			d = max(d, abs(int(a.Pix[i+k])-int(b.Pix[i+k])))
		}
		grey := uint8(200 + (int(a.Pix[i])+int(a.Pix[i+1])+int(a.Pix[i+2]))/14)
		c := color.NRGBA{grey, grey, grey, 255}
		if d > 0 {
			c = color.NRGBA{255, uint8(max(0, 180-4*d)), uint8(max(0, 180-4*d)), 255}
		}
		copy(out.Pix[i:], []uint8{c.R, c.G, c.B, c.A})
	}
	return out
}

func abs(x int) int { return max(x, -x) }

// Save keeps a picture of a test that fails, beside those of golden ones.
func Save(t testing.TB, name string, m image.Image) {
	t.Helper()
	path := filepath.Join("testdata", "failed", name+".png")
	write(t, path, m)
	t.Logf("see %s", path)
}
