package render_test

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"blossom/render"
	"blossom/render/camera"
	"blossom/render/palette"
	"blossom/render/rendertest"
	"blossom/render/splat"
)

// The whole of the rules in float64: points sorted by their distance and blended from back to front.
func sortedReference(b *render.PointBuffer, v []float32, states []uint8, p camera.Projection, s render.Style,
	ground color.NRGBA) *image.NRGBA {
	type disc struct {
		x, y, w, r float64
		a          float64
		rgb        [3]float64
	}
	var table palette.Table
	s.Colouring.Fill(&table)
	look := s.Colouring.Lookup()
	var discs []disc
	for i := range b.Len() {
		if states != nil && states[i]&render.Hidden != 0 {
			continue
		}
		pos := b.Host()[3*i : 3*i+3]
		var clip [4]float64
		for row := range clip {
			clip[row] = float64(p.M[12+row])
			for k := range 3 {
				clip[row] += float64(p.M[4*k+row]) * (float64(pos[k]) - float64(p.Origin[k]))
			}
		}
		w := clip[3]
		if !(w > float64(p.Reference)*1e-3) {
			continue
		}
		size := math.Min(float64(s.Size)*float64(p.Reference)/w, splat.MaxSize)
		if size < 1.0/8 {
			continue
		}
		r, a := splat.Disc(float32(size), s.Opacity)
		entry := look.Entry(v[i])
		if s.DimUnselected && states[i]&render.Selected == 0 {
			entry = palette.MissingEntry
		}
		c := table[entry]
		share := float64(p.Fade) * math.Min(math.Max((w-float64(p.Near))/float64(p.Far-p.Near), 0), 1)
		d := disc{x: (clip[0]/w + 1) / 2 * float64(p.W), y: (clip[1]/w + 1) / 2 * float64(p.H), w: w, r: float64(r),
			a: float64(a) * float64(c.A) / 255}
		for k, pair := range [][2]uint8{{c.R, s.Ground.R}, {c.G, s.Ground.G}, {c.B, s.Ground.B}} {
			d.rgb[k] = float64(pair[0]) + share*(float64(pair[1])-float64(pair[0]))
		}
		discs = append(discs, d)
	}
	slices.SortStableFunc(discs, func(a, b disc) int {
		switch {
		case a.w > b.w:
			return -1
		case a.w < b.w:
			return 1
		}
		return 0
	})
	acc := make([][3]float64, p.W*p.H)
	for i := range acc {
		acc[i] = [3]float64{float64(ground.R), float64(ground.G), float64(ground.B)}
	}
	for _, d := range discs {
		for y := max(0, int(d.y-d.r-1)); y < min(p.H, int(d.y+d.r+2)); y++ {
			for x := max(0, int(d.x-d.r-1)); x < min(p.W, int(d.x+d.r+2)); x++ {
				cover := math.Min(math.Max(d.r+0.5-math.Hypot(float64(x)+0.5-d.x, float64(y)+0.5-d.y), 0), 1) * d.a
				q := &acc[y*p.W+x]
				for k := range q {
					q[k] += cover * (d.rgb[k] - q[k])
				}
			}
		}
	}
	img := image.NewNRGBA(image.Rect(0, 0, p.W, p.H))
	for i, q := range acc {
		img.SetNRGBA(i%p.W, i/p.W, color.NRGBA{uint8(q[0] + 0.5), uint8(q[1] + 0.5), uint8(q[2] + 0.5), 255})
	}
	return img
}

// knot fills b with a tube around a torus knot: near and far parts of it cross. Values run along it.
func knot(b *render.PointBuffer, v *render.ValueBuffer, seed uint64) camera.Bounds {
	r := rand.New(rand.NewPCG(seed, 9))
	for i := range b.Len() {
		t := 2 * math.Pi * r.Float64()
		d := 2 + math.Cos(3*t)
		at := [3]float64{d * math.Cos(2*t), d * math.Sin(2*t), -1.4 * math.Sin(3*t)}
		for k := range 3 {
			b.Host()[3*i+k] = float32(at[k] + 0.16*r.NormFloat64())
		}
		v.Host()[i] = float32(t / (2 * math.Pi) * 4)
	}
	b.Upload(0, b.Len())
	v.Upload(0, v.Len())
	box, _ := camera.BoundsOf(b.Host(), 3)
	return box
}

// TestNearestInFront: both ways of drawing in 3D are what sorting in float64 gives, for fresh points.
func TestNearestInFront(t *testing.T) {
	seed := rand.Uint64()
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		for _, tc := range []struct {
			n             int
			size, opacity float32
			transparent   bool // no colour to fade into
			dim           bool
		}{{3000, 3, 1, false, false}, {3000, 5, 0.5, false, true}, {8000, 2.2, 0.7, true, false},
			{40, 40, 0.8, false, false}, {20000, 1, 0.3, false, false}, {500, 0.5, 1, false, false}} {
			b, v, s := r.NewPointBuffer(tc.n, 3), r.NewValueBuffer(tc.n), r.NewStateBuffer(tc.n)
			cam := camera.NewOrbit(260, 200)
			cam.Fit(knot(b, v, seed), camera.Even(5))
			for i := range tc.n {
				s.Host()[i] = []uint8{0, render.Selected, render.Hidden, render.Selected | render.Hidden}[i%7%4]
			}
			s.Upload(0, tc.n)
			theme := render.Light()
			style := render.Style{Size: tc.size, Opacity: tc.opacity, Colouring: colouring(theme),
				Ground: theme.Background, DimUnselected: tc.dim}
			if tc.transparent {
				style.Ground = color.NRGBA{}
			}
			l := r.NewLayer()
			l.Begin(cam.Projection(), style)
			l.DrawRange(b, v, s, 0, tc.n)
			l.Resolve(theme.Background)
			proj := cam.Projection()
			if tc.transparent {
				proj.Fade = 0
			}
			got := nrgba(l.Read())
			want := sortedReference(b, v.Host(), s.Host(), proj, style, theme.Background)
			limit := rendertest.OtherPath
			if path == render.OpenGL {
				limit = rendertest.Samples
			}
			d := rendertest.Compare(want, got)
			if !d.Within(limit) {
				t.Errorf("%s, seed %d, %+v: %v", name, seed, tc, d)
			}
			if dir := os.Getenv("BLOSSOM_LOOK"); dir != "" {
				save(t, dir, fmt.Sprintf("knot-%s-%d", name, tc.n), got)
				save(t, dir, fmt.Sprintf("knot-reference-%d", tc.n), want)
				t.Log(name, tc, d)
			}
		}
	}
}

// TestNoPointIsHiddenByAFartherOne: every pixel deep inside of an opaque disc has the colour of the nearest
// disc that touches it.
func TestNoPointIsHiddenByAFartherOne(t *testing.T) {
	const n, w, h = 400, 240, 200
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		b, v := r.NewPointBuffer(n, 3), r.NewValueBuffer(n)
		rng := rand.New(rand.NewPCG(rand.Uint64(), 3))
		for i := range b.Host() {
			b.Host()[i] = rng.Float32()
		}
		for i := range n {
			v.Host()[i] = float32(i)
		}
		b.Upload(0, n)
		v.Upload(0, n)
		c := palette.Colouring{Palette: palette.ForLabels(n), Labels: n}
		cam := camera.NewOrbit(w, h)
		cam.Rotate(rng.Float64()*500, rng.Float64()*200)
		style := render.Style{Size: 14, Opacity: 1, Colouring: c}
		l := r.NewLayer()
		l.Begin(cam.Projection(), style)
		for from := 0; from < n; from += 50 { // parts none of which is the nearest
			l.DrawRange(b, v, nil, from, from+50)
		}
		l.Resolve(render.Light().Background)
		img := nrgba(l.Read())
		eye := cam.Eye()
		type disc struct{ x, y, depth, radius float64 }
		discs := make([]disc, n)
		for i := range discs {
			p := camera.Vec{X: float64(b.Host()[3*i]), Y: float64(b.Host()[3*i+1]), Z: float64(b.Host()[3*i+2])}
			px, py, _ := cam.ScreenFromWorld(p)
			depth := eye.Depth(p)
			discs[i] = disc{px, py, depth, 7 * cam.Distance / depth}
		}
		checked := 0
		for y := range h {
			for x := range w {
				nearest, far, behind, inside := -1, math.Inf(1), math.Inf(1), false
				for i, o := range discs {
					if o.depth >= behind {
						continue
					}
					d := math.Hypot(o.x-float64(x)-0.5, o.y-float64(y)-0.5)
					switch {
					case d >= o.radius+1.5:
					case o.depth >= far:
						behind = o.depth
					default:
						behind = far
						nearest, far, inside = i, o.depth, d < o.radius-1.5
					}
				}
				if !inside || behind < far*(1+1e-4) { // depths are told apart to some 16 bits
					continue
				}
				checked++
				want, got := c.LabelColour(nearest), img.NRGBAAt(x, y)
				if max(diff(got.R, want.R), diff(got.G, want.G), diff(got.B, want.B)) > 2 {
					t.Fatalf("%s: pixel (%d, %d) is %v, the nearest point %d is %v", name, x, y, got, nearest, want)
				}
			}
		}
		if checked < 1000 {
			t.Errorf("%s: only %d pixels are inside of a disc", name, checked)
		}
	}
}

func diff(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// TestAwkwardClouds: points on a line, in a plane, in one place, without a place, and behind the eye.
func TestAwkwardClouds(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	red, ground := color.NRGBA{200, 20, 20, 255}, color.NRGBA{255, 255, 255, 255}
	clouds := map[string]func(i int) [3]float32{
		"a line":        func(i int) [3]float32 { return [3]float32{float32(i), 2 * float32(i), -float32(i)} },
		"an axis":       func(i int) [3]float32 { return [3]float32{5, 5, float32(i)} },
		"a plane":       func(i int) [3]float32 { return [3]float32{float32(i % 10), 3, float32(i / 10)} },
		"one place":     func(int) [3]float32 { return [3]float32{1e6, -3, 7} },
		"the origin":    func(int) [3]float32 { return [3]float32{} },
		"far from zero": func(i int) [3]float32 { return [3]float32{1e7 + float32(i), 1e7, 1e7} },
		"some nowhere": func(i int) [3]float32 {
			return [][3]float32{{nan, 0, 0}, {0, 0, nan}, {inf, 0, 0}, {0, -inf, inf}, {1, 2, 3}, {2, 1, 0}}[i%6]
		},
		"all nowhere": func(int) [3]float32 { return [3]float32{nan, nan, nan} },
		"huge":        func(i int) [3]float32 { return [3]float32{3e38 * float32(1-i%2*2), 0, 1} },
	}
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		l := r.NewLayer()
		for kind, at := range clouds {
			const n = 100
			b := r.NewPointBuffer(n, 3)
			for i := range n {
				p := at(i)
				copy(b.Host()[3*i:], p[:])
			}
			b.Upload(0, n)
			cam := camera.NewOrbit(90, 70)
			box, found := camera.BoundsOf(b.Host(), 3)
			if found {
				cam.Fit(box, camera.Even(5))
			}
			style := paint(red, 6, 1)
			style.Ground = ground
			l.Begin(cam.Projection(), style)
			l.DrawRange(b, nil, nil, 0, n)
			l.Resolve(ground)
			img := nrgba(l.Read())
			drawn := 0
			for i := 0; i < len(img.Pix); i += 4 {
				if img.Pix[i+3] != 255 {
					t.Fatalf("%s, %s: the picture is not opaque", name, kind)
				}
				if img.Pix[i+1] < 200 {
					drawn++
				}
			}
			if (drawn > 0) != (found && kind != "huge") {
				t.Errorf("%s, %s: %d pixels are drawn", name, kind, drawn)
			}
			b.Free()
		}
		// One behind the eye, one in front of it.
		cam := camera.NewOrbit(90, 70)
		b := r.NewPointBuffer(2, 3)
		eye := cam.Eye()
		behind := eye.At
		for i, k := range []float64{1.5, -1.5} {
			p := camera.Vec{X: behind.X + k*cam.Distance*eye.Back.X, Y: behind.Y + k*cam.Distance*eye.Back.Y,
				Z: behind.Z + k*cam.Distance*eye.Back.Z}
			b.Host()[3*i], b.Host()[3*i+1], b.Host()[3*i+2] = float32(p.X), float32(p.Y), float32(p.Z)
		}
		b.Upload(0, 2)
		for i, want := range []bool{false, true} {
			l.Begin(cam.Projection(), paint(red, 8, 1))
			l.DrawRange(b, nil, nil, i, i+1)
			l.Resolve(ground)
			if got := nrgba(l.Read()).NRGBAAt(45, 35); (got == red) != want {
				t.Errorf("%s: point %d: %v", name, i, got)
			}
		}
	}
}

// TestCloudDoesNotAllocate is the frame path in 3D, drawn whole and in parts.
func TestCloudDoesNotAllocate(t *testing.T) {
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		const n, most = 4000, 2400
		b, v := r.NewPointBuffer(n, 3), r.NewValueBuffer(n)
		box := knot(b, v, 1)
		cam := camera.NewOrbit(320, 200)
		cam.Fit(box, camera.Even(5))
		l := r.NewLayer()
		theme := render.Light()
		s := render.Style{Size: 2, Opacity: 0.5, Colouring: colouring(theme), Ground: theme.Background}
		var lines []render.Segment
		frame := func() {
			cam.Rotate(3, 1)
			l.Begin(cam.Projection(), s)
			lines, _ = render.Axes3D(lines[:0], box, cam, theme)
			l.Behind(lines, 1)
			l.DrawRange(b, v, nil, 0, most)
			l.Resolve(theme.Background)
			l.DrawRange(b, v, nil, most, n)
			l.Resolve(theme.Background)
			_ = l.FramePoints(0)
		}
		for range 40 { // every turn has another number of points in a band
			frame()
		}
		cam.Rotate(-120, -40)
		if n := testing.AllocsPerRun(20, frame); n > 0.5 {
			t.Errorf("%s: %v allocations a frame", name, n)
		}
		if n := l.FramePoints(0); n == 50_000 {
			t.Errorf("%s: what a point costs is not measured", name)
		}
		if n := l.FramePoints(1 << 30); path == render.CPU && n != 1<<31 {
			t.Errorf("%s: a picture is completed to %d points from %d", name, n, 1<<30)
		}
	}
}
