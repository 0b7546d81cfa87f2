package render_test

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/render"
	"blossom/render/camera"
	"blossom/render/palette"
	"blossom/render/rendertest"
	"blossom/shaders"
)

func colouring(t render.Theme) palette.Colouring {
	return palette.Colouring{Palette: palette.Default(), Lo: 0, Hi: 4, Missing: t.Missing}
}

// TestLook writes pictures of many sizes to look at, where BLOSSOM_LOOK names a folder.
func TestLook(t *testing.T) {
	dir := os.Getenv("BLOSSOM_LOOK")
	if dir == "" {
		t.Skip("BLOSSOM_LOOK names no folder")
	}
	for _, path := range []render.Path{render.CPU, render.OpenGL} {
		r := rendertest.Renderer(t, path)
		for _, n := range []int{500, 19000, 1000000} {
			if path == render.OpenGL && n > 100000 {
				continue
			}
			b, v := r.NewPointBuffer(n, 2), r.NewValueBuffer(n)
			box := rendertest.Clusters(b, v, false)
			for name, th := range map[string]render.Theme{"light": render.Light(), "dark": render.Dark()} {
				cam := camera.NewFlat(1000, 750)
				cam.Fit(box, camera.Even(40))
				size, opacity := render.AutoStyle(n, 1000, 750, 1, 0)
				l := r.NewLayer()
				l.Begin(cam.Projection(), render.Style{Size: size, Opacity: opacity, Colouring: colouring(th)})
				l.DrawRange(b, v, nil, 0, n)
				l.Resolve(th.Background)
				save(t, dir, name+"-"+[]string{"auto", "gl", "cpu"}[path]+"-"+itoa(n), l.Read())
				t.Log(name, path, n, size, opacity, r.CostPerPoint())
				l.Free()
			}
			b.Free()
		}
	}
}

func itoa(n int) string {
	if n >= 1000 {
		return itoa(n/1000) + "k"
	}
	return string([]byte{byte('0' + n/100), byte('0' + n/10%10), byte('0' + n%10)})
}

func save(t *testing.T, dir, name string, m image.Image) {
	f, err := os.Create(dir + "/" + name + ".png")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
}

var paths = map[string]render.Path{"OpenGL": render.OpenGL, "CPU": render.CPU}

func nrgba(m image.Image) *image.NRGBA {
	out := image.NewNRGBA(m.Bounds())
	draw.Draw(out, out.Rect, m, image.Point{}, draw.Src)
	return out
}

// flat is a camera on the square from 0 to 1, one pixel per 1/side.
func flat(side int) camera.Projection {
	c := camera.NewFlat(side, side)
	return c.Projection()
}

func paint(c color.NRGBA, size, opacity float32) render.Style {
	return render.Style{Size: size, Opacity: opacity, Colouring: palette.Colouring{Flat: c}}
}

func TestDrawnInPartsIsTheSamePicture(t *testing.T) {
	for name, path := range paths {
		for _, dims := range []int{2, 3} {
			r := rendertest.Renderer(t, path)
			b, v := r.NewPointBuffer(8000, dims), r.NewValueBuffer(8000)
			box := rendertest.Clusters(b, v, false)
			var cam camera.Camera = camera.NewFlat(300, 240)
			if dims == 3 {
				cam = camera.NewOrbit(300, 240)
			}
			cam.Fit(box, camera.Even(5))
			l := r.NewLayer()
			look := func(cuts ...int) *image.NRGBA {
				l.Begin(cam.Projection(), render.Style{Size: 3, Opacity: 0.4, Colouring: colouring(render.Light())})
				from := 0
				for _, to := range append(cuts, 8000) {
					l.DrawRange(b, v, nil, from, to)
					l.Resolve(render.Light().Background) // a frame in between
					from = to
				}
				return nrgba(l.Read())
			}
			want := look()
			if d := rendertest.Compare(want, look(1, 500, 501, 7000)); d.Most != 0 {
				t.Errorf("%s, %d dimensions: %v", name, dims, d)
			}
		}
	}
}

// TestPathsAgree draws awkward sizes and opacities both ways.
func TestPathsAgree(t *testing.T) {
	for _, tc := range []struct {
		n, dims       int
		size, opacity float32
	}{{4000, 2, 0.4, 1}, {4000, 2, 1, 0.7}, {4000, 2, 2.4, 0.5}, {3000, 2, 5, 0.2}, {60, 2, 30, 0.8},
		{60, 2, 500, 0.3}, {4000, 3, 3, 0.6}, {40000, 2, 1.3, 0.06}} {
		var got [2]*image.NRGBA
		for i, path := range []render.Path{render.OpenGL, render.CPU} {
			r := rendertest.Renderer(t, path)
			b, v, s := r.NewPointBuffer(tc.n, tc.dims), r.NewValueBuffer(tc.n), r.NewStateBuffer(tc.n)
			box := rendertest.Clusters(b, v, false)
			v.Host()[3] = float32(math.NaN())
			b.Host()[10] = float32(math.NaN())
			s.Host()[1] = render.Hidden
			s.Upload(0, tc.n)
			b.Upload(0, tc.n)
			v.Upload(0, tc.n)
			var cam camera.Camera = camera.NewFlat(260, 200)
			if tc.dims == 3 {
				cam = camera.NewOrbit(260, 200)
			}
			cam.Fit(box, camera.Even(-15)) // some points cross the rim
			l := r.NewLayer()
			l.Begin(cam.Projection(), render.Style{Size: tc.size, Opacity: tc.opacity,
				Colouring: colouring(render.Dark())})
			l.DrawRange(b, v, s, 0, tc.n)
			l.Resolve(render.Dark().Background)
			got[i] = nrgba(l.Read())
		}
		limit := rendertest.OtherPath
		if tc.dims == 3 {
			limit = rendertest.Samples
		}
		if d := rendertest.Compare(got[0], got[1]); !d.Within(limit) {
			t.Errorf("%+v: %v", tc, d)
		}
	}
}

func TestPlaceAndColour(t *testing.T) {
	red, ground := color.NRGBA{230, 20, 30, 255}, color.NRGBA{250, 250, 251, 255}
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		b := r.NewPointBuffer(3, 2)
		copy(b.Host(), []float32{0.25, 0.75, float32(math.NaN()), 0.5, 0.5, float32(math.NaN())})
		b.Upload(0, 3)
		l := r.NewLayer()
		if l.Texture() != 0 {
			t.Error("a texture before the first picture")
		}
		l.Begin(flat(40), paint(red, 6, 1))
		l.DrawRange(b, nil, nil, -5, 100)
		l.Resolve(ground)
		img := nrgba(l.Read())
		if l.Texture() == 0 {
			t.Error("no texture")
		}
		// World y points up: 0.75 is a quarter from the top.
		for y := range 40 {
			for x := range 40 {
				d := math.Hypot(float64(x)+0.5-10, float64(y)+0.5-10)
				got := img.NRGBAAt(x, y)
				if d < 2.4 && got != red || d > 3.6 && got != ground {
					t.Fatalf("%s: pixel (%d, %d) is %v", name, x, y, got)
				}
			}
		}
		// A second, partial upload; a new colour moves nothing.
		b.Host()[0] = 0.5
		b.Upload(0, 1)
		blue := color.NRGBA{10, 20, 200, 255}
		l.Begin(flat(40), paint(blue, 6, 1))
		l.DrawRange(b, nil, nil, 0, 3)
		l.Resolve(ground)
		if img := nrgba(l.Read()); img.NRGBAAt(20, 10) != blue || img.NRGBAAt(10, 10) != ground {
			t.Errorf("%s: moved point not drawn, or still at its old place", name)
		}
		if img := l.Read(); img.Rect.Dx() != 40 {
			t.Error("size")
		}
	}
}

// Where none of the points is selected all stand back, on every path: with states of which none is set, and without.
func TestPointsStandBackWhereNoneIsSelected(t *testing.T) {
	red, ground := color.NRGBA{230, 20, 30, 255}, color.NRGBA{250, 250, 251, 255}
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		b, v, s := r.NewPointBuffer(1, 2), r.NewValueBuffer(1), r.NewStateBuffer(1)
		copy(b.Host(), []float32{0.5, 0.5})
		b.Upload(0, 1)
		v.Host()[0] = 2
		v.Upload(0, 1)
		l := r.NewLayer()
		at := func(s *render.StateBuffer) color.NRGBA {
			style := paint(red, 6, 1)
			style.DimUnselected, style.Colouring.Missing = true, color.NRGBA{90, 90, 90, 255}
			l.Begin(flat(40), style)
			l.DrawRange(b, v, s, 0, 1)
			l.Resolve(ground)
			return nrgba(l.Read()).NRGBAAt(20, 20)
		}
		s.Host()[0] = render.Selected
		s.Upload(0, 1)
		if got := at(s); got != red {
			t.Errorf("%s: a point that is selected is %v", name, got)
		}
		s.Host()[0] = 0
		s.Upload(0, 1)
		if got, without := at(s), at(nil); got == red || got == ground || without != got {
			t.Errorf("%s: a point that is not selected is %v, and %v without states", name, got, without)
		}
	}
}

// TestEarlierPointsAreOnTop is what makes a picture settle while it is completed.
func TestEarlierPointsAreOnTop(t *testing.T) {
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		b, v := r.NewPointBuffer(2, 2), r.NewValueBuffer(2)
		copy(b.Host(), []float32{0.5, 0.5, 0.5, 0.5})
		copy(v.Host(), []float32{0, 1})
		b.Upload(0, 2)
		v.Upload(0, 2)
		c := palette.Colouring{Palette: palette.ForLabels(2), Labels: 2}
		l := r.NewLayer()
		l.Begin(flat(21), render.Style{Size: 9, Opacity: 0.75, Colouring: c})
		l.DrawRange(b, v, nil, 0, 2)
		l.Resolve(color.NRGBA{})
		got := nrgba(l.Read()).NRGBAAt(10, 10)
		first, second := c.LabelColour(0), c.LabelColour(1)
		for i, pair := range [][3]uint8{{got.R, first.R, second.R}, {got.G, first.G, second.G},
			{got.B, first.B, second.B}} {
			want := (0.75*float64(pair[1]) + 0.25*0.75*float64(pair[2])) / 0.9375
			if math.Abs(float64(pair[0])-want) > 1.6 {
				t.Errorf("%s: channel %d is %d, want %.1f", name, i, pair[0], want)
			}
		}
		if math.Abs(float64(got.A)-0.9375*255) > 1.1 {
			t.Errorf("%s: alpha %d", name, got.A)
		}
	}
}

func TestResize(t *testing.T) {
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		b, v, st := r.NewPointBuffer(1, 2), r.NewValueBuffer(1), r.NewStateBuffer(1)
		l := r.NewLayer()
		for _, n := range []int{1, 50, 0, 7} {
			for _, dims := range []int{2, 3, 9} {
				b.Resize(n, dims)
				v.Resize(n)
				st.Resize(n)
				if len(b.Host()) != n*b.Dims() || b.Len() != n || len(v.Host()) != n || st.Len() != n {
					t.Fatalf("%s: %d points of %d: %d", name, n, dims, len(b.Host()))
				}
				for i := range b.Host() {
					b.Host()[i] = 0.5
				}
				b.Upload(-3, n+9)
				v.Upload(5, 2)
				st.Upload(-7, 1000)
				side := 10 + n
				l.Begin(flat(side), paint(color.NRGBA{255, 0, 0, 255}, 3, 1))
				l.DrawRange(b, v, st, 0, n)
				l.Resolve(color.NRGBA{255, 255, 255, 255})
				img := nrgba(l.Read())
				if w, h := l.Size(); w != side || h != side || img.Rect.Dx() != side {
					t.Fatalf("%s: size %d x %d", name, w, h)
				}
				if drawn := img.NRGBAAt(side/2, side/2).G < 128; drawn != (n > 0) {
					t.Errorf("%s: %d points, drawn: %v", name, n, drawn)
				}
			}
		}
		b.Free()
		l.Free()
	}
}

func TestFramePathDoesNotAllocate(t *testing.T) {
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		b, v, st := r.NewPointBuffer(5000, 2), r.NewValueBuffer(5000), r.NewStateBuffer(5000)
		box := rendertest.Clusters(b, v, false)
		cam := camera.NewFlat(320, 200)
		cam.Fit(box, camera.Even(5))
		pos, marks, _, edges := landmarkGrid(box)
		l := r.NewLayer()
		theme := render.Light()
		s := render.Style{Size: 2, Opacity: 0.5, Colouring: colouring(theme)}
		frame := func() {
			if _, err := r.ReloadShaders(); err != nil {
				t.Error(err)
			}
			b.Upload(100, 3000)
			v.Upload(0, 5000)
			st.Upload(7, 9)
			cam.Pan(1, 0)
			l.Begin(cam.Projection(), s)
			l.DrawRange(b, v, st, 0, 2500)
			l.DrawRange(b, v, nil, 2500, 5000)
			l.Resolve(theme.Background)
			l.DrawEdges(pos, edges, 1)
			l.DrawLandmarks(pos, marks, render.ActiveLandmarks(theme, 1))
			_ = l.Texture()
			_ = r.CostPerPoint()
		}
		frame()
		if n := testing.AllocsPerRun(20, frame); n != 0 {
			t.Errorf("%s: %v allocations a frame", name, n)
		}
		if c := r.CostPerPoint(); !(c > 0) {
			t.Errorf("%s: cost per point %v", name, c)
		}
	}
}

// TestOtherUsersOfTheContext: what another library leaves set does not change the picture.
func TestOtherUsersOfTheContext(t *testing.T) {
	r := rendertest.Renderer(t, render.OpenGL)
	b, v := r.NewPointBuffer(500, 2), r.NewValueBuffer(500)
	box := rendertest.Clusters(b, v, false)
	cam := camera.NewFlat(200, 150)
	cam.Fit(box, camera.Even(5))
	pos, marks, _, edges := landmarkGrid(box)
	l := r.NewLayer()
	look := func() *image.NRGBA {
		l.Begin(cam.Projection(), render.Style{Size: 4, Opacity: 0.7, Colouring: colouring(render.Light())})
		l.DrawRange(b, v, nil, 0, 500)
		l.Resolve(render.Light().Background)
		l.DrawEdges(pos, edges, 2)
		l.DrawLandmarks(pos, marks, render.ActiveLandmarks(render.Light(), 1))
		return nrgba(l.Read())
	}
	want := look()
	disturb()
	if d := rendertest.Compare(want, look()); d.Most != 0 {
		t.Error(d)
	}
}

func TestShadersCompile(t *testing.T) {
	rendertest.Renderer(t, render.OpenGL) // compiles and links all, and checks their uniforms
	entries, err := shaders.Files.ReadDir(".")
	drawing := 0 // the others compute
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext == ".vert" || ext == ".frag" {
			drawing++
		}
	}
	used := map[string]bool{}
	for _, p := range append(slices.Clone(shaders.Programs), shaders.Count, shaders.Lay) {
		for _, name := range p.Files {
			if path.Ext(name) == ".comp" {
				continue
			}
			used[name] = true
			text, err := shaders.Read(shaders.Files, name)
			version := "#version 410 core\n"
			if name == "crowd.frag" { // it is made where there is that
				version = "#version 430 core\n"
			}
			if err != nil || !strings.HasPrefix(text, version) {
				t.Errorf("%s: %v, or not %s", name, err, version)
			}
		}
	}
	if err != nil || drawing != len(used) {
		t.Errorf("%d files, %d of them in programs (%v)", drawing, len(used), err)
	}
}

func TestShadersReload(t *testing.T) {
	rendertest.Context(t)
	dir := t.TempDir()
	entries, _ := shaders.Files.ReadDir(".")
	for _, e := range entries {
		text, _ := shaders.Files.ReadFile(e.Name())
		if err := os.WriteFile(filepath.Join(dir, e.Name()), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Unix(1000, 0)
	r, err := render.New(render.Options{Path: render.OpenGL, ShaderDir: dir, Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	stamp := time.Now()
	edit := func(change func(string) string) (bool, error) {
		file := filepath.Join(dir, "points.frag")
		text, _ := os.ReadFile(file)
		os.WriteFile(file, []byte(change(string(text))), 0o644)
		stamp = stamp.Add(time.Hour)
		os.Chtimes(file, stamp, stamp)
		now = now.Add(time.Second)
		return r.ReloadShaders()
	}
	if changed, err := r.ReloadShaders(); changed || err != nil {
		t.Errorf("unchanged: %v %v", changed, err)
	}
	b := r.NewPointBuffer(1, 2)
	copy(b.Host(), []float32{0.5, 0.5})
	b.Upload(0, 1)
	l := r.NewLayer()
	middle := func() color.NRGBA {
		l.Begin(flat(11), paint(color.NRGBA{200, 0, 0, 255}, 6, 1))
		l.DrawRange(b, nil, nil, 0, 1)
		l.Resolve(color.NRGBA{0, 0, 0, 255})
		return nrgba(l.Read()).NRGBAAt(5, 5)
	}
	if got := middle(); got.R != 200 {
		t.Errorf("before: %v", got)
	}
	good := ""
	changed, err := edit(func(s string) string {
		good = s
		return strings.Replace(s, "colour * cover",
			"colour.grba * cover", 1)
	})
	if got := middle(); !changed || err != nil || got.G != 200 || got.R != 0 {
		t.Errorf("after an edit: %v %v %v", changed, err, got)
	}
	changed, err = edit(func(s string) string { return s + "nonsense" })
	if changed || err == nil || !strings.Contains(err.Error(), "points.frag") {
		t.Errorf("a mistake: %v %v", changed, err)
	}
	if got := middle(); got.G != 200 {
		t.Errorf("the last good program is gone: %v", got)
	}
	now = now.Add(time.Second)
	if _, err := r.ReloadShaders(); err != nil {
		t.Errorf("the same mistake again: %v", err)
	}
	if changed, err = edit(func(string) string { return good }); !changed || err != nil || middle().R != 200 {
		t.Errorf("corrected: %v %v", changed, err)
	}
	os.Remove(filepath.Join(dir, "edges.vert"))
	if _, err := render.New(render.Options{ShaderDir: dir}); err == nil {
		t.Error("a missing shader is no error")
	}
}

func TestAutoStyle(t *testing.T) {
	size, opacity := float32(1e9), float32(1e9)
	for _, n := range []int{1, 10, 500, 20000, 1000000, 100000000} {
		s, o := render.AutoStyle(n, 1280, 800, 1, 0)
		if s > size || o > opacity || !(s >= 0.5) || !(o >= 0.05) || o > 1 || s > 12 {
			t.Errorf("%d points: size %v, opacity %v after %v, %v", n, s, o, size, opacity)
		}
		size, opacity = s, o
		s2, o2 := render.AutoStyle(n, 2560, 1600, 2, 0)
		if math.Abs(float64(s2/s-2)) > 1e-3 || math.Abs(float64(o2-o)) > 1e-3 {
			t.Errorf("%d points at scale 2: %v, %v; at 1: %v, %v", n, s2, o2, s, o)
		}
		if z, _ := render.AutoStyle(n, 1280, 800, 1, 50); z < s {
			t.Errorf("%d points, zoomed in: %v smaller than %v", n, z, s)
		}
	}
	for _, bad := range []struct{ n, w, h int }{{0, 5, 5}, {5, 0, 5}, {5, 5, -1}} {
		if s, o := render.AutoStyle(bad.n, bad.w, bad.h, math.NaN(), math.Inf(1)); !(s > 0) || !(o > 0) {
			t.Errorf("%v: %v %v", bad, s, o)
		}
	}
}

func TestAutoPath(t *testing.T) {
	r := rendertest.Renderer(t, render.Auto)
	if !r.Software() {
		t.Skip("not in software: ", r.Info().Renderer)
	}
	if r.Path() == render.Auto {
		t.Error("no path chosen")
	}
	t.Log(r.Info(), "path", r.Path())
}

// TestResolveAgain: landmarks are drawn afresh on the same points, and the ground can change.
func TestResolveAgain(t *testing.T) {
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		b := r.NewPointBuffer(300, 2)
		box := rendertest.Clusters(b, nil, false)
		cam := camera.NewFlat(200, 150)
		cam.Fit(box, camera.Even(5))
		pos, marks, _, _ := landmarkGrid(box)
		l := r.NewLayer()
		l.DrawRange(b, nil, nil, 0, 300) // before Begin: nothing happens
		l.Resolve(render.Light().Background)
		l.DrawLandmarks(pos, marks, render.ActiveLandmarks(render.Light(), 1))
		l.Begin(cam.Projection(), render.Style{Size: 4, Opacity: 0.7, Colouring: colouring(render.Light())})
		l.DrawRange(b, nil, nil, 0, 300)
		l.Resolve(render.Light().Background)
		bare := nrgba(l.Read())
		l.DrawLandmarks(pos, marks, render.ActiveLandmarks(render.Light(), 1))
		if d := rendertest.Compare(bare, nrgba(l.Read())); d.Far == 0 {
			t.Errorf("%s: no landmarks", name)
		}
		l.Resolve(render.Light().Background)
		if d := rendertest.Compare(bare, nrgba(l.Read())); d.Most != 0 {
			t.Errorf("%s: landmarks are still there: %v", name, d)
		}
		l.Resolve(render.Dark().Background)
		if got := nrgba(l.Read()).NRGBAAt(0, 0); got != render.Dark().Background {
			t.Errorf("%s: ground %v", name, got)
		}
	}
}

// TestTranslucentColours: a palette entry may be translucent itself.
func TestTranslucentColours(t *testing.T) {
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		b := r.NewPointBuffer(1, 2)
		copy(b.Host(), []float32{0.5, 0.5})
		b.Upload(0, 1)
		l := r.NewLayer()
		l.Begin(flat(11), paint(color.NRGBA{200, 100, 0, 128}, 5, 0.5))
		l.DrawRange(b, nil, nil, 0, 1)
		l.Resolve(color.NRGBA{})
		if got := l.Read().RGBAAt(5, 5); math.Abs(float64(got.A)-64) > 1 || math.Abs(float64(got.R)-50) > 1 ||
			math.Abs(float64(got.G)-25) > 1 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestHugeLayerIsCutOff(t *testing.T) {
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		l := r.NewLayer()
		l.Begin(camera.NewFlat(1<<20, 2).Projection(), paint(color.NRGBA{1, 2, 3, 255}, 1, 1))
		l.Resolve(render.Light().Background)
		if w, h := l.Size(); w > r.Info().MaxTexture || w < 4096 || h != 2 {
			t.Errorf("%s: %d x %d", name, w, h)
		}
		l.Free()
	}
}
