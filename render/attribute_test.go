package render_test

import (
	"image"
	"image/color"
	"slices"
	"testing"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/render"
	"blossom/render/camera"
	"blossom/render/palette"
	"blossom/render/rendertest"
)

// Two pictures of one position buffer with values of their own share its states, and neither changes the other.
func TestPicturesShareOnePointBuffer(t *testing.T) {
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		const n = 3000
		b, numbers, labels, states := r.NewPointBuffer(n, 2), r.NewValueBuffer(n), r.NewValueBuffer(n),
			r.NewStateBuffer(n)
		rendertest.Clusters(b, labels, true)
		box := rendertest.Clusters(b, numbers, false)
		cam := camera.NewFlat(200, 160)
		cam.Fit(box, camera.Even(5))
		layers := [2]*render.Layer{r.NewLayer(), r.NewLayer()}
		look := func() (out [2]*image.NRGBA) {
			for i, v := range []*render.ValueBuffer{numbers, labels} {
				c := colouring(render.Light())
				if i == 1 {
					c = palette.Colouring{Palette: palette.ForLabels(9), Labels: 9}
				}
				layers[i].Begin(cam.Projection(), render.Style{Size: 3, Opacity: 0.7, Colouring: c,
					DimUnselected: true})
				layers[i].DrawRange(b, v, states, 0, n)
				layers[i].Resolve(render.Light().Background)
			}
			for i := range out {
				out[i] = nrgba(layers[i].Read())
			}
			return out
		}
		for i := range states.Host() {
			states.Host()[i] = render.Selected
		}
		states.Upload(0, n)
		first := look()
		if slices.Equal(first[0].Pix, first[1].Pix) {
			t.Fatalf("%s: both pictures have the same colours", name)
		}
		numbers.Host()[0]++
		numbers.Upload(0, 1)
		for i := range 1000 {
			numbers.Host()[i] = 0
		}
		numbers.Upload(0, 1000)
		second := look()
		if slices.Equal(first[0].Pix, second[0].Pix) || !slices.Equal(first[1].Pix, second[1].Pix) {
			t.Errorf("%s: new numbers changed the wrong picture", name)
		}
		clear(states.Host()[:n/2])
		states.Upload(0, n/2)
		third := look()
		for i := range third {
			if slices.Equal(second[i].Pix, third[i].Pix) {
				t.Errorf("%s: picture %d does not show the selection", name, i)
			}
		}
		// All selected again: the states count as they are, not as they once were.
		for i := range states.Host() {
			states.Host()[i] = render.Selected
		}
		states.Upload(0, n)
		if !slices.Equal(look()[0].Pix, second[0].Pix) {
			t.Errorf("%s: the selection is not taken back", name)
		}
	}
}

// Without values points look like missing ones, and have the one colour of a colouring without a palette;
// what is too short for the points draws fewer of them.
func TestWithoutValues(t *testing.T) {
	for name, path := range paths {
		r := rendertest.Renderer(t, path)
		b, short, st := r.NewPointBuffer(2, 2), r.NewValueBuffer(1), r.NewStateBuffer(1)
		copy(b.Host(), []float32{0.25, 0.5, 0.75, 0.5})
		b.Upload(0, 2)
		l := r.NewLayer()
		ground := color.NRGBA{255, 255, 255, 255}
		at := func(s render.Style, v *render.ValueBuffer, st *render.StateBuffer) (left, right color.NRGBA) {
			l.Begin(flat(40), s)
			l.DrawRange(b, v, st, 0, 2)
			l.Resolve(ground)
			img := nrgba(l.Read())
			return img.NRGBAAt(10, 20), img.NRGBAAt(30, 20)
		}
		missing := colouring(render.Dark())
		if a, b := at(render.Style{Size: 6, Opacity: 1, Colouring: missing}, nil, nil); a != missing.Missing || b != a {
			t.Errorf("%s: without values: %v %v", name, a, b)
		}
		red := color.NRGBA{200, 10, 10, 255}
		if a, b := at(paint(red, 6, 1), nil, nil); a != red || b != red {
			t.Errorf("%s: one colour: %v %v", name, a, b)
		}
		if a, b := at(paint(red, 6, 1), short, nil); a != red || b != ground {
			t.Errorf("%s: one value for two points: %v %v", name, a, b)
		}
		if a, b := at(paint(red, 6, 1), nil, st); a != red || b != ground {
			t.Errorf("%s: one state for two points: %v %v", name, a, b)
		}
	}
}

// A vertex array ends with the first of its buffers, whose memory it would keep.
func TestVertexArraysEndWithTheirBuffers(t *testing.T) {
	r := rendertest.Renderer(t, render.OpenGL)
	l := r.NewLayer()
	drawn := func(b *render.PointBuffer, v *render.ValueBuffer, s *render.StateBuffer) {
		l.Begin(flat(20), paint(color.NRGBA{255, 0, 0, 255}, 3, 1))
		l.DrawRange(b, v, s, 0, b.Len())
	}
	none := r.Arrays()
	b, c := r.NewPointBuffer(10, 2), r.NewPointBuffer(10, 3)
	v, s := r.NewValueBuffer(10), r.NewStateBuffer(10)
	for range 3 {
		drawn(b, nil, nil)
		drawn(b, v, nil)
		drawn(b, v, s)
		drawn(c, v, s)
	}
	for _, step := range []struct {
		do   func()
		left int
	}{{func() {}, 4}, {c.Free, 3}, {func() { s.Resize(10) }, 2}, {v.Free, 1}, {func() { b.Resize(9, 3) }, 0},
		{func() { drawn(b, nil, nil) }, 1}, {b.Free, 0}, {s.Free, 0}} {
		step.do()
		if got := r.Arrays() - none; got != step.left {
			t.Fatalf("%d vertex arrays, want %d", got, step.left)
		}
	}
	if e := gl.GetError(); e != 0 {
		t.Errorf("OpenGL error %#x", e)
	}
}
