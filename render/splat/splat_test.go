package splat

import (
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"blossom/render/camera"
	"blossom/render/palette"
)

// scene is n points of some gaussian clusters, fitted into w x h.
func scene(n, dims, w, h int) (Points, camera.Projection) {
	r := rand.New(rand.NewPCG(1, 2))
	p := Points{Pos: make([]float32, n*dims), Dims: dims, Values: make([]float32, n)}
	for i := range n {
		c := r.IntN(12)
		p.Values[i] = float32(c) + 0.5*float32(r.NormFloat64())
		for d := range dims {
			mid := float64(c*(d*5+7)%12) / 12
			p.Pos[i*dims+d] = float32(mid + 0.05*r.NormFloat64())
		}
	}
	b, _ := camera.BoundsOf(p.Pos, dims)
	var cam camera.Camera = camera.NewFlat(w, h)
	if dims == 3 {
		cam = camera.NewOrbit(w, h)
	}
	cam.Fit(b, camera.Even(10))
	return p, cam.Projection()
}

func style(size, opacity float32) Style {
	c := palette.Colouring{Palette: palette.Default(), Lo: 0, Hi: 12, Missing: color.NRGBA{128, 128, 128, 255}}
	t := new(palette.Table)
	c.Fill(t)
	return Style{Size: size, Opacity: opacity, Table: t, Lookup: c.Lookup()}
}

var white = color.NRGBA{255, 255, 255, 255}

func render(threads, w, h int, p Points, proj camera.Projection, s Style, cuts ...int) []uint8 {
	c := New(threads)
	defer c.Close()
	c.Begin(w, h)
	from := 0
	for _, to := range append(cuts, len(p.Values)) {
		c.Draw(p, proj, s, from, to)
		from = to
	}
	out := make([]uint8, 4*w*h)
	c.Resolve(out, white)
	return out
}

// exact is the same picture in float64, straight from the rules.
func exact(w, h int, p Points, proj camera.Projection, s Style) []uint8 {
	acc := make([][4]float64, w*h)
	r, a := Disc(s.Size, s.Opacity)
	for i, v := range p.Values {
		x := (float64(p.Pos[2*i]-proj.Origin[0])*float64(proj.M[0]) + float64(proj.M[12]) + 1) * float64(w) / 2
		y := (float64(p.Pos[2*i+1]-proj.Origin[1])*float64(proj.M[5]) + float64(proj.M[13]) + 1) * float64(h) / 2
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		col := s.Table[s.Lookup.Entry(v)]
		reach := float64(r) + 1
		for py := max(0, int(y-reach)); py < min(h, int(y+reach)+1); py++ {
			for px := max(0, int(x-reach)); px < min(w, int(x+reach)+1); px++ {
				d := math.Hypot(float64(px)+0.5-x, float64(py)+0.5-y)
				cover := math.Min(math.Max(float64(r)+0.5-d, 0), 1) * float64(a)
				q := &acc[py*w+px]
				wt := cover * (1 - q[3])
				q[0] += wt * float64(col.R)
				q[1] += wt * float64(col.G)
				q[2] += wt * float64(col.B)
				q[3] += wt
			}
		}
	}
	out := make([]uint8, 4*w*h)
	for i, q := range acc {
		for k := range 3 {
			out[4*i+k] = uint8(q[k] + 255*(1-q[3]) + 0.5)
		}
		out[4*i+3] = 255
	}
	return out
}

func difference(a, b []uint8) (mean float64, most int) {
	sum := 0
	for i := range a {
		d := int(a[i]) - int(b[i])
		d = max(d, -d)
		sum += d
		most = max(most, d)
	}
	return float64(sum) / float64(len(a)), most
}

func TestAgreesWithTheRules(t *testing.T) {
	const w, h = 211, 173
	for _, tc := range []struct {
		n             int
		size, opacity float32
	}{{300, 0.5, 1}, {300, 1, 0.8}, {2000, 1.7, 0.6}, {2000, 3, 0.3}, {500, 7.5, 1}, {40, 14, 0.9}, {5000, 2.5, 0.05}} {
		p, proj := scene(tc.n, 2, w, h)
		p.Pos[7] = float32(math.NaN())
		p.Values[5] = float32(math.NaN())
		s := style(tc.size, tc.opacity)
		mean, most := difference(render(2, w, h, p, proj, s), exact(w, h, p, proj, s))
		// A centre is known to 1/16 or 1/32 of a pixel, which is as much coverage at an edge.
		if mean > 0.6 || most > 40 {
			t.Errorf("%+v: mean difference %.3f, largest %d", tc, mean, most)
		}
	}
}

func TestAnyOrderOfWorkAnyPieces(t *testing.T) {
	for _, dims := range []int{2, 3} {
		p, proj := scene(30000, dims, 300, 200)
		s := style(2.3, 0.5)
		want := render(1, 300, 200, p, proj, s)
		for _, threads := range []int{2, 5} {
			if _, most := difference(want, render(threads, 300, 200, p, proj, s, 1, 2, 77, 4096, 20000)); most != 0 {
				t.Errorf("%d dims, %d threads, drawn in pieces: differs by %d", dims, threads, most)
			}
		}
	}
}

func TestAwkwardInput(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	pos := []float32{nan, 0, 0, nan, inf, 0, 0, -inf, 1e38, -1e38, 0.5, 0.5, 3e38, 3e38}
	p := Points{Pos: pos, Dims: 2, Values: []float32{0, 0, 0, 0, 0, inf, nan}}
	for _, size := range []float32{0, -1, nan, 0.01, 1, 5, 1e9, inf} {
		for _, wh := range [][2]int{{1, 1}, {1, 40}, {33, 1}, {64, 64}} {
			cam := camera.NewFlat(wh[0], wh[1])
			out := render(2, wh[0], wh[1], p, cam.Projection(), style(size, 1))
			for i := 3; i < len(out); i += 4 {
				if out[i] != 255 {
					t.Fatalf("size %v, %v: alpha %d on an opaque ground", size, wh, out[i])
				}
			}
		}
	}
	c := New(1)
	defer c.Close()
	c.Draw(p, camera.Projection{}, style(1, 1), 0, 7) // before Begin: nothing to draw on
	c.Begin(-5, 0)
	if w, h := c.Size(); w != 1 || h != 1 {
		t.Errorf("size %d x %d", w, h)
	}
}

func TestStates(t *testing.T) {
	p := Points{Pos: []float32{0.25, 0.5, 0.75, 0.5, 2, 2}, Dims: 2, Values: []float32{12, 12, 12},
		States: []uint8{Hidden, 0, 0}}
	cam := camera.NewFlat(40, 40)
	s := style(6, 1)
	at := func(out []uint8, x int) color.NRGBA {
		o := out[4*(20*40+x):]
		return color.NRGBA{o[0], o[1], o[2], o[3]}
	}
	out := render(1, 40, 40, p, cam.Projection(), s)
	if got := at(out, 10); got != white {
		t.Errorf("hidden point drawn: %v", got)
	}
	if got, want := at(out, 30), palette.Default().At(1); got != want {
		t.Errorf("point %v, want %v", got, want)
	}
	s.DimUnselected = true
	p.States[0] = Selected
	out = render(1, 40, 40, p, cam.Projection(), s)
	if got, want := at(out, 10), palette.Default().At(1); got != want {
		t.Errorf("selected %v, want %v", got, want)
	}
	if got, want := at(out, 30), s.Table[palette.MissingEntry]; got != want {
		t.Errorf("not selected %v, want %v", got, want)
	}
}

func TestTransparentGround(t *testing.T) {
	p := Points{Pos: []float32{0.5, 0.5}, Dims: 2, Values: []float32{0}}
	cam := camera.NewFlat(9, 9)
	c := New(1)
	defer c.Close()
	c.Begin(9, 9)
	c.Draw(p, cam.Projection(), style(5, 0.5), 0, 1)
	out := make([]uint8, 4*81)
	c.Resolve(out, color.NRGBA{255, 0, 0, 0})
	if out[0] != 0 || out[3] != 0 {
		t.Errorf("corner %v, want nothing", out[:4])
	}
	mid := out[4*40 : 4*41]
	col := palette.Default().At(0)
	if mid[3] < 127 || mid[3] > 128 || math.Abs(float64(mid[2])-float64(col.B)/2) > 1 {
		t.Errorf("middle %v, want half of %v, premultiplied", mid, col)
	}
}

func TestNoAllocation(t *testing.T) {
	p, proj := scene(20000, 2, 400, 300)
	s := style(2, 0.5)
	c := New(2)
	defer c.Close()
	out := make([]uint8, 4*400*300)
	frame := func() {
		c.Begin(400, 300)
		c.Draw(p, proj, s, 0, 20000)
		c.Resolve(out, white)
	}
	frame()
	if n := testing.AllocsPerRun(10, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func benchmark(b *testing.B, n, dims int, size, opacity float32) {
	const w, h = 1280, 800
	p, proj := scene(n, dims, w, h)
	s := style(size, opacity)
	c := New(0)
	defer c.Close()
	out := make([]uint8, 4*w*h)
	best := time.Hour // the machine may be shared
	for b.Loop() {
		start := time.Now()
		c.Begin(w, h)
		c.Draw(p, proj, s, 0, n)
		c.Resolve(out, white)
		best = min(best, time.Since(start))
	}
	b.ReportMetric(float64(best.Nanoseconds())/float64(n), "best-ns/point")
}

func BenchmarkMillion1px(b *testing.B)       { benchmark(b, 1<<20, 2, 1, 0.3) }
func BenchmarkMillion2px(b *testing.B)       { benchmark(b, 1<<20, 2, 2, 0.3) }
func BenchmarkMillion3px(b *testing.B)       { benchmark(b, 1<<20, 2, 3, 0.3) }
func BenchmarkMillion3pxThick(b *testing.B)  { benchmark(b, 1<<20, 2, 3, 0.8) }
func BenchmarkMillion2pxIn3D(b *testing.B)   { benchmark(b, 1<<20, 3, 2, 0.3) }
func BenchmarkFiftyThousand3px(b *testing.B) { benchmark(b, 50000, 2, 3, 0.6) }
func BenchmarkFiveHundred8px(b *testing.B)   { benchmark(b, 500, 2, 8, 0.8) }

func TestSizeClasses(t *testing.T) {
	if classOf(minSize) != 0 || sizeOf(0) != minSize || classOf(MaxSize) > 0x7f {
		t.Errorf("first %d of %v, last %d", classOf(minSize), sizeOf(0), classOf(MaxSize))
	}
	for s := float32(minSize); s <= MaxSize; s *= 1.003 {
		if c := sizeOf(classOf(s)); math.Abs(float64(c/s-1)) > 0.0626 {
			t.Fatalf("size %v is drawn as %v", s, c)
		}
	}
}
