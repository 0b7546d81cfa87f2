package render_test

import (
	"bytes"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"blossom/render"
	"blossom/render/camera"
	"blossom/render/rendertest"
)

// crowded is many points of clusters, some of them hidden, selected, or without a value, in a random order.
type crowded struct {
	b *render.PointBuffer
	v *render.ValueBuffer
	s *render.StateBuffer

	proj  camera.Projection
	style render.Style
}

const crowdedPoints = 60_000

func newCrowded(r *render.Renderer, rng *rand.Rand) *crowded {
	c := &crowded{b: r.NewPointBuffer(crowdedPoints, 2), v: r.NewValueBuffer(crowdedPoints),
		s: r.NewStateBuffer(crowdedPoints)}
	box := rendertest.Clusters(c.b, c.v, false)
	for i := range crowdedPoints {
		switch rng.IntN(20) {
		case 0:
			c.s.Host()[i] = render.Hidden
		case 1:
			c.v.Host()[i] = float32(math.NaN())
		case 2:
			c.b.Host()[2*i] = float32(math.NaN())
		case 3, 4:
			c.s.Host()[i] = render.Selected
		}
	}
	cam := camera.NewFlat(201, 150)
	cam.Fit(box, camera.Even(-20)) // some lie outside
	c.proj = cam.Projection()
	c.upload()
	return c
}

func (c *crowded) upload() {
	c.b.Upload(0, crowdedPoints)
	c.v.Upload(0, crowdedPoints)
	c.s.Upload(0, crowdedPoints)
}

func (c *crowded) shuffle(rng *rand.Rand) {
	p, v, s := c.b.Host(), c.v.Host(), c.s.Host()
	rng.Shuffle(crowdedPoints, func(i, j int) {
		p[2*i], p[2*i+1], p[2*j], p[2*j+1] = p[2*j], p[2*j+1], p[2*i], p[2*i+1]
		v[i], v[j], s[i], s[j] = v[j], v[i], s[j], s[i]
	})
	c.upload()
}

// counted is the picture of all points at once.
func (c *crowded) counted(t *testing.T, l *render.Layer) *image.RGBA {
	t.Helper()
	l.Begin(c.proj, c.style)
	if drawn := l.DrawNext(c.b, c.v, c.s, 0, crowdedPoints); drawn != 0 || l.Counted() != crowdedPoints {
		t.Fatalf("%d drawn and %d counted of %d points", drawn, l.Counted(), crowdedPoints)
	}
	l.Resolve(render.Light().Background)
	return l.Read()
}

// Many points that are shown at once are the mean of pictures in which their discs lie in any order.
func TestPointsAtOnceAreTheMeanOfAllOrders(t *testing.T) {
	for name, c := range map[string]struct {
		style render.Style
		mean  float64 // steps of 255, by which pixels may differ in the mean
	}{
		"faint":  {render.Style{Size: 0.9, Opacity: 0.1}, 0.8},
		"opaque": {render.Style{Size: 1, Opacity: 1}, 3}, // one point hides the others in each order
		"larger": {render.Style{Size: 3.3, Opacity: 0.2, DimUnselected: true}, 1.2},
	} {
		t.Run(name, func(t *testing.T) {
			r := rendertest.Renderer(t, render.OpenGL)
			r.CountAlways()
			rng := rand.New(rand.NewPCG(1, 2))
			points := newCrowded(r, rng)
			points.style = c.style
			points.style.Colouring = colouring(render.Light())
			l := r.NewLayer()
			defer l.Free()
			at := points.counted(t, l)
			if again := points.counted(t, l); !bytes.Equal(at.Pix, again.Pix) {
				t.Error("the same points are another picture")
			}
			const orders = 12
			sums := make([]float64, len(at.Pix))
			for range orders {
				points.shuffle(rng)
				l.Begin(points.proj, points.style)
				l.DrawRange(points.b, points.v, points.s, 0, crowdedPoints)
				l.Resolve(render.Light().Background)
				for i, x := range l.Read().Pix {
					sums[i] += float64(x) / orders
				}
			}
			apart, bias := 0.0, 0.0
			for i, x := range at.Pix {
				apart += math.Abs(float64(x)-sums[i]) / float64(len(sums))
				bias += (float64(x) - sums[i]) / float64(len(sums))
			}
			if apart > c.mean || math.Abs(bias) > 0.6 {
				t.Errorf("%.2f steps of 255 apart, %.2f brighter", apart, bias)
			}
		})
	}
}

// Points that are counted in pieces are those that are counted at once, with their values and states.
func TestPointsAreCountedInPieces(t *testing.T) {
	r := rendertest.Renderer(t, render.OpenGL)
	r.CountAlways()
	points := newCrowded(r, rand.New(rand.NewPCG(5, 6)))
	points.style = render.Style{Size: 2, Opacity: 0.3, DimUnselected: true, Colouring: colouring(render.Light())}
	l := r.NewLayer()
	defer l.Free()
	whole := points.counted(t, l)
	defer render.CountInPieces(1 << 12)()
	if pieces := points.counted(t, l); !bytes.Equal(whole.Pix, pieces.Pix) {
		t.Error("pieces are another picture")
	}
}

// When things rest, points are drawn one by one behind what is shown, and are the picture when all are.
func TestAtRestPointsAreDrawnOneByOne(t *testing.T) {
	r := rendertest.Renderer(t, render.OpenGL)
	r.CountAlways()
	points := newCrowded(r, rand.New(rand.NewPCG(3, 4)))
	points.style = render.Style{Size: 1, Opacity: 0.3, Colouring: colouring(render.Light())}
	l := r.NewLayer()
	defer l.Free()
	at := points.counted(t, l)
	for drawn, frames := 0, 0; drawn < crowdedPoints; frames++ {
		if drawn = l.DrawNext(points.b, points.v, points.s, drawn, crowdedPoints); frames > 100 {
			t.Fatalf("%d are drawn after %d frames", drawn, frames)
		}
		l.Resolve(render.Light().Background)
		if l.Shown(drawn) != crowdedPoints || drawn < crowdedPoints && !bytes.Equal(at.Pix, l.Read().Pix) {
			t.Fatalf("with %d drawn, %d are shown, or others", drawn, l.Shown(drawn))
		}
	}
	whole := r.NewLayer()
	defer whole.Free()
	whole.Begin(points.proj, points.style)
	whole.DrawRange(points.b, points.v, points.s, 0, crowdedPoints)
	whole.Resolve(render.Light().Background)
	if d := rendertest.Compare(nrgba(whole.Read()), nrgba(l.Read())); d.Most != 0 {
		t.Error(d)
	}
}

// Points in three dimensions, large discs, and all where OpenGL is software are drawn: they are not counted.
func TestWhatIsDrawnOneByOne(t *testing.T) {
	for name, c := range map[string]struct {
		always bool
		size   float32
		dims   int
	}{"software": {false, 1, 2}, "large": {true, 40, 2}, "3D": {true, 1, 3}} {
		t.Run(name, func(t *testing.T) {
			r := rendertest.Renderer(t, render.OpenGL)
			if c.always {
				r.CountAlways()
			} else if !r.Software() {
				t.Skip("OpenGL is no software here")
			}
			b := r.NewPointBuffer(crowdedPoints, c.dims)
			defer b.Free()
			cam := camera.NewFlat(200, 150).Projection()
			if c.dims == 3 {
				cam = camera.NewOrbit(200, 150).Projection()
			}
			l := r.NewLayer()
			defer l.Free()
			l.Begin(cam, render.Style{Size: c.size, Opacity: 0.1, Colouring: colouring(render.Light())})
			if drawn := l.DrawNext(b, nil, nil, 0, crowdedPoints); drawn == 0 || l.Counted() != 0 {
				t.Errorf("%d drawn, %d counted", drawn, l.Counted())
			}
		})
	}
}

// No pixel has a sum of more than 32 bits, however many points are in it.
func TestSumsOfManyPointsHaveRoom(t *testing.T) {
	for _, n := range []int{1, 1 << 20, 16_843_009, 16_843_010, 1 << 27, 1 << 31} {
		bits := render.Coarse(n)
		most := uint64(255+1<<bits-1) >> bits // a point has no more
		if uint64(n)*most > math.MaxUint32 || bits > 0 && uint64(n)*uint64(255>>(bits-1)+1) <= math.MaxUint32 {
			t.Errorf("%d points: %d bits", n, bits)
		}
	}
}
