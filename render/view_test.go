package render_test

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/data/dataset"
	"blossom/model/space/transform"
	"blossom/render"
	"blossom/render/axes"
	"blossom/render/camera"
	"blossom/render/rendertest"
)

// views are pictures of views as they are: flat with axes, and in 3D.
func views(t *testing.T, r *render.Renderer) (flat, deep map[string]render.PictureOptions) {
	const n = 6000
	points, values := r.NewPointBuffer(n, 2), r.NewValueBuffer(n)
	cloud, along, states := r.NewPointBuffer(20000, 3), r.NewValueBuffer(20000), r.NewStateBuffer(20000)
	t.Cleanup(func() { points.Free(); values.Free(); cloud.Free(); along.Free(); states.Free() })
	box := rendertest.Clusters(points, values, false)
	light, dark := render.Light(), render.Dark()
	a := []axes.Axis{{Title: "PC 1", Note: "37.6 %"}, {Title: "PC 2", Note: "15.7 %"}}
	flat = map[string]render.PictureOptions{}
	flat["pca-light"] = render.PictureOptions{Width: 520, Height: 380, Points: points, Values: values, Theme: light,
		Style: render.Style{Colouring: colouring(light)}, Legend: numbers(light), Title: "68983.fcs", Axes: a}
	_, l := labels(light, 9)
	cam := camera.NewFlat(560, 420)
	m := axes.Margins(1)
	m.Top, m.Right = 20, 20
	cam.Fit(box, m)
	// The map as if its coordinates were two columns, transformed by asinh(x/150) and scaled down.
	asinh := transform.FunctionOf(&dataset.Column{},
		transform.Column{Op: transform.Asinh, Params: transform.Params{150}})
	b := []axes.Axis{{Title: "CD4", Note: "BUV563-A", Scale: &asinh, Factor: 0.25},
		{Title: "CD8", Note: "BUV615-A", Scale: &asinh, Factor: 0.25}}
	flat["columns-dark-200"] = render.PictureOptions{Width: 1120, Height: 840, Scale: 2, Points: points, Values: values,
		Theme: dark, Style: render.Style{Colouring: colouring(dark)}, Legend: numbers(dark), View: cam, Axes: b}
	o := flat["pca-light"]
	o.Legend, o.Title, o.Transparent = l, "", true
	flat["pca-labels-transparent"] = o

	cube := knot(cloud, along, 5)
	for i := range states.Host() {
		if i%3 == 0 {
			states.Host()[i] = render.Selected
		}
	}
	states.Upload(0, states.Len())
	orbit := camera.NewOrbit(520, 460)
	orbit.Fit(cube, camera.Even(24))
	names := []axes.Axis{{Title: "axis 1"}, {Title: "axis 2"}, {Title: "axis 3"}}
	deep = map[string]render.PictureOptions{}
	deep["knot-light"] = render.PictureOptions{Width: 520, Height: 460, Points: cloud, Values: along, Theme: light,
		Style: render.Style{Size: 2.2, Opacity: 0.9, Colouring: colouring(light)}, Legend: numbers(light), View: orbit,
		Cube: &cube, Axes: names}
	d := deep["knot-light"]
	d.Theme, d.Scale, d.Width, d.Height = dark, 2, 1040, 920
	d.Style = render.Style{Size: 4.4, Opacity: 0.5, Colouring: colouring(dark), DimUnselected: true}
	d.States, d.Legend = states, numbers(dark)
	g := camera.NewOrbit(520, 460)
	g.Free = true
	g.Fit(cube, camera.Even(24))
	g.Rotate(150, 240)
	g.Roll(0.4)
	d.View = g
	d.Landmarks = matrix.New(60, 3)
	for i := range 60 {
		s := 2 * math.Pi * float64(i) / 60
		row := d.Landmarks.Row(i)
		row[0], row[1], row[2] = float32((2+math.Cos(3*s))*math.Cos(2*s)), float32((2+math.Cos(3*s))*math.Sin(2*s)),
			float32(-1.4*math.Sin(3*s))
		d.Edges = append(d.Edges, render.Edge{A: int32(i), B: int32((i + 1) % 60), Colour: dark.Edge, Width: 1})
	}
	d.LandmarkStyle = render.ActiveLandmarks(dark, 2)
	deep["knot-dark-200"] = d
	p := deep["knot-light"]
	p.View, p.Box, p.Legend, p.Title = nil, &cube, l, "A torus knot"
	deep["knot-fitted"] = p
	return flat, deep
}

func TestViews(t *testing.T) {
	for _, path := range []render.Path{render.CPU, render.OpenGL} {
		t.Run([]string{"", "OpenGL", "CPU"}[path], func(t *testing.T) {
			r := rendertest.Renderer(t, path)
			flat, deep := views(t, r)
			limit, noisy := rendertest.Text, rendertest.Text
			if path == render.OpenGL {
				limit, noisy = rendertest.OtherPath, rendertest.Samples
			}
			check := func(o render.PictureOptions, name string, limit rendertest.Threshold) {
				rendertest.Golden(t, name, limit, func() image.Image {
					img, err := r.Picture(o)
					if err != nil {
						t.Fatal(err)
					}
					return img
				})
			}
			for name, o := range flat {
				check(o, name, limit)
			}
			for name, o := range deep {
				check(o, name, noisy)
			}
			rendertest.Golden(t, "sheet", noisy, func() image.Image {
				img, err := r.Sheet(sheet(flat, deep))
				if err != nil {
					t.Fatal(err)
				}
				return img
			})
		})
	}
}

// sheet is three views of one window.
func sheet(flat, deep map[string]render.PictureOptions) render.SheetOptions {
	o := render.SheetOptions{Width: 801, Height: 641, Theme: render.Light()}
	rects := render.Grid(3, o.Width, o.Height, 1)
	a, c := flat["pca-light"], deep["knot-light"]
	a.Title = ""
	b := a
	b.Axes, b.Legend = nil, nil
	c.Axes = nil
	for i, p := range []render.PictureOptions{b, a, c} {
		o.Cells = append(o.Cells, render.SheetCell{Rect: rects[i], Picture: p,
			Title: []string{"EmbedSOM", "PCA", "EmbedSOM 3D"}[i], Detail: []string{"20 × 20", "30 markers", ""}[i]})
	}
	return o
}

// rounded is how far pixels may be from each other, of 255, where they are rounded more often.
const rounded = 3

// TestPictureIsTheLayer: a picture of a view at its own size has the pixels that the view shows, but for what rounding
// does.
func TestPictureIsTheLayer(t *testing.T) {
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		flat, deep := views(t, r)
		for kind, o := range map[string]render.PictureOptions{
			"flat": flat["columns-dark-200"], "deep": deep["knot-dark-200"]} {
			o.Legend, o.Axes = nil, slices.Repeat([]axes.Axis{{}}, len(o.Axes)/3*3)
			w, h := o.View.Viewport()
			o.Width, o.Height, o.Scale = w, h, 1
			o.Style.Size, o.Style.Opacity, o.Style.Ground = 2, 0.6, o.Theme.Background
			o.LandmarkStyle = render.ActiveLandmarks(o.Theme, 1)
			l := r.NewLayer()
			l.Begin(o.View.Projection(), o.Style)
			if orbit, ok := o.View.(*camera.Orbit); ok {
				lines, _ := render.Axes3D(nil, *o.Cube, orbit, o.Theme)
				l.Behind(lines, 1)
			}
			for from := 0; from < o.Points.Len(); from += 1000 {
				l.DrawRange(o.Points, o.Values, o.States, from, from+1000)
			}
			l.Resolve(o.Theme.Background)
			if !o.Landmarks.Empty() {
				l.DrawEdges(o.Landmarks, o.Edges, 1)
				l.DrawLandmarks(o.Landmarks, nil, o.LandmarkStyle)
			}
			want := l.Read()
			got, err := r.Picture(o)
			if d := rendertest.Compare(nrgba(want), nrgba(got)); err != nil || d.Most > rounded {
				t.Errorf("%s, %s: %v: %v", name, kind, d, err)
			}
			// In a sheet, too.
			s, err := r.Sheet(render.SheetOptions{Width: w + 40, Height: h + 30, Theme: o.Theme,
				Cells: []render.SheetCell{{Rect: image.Rect(25, 10, 25+w, 10+h), Picture: o}}})
			if err != nil {
				t.Fatal(err)
			}
			part := nrgba(s.SubImage(image.Rect(25, 10, 25+w, 10+h)))
			if d := rendertest.Compare(nrgba(want), part); d.Most > rounded {
				t.Errorf("%s, %s, in a sheet: %v", name, kind, d)
			}
			l.Free()
		}
	}
}

// TestDeepPictureInTiles: no seams, also with lines behind the points.
func TestDeepPictureInTiles(t *testing.T) {
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		_, deep := views(t, r)
		o := deep["knot-light"]
		o.Style.Size = 9
		want, err := r.Picture(o)
		if err != nil {
			t.Fatal(err)
		}
		j, err := r.NewPicture(o)
		if err != nil {
			t.Fatal(err)
		}
		j.SetTile(131)
		for done := 0.0; done < 1; {
			if done, err = j.Step(7000); err != nil {
				t.Fatal(err)
			}
		}
		d := rendertest.Compare(nrgba(want), nrgba(j.Image()))
		if d.Mean > 0.2 || d.Far > 0.003 {
			t.Errorf("%s: %v", name, d)
		}
		j.Close()
	}
}

// TestLinesLieBehind: points hide them, landmarks are drawn after a Resolve as before, and they end with Begin.
func TestLinesLieBehind(t *testing.T) {
	red, ground := color.NRGBA{200, 0, 0, 255}, color.NRGBA{255, 255, 255, 255}
	blue := color.NRGBA{0, 0, 200, 255}
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		b := r.NewPointBuffer(1, 3)
		copy(b.Host(), []float32{0.5, 0.5, 0.5})
		b.Upload(0, 1)
		cam := camera.NewOrbit(80, 60)
		near := camera.Vec{X: 0.5, Y: 0.5, Z: 0.9} // nearer to the eye than the point, and yet behind it
		far := camera.Vec{X: 0.5, Y: 0.5, Z: -3}
		cam.SetTurnTilt(math.Pi/2, 0)
		l := r.NewLayer()
		look := func(lines ...render.Segment) *image.NRGBA {
			l.Begin(cam.Projection(), paint(red, 9, 1))
			l.Behind(lines, 2)
			l.DrawRange(b, nil, nil, 0, 1)
			l.Resolve(ground)
			return nrgba(l.Read())
		}
		img := look(render.Segment{From: near, To: far, Colour: blue, Width: 2})
		if got := img.NRGBAAt(40, 30); got != red {
			t.Errorf("%s: the point is %v", name, got)
		}
		if got := img.NRGBAAt(52, 30); got != blue {
			t.Errorf("%s: the line is %v", name, got)
		}
		pos := matrix.New(1, 3)
		copy(pos.Data, []float32{0.5, 0.5, 0.2})
		l.DrawLandmarks(pos, nil, render.ActiveLandmarks(render.Light(), 1))
		l.Resolve(ground)
		if d := rendertest.Compare(img, nrgba(l.Read())); d.Most > rounded {
			t.Errorf("%s: resolved again: %v", name, d)
		}
		if got := look().NRGBAAt(52, 30); got != ground {
			t.Errorf("%s: the line of the last picture is there: %v", name, got)
		}
	}
}

// TestAxes3D: the axes meet in the far corner; edges before the cloud are left out.
func TestAxes3D(t *testing.T) {
	box := camera.Bounds{Min: camera.Vec{X: -1, Y: -2, Z: -3}, Max: camera.Vec{X: 4, Y: 5, Z: 6}}
	cam := camera.NewOrbit(300, 200)
	cam.Free = true
	cam.Fit(box, camera.Margins{})
	theme := render.Light()
	for range 300 {
		cam.Rotate(37, 23)
		lines, ends := render.Axes3D(nil, box, cam, theme)
		axes := 0
		var far camera.Vec
		for _, s := range lines {
			if s.Colour == theme.TextDim {
				axes++
			}
		}
		if axes != 3 || len(lines) < 9 || len(lines) > 12 {
			t.Fatalf("%d lines, %d axes", len(lines), axes)
		}
		eye, most := cam.Eye(), 0.0
		for i := range 8 {
			p := box.Min
			if i&1 != 0 {
				p.X = box.Max.X
			}
			if i&2 != 0 {
				p.Y = box.Max.Y
			}
			if i&4 != 0 {
				p.Z = box.Max.Z
			}
			if d := math.Hypot(math.Hypot(p.X-eye.At.X, p.Y-eye.At.Y), p.Z-eye.At.Z); d > most {
				far, most = p, d
			}
		}
		for _, s := range lines {
			if s.Colour == theme.TextDim && s.From != far && s.To != far {
				t.Fatalf("axis %+v does not begin in the far corner %v", s, far)
			}
		}
		for i, e := range ends {
			if e.Seen && math.Abs(math.Hypot(e.DX, e.DY)-1) > 1e-9 {
				t.Fatalf("end %d: %+v", i, e)
			}
		}
	}
	flat := camera.Bounds{Min: box.Min, Max: camera.Vec{X: 4, Y: -2, Z: 6}}
	if lines, _ := render.Axes3D(nil, flat, cam, theme); len(lines) == 0 || len(lines) > 8 {
		t.Errorf("a plane has %d lines", len(lines))
	}
	if lines, ends := render.Axes3D(nil, camera.Bounds{}, cam, theme); len(lines) != 0 || ends[0].Seen {
		t.Errorf("a point has lines: %v, %v", lines, ends)
	}
}

func TestSheets(t *testing.T) {
	r := rendertest.Renderer(t, render.CPU)
	flat, deep := views(t, r)
	o := sheet(flat, deep)
	j, err := r.NewSheet(o)
	if err != nil {
		t.Fatal(err)
	}
	last, steps := 0.0, 0
	for last < 1 {
		done, err := j.Step(2500)
		if err != nil || done < last {
			t.Fatalf("progress from %v to %v, %v", last, done, err)
		}
		last = done
		steps++
	}
	if steps != 3+3+8 {
		t.Errorf("%d steps", steps)
	}
	want, err := r.Sheet(o)
	if err != nil || !slices.Equal(want.Pix, j.Image().Pix) {
		t.Errorf("another sheet at once: %v", err)
	}
	if done, err := j.Step(1); done != 1 || err != nil {
		t.Error("a step after the end")
	}
	j.Close()
	j.Close()
	if _, err := r.NewSheet(render.SheetOptions{Width: -1, Height: 5}); err == nil {
		t.Error("a sheet of no size")
	}
	// Cells without room, and none at all.
	if _, err := r.Sheet(render.SheetOptions{Width: 40, Height: 30, Theme: render.Dark(), Cells: []render.SheetCell{
		{Title: "tall", Rect: image.Rect(0, 0, 40, 20), Picture: flat["pca-light"]},
		{Rect: image.Rect(90, 0, 99, 9)}}}); err != nil {
		t.Error(err)
	}
	if img, err := r.Sheet(render.SheetOptions{Width: 40, Height: 30, Theme: render.Dark()}); err != nil ||
		!img.Opaque() {
		t.Error(err)
	}
	for n := range 12 {
		area := 0
		for _, c := range render.Grid(n, 300, 200, 1) {
			area += c.Dx() * c.Dy()
		}
		if n > 0 && (area > 300*200 || area < 300*200-12*300) {
			t.Errorf("%d cells cover %d pixels", n, area)
		}
	}
}
