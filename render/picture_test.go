package render_test

import (
	"errors"
	"image"
	"image/draw"
	"math"
	"os"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/space/transform"
	"blossom/render"
	"blossom/render/axes"
	"blossom/render/camera"
	"blossom/render/legend"
	"blossom/render/palette"
	"blossom/render/rendertest"
)

func numbers(t render.Theme) *legend.Legend {
	return &legend.Legend{Title: "CD3", Subtitle: "PE-Cy7-A, asinh/150", Colouring: colouring(t), BelowLo: true,
		AboveHi: true}
}

var populations = []string{"B cells", "CD4 T cells", "CD8 T cells", "NK cells", "Monocytes, classical",
	"Dendritic cells", "Plasma cells", "Basophils", "A population with a name that is much too long to show"}

func labels(t render.Theme, n int) (palette.Colouring, *legend.Legend) {
	c := palette.Colouring{Palette: palette.ForLabels(n), Labels: n, Missing: t.Missing}
	l := &legend.Legend{Title: "Population", Colouring: c}
	for i := range n {
		l.Entries = append(l.Entries, legend.Entry{Name: populations[i%len(populations)],
			Count: 31 * (n - i) * (n - i) * (n - i), Colour: c.LabelColour(i)})
	}
	return c, l
}

// landmarkGrid is a 6 x 5 grid with every kind of mark, a ring of edges and some names.
func landmarkGrid(b camera.Bounds) (pos matrix.Matrix32, marks []render.Mark, names []string, edges []render.Edge) {
	pos = matrix.New(30, 2)
	names = make([]string, 30)
	marks = make([]render.Mark, 30)
	for i := range 30 {
		pos.Row(i)[0] = float32(b.Min.X + (b.Max.X-b.Min.X)*float64(i%6)/5)
		pos.Row(i)[1] = float32(b.Min.Y + (b.Max.Y-b.Min.Y)*float64(i/6)/4)
		if i < 8 {
			marks[i+6] = render.Mark(i)
		}
		if i%6 > 0 {
			edges = append(edges, render.Edge{A: int32(i - 1), B: int32(i), Colour: render.Light().Edge, Width: 1})
		}
	}
	names[8], names[9], names[15], names[27] = "B cells", "B cells too", "CD8 T", "NK"
	edges = append(edges, render.Edge{A: 3, B: 99}, render.Edge{A: -1, B: 2}) // stale ones
	pos.Row(29)[0] = float32(math.NaN())
	return
}

func pictures(t *testing.T, r *render.Renderer) map[string]render.PictureOptions {
	points, values, labelled := r.NewPointBuffer(6000, 2), r.NewValueBuffer(6000), r.NewValueBuffer(6000)
	t.Cleanup(points.Free)
	t.Cleanup(values.Free)
	t.Cleanup(labelled.Free)
	box := rendertest.Clusters(points, labelled, true)
	rendertest.Clusters(points, values, false)
	values.Host()[17] = float32(math.NaN())
	points.Host()[200] = float32(math.NaN())
	points.Upload(0, points.Len())
	values.Upload(0, values.Len())

	light, dark := render.Light(), render.Dark()
	out := map[string]render.PictureOptions{}
	out["numbers-light"] = render.PictureOptions{Width: 520, Height: 420, Points: points, Values: values, Theme: light,
		Style: render.Style{Colouring: colouring(light)}, Legend: numbers(light), Title: "68983.fcs"}
	d := out["numbers-light"]
	d.Theme, d.Style.Colouring, d.Legend = dark, colouring(dark), numbers(dark)
	out["numbers-dark"] = d
	d.Scale, d.Width, d.Height = 2, 1040, 840
	out["numbers-dark-200"] = d
	c, l := labels(light, 9)
	out["labels-light"] = render.PictureOptions{Width: 640, Height: 420, Points: points, Values: labelled, Theme: light,
		Style: render.Style{Colouring: c}, Legend: l}
	c, l = labels(dark, 60)
	out["labels-many"] = render.PictureOptions{Width: 640, Height: 300, Points: points, Values: labelled, Theme: dark,
		Style: render.Style{Colouring: c}, Legend: l, Title: "Sixty labels"}
	m := render.PictureOptions{Width: 520, Height: 420, Points: points, Values: values, Theme: light,
		Style: render.Style{Colouring: colouring(light)}}
	m.Landmarks, m.Marks, m.Names, m.Edges = landmarkGrid(box)
	m.LandmarkStyle = render.ActiveLandmarks(light, 1)
	out["landmarks-light"] = m
	m.Theme, m.LandmarkStyle, m.Edges = dark, render.ActiveLandmarks(dark, 1), slices.Clone(m.Edges)
	for i := range m.Edges {
		m.Edges[i].Colour = dark.Edge
	}
	m.LandmarkStyle.Opacity = 0.6
	out["landmarks-dark"] = m
	cam := camera.NewFlat(400, 300)
	cam.Fit(box, camera.Even(-80))
	v := out["numbers-light"]
	v.View, v.Title = cam, ""
	out["view-of-the-window"] = v
	v.Transparent = true
	out["transparent"] = v

	asinh := transform.FunctionOf(&dataset.Column{},
		transform.Column{Op: transform.Asinh, Params: transform.Params{150}})
	a := out["numbers-light"]
	a.Axes = []axes.Axis{{Title: "CD4", Note: "BUV563-A", Scale: &asinh}, {Title: "PC 2", Note: "15.7 %"}}
	out["axes-light"] = a
	a.Theme, a.Style.Colouring, a.Legend, a.View, a.Title = dark, colouring(dark), numbers(dark), cam, ""
	out["axes-of-the-window"] = a
	solid := r.NewPointBuffer(2000, 3)
	t.Cleanup(solid.Free)
	for i, p := range points.Host()[:4000] {
		solid.Host()[i/2*3+i%2] = p
		solid.Host()[i/2*3+2] = float32(i/2%400) / 400
	}
	solid.Upload(0, solid.Len())
	out["axes-3d"] = render.PictureOptions{Width: 520, Height: 420, Points: solid, Theme: light,
		Style: render.Style{Colouring: palette.Colouring{Flat: light.Accent}},
		Axes:  []axes.Axis{{Title: "CD4", Scale: &asinh}, {Title: "CD8", Note: "BUV615-A"}, {Title: "depth"}}}
	return out
}

func TestPictures(t *testing.T) {
	for _, path := range []render.Path{render.OpenGL, render.CPU} {
		t.Run([]string{"", "OpenGL", "CPU"}[path], func(t *testing.T) {
			r := rendertest.Renderer(t, path)
			limit := rendertest.Text
			if path == render.CPU {
				limit = rendertest.OtherPath
			}
			for name, o := range pictures(t, r) {
				rendertest.Golden(t, name, limit, func() image.Image {
					img, err := r.Picture(o)
					if err != nil {
						t.Fatal(err)
					}
					return img
				})
			}
		})
	}
}

func TestPictureLook(t *testing.T) {
	dir := os.Getenv("BLOSSOM_LOOK")
	if dir == "" {
		t.Skip("BLOSSOM_LOOK names no folder")
	}
	r := rendertest.Renderer(t, render.CPU)
	for name, o := range pictures(t, r) {
		img, err := r.Picture(o)
		if err != nil {
			t.Fatal(err)
		}
		save(t, dir, name, img)
	}
}

func TestPictureErrors(t *testing.T) {
	r := rendertest.Renderer(t, render.CPU)
	for _, wh := range [][2]int{{0, 5}, {5, 0}, {-1, -1}, {1 << 20, 1 << 20}, {math.MaxInt, 2}} {
		_, err := r.Picture(render.PictureOptions{Width: wh[0], Height: wh[1], Theme: render.Light()})
		var p *problem.Problem
		if !errors.As(err, &p) || p.Remedy == "" {
			t.Errorf("%v: %v is not a problem with a remedy", wh, err)
		}
	}
	for _, wh := range [][2]int{{1, 1}, {3, 200}, {200, 3}, {60, 60}} {
		empty := r.NewPointBuffer(0, 2)
		_, l := labels(render.Light(), 40)
		for _, leg := range []*legend.Legend{nil, l, numbers(render.Light())} {
			o := render.PictureOptions{Width: wh[0], Height: wh[1], Points: empty, Theme: render.Light(), Legend: leg,
				Title: "T"}
			if img, err := r.Picture(o); err != nil || img.Rect.Dx() != wh[0] || img.Rect.Dy() != wh[1] {
				t.Errorf("%v: %v", wh, err)
			}
		}
		empty.Free()
	}
}

// TestTilesAndSteps: a picture made of tiles, a few points at a time, has no seams.
func TestTilesAndSteps(t *testing.T) {
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		o := pictures(t, r)["landmarks-light"]
		o.Style.Size = 9 // many discs cross the borders of tiles
		want, err := r.Picture(o)
		if err != nil {
			t.Fatal(err)
		}
		j, err := r.NewPicture(o)
		if err != nil {
			t.Fatal(err)
		}
		j.SetTile(97)
		steps, last := 0, 0.0
		for {
			done, err := j.Step(2500)
			if err != nil || done < last || done > 1 {
				t.Fatalf("%s: progress from %v to %v", name, last, done)
			}
			last = done
			if steps++; done == 1 {
				break
			}
		}
		if steps != 30*3 { // 6 x 5 tiles of 6000 points
			t.Errorf("%s: %d steps", name, steps)
		}
		if d := rendertest.Compare(nrgba(want), nrgba(j.Image())); d.Mean > 0.02 || d.Most > 12 {
			t.Errorf("%s: %v", name, d)
		}
		if done, err := j.Step(1); done != 1 || err != nil {
			t.Errorf("%s: a step after the end", name)
		}
		j.Close()
		j.Close()
	}
}

// TestWithAndWithoutBackground: the transparent picture laid on the background is the opaque one.
func TestWithAndWithoutBackground(t *testing.T) {
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		o := pictures(t, r)["landmarks-dark"]
		o.Names, o.Marks = nil, nil
		opaque, err := r.Picture(o)
		if err != nil {
			t.Fatal(err)
		}
		o.Transparent = true
		clear, err := r.Picture(o)
		if err != nil {
			t.Fatal(err)
		}
		if !opaque.Opaque() || clear.RGBAAt(0, 0).A != 0 {
			t.Errorf("%s: the wrong one is transparent", name)
		}
		laid := image.NewRGBA(opaque.Rect)
		draw.Draw(laid, laid.Rect, image.NewUniform(o.Theme.Background), image.Point{}, draw.Src)
		draw.Draw(laid, laid.Rect, clear, image.Point{}, draw.Over)
		if d := rendertest.Compare(nrgba(opaque), nrgba(laid)); d.Most > 3 {
			t.Errorf("%s: %v", name, d)
		}
	}
}

// TestBox: a caller can leave a far outlier out of the frame.
func TestBox(t *testing.T) {
	r := rendertest.Renderer(t, render.CPU)
	o := pictures(t, r)["numbers-light"]
	o.Legend, o.Title = nil, ""
	want, err := r.Picture(o)
	if err != nil {
		t.Fatal(err)
	}
	box, _ := camera.BoundsOf(o.Points.Host(), 2)
	last := 2 * (o.Points.Len() - 1)
	o.Points.Host()[last], o.Points.Host()[last+1] = 1e6, 1e6
	o.Points.Upload(0, o.Points.Len())
	o.Box = &box
	got, err := r.Picture(o)
	if err != nil {
		t.Fatal(err)
	}
	if d := rendertest.Compare(nrgba(want), nrgba(got)); d.Far > 0.001 {
		t.Errorf("%v", d)
	}
}
